package tui

import "testing"

func TestArrange(t *testing.T) {
	sizes := map[string][3]int{
		"the smallest window":      {minWidth, minHeight, 0},
		"80x24":                    {80, 24, 0},
		"80x24 with a card":        {80, 24, 9},
		"80x24 with a tall card":   {80, 24, 1000},
		"shell beside":             {besideWidth, 30, 0},
		"shell beside with a card": {200, 50, 12},
	}
	for name, size := range sizes {
		for _, shell := range []bool{true, false} {
			t.Run(name, func(t *testing.T) { checkFrame(t, size, shell) })
		}
	}
}

// checkFrame checks that the parts cover every cell exactly once.
func checkFrame(t *testing.T, size [3]int, shell bool) {
	width, height, card := size[0], size[1], size[2]
	f := arrange(width, height, card, shell)
	covered := map[[2]int]int{}
	for _, r := range []rect{f.transcriptTitle, f.transcript, f.card, f.shellTitle, f.shell, f.separator, f.input, f.status} {
		for y := r.y; y < r.y+r.height; y++ {
			for x := r.x; x < r.x+r.width; x++ {
				covered[[2]int{x, y}]++
			}
		}
	}
	if len(covered) != width*height {
		t.Errorf("%d of %d cells are covered: %+v", len(covered), width*height, f)
	}
	for cell, times := range covered {
		if times != 1 {
			t.Fatalf("cell %v is covered %d times: %+v", cell, times, f)
		}
	}
	if plain := arrange(width, height, 0, shell); f.shell != plain.shell {
		t.Errorf("the card moved the shell from %+v to %+v", plain.shell, f.shell)
	}
	if shell && f.shell.height < 4 {
		t.Errorf("the shell has %d rows", f.shell.height)
	}
	if card > 0 && f.card.height < cardFrame+2 {
		t.Errorf("the card has %d rows", f.card.height)
	}
}
