package config_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
)

func TestValuesTellWhereTheyComeFrom(t *testing.T) {
	root := write(t, map[string]string{
		"home/user.hcl": `
policy { deny = ["Edit"] }
plugin "words" {
  command = ["words", "-v"]
  env     = { A = "1", B = "1" }
  config {
    max = 1
    limits {
      depth = 1
    }
  }
}
environment { allow = ["JIRA_*"] }
`,
		"config.hcl": `
toolcrib {}
variable "token" {
  sensitive = true
}
variable "lang" { default = "en" }
plugin "words" {
  env   = { B = "2", TOKEN = var.token }
  tools = { "a_*" = "off" }
  config {
    max = 2
    servers {
      url = "u-${var.lang}"
    }
    servers {
      url = var.token
    }
  }
}
policy { deny = ["Write", "Bash(rm *)"] }
hook "h" {
  event   = "stop"
  command = ["h"]
  timeout = "1500ms"
}
`,
	})
	c, diags := loadWith(root, ".", []string{`pool.visible_tokens=8000`}, map[string]string{"token": "s3cret"}, nil)
	if len(diags) > 0 {
		t.Fatalf("Load:\n%s", text(diags))
	}
	var got []string
	for _, v := range c.Values() {
		place := string(v.Layer)
		if v.File != "" {
			place += fmt.Sprintf(" %s:%d", v.File, v.Line)
		}
		value := string(v.Value)
		if v.Sensitive {
			value = "sensitive " + value
		}
		got = append(got, strings.ReplaceAll(fmt.Sprintf("%s = %s (%s)", v.Path, value, place), root, "ROOT"))
	}
	want := []string{
		`var.lang = "en" (workspace config.hcl:6)`,
		`var.token = sensitive null (flags --var token:0)`,
		`plugin.words.command = ["words","-v"] (user home/user.hcl:4)`,
		`plugin.words.env.A = "1" (user home/user.hcl:5)`,
		`plugin.words.env.B = "2" (workspace config.hcl:8)`,
		`plugin.words.env.TOKEN = sensitive null (workspace config.hcl:8)`,
		`plugin.words.tools["a_*"] = "off" (workspace config.hcl:9)`,
		`plugin.words.config.limits.depth = 1 (user home/user.hcl:9)`,
		`plugin.words.config.max = 2 (workspace config.hcl:11)`,
		`plugin.words.config.servers[0].url = "u-en" (workspace config.hcl:13)`,
		`plugin.words.config.servers[1].url = sensitive null (workspace config.hcl:16)`,
		`hook.h.event = "stop" (workspace config.hcl:22)`,
		`hook.h.command = ["h"] (workspace config.hcl:23)`,
		`hook.h.timeout = "1500ms" (workspace config.hcl:24)`,
		`hook.h.on_error = "block" (builtin)`,
		`policy.approval_mode = "auto" (builtin)`,
		`policy.read_only_commands = "ask" (builtin)`,
		`policy.deny[0] = "Edit" (user home/user.hcl:2)`,
		`policy.deny[1] = "Write" (workspace config.hcl:20)`,
		`policy.deny[2] = "Bash(rm *)" (workspace config.hcl:20)`,
		`pool.visible_tokens = 8000 (flags --set:1)`,
		`pool.learn = true (builtin)`,
		`environment.allow[0] = "JIRA_*" (user home/user.hcl:13)`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("values:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestDurationsAreShownAsTheyAreWritten(t *testing.T) {
	c := mustLoad(t, write(t, map[string]string{"config.hcl": "toolcrib {}\nhook \"h\" {\n  event = \"stop\"\n  command = [\"h\"]\n  timeout = \"90s\"\n}\n"}), ".")
	i := slices.IndexFunc(c.Values(), func(v config.Value) bool { return v.Path == "hook.h.timeout" })
	if i < 0 || string(c.Values()[i].Value) != `"90s"` {
		t.Errorf("values = %+v", c.Values())
	}
}

// TestTheTable holds what the table says against what Load does.
func TestTheTable(t *testing.T) {
	words := regexp.MustCompile(`^[A-Z` + "`" + `].*\.$`)
	for _, block := range config.Blocks() {
		t.Run(block.Type, func(t *testing.T) {
			file := map[string]string{"config.hcl": "toolcrib {}\n" + block.Example + "\n"}
			switch block.Type {
			case "environment":
				file = map[string]string{"home/user.hcl": block.Example + "\n"}
			case "toolcrib":
				file = map[string]string{"config.hcl": block.Example + "\n"}
			}
			mustLoad(t, write(t, file), ".")
			if !words.MatchString(block.Doc) {
				t.Errorf("doc = %q, want a sentence", block.Doc)
			}
			for _, attribute := range block.Attributes {
				if !words.MatchString(attribute.Doc) || attribute.Example == "" || attribute.Type == "" {
					t.Errorf("%s = %+v, want a sentence, an example and a type", attribute.Name, attribute)
				}
				if _, err := json.Marshal(attribute.Default); err != nil {
					t.Errorf("%s: default %v", attribute.Name, attribute.Default)
				}
				if text, ok := attribute.Default.(string); ok && attribute.Values != nil && !slices.Contains(attribute.Values, text) {
					t.Errorf("%s: the default %q is none of %q", attribute.Name, text, attribute.Values)
				}
			}
		})
	}
}

// TestEveryExampleOfAnAttributeIsAccepted writes each into a block of its own.
func TestEveryExampleOfAnAttributeIsAccepted(t *testing.T) {
	required := map[string]string{"plugin": "command", "hook": "event command"}
	for _, block := range config.Blocks() {
		for _, attribute := range block.Attributes {
			t.Run(block.Type+"."+attribute.Name, func(t *testing.T) {
				var b strings.Builder
				fmt.Fprintf(&b, "%s ", block.Type)
				if block.Label != "" {
					b.WriteString(`"x" `)
				}
				fmt.Fprintf(&b, "{\n  %s = %s\n", attribute.Name, attribute.Example)
				for _, other := range block.Attributes {
					if other.Name != attribute.Name && slices.Contains(strings.Fields(required[block.Type]), other.Name) {
						fmt.Fprintf(&b, "  %s = %s\n", other.Name, other.Example)
					}
				}
				if block.Type == "variable" && attribute.Name != "default" {
					b.WriteString("  default = 1\n")
				}
				b.WriteString("}\n")
				root := write(t, map[string]string{"home/user.hcl": b.String() + "plugin \"words\" {\n  command = [\"words\"]\n}\n"})
				mustLoad(t, root, ".")
			})
		}
	}
}
