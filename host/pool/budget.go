package pool

import (
	"cmp"
	"fmt"
	"slices"
)

// spend keeps the visible tools within the view's bound on tokens and defers the
// others. Bundled tools and those that the configuration wants in the list are in
// it whatever they cost. Of the rest those that were used most go first, then
// those that come first; one for which no room is left is passed over. Loaded
// tools are no part of it, so that loading one does not push another out.
func (v *View) spend(decisions []decision, loaded map[string]int) {
	if v.VisibleTokens <= 0 {
		return
	}
	left := v.VisibleTokens
	var optional []*decision
	for i := range decisions {
		d := &decisions[i]
		switch {
		case d.state != Visible || d.loaded:
		case d.tool.Origin.Kind.Bundled() || d.setting != "":
			left -= d.tokens
		default:
			optional = append(optional, d)
		}
	}
	slices.SortStableFunc(optional, func(a, b *decision) int {
		return cmp.Compare(v.Uses[b.tool.Name], v.Uses[a.tool.Name])
	})
	for _, d := range optional {
		if d.tokens <= left {
			left -= d.tokens
			continue
		}
		d.by = fmt.Sprintf("pool { visible_tokens = %d }", v.VisibleTokens)
		d.reason = fmt.Sprintf("deferred by %s, since it needs %d tokens and %d are left by tools that go before it (it was %s before)",
			d.by, d.tokens, max(left, 0), times(v.Uses[d.tool.Name]))
		d.deferTo(loaded)
	}
}

func times(n int) string {
	switch n {
	case 0:
		return "never called"
	case 1:
		return "called once"
	}
	return fmt.Sprintf("called %d times", n)
}
