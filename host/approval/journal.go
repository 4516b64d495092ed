package approval

import (
	"slices"
	"sync"
)

// Journal keeps what was asked and decided. Append returns once the record is
// kept; it is called from several goroutines, once per request. Records returns
// what is kept, the oldest first, for the caller to own.
type Journal interface {
	Append(Record) error
	Records() []Record
}

// defaultJournalLimit is how many records a MemoryJournal keeps unless told.
const defaultJournalLimit = 1000

// MemoryJournal keeps the newest records in memory.
type MemoryJournal struct {
	limit int

	mu      sync.Mutex
	records []Record
}

var _ Journal = (*MemoryJournal)(nil)

// NewMemoryJournal returns a journal that keeps at most limit records, or
// 1000 when limit is not positive.
func NewMemoryJournal(limit int) *MemoryJournal {
	if limit <= 0 {
		limit = defaultJournalLimit
	}
	return &MemoryJournal{limit: limit}
}

// Append keeps a record and drops the oldest beyond the limit. It does not fail.
func (j *MemoryJournal) Append(record Record) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.records) == j.limit {
		j.records[0] = Record{}
		j.records = j.records[1:]
	}
	j.records = append(j.records, record)
	return nil
}

// Records returns the kept records, the oldest first.
func (j *MemoryJournal) Records() []Record {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.records)
}
