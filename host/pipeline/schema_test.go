package pipeline

import (
	"encoding/json"
	"strings"
	"testing"
)

const readSchema = `{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","minimum":1}},"required":["path"],"additionalProperties":false}`

func TestSchemaFaultsNameTheField(t *testing.T) {
	tests := map[string]struct {
		input string
		want  []string // each in one of the faults, in order
	}{
		"a valid input has none":        {`{"path":"a"}`, nil},
		"a missing field":               {`{}`, []string{"path"}},
		"a wrong type":                  {`{"path":1}`, []string{"/path"}},
		"an unknown field":              {`{"path":"a","paht":1}`, []string{"paht"}},
		"two faults give two lines":     {`{"path":1,"limit":0}`, []string{"/limit", "/path"}},
		"not JSON":                      {`{`, []string{"not JSON"}},
		"two documents":                 {`{"path":"a"} {}`, []string{"not JSON"}},
		"an array instead of an object": {`[]`, []string{"/"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var s schemas
			got, err := s.validate(json.RawMessage(readSchema), json.RawMessage(tt.input))
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(tt.want) {
				t.Fatalf("faults = %q, want %d", got, len(tt.want))
			}
			all := strings.Join(got, "\n")
			for _, want := range tt.want {
				if !strings.Contains(all, want) {
					t.Errorf("faults = %q, want one with %q", got, want)
				}
			}
		})
	}
}

func TestSchemaOfAToolIsNeverFetched(t *testing.T) {
	for _, ref := range []string{"file:///etc/passwd", "http://127.0.0.1:1/x.json", "other.json"} {
		var s schemas
		_, err := s.validate(json.RawMessage(`{"$ref":"`+ref+`"}`), json.RawMessage(`{}`))
		if err == nil || !strings.Contains(err.Error(), "only references inside") {
			t.Errorf("$ref %s: err = %v, want a refusal", ref, err)
		}
	}
}

func FuzzSchemaValidate(f *testing.F) {
	f.Add(readSchema, `{"path":"a"}`)
	f.Add(`{"$ref":"#"}`, `{}`)
	f.Add(`{"pattern":"("}`, `"x"`)
	f.Add(`true`, `1e999`)
	f.Fuzz(func(t *testing.T, schema, input string) {
		var s schemas
		first, err1 := s.validate(json.RawMessage(schema), json.RawMessage(input))
		second, err2 := s.validate(json.RawMessage(schema), json.RawMessage(input))
		if len(first) != len(second) || (err1 == nil) != (err2 == nil) {
			t.Fatalf("a cached schema judges differently: %q %v, then %q %v", first, err1, second, err2)
		}
	})
}
