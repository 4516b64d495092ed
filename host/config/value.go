package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// expression decodes the value of an argument. ok is false when there is none:
// after a fault, or for null, which is the same as not writing the argument.
//
// Lists and objects that are written out are decoded part by part, so that a
// fault is marked at the part.
func (d *decoder) expression(expr hcl.Expression, n node) (value any, ok bool) {
	kind := n.kind()
	if elements, found := hcl.ExprList(expr); !found.HasErrors() && (kind == "array" || kind == "") {
		return d.list(elements, n), true
	}
	if pairs, found := hcl.ExprMap(expr); !found.HasErrors() && (kind == "object" || kind == "") {
		return d.object(pairs, n, expr.Range()), true
	}
	before := len(d.diags)
	v, sensitive, ok := d.value(expr)
	if !ok && len(d.diags) == before {
		d.fault("The value is not known", "It is made of a variable that has a fault. Mend that first.", expr.Range())
	}
	if !ok || v.IsNull() {
		return nil, false
	}
	if want := misfit(v, kind); want != "" {
		d.wrongType(want, v, expr)
		return nil, false
	}
	value, err := jsonOf(v)
	if err != nil {
		d.fault("Unusable value", err.Error()+". Write a plain value.", expr.Range())
		return nil, false
	}
	return value, d.allowed(value, sensitive, n, expr.Range())
}

func (d *decoder) list(elements []hcl.Expression, n node) []any {
	list := make([]any, 0, len(elements))
	for _, element := range elements {
		if value, ok := d.expression(element, n.items()); ok {
			list = append(list, value)
		}
	}
	return list
}

func (d *decoder) object(pairs []hcl.KeyValuePair, n node, at hcl.Range) map[string]any {
	object := make(map[string]any, len(pairs))
	for _, pair := range pairs {
		name, ok := d.key(pair.Key, "Invalid key")
		if !ok {
			continue
		}
		if n.schema != nil && n.schema.Properties[name] == nil && !n.open() {
			detail := fmt.Sprintf("An argument named %q is not expected here.", name)
			if near := nearest(name, n.names()); near != "" {
				detail += fmt.Sprintf(" Did you mean %q?", near)
			}
			d.fault("Unsupported argument", detail, pair.Key.Range())
			continue
		}
		if value, ok := d.expression(pair.Value, n.property(name)); ok {
			object[name] = value
		}
	}
	if n.schema != nil {
		for _, name := range n.schema.Required {
			if _, ok := object[name]; !ok && !hasKey(pairs, name) {
				d.missing(name, node{}, at)
			}
		}
	}
	return object
}

func hasKey(pairs []hcl.KeyValuePair, name string) bool {
	return slices.ContainsFunc(pairs, func(pair hcl.KeyValuePair) bool {
		key, found, _ := (&evaluator{}).evaluate(pair.Key)
		return !found.HasErrors() && key.Type() == cty.String && !key.IsNull() && key.AsString() == name
	})
}

// misfit names the type that a value should have; empty when it has it.
func misfit(v cty.Value, kind string) string {
	switch kind {
	case "string":
		if v.Type() != cty.String {
			return "a string"
		}
	case "number":
		if v.Type() != cty.Number {
			return "a number"
		}
	case "integer":
		if v.Type() != cty.Number || !v.AsBigFloat().IsInt() {
			return "a whole number"
		}
	case "boolean":
		if v.Type() != cty.Bool {
			return "true or false"
		}
	case "array":
		if t := v.Type(); !t.IsTupleType() && !t.IsListType() && !t.IsSetType() {
			return "a list"
		}
	case "object":
		if t := v.Type(); !t.IsObjectType() && !t.IsMapType() {
			return "an object"
		}
	}
	return ""
}

// allowed checks a value against the ones that a schema lists.
func (d *decoder) allowed(value any, sensitive bool, n node, at hcl.Range) bool {
	if n.schema == nil || len(n.schema.Enum) == 0 {
		return true
	}
	given, err := json.Marshal(value)
	if err != nil {
		return true // the schema decides
	}
	var listed, names []string
	for _, option := range n.schema.Enum {
		text, err := json.Marshal(option)
		if err != nil || string(text) == string(given) {
			return true
		}
		listed = append(listed, string(text))
		if name, ok := option.(string); ok {
			names = append(names, name)
		}
	}
	detail := fmt.Sprintf("It must be one of %s.", enumerate(listed))
	if sensitive {
		given = []byte(shownSensitive)
	}
	detail += didYouMean(strings.Trim(string(given), `"`), names)
	d.fault(fmt.Sprintf("Unknown value %s", given), detail, at)
	return false
}

func enumerate(names []string) string {
	text := ""
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			text += " or "
		default:
			text += ", "
		}
		text += name
	}
	return text
}

// jsonOf makes the JSON value of a known value. Numbers keep their digits.
func jsonOf(v cty.Value) (any, error) {
	if !v.IsWhollyKnown() {
		return nil, fmt.Errorf("the value is not known before it is used")
	}
	text, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return nil, fmt.Errorf("the value has no JSON form: %w", err)
	}
	return json.RawMessage(text), nil
}
