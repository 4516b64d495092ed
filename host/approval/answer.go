package approval

import "fmt"

// fits reports why a decision cannot be the answer to a request.
func fits(request Request, decision Decision) error {
	switch decision.Verdict {
	case Allow, Deny, Cancel:
	default:
		return fmt.Errorf("%w: verdict %q is not allow, deny or cancel", ErrInvalid, decision.Verdict)
	}
	if request.Kind != KindQuestion {
		if len(decision.Selected) > 0 || decision.Text != "" {
			return fmt.Errorf("%w: only a question takes an answer", ErrInvalid)
		}
		return nil
	}
	if decision.Verdict != Allow {
		return nil
	}
	return request.Question.accepts(decision.Selected, decision.Text)
}

// accepts checks an answer: indexes into Options, and free text.
func (q *Question) accepts(selected []int, text string) error {
	seen := make(map[int]bool, len(selected))
	for _, index := range selected {
		if index < 0 || index >= len(q.Options) {
			return fmt.Errorf("%w: option %d is not one of the %d offered", ErrInvalid, index+1, len(q.Options))
		}
		if seen[index] {
			return fmt.Errorf("%w: option %d is selected twice", ErrInvalid, index+1)
		}
		seen[index] = true
	}
	// A question that offers nothing can only be answered by text.
	freeText := q.AllowFreeText || len(q.Options) == 0
	switch {
	case text != "" && !freeText:
		return fmt.Errorf("%w: the question takes one of its options, not a text", ErrInvalid)
	case len(selected) > 1 && !q.MultiSelect:
		return fmt.Errorf("%w: the question takes one option, not %d", ErrInvalid, len(selected))
	case len(selected) == 0 && !freeText && !q.MultiSelect:
		return fmt.Errorf("%w: select an option", ErrInvalid)
	}
	return nil
}
