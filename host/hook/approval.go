package hook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// BeforeApproval asks all approvers about a call that a person would be asked
// about, at once, and blocks until each has answered. The outcome is deny when
// one of them denies, and allow when one allows and none wants a person to
// decide. The error is only ever the context's.
func (s Set) BeforeApproval(ctx context.Context, call Call) (Merged, error) {
	answers := all(s.approvers, func(a Approver) Answer {
		call := call
		call.Input = bytes.Clone(call.Input)
		answer, err := attempt(func() (Answer, error) { return a.BeforeApproval(ctx, call) })
		if err == nil {
			err = answer.check()
		}
		if err == nil && answer.Input != nil {
			err = errRewritesApproved
		}
		return answer.or(a, err)
	})
	if err := ctx.Err(); err != nil {
		return Merged{}, fmt.Errorf("ask hooks about the approval of %s: %w", call.Tool, err)
	}
	return merge(s.approvers, answers), nil
}

// errRewritesApproved: what was judged is what is approved.
var errRewritesApproved = errors.New("it rewrites the input of a call that was judged already; rewrite it at pre_tool_use")
