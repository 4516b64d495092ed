package proctree

import "testing"

func TestStatIsReadBehindTheCommand(t *testing.T) {
	for stat, want := range map[string]process{
		"7 (sleep) S 5 6 6 0 -1":            {pid: 7, parent: 5, group: 6},
		"7 (a) S 1 2 3) (b ) R 50 60 60 0":  {pid: 7, parent: 50, group: 60},
		"7 (tmux: server) S 1 7 7 0 -1 419": {pid: 7, parent: 1, group: 7},
	} {
		if got, ok := parseStat(7, []byte(stat)); !ok || got != want {
			t.Errorf("%q is %+v (%v), want %+v", stat, got, ok, want)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("7 (sleep) S 5 6 6 0 -1"))
	f.Add([]byte("7 (sleep)"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, stat []byte) {
		if p, ok := parseStat(7, stat); ok && p.pid != 7 {
			t.Errorf("pid is %d", p.pid)
		}
	})
}
