package policy

import (
	"fmt"
	"slices"

	"github.com/toolcrib/toolcrib/host/pool"
)

// Engine judges calls by rules and a mode. It is immutable and may be used from
// several goroutines.
type Engine struct {
	deny, ask, allow []Rule
	trusted          []TrustedCommand
	mode             Mode
}

// New makes an engine. The zero mode is [Recommend]. Rules keep their order, and
// of several that match the first is named in the decision.
func New(rules []Rule, mode Mode, trusted ...TrustedCommand) *Engine {
	if mode == "" {
		mode = Recommend
	}
	e := &Engine{mode: mode, trusted: slices.Clone(trusted)}
	for _, rule := range rules {
		switch rule.Effect {
		case Deny:
			e.deny = append(e.deny, rule)
		case Ask:
			e.ask = append(e.ask, rule)
		case Allow:
			e.allow = append(e.allow, rule)
		}
	}
	return e
}

// WithMode returns the engine in another mode.
func (e *Engine) WithMode(mode Mode) *Engine {
	changed := *e
	changed.mode = mode
	return &changed
}

// Mode is the engine's mode.
func (e *Engine) Mode() Mode { return e.mode }

// DeniesTool tells whether a deny rule without a specifier takes the tool away
// altogether, so that nobody is shown it.
func (e *Engine) DeniesTool(tool pool.Tool) (reason string, denied bool) {
	for _, rule := range e.deny {
		if rule.denies(tool) {
			return "denied by the rule " + rule.String(), true
		}
	}
	return "", false
}

// Judge decides one call. See the package comment for the order.
func (e *Engine) Judge(call Call) Decision {
	var scripts []*Script
	for _, command := range call.commands() {
		scripts = append(scripts, Analyze(command))
	}
	risk := assess(call, scripts)
	decision := e.decide(call, scripts, risk)
	decision.Risk, decision.RiskReason = risk.risk, risk.reason
	return decision
}

func (e *Engine) decide(call Call, scripts []*Script, risk hazard) Decision {
	denied, denyDoubt := firstMatch(e.deny, call, scripts, "denied by the rule")
	if denied != nil {
		return *denied
	}
	asked, askDoubt := firstMatch(e.ask, call, scripts, "the rule asks:")
	if asked != nil {
		return *asked
	}
	for _, script := range scripts {
		if script.Refused != "" {
			return Decision{Outcome: Ask, Reason: "the command can't be analysed: " + script.Refused}
		}
	}
	if risk.risk == Critical {
		return Decision{Outcome: Ask, Reason: "critical commands are always asked about"}
	}
	for _, doubt := range []*Decision{denyDoubt, askDoubt} {
		if doubt != nil {
			return *doubt
		}
	}
	if e.mode == Recommend {
		return Decision{Outcome: Ask, Reason: "mode recommend asks for every call"}
	}
	if allowed := e.allows(call, scripts); allowed != nil {
		return *allowed
	}
	return e.byMode(call, scripts)
}

// firstMatch finds the first rule that matches for sure, and the first that may
// match, which asks whatever the rule's effect is.
func firstMatch(rules []Rule, call Call, scripts []*Script, because string) (sure, doubt *Decision) {
	for i := range rules {
		rule := &rules[i]
		certain, part := rule.restricts(call, scripts)
		switch {
		case certain == yes:
			reason := because + " " + rule.String()
			if part != "" {
				reason += ", which matches: " + part
			}
			return &Decision{Outcome: rule.Effect, Reason: reason, Rule: rule}, nil
		case certain == maybe && doubt == nil:
			doubt = &Decision{Outcome: Ask, Rule: rule,
				Reason: fmt.Sprintf("the rule %s may match what is only known when it runs: %s", rule, part)}
		}
	}
	return nil, doubt
}

// allows finds what allows the call: a blanket rule, or for a shell command a
// rule or a trusted command for every part of it.
func (e *Engine) allows(call Call, scripts []*Script) *Decision {
	for i := range e.allow {
		if rule := &e.allow[i]; rule.blanket() && rule.tool == call.Tool {
			return &Decision{Outcome: Allow, Reason: "allowed by the rule " + rule.String(), Rule: rule}
		}
	}
	if call.Tool != bash || len(scripts) == 0 {
		return nil
	}
	var first *Decision
	for _, script := range scripts {
		if len(script.Commands) == 0 || len(script.Writes) > 0 || len(script.Dynamic) > 0 {
			return nil
		}
		for _, command := range script.Commands {
			decision := e.allowsCommand(command)
			if decision == nil {
				return nil
			}
			if first == nil {
				first = decision
			}
		}
	}
	return first
}

func (e *Engine) allowsCommand(command Command) *Decision {
	for i := range e.allow {
		rule := &e.allow[i]
		if rule.tool == bash && rule.command != nil && rule.command.matchAll(command) {
			return &Decision{Outcome: Allow, Reason: "allowed by the rule " + rule.String(), Rule: rule}
		}
	}
	for _, trusted := range e.trusted {
		if trusted.pattern.matchAll(command) {
			return &Decision{Outcome: Allow, Reason: trusted.String()}
		}
	}
	return nil
}

func (e *Engine) byMode(call Call, scripts []*Script) Decision {
	switch {
	case e.mode == Trust:
		return Decision{Outcome: Allow, Reason: "mode trust"}
	case len(scripts) > 0:
		return Decision{Outcome: Ask, Reason: "mode auto asks for shell commands that are not trusted"}
	case is(call.Annotations.Destructive):
		return Decision{Outcome: Ask, Reason: "mode auto asks for tools that are declared destructive"}
	}
	return Decision{Outcome: Allow, Reason: "mode auto lets tools run that are not declared destructive"}
}
