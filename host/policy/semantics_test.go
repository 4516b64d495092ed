package policy_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/policy"
)

// situation is a policy and a workspace with files, in which calls are judged by
// rules alone.
type situation struct {
	deny, ask, allow []string
	setup            oracleCase
}

// opened is a situation whose files are there.
type opened struct {
	box    sandbox
	engine *policy.Engine
}

func (s situation) open(t *testing.T) opened {
	t.Helper()
	box := s.setup.sandbox(t)
	var parsed []policy.Rule
	for effect, texts := range map[policy.Outcome][]string{policy.Deny: s.deny, policy.Ask: s.ask, policy.Allow: s.allow} {
		for _, text := range texts {
			rule, err := policy.ParseRule(box.fill(text), effect, policy.Place{Source: "config.hcl:1"})
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, rule)
		}
	}
	return opened{box, policy.New(parsed, policy.Auto).WithReadOnlyCommands(true)}
}

func (o opened) judge(t *testing.T, tool string, input map[string]any) policy.Decision {
	t.Helper()
	raw, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	raw = json.RawMessage(o.box.fill(string(raw)))
	return o.engine.JudgeRules(policy.Call{
		Tool: tool, Input: raw, Subjects: policy.KnownSubjects(tool, raw), Workspace: o.box.project, Home: o.box.home,
	})
}

// files is a workspace as the measured cases have it.
func files() oracleCase {
	var c oracleCase
	c.Setup.Files = map[string]string{
		"a.txt": "a", "b.txt": "b", "sub/c.txt": "c", "secrets/key.txt": "k", "locked/x": "x", "script.sh": "true",
		"${OUTSIDE}/o.txt": "o", "${OUTSIDE}/pub/x.txt": "x", "${HOME}/h.txt": "h", "src/app.ts": "x", "v/src/app.ts": "x",
	}
	c.Setup.Symlinks = map[string]string{
		"keylink": "secrets/key.txt", "secrets/pub.txt": "../a.txt", "link": "${OUTSIDE}", "link_out.txt": "${OUTSIDE}/o.txt",
		"chain1": "chain2", "chain2": "secrets/key.txt", "linkd": "locked", "loop1": "loop2", "loop2": "loop1",
	}
	c.Setup.Git = true
	return c
}

// TestCommands judges the commands in testdata/commands by the rules at the head
// of each file. A line is the outcomes that are right, a tab and a command, in
// which ␤ is a line break and ␉ a tab. Where no rule decides, it asks.
func TestCommands(t *testing.T) {
	names, err := filepath.Glob("testdata/commands/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no test files: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			s := situation{setup: files()}
			lines := strings.Split(string(text), "\n")
			for _, line := range lines {
				if rule, ok := strings.CutPrefix(line, "rule "); ok {
					s.add(rule)
				}
			}
			opened := s.open(t)
			for _, line := range lines {
				want, command, ok := strings.Cut(line, "\t")
				if !ok {
					continue
				}
				command = strings.NewReplacer("␤", "\n", "␉", "\t").Replace(command)
				got := opened.judge(t, "Bash", map[string]any{"command": command})
				outcome := got.Outcome
				if outcome == policy.None {
					outcome = policy.Ask
				}
				if !slices.Contains(strings.Split(want, "/"), string(outcome)) {
					t.Errorf("%q: %s because %s, want %s", command, outcome, got.Reason, want)
				}
			}
		})
	}
}

// add adds a rule that is written as "deny Bash(rm *)".
func (s *situation) add(text string) {
	effect, rule, _ := strings.Cut(text, " ")
	switch policy.Outcome(effect) {
	case policy.Deny:
		s.deny = append(s.deny, rule)
	case policy.Ask:
		s.ask = append(s.ask, rule)
	case policy.Allow:
		s.allow = append(s.allow, rule)
	}
}

