package conformance

import (
	"cmp"
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
	name, set := os.LookupEnv(faultOf)
	if !set {
		goleak.VerifyTestMain(m)
		return
	}
	c := newContrary()
	if fault, ok := faults[name]; ok {
		fault(c)
	} else {
		breakdowns[name](c)
	}
	c.serve()
}

// checkContrary runs the suite against the provider with a fault.
func checkContrary(t *testing.T, fault string) *Report {
	t.Helper()
	report, err := Check(t.Context(), []string{os.Args[0]}, Options{
		Env:        map[string]string{faultOf: fault, "GORACE": "atexit_sleep_ms=0"},
		LongInputs: map[string]json.RawMessage{"wait": json.RawMessage(`{"text":""}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestCheckFindsEveryFault(t *testing.T) {
	for fault := range faults {
		t.Run(cmp.Or(fault, "none"), func(t *testing.T) {
			t.Parallel()
			var want []string
			switch fault {
			case "":
			case "it stops when it is told to":
				want = []string{fault, "it stops while a call runs"}
			default:
				want = []string{fault}
			}
			var got []string
			for _, f := range checkContrary(t, fault).Findings {
				if f.Status != Fail {
					continue
				}
				got = append(got, f.Check)
				if f.Detail == "" {
					t.Errorf("it does not say what was seen: %+v", f)
				}
			}
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
	report := checkContrary(t, dies)
	if f := finding(t, report, "call look"); f.Status != Fail || !strings.Contains(f.Detail, "exit status 9") || !strings.Contains(f.Detail, "farewell") {
		t.Errorf("the call is found to be %+v", f)
	}
	if f := finding(t, report, "it stops when it is told to"); f.Status != Pass {
		t.Errorf("the stop is found to be %+v", f)
	}
}

func TestCheckTellsWhatItDidNotCall(t *testing.T) {
	t.Parallel()
	report, err := Check(t.Context(), []string{os.Args[0]}, Options{Env: map[string]string{faultOf: ""}})
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
	if f := finding(t, checkContrary(t, answersTwice), "call look"); f.Status != Fail || !strings.Contains(f.Detail, "after the result") {
		t.Errorf("the call is found to be %+v", f)
	}
}

func TestCheckEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, []string{os.Args[0]}, Options{Env: map[string]string{faultOf: ""}}); !errors.Is(err, context.Canceled) {
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
