package conformance

import "fmt"

// Status is what a check found.
type Status string

const (
	Pass Status = "pass"
	Fail Status = "fail"
	// Skip: it could not be checked, which Finding.Detail explains.
	Skip Status = "skip"
)

// Finding is the answer of one check.
type Finding struct {
	// Check is the claim that was checked: "calls run at the same time".
	Check  string `json:"check"`
	Status Status `json:"status"`
	// Detail is what was seen.
	Detail string `json:"detail,omitempty"`
	// Hint says what to do about a check that failed or was skipped.
	Hint string `json:"hint,omitempty"`
}

// Report is the outcome of a suite.
type Report struct {
	// Provider, Version and Tools are what the provider says of itself.
	Provider string    `json:"provider"`
	Version  string    `json:"version"`
	Tools    []string  `json:"tools"`
	Findings []Finding `json:"findings"`
}

// Count counts the findings of a status.
func (r *Report) Count(status Status) int {
	n := 0
	for _, f := range r.Findings {
		if f.Status == status {
			n++
		}
	}
	return n
}

// verdict is a finding without its check. The zero verdict passes.
type verdict struct {
	status       Status
	detail, hint string
}

func passed(format string, args ...any) verdict {
	return verdict{status: Pass, detail: fmt.Sprintf(format, args...)}
}

func failed(hint, format string, args ...any) verdict {
	return verdict{status: Fail, detail: fmt.Sprintf(format, args...), hint: hint}
}

func skipped(hint, format string, args ...any) verdict {
	return verdict{status: Skip, detail: fmt.Sprintf(format, args...), hint: hint}
}

func (v verdict) of(check string) Finding {
	if v.status == "" {
		v.status = Pass
	}
	return Finding{Check: check, Status: v.status, Detail: v.detail, Hint: v.hint}
}