func TestCallsOfOtherTools(t *testing.T) {
	path := func(p string) map[string]any { return map[string]any{"file_path": p} }
	url := func(u string) map[string]any { return map[string]any{"url": u} }
	tests := []struct {
		name  string
		rules []string
		tool  string
		input map[string]any
		want  policy.Outcome
	}{
		{"a name alone matches at any depth in a deny", []string{"deny Read(key.txt)"}, "Read", path("secrets/key.txt"), policy.Deny},
		{"a folder matches at any depth in a deny", []string{"deny Read(src/**)"}, "Read", path("v/src/app.ts"), policy.Deny},
		{"a folder matches at the top in an allow", []string{"allow Edit(src/**)"}, "Edit", path("src/app.ts"), policy.Allow},
		{"and not below", []string{"allow Edit(src/**)"}, "Edit", path("v/src/app.ts"), policy.None},
		{"a folder in another case is another in an allow", []string{"allow Edit(src/**)"}, "Edit", path("SRC/app.ts"), policy.None},
		{"and the same in a deny", []string{"deny Edit(src/**)"}, "Edit", path("SRC/app.ts"), policy.Deny},
		{"a slash inside anchors", []string{"deny Read(sub/c.txt)"}, "Read", path("v/sub/c.txt"), policy.None},
		{"a slash in front anchors", []string{"deny Read(/a.txt)"}, "Read", path("sub/a.txt"), policy.None},
		{"a slash at the end is a folder", []string{"deny Read(secrets/)"}, "Read", path("v/secrets/x"), policy.Deny},
		{"two slashes are the root", []string{"deny Read(/${OUTSIDE}/**)"}, "Read", path("${OUTSIDE}/o.txt"), policy.Deny},
		{"one slash is not", []string{"deny Read(${OUTSIDE}/**)"}, "Read", path("${OUTSIDE}/o.txt"), policy.None},
		{"a tilde is the home directory", []string{"deny Read(~/h.txt)"}, "Read", path("${HOME}/h.txt"), policy.Deny},
		{"a relative rule ends at the workspace", []string{"deny Read(o.txt)"}, "Read", path("${OUTSIDE}/o.txt"), policy.None},
		{"a folder above, by a deny", []string{"deny Read(../outside/**)"}, "Read", path("${OUTSIDE}/o.txt"), policy.Deny},
		{"a negation takes back", []string{"deny Read(*.txt)", "deny Read(!a.txt)"}, "Read", path("a.txt"), policy.None},
		{"a negation before takes nothing back", []string{"deny Read(!a.txt)", "deny Read(*.txt)"}, "Read", path("a.txt"), policy.Deny},
		{"a negation does not reopen a folder", []string{"deny Read(secrets/**)", "deny Read(!secrets/key.txt)"}, "Read", path("secrets/key.txt"), policy.Deny},
		{"dots are taken out", []string{"deny Read(secrets/**)"}, "Read", path("sub/../secrets/key.txt"), policy.Deny},
		{"a link to what is denied", []string{"deny Read(secrets/**)"}, "Read", path("keylink"), policy.Deny},
		{"a link to a link to what is denied", []string{"deny Read(secrets/**)"}, "Read", path("chain1"), policy.Deny},
		{"a denied link to what is not", []string{"deny Read(secrets/**)"}, "Read", path("secrets/pub.txt"), policy.Deny},
		{"a file that does not exist, in a linked folder", []string{"deny Edit(locked/**)"}, "Write", path("linkd/new/x"), policy.Deny},
		{"dots after a link lead where the link does", []string{"deny Read(/${OUTSIDE}/**)"}, "Read", path("link/pub/../o.txt"), policy.Deny},
		{"a link to an allowed file is not allowed", []string{"allow Read(/${OUTSIDE}/**)"}, "Read", path("link_out.txt"), policy.None},
		{"an allowed link to another file is not allowed", []string{"allow Read(link_out.txt)"}, "Read", path("link_out.txt"), policy.None},
		{"a link with both ends allowed is", []string{"allow Read(link_out.txt)", "allow Read(/${OUTSIDE}/**)"}, "Read", path("link_out.txt"), policy.Allow},
		{"links in a circle are not allowed", []string{"allow Read(//**)"}, "Read", path("loop1"), policy.None},
		{"a Read deny is about editing, too", []string{"allow Edit", "deny Read(secrets/**)"}, "Edit", path("secrets/key.txt"), policy.Deny},
		{"an Edit deny is not about reading", []string{"allow Read", "deny Edit(secrets/**)"}, "Read", path("secrets/key.txt"), policy.Allow},
		{"a Write deny is about editing, too", []string{"allow Edit", "deny Write(secrets/**)"}, "Edit", path("secrets/key.txt"), policy.Deny},
		{"a Read deny is about searching", []string{"deny Read(secrets/**)"}, "Grep", map[string]any{"path": "secrets"}, policy.Deny},
		{"a Read deny is about listing by a pattern", []string{"deny Read(secrets/**)"}, "Glob", map[string]any{"pattern": "secrets/*"}, policy.Deny},
		{"an Edit allow covers Write and reading", []string{"allow Edit(/src/**)"}, "Write", path("src/n.ts"), policy.Allow},
		{"an Edit allow covers reading", []string{"allow Edit(/src/**)"}, "Read", path("src/app.ts"), policy.Allow},
		{"Edit alone is not Write", []string{"allow Edit"}, "Write", path("a.txt"), policy.None},
		{"denied Edit is all writing", []string{"deny Edit"}, "Write", path("a.txt"), policy.Deny},
		{"denied Read is all reading", []string{"deny Read"}, "Grep", map[string]any{"pattern": "x"}, policy.Deny},
		{"a protected path asks", []string{"allow Edit(//**)"}, "Write", path("${OUTSIDE}/.git/x"), policy.Ask},
		{"a protected path in another case asks", []string{"allow Edit(//**)"}, "Write", path(".GIT/x"), policy.Ask},
		{"ssh keys are not read unasked", []string{"allow Read"}, "Read", path("${HOME}/.ssh/id_rsa"), policy.Ask},
		{"unless a rule names the path", []string{"allow Read(~/.ssh/config)"}, "Read", path("${HOME}/.ssh/config"), policy.Allow},
		{"the workspace's policy is not edited unasked", []string{"allow Edit(/**)"}, "Edit", path("config.hcl"), policy.Ask},

		{"a domain", []string{"allow WebFetch(domain:example.com)"}, "WebFetch", url("https://EXAMPLE.com.:8443/x"), policy.Allow},
		{"a domain is not those below", []string{"allow WebFetch(domain:example.com)"}, "WebFetch", url("https://a.example.com/"), policy.None},
		{"a star in front is all below", []string{"allow WebFetch(domain:*.x.org)"}, "WebFetch", url("https://a.b.x.org/"), policy.Allow},
		{"and not itself", []string{"allow WebFetch(domain:*.x.org)"}, "WebFetch", url("https://x.org/"), policy.None},
		{"a star inside is one label in an allow", []string{"allow WebFetch(domain:a.*.org)"}, "WebFetch", url("https://a.b.c.org/"), policy.None},
		{"and any in a deny", []string{"deny WebFetch(domain:a.*.org)"}, "WebFetch", url("https://a.b.c.org/"), policy.Deny},
		{"a name before @ is none", []string{"allow WebFetch(domain:x.org)"}, "WebFetch", url("https://x.org@evil.org/"), policy.None},
		{"a number is an address", []string{"deny WebFetch(domain:127.0.0.1)"}, "WebFetch", url("http://2130706433/"), policy.Deny},
		{"a short address is an address", []string{"deny WebFetch(domain:127.0.0.1)"}, "WebFetch", url("http://0x7f.1/"), policy.Deny},
		{"an odd URL may be it", []string{"allow WebFetch", "deny WebFetch(domain:evil.org)"}, "WebFetch", url("https://evil.org\\@x.org/"), policy.Ask},
		{"every domain", []string{"allow WebFetch(domain:*)"}, "WebFetch", url("https://x.org/"), policy.Allow},

		{"a server", []string{"allow mcp__ev"}, "mcp__ev__echo", nil, policy.Allow},
		{"a server with a star", []string{"allow mcp__ev__*"}, "mcp__ev__echo", nil, policy.Allow},
		{"a server is not another", []string{"allow mcp__ev"}, "mcp__ev2__echo", nil, policy.None},
		{"a server is not one whose name starts with it", []string{"allow mcp__a"}, "mcp__a__b__echo", nil, policy.None},
		{"a denied server may be it", []string{"deny mcp__a"}, "mcp__a__b__echo", nil, policy.Deny},
		{"a plugin", []string{"allow jira__*"}, "jira__search", nil, policy.Allow},
		{"several tools", []string{"deny Web*"}, "WebSearch", nil, policy.Deny},
		{"all tools", []string{"deny *"}, "Read", path("a.txt"), policy.Deny},
		{"a field", []string{"ask mcp__ev__echo(message:dan*)"}, "mcp__ev__echo", map[string]any{"message": "danger"}, policy.Ask},
		{"a field of another value", []string{"ask mcp__ev__echo(message:dan*)"}, "mcp__ev__echo", map[string]any{"message": "x"}, policy.None},
		{"a field that is not there", []string{"ask mcp__ev__echo(message:*)"}, "mcp__ev__echo", map[string]any{}, policy.None},
		{"a boolean field of Bash", []string{"allow Bash", "deny Bash(run_in_background:true)"}, "Bash", map[string]any{"command": "ls", "run_in_background": true}, policy.Deny},
		{"a number field of Bash", []string{"allow Bash", "deny Bash(timeout:5000)"}, "Bash", map[string]any{"command": "ls", "timeout": 5000}, policy.Deny},
		{"the command as a field", []string{"allow Bash", "deny Bash(command:rm *)"}, "Bash", map[string]any{"command": "(rm x)"}, policy.Deny},

		{"an agent", []string{"deny Agent(Explore)"}, "Agent", map[string]any{"subagent_type": "explore"}, policy.Deny},
		{"another agent", []string{"deny Agent(Explore)"}, "Agent", map[string]any{"subagent_type": "reviewer"}, policy.None},
		{"every agent", []string{"ask Agent(*)"}, "Agent", map[string]any{"subagent_type": "reviewer"}, policy.Ask},
		{"an agent under its other name", []string{"deny Task(Explore)"}, "Agent", map[string]any{"subagent_type": "Explore"}, policy.Deny},
		{"an agent's model", []string{"ask Agent(model:opus)"}, "Agent", map[string]any{"subagent_type": "x", "model": "opus"}, policy.Ask},
		{"an allowed agent", []string{"allow Agent(reviewer)"}, "Agent", map[string]any{"subagent_type": "reviewer"}, policy.Allow},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := situation{setup: files()}
			for _, rule := range test.rules {
				s.add(rule)
			}
			if got := s.open(t).judge(t, test.tool, test.input); got.Outcome != test.want {
				t.Errorf("%s %v under %q: %s because %s, want %s", test.tool, test.input, test.rules, got.Outcome, got.Reason, test.want)
			}
		})
	}
}
