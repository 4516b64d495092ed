package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Value is one value that holds, and where it comes from.
type Value struct {
	// Path is the block, its label and the argument, as in plugin.words.command;
	// of lists that add up an element, as in policy.deny[0]; of objects an entry,
	// as in plugin.words.env.LANG or plugin.words.tools["a_*"].
	Path string `json:"path"`
	// Value is null when it is sensitive.
	Value json.RawMessage `json:"value"`
	Layer Layer           `json:"layer"`
	// File is the path as people are shown it; empty for a default.
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Sensitive bool   `json:"sensitive,omitempty"`
}

// Values lists every value that holds, with where it comes from, in the order of
// the table: what the layers say, and the defaults of the rest.
func (c *Config) Values() []Value {
	var list valueList
	for _, spec := range Blocks() {
		if spec.Type == "variable" {
			list.variables(c.variables)
			continue
		}
		blocks := c.joined.ofType(spec.Type)
		if len(blocks) == 0 && spec.Label == "" {
			blocks = []*merged{{spec: &spec}}
		}
		for _, m := range blocks {
			list.block(m)
		}
	}
	return list.values
}

type valueList struct{ values []Value }

func (l *valueList) add(path string, value any, sensitive bool, s *setting, at hcl.Range) {
	v := Value{Path: path, Layer: LayerBuiltin, Sensitive: sensitive, Value: json.RawMessage("null")}
	if s != nil {
		v.Layer, v.File, v.Line = s.layer, s.source.name, at.Start.Line
	}
	if !sensitive {
		v.Value = marshal(value)
	}
	l.values = append(l.values, v)
}

func marshal(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // strings, numbers, bools and JSON itself marshal
	}
	return text
}

func (l *valueList) block(m *merged) {
	path := m.spec.Type
	if m.label != "" {
		path += "." + m.label
	}
	for i := range m.spec.Attributes {
		l.attribute(path, &m.spec.Attributes[i], m.said[m.spec.Attributes[i].Name])
	}
	if m.spec.Config {
		l.config(path+".config", m.blocks)
	}
}

// variables lists the values that variables have, as var.name.
func (l *valueList) variables(sides []map[string]*variable) {
	for _, side := range sides {
		for _, name := range slices.Sorted(maps.Keys(side)) {
			v := side[name]
			plain, marks := v.value.UnmarkDeep()
			value := Value{Path: "var." + name, Layer: v.from.layer, File: v.from.file, Line: v.from.line, Sensitive: len(marks) > 0, Value: json.RawMessage("null")}
			if text, err := jsonOf(plain); err == nil && !value.Sensitive {
				value.Value = marshal(text)
			}
			l.values = append(l.values, value)
		}
	}
}

func (l *valueList) attribute(path string, spec *Attribute, said []*setting) {
	path += "." + spec.Name
	if len(said) == 0 {
		if spec.Default != nil {
			l.add(path, spec.Default, false, nil, hcl.Range{})
		}
		return
	}
	switch {
	case spec.Merge == AddsUp:
		l.elements(path, said)
	case spec.Merge == ByKey:
		l.entries(path, said)
	case spec.Type == TypeStrings:
		s, list := said[0], []string{}
		for _, item := range s.items {
			list = append(list, item.text)
		}
		l.add(path, list, s.sensitive, s, s.at)
	default:
		s := said[0]
		l.add(path, s.json(), s.sensitive, s, s.at)
	}
}

// json is the value of a setting that is no list or object of the table.
func (s *setting) json() any {
	switch s.spec.Type {
	case TypeAny:
		if value, err := jsonOf(s.value); err == nil {
			return value
		}
		return nil
	case TypeDuration:
		return s.value.AsString()
	}
	return s.scalar
}

func (l *valueList) elements(path string, said []*setting) {
	i := 0
	add := func(s *setting, text string, at hcl.Range) {
		l.add(fmt.Sprintf("%s[%d]", path, i), text, false, s, at)
		i++
	}
	for _, s := range said {
		for _, item := range s.items {
			add(s, item.text, item.at)
		}
		for _, rule := range s.rules {
			add(s, rule.Text, rule.at)
		}
	}
}

func (l *valueList) entries(path string, said []*setting) {
	type entry struct {
		item textAt
		by   *setting
	}
	latest := make(map[string]entry)
	for _, s := range said {
		for _, item := range s.items {
			latest[item.key] = entry{item, s}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(latest)) {
		e := latest[key]
		l.add(path+step(key), e.item.text, e.item.sensitive, e.by, e.item.at)
	}
}

// step is a key at the end of a path.
func step(key string) string {
	if hclsyntax.ValidIdentifier(key) {
		return "." + key
	}
	return fmt.Sprintf("[%q]", key)
}

// config lists what plugins are configured with, argument by argument. Of several
// files that give one, the later holds.
func (l *valueList) config(path string, blocks []*block) {
	latest := make(map[string]Value)
	for _, b := range blocks {
		if b.config != nil {
			(&configBlock{b.source, b.scope, b.layer, b.config.Body, b.config.DefRange}).values(path, latest)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(latest)) {
		l.values = append(l.values, latest[path])
	}
}

func (b *configBlock) values(path string, into map[string]Value) {
	attributes, blocks := contents(b.body)
	for _, attribute := range attributes {
		e := evaluator{source: b.source, scope: b.scope}
		v, sensitive, ok := e.value(attribute.Expr)
		if !ok {
			continue // it was reported, or will be with the plugin's schema
		}
		value := Value{Path: path + step(attribute.Name), Layer: b.layer, File: b.source.name, Line: attribute.Range.Start.Line, Sensitive: sensitive, Value: json.RawMessage("null")}
		if plain, err := jsonOf(v); err == nil && !sensitive {
			value.Value = marshal(plain)
		}
		into[value.Path] = value
	}
	counts := make(map[string]int)
	for _, block := range blocks {
		counts[block.Type]++
	}
	seen := make(map[string]int)
	for _, block := range blocks {
		inner := path + step(block.Type)
		if counts[block.Type] > 1 {
			inner = fmt.Sprintf("%s[%d]", inner, seen[block.Type])
			seen[block.Type]++
		}
		b.inner(block).values(inner, into)
	}
}
