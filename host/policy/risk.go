package policy

import (
	"fmt"

	"github.com/toolcrib/toolcrib/host/pool"
)

// Risk is how much harm a call may do. The zero value is not judged.
type Risk string

const (
	Low      Risk = "low"
	Medium   Risk = "medium"
	High     Risk = "high"
	Critical Risk = "critical"
)

func (r Risk) rank() int {
	switch r {
	case Low:
		return 1
	case Medium:
		return 2
	case High:
		return 3
	case Critical:
		return 4
	}
	return 0
}

// Higher reports whether r is a greater risk than other.
func (r Risk) Higher(other Risk) bool { return r.rank() > other.rank() }

// hazard is a risk with the reason that a person reads.
type hazard struct {
	risk   Risk
	reason string
}

func (h *hazard) raise(risk Risk, reason string) {
	if risk.Higher(h.risk) {
		h.risk, h.reason = risk, reason
	}
}

// assess judges the risk of a call by what it would run and what its tool
// declares. Declarations count for tools that run no command; believed tells
// whether they may lower the risk.
func assess(call Call, scripts []*Script, believed bool) hazard {
	if len(scripts) == 0 {
		return declared(call, believed)
	}
	h := hazard{}
	for _, script := range scripts {
		h.raise(Medium, "runs a shell command")
		if script.Refused != "" {
			h.raise(High, "runs a command that can't be analysed: "+script.Refused)
		}
		scriptHazard(&h, script, call)
	}
	return h
}

func declared(call Call, believed bool) hazard {
	switch a := call.Annotations; {
	case is(a.Destructive) && is(a.OpenWorld):
		return hazard{High, "may destroy something beyond this machine"}
	case is(a.Destructive):
		return hazard{Medium, "is declared destructive: it may change or remove what is there"}
	case is(a.ReadOnly) && believed:
		return hazard{Low, "only reads"}
	case is(a.ReadOnly):
		return hazard{Medium, "only reads, as its provider says"}
	}
	for _, subject := range call.Subjects {
		if subject.Kind == pool.SubjectPath && subject.Access == pool.AccessWrite {
			return hazard{Medium, fmt.Sprintf("writes %s", subject.Value)}
		}
	}
	return hazard{Medium, "does not say that it only reads"}
}

func is(claim *bool) bool { return claim != nil && *claim }
