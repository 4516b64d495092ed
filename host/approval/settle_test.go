package approval_test

import (
	"testing"

	"github.com/toolcrib/toolcrib/host/approval"
)

func TestSettledRequestIsInTheJournalAndNotInTheQueue(t *testing.T) {
	journal := approval.NewMemoryJournal(0)
	broker := approval.NewBroker(journal, nil)
	request, err := broker.Settle(approval.Request{Tool: "Bash"}, approval.Decision{Verdict: approval.Allow, By: "hook mine"})
	if err != nil || request.ID == "" || request.Asked.IsZero() {
		t.Fatalf("Settle = %+v, %v", request, err)
	}
	records := journal.Records()
	if len(records) != 1 || records[0].Request.ID != request.ID || records[0].Decision.By != "hook mine" || records[0].Decision.At.IsZero() {
		t.Errorf("records = %+v", records)
	}
	if pending := broker.Pending(); len(pending) != 0 {
		t.Errorf("pending = %+v", pending)
	}
	if err := broker.Decide(request.ID, approval.Decision{Verdict: approval.Deny}); err == nil {
		t.Error("it can be decided again")
	}
}
