package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	role, set := os.LookupEnv(roleEnv)
	if !set {
		goleak.VerifyTestMain(m)
		return
	}
	c := newContrary()
	for _, fault := range roles[role] {
		fault.apply(c)
	}
	c.serve()
}

// checkRole runs the suite against the provider in a role.
func checkRole(t *testing.T, role string) *Report {
	t.Helper()
	report, err := Check(t.Context(), []string{os.Args[0]}, Options{
		Env:        map[string]string{roleEnv: role, "GORACE": "atexit_sleep_ms=0"},
		LongInputs: map[string]json.RawMessage{"wait": json.RawMessage(`{"text":""}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestCheckFindsEveryFaultAndNoOther(t *testing.T) {
	for role, faults := range roles {
		if role == "dies" || role == "answers twice" { // they break most claims
			continue
		}
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			var want, got []string
			for _, fault := range faults {
				want = append(want, fault.claim)
			}
			for _, f := range checkRole(t, role).Findings {
				if f.Status != Fail {
					continue
				}
				got = append(got, f.Check)
				if f.Detail == "" {
					t.Errorf("it does not say what was seen: %+v", f)
				}
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("it fails %q, want %q", got, want)
			}
		})
	}
}

// finding returns what a check found.
func finding(t *testing.T, report *Report, claim string) Finding {
	t.Helper()
	i := slices.IndexFunc(report.Findings, func(f Finding) bool { return f.Check == claim })
	if i < 0 {
		t.Fatalf("nothing is found about %q", claim)
	}
	return report.Findings[i]
}

func TestCheckGoesOnWhenTheProviderDies(t *testing.T) {
	t.Parallel()
	report := checkRole(t, "dies")
	if f := finding(t, report, "call look"); f.Status != Fail || !strings.Contains(f.Detail, "exit status 9") || !strings.Contains(f.Detail, "farewell") {
		t.Errorf("the call is found to be %+v", f)
	}
	if f := finding(t, report, "it stops when it is told to"); f.Status != Pass {
		t.Errorf("the stop is found to be %+v", f)
	}
}

func TestCheckTellsWhatItDidNotCall(t *testing.T) {
	t.Parallel()
	report, err := Check(t.Context(), []string{os.Args[0]}, Options{Env: map[string]string{roleEnv: "none"}})
	if err != nil {
		t.Fatal(err)
	}
	if f := finding(t, report, "call wait"); f.Status != Skip || !strings.Contains(f.Detail, "read-only") || !strings.Contains(f.Hint, "--input wait=JSON") {
		t.Errorf("the call is found to be %+v", f)
	}
	if f := finding(t, report, "a long call ends when it is cancelled"); f.Status != Skip || f.Hint == "" {
		t.Errorf("the cancellation is found to be %+v", f)
	}
}

func TestCheckReadsOnlyResultsThatAreTheLast(t *testing.T) {
	t.Parallel()
	if f := finding(t, checkRole(t, "answers twice"), "call look"); f.Status != Fail || !strings.Contains(f.Detail, "after the result") {
		t.Errorf("the call is found to be %+v", f)
	}
}

func TestCheckEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, []string{os.Args[0]}, Options{Env: map[string]string{roleEnv: "none"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestCheckRefusesOptions(t *testing.T) {
	for claim, c := range map[string]struct {
		command []string
		options Options
		want    string
	}{
		"no command":                  {nil, Options{}, "no command"},
		"a program that is not there": {[]string{"./no-such-program"}, Options{}, "find the program"},
		"a configuration that is not": {[]string{os.Args[0]}, Options{Config: json.RawMessage(`[1]`)}, "not a JSON object"},
		"a file outside":              {[]string{os.Args[0]}, Options{Files: map[string]string{"../x": ""}}, "relative path"},
	} {
		t.Run(claim, func(t *testing.T) {
			if _, err := Check(t.Context(), c.command, c.options); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q", err, c.want)
			}
		})
	}
}
