package host

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/hook/command"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/trust"
)

// hooks are the hooks of a host: those of the program that embeds it, those that
// the configuration declares, and those that are providers, in this order.
type hooks struct {
	host     *Host
	embedded hook.Set
	// declared is swapped as a whole with the policy.
	declared  atomic.Pointer[hook.Set]
	checksums executable.Checksums // of the programs of all

	mu      sync.Mutex
	greeted map[string]chan struct{} // who is told that the session started; closed when they have answered
	opened  bool
	ended   bool
	running sync.WaitGroup // who is being told that it started
}

// newHooks fails when one of the embedded hooks would never be asked.
func newHooks(h *Host, embedded []hook.Hook) (*hooks, error) {
	set, err := hook.NewSet(embedded...)
	if err != nil {
		return nil, err
	}
	s := &hooks{host: h, embedded: set, greeted: make(map[string]chan struct{})}
	s.declared.Store(&hook.Set{})
	return s, nil
}

// set is what holds at this moment.
func (s *hooks) set() hook.Set {
	return s.embedded.Then(*s.declared.Load()).Then(s.ofProviders())
}

// stage makes the hooks that a configuration declares. One whose program cannot be
// had fails whenever it is asked, so that what it guards stays guarded.
func (s *hooks) stage(c *config.Config, agreed trust.Agreement) *hook.Set {
	made := make([]hook.Hook, 0, len(c.Hooks))
	for _, declared := range c.Hooks {
		one, err := s.declare(declared, agreed)
		if err != nil { // the configuration was checked: there is no such event
			s.host.events.Append("", session.Notice{Level: session.Error, Text: err.Error()})
			continue
		}
		made = append(made, one)
	}
	set, err := hook.NewSet(made...)
	if err != nil {
		panic(err) // a declared hook has the interface of its event
	}
	return &set
}

func (s *hooks) declare(declared config.Hook, agreed trust.Agreement) (hook.Hook, error) {
	d := hook.Declaration{
		Name: declared.Name, Event: hook.Event(declared.Event), Timeout: declared.Timeout,
		OnError: hook.OnError(declared.OnError), Personal: !declared.Layer.Foreign(),
	}
	program, err := agreed.Hook(declared)
	if err == nil {
		d.Asker = command.Command{Program: program, Workspace: s.host.workspace, Checksums: &s.checksums}
		d.Matcher, err = hook.ParseMatcher(declared.Matcher)
	}
	if err != nil {
		d.Asker = unable{err}
		s.host.events.Append("", session.Notice{Level: session.Error, Text: fmt.Sprintf("hook %q cannot run: %v", d.Name, err)})
	}
	switch d.Event {
	case hook.SessionStart:
		d.Asker = once{d.Asker, s, "hook " + d.Name}
	case hook.Stop:
		s.host.events.Append("", session.Notice{Level: session.Info, Text: fmt.Sprintf(
			"hook %q runs when a model's turn ends: that is, where a program that embeds toolcrib calls Host.EndTurn", d.Name)})
	}
	return hook.Declare(d)
}

// ofProviders are the providers that are hooks. They may deny, ask, warn and
// rewrite; nobody gave them leave to allow anything in the person's name.
func (s *hooks) ofProviders() hook.Set {
	var made []hook.Hook
	for _, supervisor := range s.host.providers.all() {
		for _, event := range supervisor.HookEvents() {
			name := supervisor.Status().Name
			d := hook.Declaration{Name: name, Event: hook.Event(event), Asker: provider{supervisor}}
			if d.Event == hook.SessionStart {
				d.Asker = once{d.Asker, s, "plugin " + name}
			}
			one, err := hook.Declare(d)
			if err != nil {
				continue // an event of a newer protocol, which never happens here
			}
			made = append(made, one)
		}
	}
	set, err := hook.NewSet(made...)
	if err != nil {
		panic(err) // a declared hook has the interface of its event
	}
	return set
}

// provider asks a provider.
type provider struct{ supervisor *plugin.Supervisor }

func (p provider) Ask(ctx context.Context, event hook.Event, payload json.RawMessage) ([]byte, error) {
	answer, err := p.supervisor.Hook(ctx, plugin.HookEvent{Name: string(event), Payload: payload})
	return answer.Output, err
}

// unable is a hook that cannot be asked.
type unable struct{ err error }

func (u unable) Ask(context.Context, hook.Event, json.RawMessage) ([]byte, error) { return nil, u.err }

// once asks a hook the first time in a session only: a reload tells of the start
// again, for those that are new. Whoever comes second waits for the first answer
// all the same.
type once struct {
	hook.Asker
	hooks *hooks
	key   string
}

func (o once) Ask(ctx context.Context, event hook.Event, payload json.RawMessage) ([]byte, error) {
	o.hooks.mu.Lock()
	answered, again := o.hooks.greeted[o.key]
	if !again {
		answered = make(chan struct{})
		o.hooks.greeted[o.key] = answered
	}
	o.hooks.mu.Unlock()
	if again {
		select {
		case <-answered:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	defer close(answered)
	return o.Asker.Ask(ctx, event, payload)
}
