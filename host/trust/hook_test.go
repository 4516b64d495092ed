package trust_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/trust"
)

const hooksHCL = `toolcrib {}
hook "guard" {
  event    = "pre_tool_use"
  matcher  = "Bash"
  command  = ["./bin/words", "-x", "rules.txt"]
  timeout  = "5s"
  on_error = "warn"
}
hook "log" {
  event   = "post_tool_use"
  command = ["./bin/words"]
}
`

func TestHooksArePartOfWhatIsAgreedTo(t *testing.T) {
	root := workspace(t, hooksHCL)
	set := survey(t, root)
	for _, want := range []string{
		"runs hook guard at pre_tool_use of Bash: " + root + "/bin/words -x rules.txt",
		"  sha256 a8076d3d28d21e02012b20eaf7dbf75409a6277134439025f282e368e3305abf",
		"  with rules.txt, sha256 2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806",
		"  only warns when it fails",
		"runs hook log at post_tool_use: " + root + "/bin/words",
	} {
		if !slices.Contains(set.Describe(), want) {
			t.Errorf("Describe has no line %q:\n%s", want, strings.Join(set.Describe(), "\n"))
		}
	}
}

func TestAgreementToHooksHoldsUntilTheyChange(t *testing.T) {
	rewrite := func(old, replacement string) func(*testing.T, string) {
		return func(t *testing.T, root string) {
			t.Helper()
			put(t, filepath.Join(root, "config.hcl"), strings.Replace(hooksHCL, old, replacement, 1))
		}
	}
	tests := map[string]struct {
		change func(t *testing.T, root string)
		want   string
	}{
		"the script behind an unchanged path": {replace("bin/words", "#!/bin/sh\nexit 0\n"), "hook guard: the program's sha256 changed from a8076d3d28d2 to "},
		"a file among the arguments":          {replace("rules.txt", "two\n"), "hook guard: rules.txt changed from 2c8b08da5ce6 to "},
		"another event":                       {rewrite("pre_tool_use", "permission_request"), "hook guard: its event changed from pre_tool_use to permission_request"},
		"another matcher":                     {rewrite(`"Bash"`, `"Edit"`), "hook guard: its matcher changed from Bash to Edit"},
		"another argument":                    {rewrite(`"-x"`, `"-y"`), `hook guard: its arguments changed from "-x" "rules.txt" to "-y" "rules.txt"`},
		"another timeout":                     {rewrite(`"5s"`, `"6s"`), "hook guard: its timeout changed from 5s to 6s"},
		"another way to fail":                 {rewrite(`"warn"`, `"block"`), "hook guard: what becomes of a call when it fails changed from warn to block"},
		"a hook less":                         {rewrite(`hook "log"`, `hook "logs"`), "hook log is gone"},
		"a hook more":                         {rewrite(`hook "log"`, `hook "logs"`), "hook logs is new"},
	}
	for claim, test := range tests {
		t.Run(claim, func(t *testing.T) {
			root, store := workspace(t, hooksHCL), trust.NewStore(t.TempDir())
			must(t, store.Grant(root, survey(t, root)))
			if !store.Check(root, survey(t, root)).Trusted {
				t.Fatal("not trusted right after the agreement")
			}
			test.change(t, root)
			verdict := store.Check(root, survey(t, root))
			if verdict.Trusted || !slices.ContainsFunc(verdict.Request.Changes, func(line string) bool { return strings.HasPrefix(line, test.want) }) {
				t.Errorf("verdict = %+v, want a change %q", verdict, test.want)
			}
		})
	}
}

func TestAgreementGivesProgramsOfHooks(t *testing.T) {
	root, store := workspace(t, hooksHCL), trust.NewStore(t.TempDir())
	load := func() *config.Config {
		c, _ := config.Load(root, config.Options{UserFile: filepath.Join(root, "none.hcl")})
		return c
	}
	guard := load().Hooks[0]
	if program, err := store.Agree(load()).Hook(guard); err == nil || program.Path() != "" || !strings.Contains(err.Error(), "toolcrib trust") {
		t.Errorf("before any agreement the program is %v, %v", program, err)
	}
	must(t, store.Grant(root, trust.Survey(load())))
	program, err := store.Agree(load()).Hook(guard)
	if err != nil || program.Path() != filepath.Join(root, "bin/words") || len(program.SHA256()) != 64 || !slices.Equal(program.Args(), []string{"-x", "rules.txt"}) {
		t.Fatalf("the agreed program is %v, %v", program, err)
	}
	must(t, program.Check())
	put(t, filepath.Join(root, "rules.txt"), "two\n")
	if err := program.Check(); err == nil || !strings.Contains(err.Error(), "toolcrib trust") {
		t.Errorf("with another file among the arguments: %v", err)
	}
	must(t, os.Remove(program.Path()))
	must(t, store.Grant(root, trust.Survey(load())))
	if _, err := store.Agree(load()).Hook(guard); err == nil || !strings.Contains(err.Error(), "does not exist yet; build or install it") {
		t.Errorf("a missing program = %v", err)
	}
	guard.Name = "other"
	if _, err := store.Agree(load()).Hook(guard); err == nil {
		t.Error("a hook outside the set has a program")
	}
	guard.Layer = config.LayerUser
	if program, err := (trust.Agreement{}).Hook(guard); err != nil || program.SHA256() != "" {
		t.Errorf("a hook of the person's own = %v, %v", program, err)
	}
}
