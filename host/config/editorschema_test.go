package config_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolcrib/toolcrib/host/config"
)

func editorSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(config.EditorSchema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("config.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// Where the schema and Load disagree, an editor complains about what works, or
// says nothing of what does not.
func TestEditorSchemaAgreesWithLoad(t *testing.T) {
	tests := map[string]struct {
		text  string
		valid bool
	}{
		"every block": {`{
			"//": "a comment",
			"toolcrib": {"required_version": ">= 0.1.0"},
			"variable": {"lang": {"default": "en", "description": "a language", "sensitive": false}},
			"plugin": {"words": {
				"command": ["./bin/words", "${var.lang}"], "env": {"A": "${var.lang}"}, "pass_env": ["TOKEN"],
				"load": "deferred", "tools": {"search": "always", "delete_*": "off"}, "config": {"limits": {"max_bytes": 1}}
			}},
			"hook": {"guard": {"event": "pre_tool_use", "matcher": "Bash", "command": ["./guard"], "timeout": "5s", "on_error": "warn"}},
			"policy": {
				"approval_mode": "auto", "trusted_commands": ["ls"], "read_only_commands": "allow",
				"deny": ["Read(.env)"], "ask": [{"rule": "Bash(git push *)", "match": ["git push origin"], "not_match": ["git pull"]}], "allow": ["Bash(make test)"]
			},
			"pool": {"visible_tokens": 8000, "learn": false}
		}`, true},
		"blocks in lists":          {`{"toolcrib": [{}], "plugin": [{"a": {"command": ["x"]}}, {"b": [{"command": ["y"]}]}]}`, true},
		"an expression for a bool": {`{"toolcrib": {}, "pool": {"learn": "${1 == 1}"}}`, true},
		"an expression for a list": {`{"toolcrib": {}, "policy": {"trusted_commands": "${split(\",\", \"ls,pwd\")}"}}`, true},
		"an unknown block":         {`{"toolcrib": {}, "plugins": {}}`, false},
		"an unknown argument":      {`{"toolcrib": {}, "policy": {"aproval_mode": "auto"}}`, false},
		"a word that is none":      {`{"toolcrib": {}, "policy": {"approval_mode": "automatic"}}`, false},
		"a string for a list":      {`{"toolcrib": {}, "plugin": {"a": {"command": "x"}}}`, false},
		"a number for a string":    {`{"toolcrib": {}, "hook": {"a": {"event": 1, "command": ["x"]}}}`, false},
		"a string for a number":    {`{"toolcrib": {}, "pool": {"visible_tokens": "many"}}`, false},
		"a rule without its rule":  {`{"toolcrib": {}, "policy": {"ask": [{"match": ["x"]}]}}`, false},
		"no object":                {`[1]`, false},
	}
	schema := editorSchema(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(test.text)))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(value); (err == nil) != test.valid {
				t.Errorf("the schema says %v, want valid: %t", err, test.valid)
			}
			root := t.TempDir()
			folder := filepath.Join(root, ".toolcrib")
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, "config.hcl.json"), []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, diags := config.Load(root, config.Options{UserFile: filepath.Join(root, "none.hcl")})
			if diags.HasErrors() == test.valid {
				t.Errorf("Load says %+v, want valid: %t", diags, test.valid)
			}
		})
	}
}
