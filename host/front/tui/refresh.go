package tui

import "github.com/toolcrib/toolcrib/host/pool"

// refreshStatus reads what the last line tells. It is called when something
// happened, not at each draw.
func (a *app) refreshStatus() {
	s := status{
		workspace: a.options.Workspace, mode: string(a.session.Mode()),
		visible: a.status.visible, deferred: a.status.deferred,
		waiting: len(a.queue.cards), running: len(a.running),
	}
	if p := a.session.Pool(); p != a.counted {
		s.visible, s.deferred = count(p)
		a.counted = p
	}
	for _, p := range a.session.Providers() {
		s.providers++
		switch state := string(p.State); state {
		case "ready":
			s.ready++
		case "crashed", "backoff", "disabled", "failed":
			s.sick = append(s.sick, p.Name+" "+state)
		}
	}
	a.status = s
}

// count tells how many tools a model sees and how many it could load. A pool may
// hold thousands, so it is done once for each.
func count(p *pool.Pool) (visible, deferred int) {
	for _, e := range p.Entries() {
		switch e.State {
		case pool.Visible:
			visible++
		case pool.Deferred:
			deferred++
		}
	}
	return visible, deferred
}

func (a *app) statusLine(width int) line {
	a.status.hint, a.status.warns = a.hint(), a.focus.inShell() && a.focus.brought
	return a.status.line(a.theme, width)
}
