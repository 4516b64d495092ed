package approval_test

import (
	"errors"
	"testing"

	"github.com/toolcrib/toolcrib/host/approval"
)

func TestAnswersToQuestions(t *testing.T) {
	options := []approval.Option{{Label: "red"}, {Label: "green"}}
	one := approval.Question{Options: options}
	several := approval.Question{Options: options, MultiSelect: true}
	either := approval.Question{Options: options, AllowFreeText: true}
	open := approval.Question{}

	for name, tc := range map[string]struct {
		question approval.Question
		answer   approval.Decision
		valid    bool
	}{
		"one option":                        {one, approval.Decision{Selected: []int{1}}, true},
		"an option below the first":         {one, approval.Decision{Selected: []int{-1}}, false},
		"an option beyond the last":         {one, approval.Decision{Selected: []int{2}}, false},
		"two of one":                        {one, approval.Decision{Selected: []int{0, 1}}, false},
		"none of one":                       {one, approval.Decision{}, false},
		"a text where options are offered":  {one, approval.Decision{Text: "blue"}, false},
		"several options":                   {several, approval.Decision{Selected: []int{1, 0}}, true},
		"none of several":                   {several, approval.Decision{}, true},
		"the same option twice":             {several, approval.Decision{Selected: []int{1, 1}}, false},
		"a text where it is allowed":        {either, approval.Decision{Text: "blue"}, true},
		"an option and a text":              {either, approval.Decision{Selected: []int{0}, Text: "dark"}, true},
		"a text without options":            {open, approval.Decision{Text: "blue"}, true},
		"an option where none are offered":  {open, approval.Decision{Selected: []int{0}}, false},
		"an empty text where text is asked": {open, approval.Decision{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			b, _ := newBroker(t)
			id, answered := ask(t.Context(), t, b, approval.Request{Kind: approval.KindQuestion, Question: &tc.question})
			tc.answer.Verdict = approval.Allow
			err := b.Decide(id, tc.answer)
			if tc.valid {
				if err != nil {
					t.Fatal(err)
				}
				if got := <-answered; len(got.decision.Selected) != len(tc.answer.Selected) || got.decision.Text != tc.answer.Text {
					t.Errorf("got %+v", got)
				}
				return
			}
			if !errors.Is(err, approval.ErrInvalid) {
				t.Errorf("got %v", err)
			}
			if err := b.Decide(id, approval.Decision{Verdict: approval.Cancel}); err != nil {
				t.Errorf("the question is not open any more: %v", err)
			}
			<-answered
		})
	}
}

func TestQuestionWithoutAQuestionIsRefused(t *testing.T) {
	b, _ := newBroker(t)
	if _, err := b.Ask(t.Context(), approval.Request{Kind: approval.KindQuestion}, nil); err == nil {
		t.Error("it was asked")
	}
}

func TestMemoryJournalKeepsTheNewest(t *testing.T) {
	journal := approval.NewMemoryJournal(2)
	for _, id := range []string{"a", "b", "c"} {
		if err := journal.Append(approval.Record{Request: approval.Request{ID: id}}); err != nil {
			t.Fatal(err)
		}
	}
	records := journal.Records()
	if len(records) != 2 || records[0].Request.ID != "b" || records[1].Request.ID != "c" {
		t.Errorf("got %+v", records)
	}
}
