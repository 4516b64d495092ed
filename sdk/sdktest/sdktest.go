// Package sdktest checks in `go test` that a provider keeps the contract with the
// host:
//
//	func TestConformance(t *testing.T) {
//		sdktest.Run(t, newProvider(), sdktest.Options{})
//	}
//
// What is checked, and which tools are called, is told by package conformance.
// Each finding becomes a subtest.
package sdktest

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/conformance"
)

// Options are what the suite is told about a provider. The zero value works.
type Options = conformance.Options

// Run checks p in processes of its own. They are this test binary, which is
// started anew and runs the calling test up to Run, where it serves p. So what a
// test does before Run is done once in every process, in a folder that is not
// that of the package.
func Run(t *testing.T, p *sdk.Provider, options Options) {
	t.Helper()
	if os.Getenv(sdk.CookieKey) == sdk.CookieValue {
		sdk.Serve(p)
		os.Exit(0)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	options.Hosted = true
	env := map[string]string{"GORACE": "atexit_sleep_ms=0"} // the race detector's second after every end
	for name, value := range options.Env {
		env[name] = value
	}
	options.Env = env
	check(t, []string{program, "-test.run=" + pattern(t.Name())}, options)
}

// pattern matches one test: each of its parts, and nothing that contains it.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// RunCommand checks the provider that a command starts, in whatever language it
// is written.
func RunCommand(t *testing.T, options Options, command string, args ...string) {
	t.Helper()
	check(t, append([]string{command}, args...), options)
}

func check(t *testing.T, command []string, options Options) {
	t.Helper()
	report, err := conformance.Check(t.Context(), command, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range report.Findings {
		t.Run(finding.Check, func(t *testing.T) {
			text := finding.Detail
			if finding.Hint != "" {
				text += "\nhint: " + finding.Hint
			}
			switch finding.Status {
			case conformance.Fail:
				t.Error(text)
			case conformance.Skip:
				t.Skip(text)
			case conformance.Pass:
				if text != "" {
					t.Log(text)
				}
			}
		})
	}
}
