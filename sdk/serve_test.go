package sdk

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// roleEnv makes the test binary serve a provider instead of the tests.
const roleEnv = "TOOLCRIB_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case "words":
		Serve(&Provider{Name: "words"})
	case "twins":
		Serve(&Provider{Name: "twins", Tools: []Tool{wait("same"), wait("same")}})
	case "sunday":
		Serve(&Provider{Name: "sunday", Hooks: map[HookName]HookFunc{"sunday": nil}})
	default:
		goleak.VerifyTestMain(m)
	}
}

func TestServeSaysWhyItCannot(t *testing.T) {
	for claim, c := range map[string]struct {
		role string
		env  string
		want []string
	}{
		"to a person who starts it":    {"words", "", []string{"words: this program is a toolcrib plugin", "hint: declare it in config.hcl", `plugin "words" {`}},
		"when two tools have one name": {"twins", CookieKey + "=" + CookieValue, []string{`serve provider "twins": two tools are named "same"; rename one of them`}},
		"when a hook is for no event":  {"sunday", CookieKey + "=" + CookieValue, []string{`serve provider "sunday": there is no event "sunday" for a hook; there are pre_tool_use, `}},
	} {
		t.Run(claim, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), roleEnv+"="+c.role, c.env)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			err := cmd.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("it ended with %v, want status 1", err)
			}
			for _, want := range c.want {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("it does not say %q:\n%s", want, stderr.String())
				}
			}
		})
	}
}
