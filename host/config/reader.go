package config

import (
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/toolcrib/toolcrib/host/policy"
)

// setting is the value that one layer gives to an attribute.
type setting struct {
	spec   *Attribute
	layer  Layer
	source *source
	at     hcl.Range // the whole argument
	expr   hcl.Expression
	// scalar is a string, a bool, an int or a time.Duration.
	scalar any
	// items are the elements of a list or an object.
	items     []textAt
	rules     []ruleAt
	trusted   []policy.TrustedCommand
	value     cty.Value // of any type
	sensitive bool
}

func (s *setting) text() string {
	text, _ := s.scalar.(string)
	return text
}

// reader turns blocks as they are written into blocks with values.
type reader struct {
	evaluator
	layer   *layer
	bundled []string
}

// read gives the block values. What has a fault is left out of it.
func (r *reader) read(w *written) *block {
	b := &block{spec: w.spec, label: w.label, source: r.source, layer: r.layer.kind, scope: r.scope, header: w.block.DefRange, config: w.config}
	faults, unknown := len(r.diags), r.unknown
	b.settings = r.settings(w)
	// The plugin's schema is not known yet, and what the block takes is.
	if w.config != nil && !r.affords(w.config.Body) {
		b.config = nil
	}
	b.faulty = w.faulty || r.diags[faults:].HasErrors() || r.unknown > unknown
	return b
}

// settings are the values of a block's attributes, or of those that are named.
func (r *reader) settings(w *written, only ...string) []*setting {
	var list []*setting
	for i := range w.spec.Attributes {
		spec := &w.spec.Attributes[i]
		attribute, ok := w.content.Attributes[spec.Name]
		if only != nil && !slices.Contains(only, spec.Name) {
			continue
		}
		// Of a block that is there twice only lists that add up count: a deny
		// rule is not to be lost over a fault elsewhere.
		if !ok || w.repeated && spec.Merge != AddsUp {
			continue
		}
		s := &setting{spec: spec, layer: r.layer.kind, source: r.source, at: attribute.Range, expr: attribute.Expr}
		faults, unknown := len(r.diags), r.unknown
		// Half a command is none; half a list of rules is worth having.
		halved := func() bool {
			return spec.Merge == Replaces && (r.diags[faults:].HasErrors() || r.unknown > unknown)
		}
		if !r.decode(s) || halved() || spec.check != nil && !spec.check(r, w, s) || halved() {
			continue
		}
		list = append(list, s)
	}
	return list
}

// decode finds the value of a setting, of the type that the table says. It is
// false when there is none: after a fault, or for null, which is the same as not
// writing the argument.
func (r *reader) decode(s *setting) bool {
	switch s.spec.Type {
	case TypeStrings:
		var ok bool
		s.items, ok = r.texts(s.expr)
		return ok && r.shown(s)
	case TypeRules:
		return true // by its check
	case TypeObject:
		var ok bool
		s.items, ok = r.object(s)
		return ok && r.shown(s)
	}
	v, sensitive, ok := r.value(s.expr)
	if !ok || v.IsNull() {
		return false
	}
	s.sensitive, s.value = sensitive, v
	return r.shown(s) && r.scalar(s, v)
}

// shown refuses sensitive values where they would be shown.
func (r *reader) shown(s *setting) bool {
	at := s.at
	sensitive := s.sensitive
	for _, item := range s.items {
		if item.sensitive {
			sensitive, at = true, item.at
		}
	}
	s.sensitive = sensitive
	if !sensitive || s.spec.Sensitive {
		return true
	}
	r.fault("A sensitive value would be shown", fmt.Sprintf("%q is shown to people. Sensitive values may stand in env and config of plugins only.", s.spec.Name), at)
	return false
}

func (r *reader) scalar(s *setting, v cty.Value) bool {
	switch s.spec.Type {
	case TypeAny:
		return true
	case TypeBool:
		if v.Type() != cty.Bool {
			r.wrongType("true or false", v, s.expr)
			return false
		}
		s.scalar = v.True()
		return true
	case TypeNumber:
		if misfit(v, "integer") != "" {
			r.wrongType("a whole number", v, s.expr)
			return false
		}
		number, accuracy := v.AsBigFloat().Int64()
		if accuracy != 0 || int64(int(number)) != number {
			r.fault("Number out of range", "It does not fit into 64 bits. Write a smaller one.", s.expr.Range())
			return false
		}
		s.scalar = int(number)
		return true
	}
	if v.Type() != cty.String {
		r.wrongType("a string", v, s.expr)
		return false
	}
	if s.spec.Type == TypeDuration {
		return r.duration(s, v.AsString())
	}
	s.scalar = v.AsString()
	return r.listed(s.spec, s.text(), s.expr.Range())
}

func (r *reader) duration(s *setting, text string) bool {
	d, err := time.ParseDuration(text)
	if err != nil {
		r.fault(fmt.Sprintf("Invalid duration %q", text), `Write a number with a unit, as in "500ms", "5s" or "2m".`, s.expr.Range())
		return false
	}
	s.scalar = d
	return true
}

// listed reports a value that the table does not list.
func (r *reader) listed(spec *Attribute, text string, at hcl.Range) bool {
	if spec.Values == nil || slices.Contains(spec.Values, text) {
		return true
	}
	var quoted []string
	for _, value := range spec.Values {
		quoted = append(quoted, fmt.Sprintf("%q", value))
	}
	detail := fmt.Sprintf("It must be one of %s.", enumerate(quoted))
	r.fault(fmt.Sprintf("Unknown value %q", text), detail+didYouMean(text, spec.Values), at)
	return false
}

// object reads an object of strings. Entries with a fault are left out.
func (r *reader) object(s *setting) (items []textAt, ok bool) {
	pairs, ok := r.pairs(s.expr, "an object of strings")
	seen := make(map[string]bool)
	for _, pair := range pairs {
		key, ok := r.key(pair.Key, "Invalid key")
		if !ok {
			continue
		}
		if seen[key] {
			r.fault(fmt.Sprintf("%q is given twice", key), "Keep one of the two entries.", pair.Key.Range())
			continue
		}
		seen[key] = true
		item, ok := r.evaluator.text(pair.Value)
		if ok && (item.sensitive || r.listed(s.spec, item.text, item.at)) {
			item.key, item.keyAt = key, pair.Key.Range()
			items = append(items, item)
		}
	}
	return items, ok
}
