package tui

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestComplete(t *testing.T) {
	w := words{
		commands: []string{"/call", "/details", "/help", "/journal", "/mode"},
		tools:    func() []string { return []string{"Read", "Edit", "jira__search", "jira__show"} },
		schema: func(tool string) (json.RawMessage, bool) {
			return json.RawMessage(`{"required":["path","line"],"properties":{"path":{"type":"string"},"line":{"type":"integer"}}}`), tool == "Read"
		},
		ids:       func() []string { return []string{"call_AB", "call_AC"} },
		providers: func() []string { return []string{"lsp", "words"} },
	}
	cases := map[string]struct {
		text string // | is the cursor
		want string
		list []string
	}{
		"a command":                            {"/ca|", "/call |", nil},
		"a command that is whole":              {"/mode|", "/mode |", nil},
		"several commands":                     {"/|", "/|", w.commands},
		"a tool":                               {"/call Re|", "/call Read |", nil},
		"a tool in the wrong case":             {"/call re|", "/call Read |", nil},
		"as far as all agree":                  {"/call ji|", "/call jira__s|", []string{"jira__search", "jira__show"}},
		"a skeleton with the cursor in it":     {"/call Read |", `/call Read {"path":"|","line":0}`, nil},
		"a tool without a schema":              {"/call Nope |", "/call Nope |", nil},
		"the next empty value":                 {`/call X {"a":"1|","b":""}`, `/call X {"a":"1","b":"|"}`, nil},
		"the first empty value after the last": {`/call X {"a":"","b":"1"}|`, `/call X {"a":"|","b":"1"}`, nil},
		"the end when no value is empty":       {`/call X {"a|":"1"}`, `/call X {"a":"1"}|`, nil},
		"a setting":                            {"/mode a|", "/mode approval |", nil},
		"a mode":                               {"/mode approval tr|", "/mode approval trust |", nil},
		"the confirmation":                     {"/mode approval trust |", "/mode approval trust confirm |", nil},
		"an id":                                {"/details |", "/details call_A|", []string{"call_AB", "call_AC"}},
		"a provider to reload":                 {"/reload w|", "/reload words |", nil},
		"what to do with a plugin":             {"/plugins |", "/plugins reload |", nil},
		"a plugin to reload":                   {"/plugins reload l|", "/plugins reload lsp |", nil},
		"a shell command is the shell's":       {"!ls |", "!ls |", nil},
		"plain text":                           {"hello|", "hello|", nil},
		"an unknown command":                   {"/nope x|", "/nope x|", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			cursor := slices.Index([]byte(c.text), '|')
			text := c.text[:cursor] + c.text[cursor+1:]
			got := w.complete(text, cursor)
			if shown := got.text[:got.cursor] + "|" + got.text[got.cursor:]; shown != c.want {
				t.Errorf("got %s, want %s", shown, c.want)
			}
			if !slices.Equal(got.candidates, c.list) {
				t.Errorf("candidates %q, want %q", got.candidates, c.list)
			}
		})
	}
}

func FuzzComplete(f *testing.F) {
	f.Add("/call Read {\"a\":\"\"}", 3)
	f.Add("/mode approval trust ", 0)
	f.Fuzz(func(t *testing.T, text string, cursor int) {
		w := words{
			commands: []string{"/call"}, tools: func() []string { return []string{"Read"} },
			schema: func(string) (json.RawMessage, bool) { return nil, true }, ids: func() []string { return nil },
		}
		got := w.complete(text, int(uint(cursor)%uint(len(text)+1)))
		if got.cursor < 0 || got.cursor > len(got.text) {
			t.Fatalf("cursor %d of %q", got.cursor, got.text)
		}
	})
}
