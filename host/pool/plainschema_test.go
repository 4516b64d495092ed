package pool

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

// valid is the long way of finding out.
func valid(t interface{ Fatal(...any) }, raw []byte) bool {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseRegexpEngine(anyPattern)
	if err := compiler.AddResource("toolcrib:test", document); err != nil {
		return false
	}
	_, err = compiler.Compile("toolcrib:test")
	return err == nil
}

func isPlain(t interface{ Fatal(...any) }, raw []byte) bool {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return isPlainSchema(document)
}

func TestAPlainSchemaIsValid(t *testing.T) {
	keywords := []string{
		"type", "title", "description", "format", "pattern", "properties", "items", "additionalProperties", "required", "enum",
		"examples", "default", "const", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "$ref", "anyOf",
	}
	values := rapid.SampledFrom([]string{
		`"object"`, `"string"`, `"thing"`, `["string","null"]`, `["a","b"]`, `["a","a"]`, `[1]`, `[]`, `{}`, `true`, `null`,
		`0`, `3`, `-1`, `1.5`, `{"type":"string"}`, `{"a":{"type":"integer"}}`, `{"a":7}`, `"("`, `""`,
	})
	plain := 0
	rapid.Check(t, func(t *rapid.T) {
		schema := make(map[string]json.RawMessage)
		for _, keyword := range rapid.SliceOfN(rapid.SampledFrom(keywords), 1, 3).Draw(t, "keywords") {
			schema[keyword] = json.RawMessage(values.Draw(t, keyword))
		}
		inner, err := json.Marshal(schema)
		if err != nil {
			t.Fatal(err)
		}
		raw := []byte(`{"type":"object","properties":{"a":` + string(inner) + `}}`)
		if !isPlain(t, raw) {
			return
		}
		plain++
		if !valid(t, raw) {
			t.Fatalf("plain, and not valid: %s", raw)
		}
	})
	if plain == 0 {
		t.Error("no schema was plain, so nothing was tested")
	}
}

func TestWhatIsAlmostPlainIsCompiled(t *testing.T) {
	for claim, schema := range map[string]string{
		"a name that is required twice":  `{"type":"object","required":["a","a"]}`,
		"a count that is negative":       `{"type":"object","properties":{"a":{"minLength":-1}}}`,
		"a type that there is not":       `{"type":"object","properties":{"a":{"type":"thing"}}}`,
		"a property that is a number":    `{"type":"object","properties":{"a":7}}`,
		"a limit that is a text":         `{"type":"object","properties":{"a":{"maximum":"9"}}}`,
		"a description that is a number": `{"type":"object","description":3}`,
		"an enum that is no list":        `{"type":"object","properties":{"a":{"enum":"x"}}}`,
	} {
		if isPlain(t, []byte(schema)) || valid(t, []byte(schema)) {
			t.Errorf("%s: plain %t, valid %t, want neither", claim, isPlain(t, []byte(schema)), valid(t, []byte(schema)))
		}
	}
}
