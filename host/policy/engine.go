package policy

import (
	"encoding/json"
	"slices"

	"github.com/toolcrib/toolcrib/host/pool"
)

// Engine judges calls by rules and a mode. It is immutable and may be used from
// several goroutines.
type Engine struct {
	deny, ask, allow *ruleSet
	trusted          *ruleSet
	mode             Mode
	readOnly         bool
	// believed are the providers whose claims about their tools may lower a risk.
	believed []string
}

// New makes an engine. The zero mode is [Recommend]. Rules keep their order, and
// of several that match the first is named in the decision.
func New(rules []Rule, mode Mode, trusted ...TrustedCommand) *Engine {
	if mode == "" {
		mode = Recommend
	}
	e := &Engine{mode: mode}
	of := func(effect Outcome) *ruleSet {
		return newRuleSet(slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return r.Effect != effect }))
	}
	e.deny, e.ask, e.allow = of(Deny), of(Ask), of(Allow)
	var commands []Rule
	for _, t := range trusted {
		commands = append(commands, t.rule())
	}
	e.trusted = newRuleSet(commands)
	return e
}

// WithMode returns the engine in another mode.
func (e *Engine) WithMode(mode Mode) *Engine {
	changed := *e
	changed.mode = mode
	return &changed
}

// WithReadOnlyCommands returns an engine that lets shell commands run unasked
// that are proven to read only, and only in the workspace. It does not change
// mode recommend.
func (e *Engine) WithReadOnlyCommands(allow bool) *Engine {
	changed := *e
	changed.readOnly = allow
	return &changed
}

// WithTrustedProviders returns an engine that believes these providers, and the
// bundled ones, when they say that a tool only reads. The claims of others can
// only raise a risk.
func (e *Engine) WithTrustedProviders(names ...string) *Engine {
	changed := *e
	changed.believed = slices.Clone(names)
	return &changed
}

// believes tells whether claims of a tool's provider may lower a risk.
func (e *Engine) believes(origin pool.Origin) bool {
	return origin.Kind == pool.OriginBuiltin || slices.Contains(e.believed, origin.Provider)
}

// Mode is the engine's mode.
func (e *Engine) Mode() Mode { return e.mode }

// DeniesTool tells whether a deny rule without a specifier takes the tool away
// altogether, so that nobody is shown it.
func (e *Engine) DeniesTool(tool pool.Tool) (reason string, denied bool) {
	for _, rule := range e.deny.rules {
		if rule.denies(tool) {
			return "denied by the rule " + rule.String(), true
		}
	}
	return "", false
}

// Judge decides one call. See the package comment for the order. It reads the
// file system, to follow links.
func (e *Engine) Judge(call Call) Decision { return e.judge(call, false, nil) }

// JudgeRules decides one call by rules, protected paths and critical commands
// alone. The outcome is [None] where none of them decides.
func (e *Engine) JudgeRules(call Call) Decision { return e.judge(call, true, nil) }

// Explain is Judge, or JudgeRules, with all steps that led to the decision.
func (e *Engine) Explain(call Call, rulesOnly bool) (Decision, []Step) {
	t := &trace{}
	decision := e.judge(call, rulesOnly, t)
	return decision, t.steps
}

// judgement is the work on one call.
type judgement struct {
	engine  *Engine
	call    Call
	fields  map[string]json.RawMessage
	scripts []*Script
	places  *places
	trace   *trace // nil: nobody wants to know

	touched bool
	files   []touch
	walked  int // files that were looked at below folders
	hosts   []host
	// obstacle is what kept rules from allowing a shell command, for reasons.
	obstacle string
}

// host is a domain subject.
type host struct {
	name  string
	known bool
}

// newJudgement analyses a call; its risk is that of its commands and its tool.
func (e *Engine) newJudgement(call Call, t *trace) (*judgement, hazard) {
	if call.Tool == "Task" {
		call.Tool = agent // what agents are called elsewhere
	}
	j := &judgement{engine: e, call: call, fields: call.fields(), places: newPlaces(call), trace: t}
	for _, command := range call.commands() {
		j.scripts = append(j.scripts, Analyze(command))
	}
	for _, subject := range call.Subjects {
		if subject.Kind == pool.SubjectDomain {
			name, known := hostOf(subject.Value)
			j.hosts = append(j.hosts, host{name, known})
		}
	}
	return j, assess(call, j.scripts, e.believes(call.Origin))
}

func (e *Engine) judge(call Call, rulesOnly bool, t *trace) Decision {
	j, risk := e.newJudgement(call, t)
	decision := j.decide(risk, rulesOnly)
	if decision.Basis == ByReadOnly {
		risk = hazard{Low, "only reads, in the workspace"}
	}
	decision.Risk, decision.RiskReason = risk.risk, risk.reason
	decision.Footing = j.footing()
	t.add(Step{Step: "decision", Outcome: decision.Outcome, Why: decision.Reason})
	return decision
}

func (j *judgement) decide(risk hazard, rulesOnly bool) Decision {
	denied, denyDoubt := j.restrict(j.engine.deny, Deny)
	if denied != nil {
		return *denied
	}
	asked, askDoubt := j.restrict(j.engine.ask, Ask)
	if asked != nil {
		return *asked
	}
	for _, doubt := range []*Decision{j.refused(), critical(risk), j.protected(), denyDoubt, askDoubt} {
		if doubt != nil {
			j.trace.add(Step{Step: string(doubt.Basis), Outcome: Ask, Why: doubt.Reason})
			return *doubt
		}
	}
	if j.engine.mode == Recommend && !rulesOnly {
		return Decision{Outcome: Ask, Basis: ByMode, Reason: "mode recommend asks for every call"}
	}
	allowed := j.permit()
	j.explainAllow()
	if allowed != nil {
		return *allowed
	}
	if rulesOnly {
		return Decision{Outcome: None, Reason: "no rule, protected path or critical command decides"}
	}
	return j.byMode()
}

func (j *judgement) refused() *Decision {
	for _, script := range j.scripts {
		if script.Refused != "" {
			return &Decision{Outcome: Ask, Basis: ByAnalysis, Reason: "the command can't be analysed: " + script.Refused}
		}
	}
	return nil
}

func critical(risk hazard) *Decision {
	if risk.risk != Critical {
		return nil
	}
	return &Decision{Outcome: Ask, Basis: ByCritical, Reason: "critical commands are always asked about: it " + risk.reason}
}

func (j *judgement) byMode() Decision {
	decision := Decision{Outcome: Ask, Basis: ByMode}
	switch {
	case j.engine.mode == Trust:
		decision.Outcome, decision.Reason = Allow, "mode trust"
	case len(j.scripts) > 0:
		decision.Reason = "mode auto asks for shell commands that are not trusted"
		if j.obstacle != "" {
			decision.Reason += ": " + j.obstacle
		}
	case is(j.call.Annotations.Destructive):
		decision.Reason = "mode auto asks for tools that are declared destructive"
	default:
		decision.Outcome, decision.Reason = Allow, "mode auto lets tools run that are not declared destructive"
	}
	return decision
}
