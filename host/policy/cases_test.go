package policy_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
)

// oracleCase is one line of the measured verdicts; the README beside them says
// what the fields mean.
type oracleCase struct {
	ID    string
	Group string
	Rules struct{ Allow, Ask, Deny []string }
	Mode  string
	Setup struct {
		Files    map[string]string
		Symlinks map[string]string
		Dirs     []string
		Git      bool
	}
	Tool    string
	Input   map[string]any
	Verdict policy.Outcome
	Weak    bool
	Better  policy.Outcome
}

// want is what we should answer.
func (c oracleCase) want() policy.Outcome {
	if c.Weak {
		return c.Better
	}
	return c.Verdict
}

// differences are the cases in which we answer otherwise on purpose, by the
// kinds that docs/decisions/0007-policy-differences.md gives reasons for.
var differences = map[string]string{
	"bash-wrappers-allow-14": "time -p",
	"webfetch-none-02":       "no built-in hosts",
	"mode-dontAsk-34":        "no built-in hosts",
}

// TestOracle compares us with the verdicts of a real agent.
func TestOracle(t *testing.T) {
	dir := cmp.Or(os.Getenv("TOOLCRIB_TESTDATA"), filepath.Join("..", "..", "..", "shared", "testdata"))
	file, err := os.Open(filepath.Join(dir, "permissions", "cases.dev.jsonl"))
	if err != nil {
		t.Skipf("the measured verdicts are not part of the repository, set TOOLCRIB_TESTDATA to their folder: %v", err)
	}
	defer file.Close()
	tally := make(map[string][2]int)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c oracleCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		count := tally[c.Group]
		count[1]++
		got, reason := c.judge(t)
		if got == c.want() {
			count[0]++
		} else if kind, ok := differences[c.ID]; !ok || got == policy.Allow && c.want() == policy.Deny {
			t.Errorf("%s (%s): %s, want %s because the reference says %s\n%v %v\n%s", c.ID, kind, got, c.want(), c.Verdict, c.Tool, c.Input, reason)
		}
		tally[c.Group] = count
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	logTally(t, tally)
}

func logTally(t *testing.T, tally map[string][2]int) {
	var table strings.Builder
	agreed, all := 0, 0
	for _, group := range slices.Sorted(maps.Keys(tally)) {
		count := tally[group]
		agreed, all = agreed+count[0], all+count[1]
		fmt.Fprintf(&table, "%-34s %3d of %3d\n", group, count[0], count[1])
	}
	t.Logf("agreement with the reference: %d of %d\n%s", agreed, all, &table)
}

// sandbox is the three folders of a case.
type sandbox struct{ project, home, outside string }

func (s sandbox) fill(text string) string {
	return strings.NewReplacer(
		"${PROJECT}", s.project, "${HOME}", s.home, "${OUTSIDE}", s.outside,
		"${PROJECT_BASE}", filepath.Base(s.project), "${HOME_BASE}", filepath.Base(s.home), "${OUTSIDE_BASE}", filepath.Base(s.outside),
	).Replace(text)
}

func (c oracleCase) sandbox(t *testing.T) sandbox {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := sandbox{filepath.Join(root, "project"), filepath.Join(root, "home"), filepath.Join(root, "outside")}
	place := func(name string) string {
		path := s.fill(name)
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.project, path)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	dirs := append([]string{s.project, s.home, s.outside}, c.Setup.Dirs...)
	if c.Setup.Git {
		dirs = append(dirs, ".git/hooks")
	}
	for _, dir := range dirs {
		if err := os.MkdirAll(place(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range c.Setup.Files {
		if err := os.WriteFile(place(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range c.Setup.Symlinks {
		if err := os.Symlink(s.fill(target), place(link)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// judge answers as the reference's README says: rules alone, and where they
// leave it open, what the reference does in the mode.
func (c oracleCase) judge(t *testing.T) (policy.Outcome, string) {
	t.Helper()
	s := c.sandbox(t)
	if c.Mode == "acceptEdits" {
		// The mode is what these rules say.
		c.Rules.Allow = append(slices.Clone(c.Rules.Allow), "Edit(/**)")
		for _, command := range []string{"touch", "mkdir", "rm", "rmdir", "mv", "cp", "sed"} {
			c.Rules.Allow = append(c.Rules.Allow, "Bash("+command+" *)")
		}
	}
	var parsed []policy.Rule
	var notes []string
	for effect, texts := range map[policy.Outcome][]string{policy.Deny: c.Rules.Deny, policy.Ask: c.Rules.Ask, policy.Allow: c.Rules.Allow} {
		for _, text := range texts {
			rule, err := policy.ParseRule(s.fill(text), effect, policy.Place{Source: "config.hcl:1"})
			if err != nil {
				notes = append(notes, err.Error())
				continue
			}
			parsed = append(parsed, rule)
		}
	}
	raw, err := json.Marshal(c.Input)
	if err != nil {
		t.Fatal(err)
	}
	raw = json.RawMessage(s.fill(string(raw)))
	call := policy.Call{Tool: c.Tool, Input: raw, Subjects: policy.KnownSubjects(c.Tool, raw), Workspace: s.project, Home: s.home}
	decision := policy.New(parsed, policy.Auto).WithReadOnlyCommands(true).JudgeRules(call)
	return c.inMode(s, call, decision), decision.Reason + "\n" + strings.Join(notes, "\n")
}

// inMode is what the reference's modes make of a decision by rules alone.
func (c oracleCase) inMode(s sandbox, call policy.Call, d policy.Decision) policy.Outcome {
	outcome := d.Outcome
	bypass := c.Mode == "bypassPermissions"
	writer := slices.Contains([]string{"Edit", "Write", "NotebookEdit"}, c.Tool)
	reader := slices.Contains([]string{"Read", "Grep", "Glob"}, c.Tool)
	switch {
	case outcome == policy.Ask && bypass && d.Basis == policy.ByProtected:
		outcome = policy.Allow
	case outcome == policy.Allow && writer && c.Mode == "plan":
		outcome = policy.Ask
	case outcome == policy.None && (bypass || c.Tool == "Agent" || reader && s.holds(call)):
		outcome = policy.Allow
	case outcome == policy.None:
		outcome = policy.Ask
	}
	if outcome == policy.Ask && c.Mode == "dontAsk" {
		outcome = policy.Deny
	}
	return outcome
}

// holds tells whether all paths of a call lead into the project.
func (s sandbox) holds(call policy.Call) bool {
	for _, subject := range call.Subjects {
		path := subject.Value
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.project, path)
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if subject.Kind == pool.SubjectPath && path != s.project && !strings.HasPrefix(path, s.project+"/") {
			return false
		}
	}
	return true
}
