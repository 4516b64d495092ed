package host

import (
	"fmt"
	"maps"
	"path/filepath"
	"testing"
)

func TestCountsOfCallsAreAddedWithinBounds(t *testing.T) {
	many := make(map[string]int)
	for i := range 2 * maxUsed {
		many[fmt.Sprintf("tool%04d", i)] = 1 + i%2
	}
	for claim, test := range map[string]struct {
		total, more map[string]int
		want        map[string]int // nil: the most used of many
	}{
		"of two sessions are summed":          {map[string]int{"a": 1, "b": 2}, map[string]int{"b": 3, "c": 1}, map[string]int{"a": 1, "b": 5, "c": 1}},
		"that are large are halved":           {map[string]int{"a": maxUses, "b": 4, "c": 1}, map[string]int{"a": 2}, map[string]int{"a": maxUses/2 + 1, "b": 2}},
		"beyond the bound are the least used": {many, nil, nil},
	} {
		got := added(test.total, test.more)
		switch {
		case test.want != nil && !maps.Equal(got, test.want):
			t.Errorf("counts %s: got %v, want %v", claim, got, test.want)
		case test.want == nil && len(got) != maxUsed:
			t.Errorf("counts %s: %d are kept, want %d", claim, len(got), maxUsed)
		}
		for tool, n := range got {
			if test.want == nil && n != 2 {
				t.Errorf("%s with %d calls is kept", tool, n)
			}
		}
	}
}

func TestHostsSideBySideAddTheirCounts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "uses.json")
	for _, tool := range []string{"a", "b", "a"} {
		u, err := newUses(path)
		if err != nil {
			t.Fatal(err)
		}
		u.count(tool)
		if err := u.keep(); err != nil {
			t.Fatal(err)
		}
		if err := u.keep(); err != nil { // what was kept is not added again
			t.Fatal(err)
		}
	}
	if got, err := readUses(path); err != nil || !maps.Equal(got, map[string]int{"a": 2, "b": 1}) {
		t.Errorf("got %v, %v", got, err)
	}
}
