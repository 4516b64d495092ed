package conformance

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"
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
	faults[name](c)
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
