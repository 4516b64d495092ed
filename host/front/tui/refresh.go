package tui

import "github.com/toolcrib/toolcrib/host/pool"

// refreshStatus reads what the last line tells. It is called when something
// happened, not at each draw.
func (a *app) refreshStatus() {
	s := status{workspace: a.options.Workspace, mode: string(a.session.Mode())}
	for _, e := range a.session.Pool().Entries() {
		switch e.State {
		case pool.Visible:
			s.visible++
		case pool.Deferred:
			s.deferred++
		}
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
	s.waiting, s.running = len(a.queue.cards), len(a.running)
	a.status = s
}

func (a *app) statusLine(width int) line {
	a.status.hint = a.hint()
	return a.status.line(a.theme, width)
}
