package host

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
)

const (
	// maxUsed bounds the tools whose calls a workspace counts.
	maxUsed = 1000
	// maxUses is the count from which all are halved, so that what was used long
	// ago does not count for ever.
	maxUses = 1000
)

// uses counts the calls of the workspace's tools, which decides what stays in the
// model's list when not all fit. What was counted up to now is read once when the
// host opens and holds for its whole session: a list that changed with each call
// would cost the model's prompt cache more than it saves.
type uses struct {
	path   string
	before map[string]int // not changed after newUses

	mu  sync.Mutex
	now map[string]int
}

// newUses reads what earlier sessions counted. The error is for the log: without
// counts the order of the tools decides.
func newUses(path string) (*uses, error) {
	before, err := readUses(path)
	return &uses{path: path, before: before, now: make(map[string]int)}, err
}

func readUses(path string) (counts map[string]int, err error) {
	if err := readRecord(path, &counts); err != nil {
		return nil, fmt.Errorf("read the counts of calls: %w", err)
	}
	return counts, nil
}

// count notes a call.
func (u *uses) count(tool string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.now[tool]++
}

// keep adds what was counted to the workspace's file, which other hosts add to,
// too. It is called when the host closes.
func (u *uses) keep() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.now) == 0 {
		return nil
	}
	err := locked(u.path, func() error {
		total, _ := readUses(u.path) // a file that cannot be read is started anew
		return writeRecord(u.path, added(total, u.now))
	})
	if err != nil {
		return fmt.Errorf("keep the counts of calls: %w", err)
	}
	clear(u.now)
	return nil
}

// added sums two counts within the bounds.
func added(total, more map[string]int) map[string]int {
	sum := make(map[string]int, len(total)+len(more))
	maps.Copy(sum, total)
	most := 0
	for tool, n := range more {
		sum[tool] += n
	}
	for _, n := range sum {
		most = max(most, n)
	}
	for ; most > maxUses; most /= 2 {
		for tool := range sum {
			sum[tool] /= 2
		}
	}
	names := slices.Collect(maps.Keys(sum))
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(sum[b], sum[a]), cmp.Compare(a, b)) })
	for i, name := range names {
		if i >= maxUsed || sum[name] == 0 {
			delete(sum, name)
		}
	}
	return sum
}
