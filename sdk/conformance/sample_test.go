package conformance

import (
	"encoding/json"
	"testing"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

func TestSampleInput(t *testing.T) {
	for claim, c := range map[string]struct{ schema, want string }{
		"nothing is required": {`{"type":"object","properties":{"a":{"type":"string"}}}`, `{}`},
		"a free string":       {`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{"a":"example"}`},
		"a bounded string":    {`{"type":"object","properties":{"a":{"type":"string","minLength":9,"maxLength":9}},"required":["a"]}`, `{"a":"examplexx"}`},
		"numbers":             {`{"type":"object","properties":{"a":{"type":"integer","minimum":5},"b":{"type":"number","exclusiveMaximum":0},"c":{"multipleOf":7,"type":"integer"}},"required":["a","b","c"]}`, `{"a":5,"b":-1,"c":7}`},
		"a choice":            {`{"type":"object","properties":{"a":{"enum":["x","y"]},"b":{"anyOf":[{"type":"boolean"},{"type":"null"}]},"c":{"const":3}},"required":["a","b","c"]}`, `{"a":"x","b":false,"c":3}`},
		"a nullable value":    {`{"type":"object","properties":{"a":{"type":["null","array"],"items":{"type":"integer"},"minItems":2}},"required":["a"]}`, `{"a":[1,1]}`},
		"a reference":         {`{"type":"object","$defs":{"p":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]}},"properties":{"a":{"$ref":"#/$defs/p"}},"required":["a"]}`, `{"a":{"x":1}}`},
		"an example":          {`{"type":"object","properties":{"a":{"type":"string","format":"date","examples":["2024-02-29"]}},"required":["a"]}`, `{"a":"2024-02-29"}`},
		"a subject":           {`{"type":"object","properties":{"file":{"type":"string"}}}`, `{"file":"sample.txt"}`},
		"a foreign pattern":   {`{"type":"object","properties":{"a":{"type":"string","pattern":"^(?!x)"}},"required":["a"]}`, `{"a":"example"}`},
	} {
		t.Run(claim, func(t *testing.T) {
			parsed, err := parseSchema([]byte(c.schema))
			if err != nil {
				t.Fatal(err)
			}
			tool := &proto.Tool{Subjects: []*proto.SubjectField{{Field: "file", Kind: "path", Access: "read"}}}
			got, _, err := sampleInput(tool, parsed, plainText)
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestSampleInputOfASchemaThatNobodyCanSatisfy(t *testing.T) {
	parsed, err := parseSchema([]byte(`{"type":"object","properties":{"a":{"type":"string","pattern":"^[0-9]{40}$"}},"required":["a"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := sampleInput(&proto.Tool{}, parsed, plainText); err == nil {
		t.Errorf("got %s", got)
	}
}

// Whatever a provider calls a schema: the suite survives it, and what it makes
// of one is valid.
func FuzzSampleInput(f *testing.F) {
	for _, seed := range []string{
		`{"type":"object"}`,
		`{"type":"object","properties":{"a":{"type":"array","minItems":1000000000}},"required":["a"]}`,
		`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}},"required":["a","b"]}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"}]}},"required":["a"]}`,
		`{"type":"object","properties":{"a":{"type":"string","maxLength":-1,"minLength":1e9}},"required":["a"]}`,
		`{"type":"object","properties":{"a":{"default":null,"enum":[]}},"required":["a"]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed, err := parseSchema(data)
		if err != nil {
			return
		}
		input, _, err := sampleInput(&proto.Tool{}, parsed, plainText)
		if err == nil && !json.Valid(input) {
			t.Errorf("made %q", input)
		}
	})
}
