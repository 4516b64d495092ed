package tui

import (
	"encoding/json"
	"testing"
)

func TestSkeleton(t *testing.T) {
	cases := map[string]struct{ schema, want string }{
		"required fields in the order of the schema": {
			`{"type":"object","required":["b","a"],"properties":{"a":{"type":"string"},"x":{"type":"string"},"b":{"type":"integer"}}}`,
			`{"a":"","b":0}`,
		},
		"no required field":            {`{"type":"object","properties":{"a":{"type":"string"}}}`, `{}`},
		"each type has an empty value": {`{"required":["a","b","c","d","e"],"properties":{"a":{"type":"number"},"b":{"type":"boolean"},"c":{"type":"array"},"d":{"type":"null"},"e":{"type":"object"}}}`, `{"a":0,"b":false,"c":[],"d":null,"e":{}}`},
		"a nullable type":              {`{"required":["a"],"properties":{"a":{"type":["null","integer"]}}}`, `{"a":0}`},
		"default, const and enum":      {`{"required":["a","b","c"],"properties":{"a":{"default":"x"},"b":{"const":2},"c":{"enum":["one","two"]}}}`, `{"a":"x","b":2,"c":"one"}`},
		"objects in objects":           {`{"required":["a"],"properties":{"a":{"type":"object","required":["b"],"properties":{"b":{}}}}}`, `{"a":{"b":""}}`},
		"a property that is only true": {`{"required":["a"],"properties":{"a":true}}`, `{"a":""}`},
		"not a schema":                 {`[]`, `{}`},
		"nothing":                      {``, `{}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := skeleton(json.RawMessage(c.schema)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func FuzzSkeleton(f *testing.F) {
	f.Add(`{"required":["a"],"properties":{"a":{"type":"object","required":["a"],"properties":{"a":{"type":["null","string"]}}}}}`)
	f.Add(`{"required":["\u0000"],"properties":{"\u0000":{"default":[1, 2]}}}`)
	f.Add(`{"type":7}`)
	f.Fuzz(func(t *testing.T, schema string) {
		var object map[string]any
		if got := skeleton(json.RawMessage(schema)); json.Unmarshal([]byte(got), &object) != nil {
			t.Fatalf("skeleton of %q is not an object: %s", schema, got)
		}
	})
}
