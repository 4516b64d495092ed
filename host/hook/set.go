package hook

import (
	"fmt"
	"slices"
	"sync"
)

// Set is the hooks that hold at one moment, in declared order. It is immutable,
// and its methods may be called from several goroutines. The zero value has no
// hooks.
type Set struct {
	guards    []Guard
	approvers []Approver
	reviewers []Reviewer
	followers []Follower
}

// NewSet makes a set. A hook that would never be asked is an error.
func NewSet(hooks ...Hook) (Set, error) {
	var s Set
	for _, h := range hooks {
		guard, isGuard := h.(Guard)
		approver, isApprover := h.(Approver)
		reviewer, isReviewer := h.(Reviewer)
		follower, isFollower := h.(Follower)
		if !isGuard && !isApprover && !isReviewer && !isFollower {
			return Set{}, fmt.Errorf("the hook %q would never be asked: give it a method of hook.Guard, Approver, Reviewer or Follower", h.Name())
		}
		if isGuard {
			s.guards = append(s.guards, guard)
		}
		if isApprover {
			s.approvers = append(s.approvers, approver)
		}
		if isReviewer {
			s.reviewers = append(s.reviewers, reviewer)
		}
		if isFollower {
			s.followers = append(s.followers, follower)
		}
	}
	return s, nil
}

// Then is the set with the hooks of another one after its own.
func (s Set) Then(later Set) Set {
	return Set{
		guards:    slices.Concat(s.guards, later.guards),
		approvers: slices.Concat(s.approvers, later.approvers),
		reviewers: slices.Concat(s.reviewers, later.reviewers),
		followers: slices.Concat(s.followers, later.followers),
	}
}

// all asks hooks at once and blocks until each has answered.
func all[H Hook, A any](hooks []H, ask func(H) A) []A { return allBut(-1, hooks, ask) }

// allBut leaves one of the hooks out; its answer is the zero value.
func allBut[H Hook, A any](skip int, hooks []H, ask func(H) A) []A {
	answers := make([]A, len(hooks))
	var group sync.WaitGroup
	for i, hook := range hooks {
		if i != skip {
			group.Go(func() { answers[i] = ask(hook) })
		}
	}
	group.Wait()
	return answers
}

// attempt asks one hook. A panic is an error of the hook, not the end of the
// host.
func attempt[A any](ask func() (A, error)) (answer A, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	return ask()
}

// failure is what is said of a hook that failed, and whether that only warns.
func failure(h Hook, err error) (text string, warns bool) {
	tolerant, ok := h.(Tolerant)
	return fmt.Sprintf("the hook failed: %v", err), ok && tolerant.OnError() == Warn
}

// repair tells what to do about a failure that blocks.
const repair = "; repair it, take it out of config.hcl, or let it only warn with on_error"
