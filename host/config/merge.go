package config

import (
	"cmp"
	"fmt"
	"slices"
)

// merged is what all layers say in blocks of one type and label.
type merged struct {
	spec   *Block
	label  string
	blocks []*block
	// layer is the last one that says something, as [Layer.later] counts.
	layer Layer
	// said are the settings that count for each attribute: the last one where
	// it replaces, else those of all layers, the person's first.
	said map[string][]*setting
}

// last is the latest setting of an attribute; nil when no layer gives one.
func (m *merged) last(name string) *setting {
	if m == nil || len(m.said[name]) == 0 {
		return nil
	}
	return m.said[name][len(m.said[name])-1]
}

// text is the string that holds for an attribute; empty when no layer gives one.
func (m *merged) text(name string) string {
	if s := m.last(name); s != nil {
		return s.text()
	}
	return ""
}

// texts are the elements of a list that hold.
func (m *merged) texts(name string) []string {
	if m == nil {
		return nil
	}
	var all []string
	for _, s := range m.said[name] {
		for _, item := range s.items {
			all = append(all, item.text)
		}
	}
	return all
}

// byKey are the entries of an object that hold; nil when there is none.
func (m *merged) byKey(name string) map[string]string {
	var all map[string]string
	for _, s := range m.said[name] {
		for _, item := range s.items {
			if all == nil {
				all = make(map[string]string)
			}
			all[item.key] = item.text
		}
	}
	return all
}

// joined is the merge of all layers.
type joined struct {
	blocks []*merged // in the order in which they first appear
	diags  Diagnostics
}

func (j *joined) find(kind, label string) *merged {
	for _, m := range j.blocks {
		if m.spec.Type == kind && m.label == label {
			return m
		}
	}
	return nil
}

func (j *joined) ofType(kind string) []*merged {
	return slices.DeleteFunc(slices.Clone(j.blocks), func(m *merged) bool { return m.spec.Type != kind })
}

// join merges the layers, the earlier ones first. With restricted, of a
// workspace only that counts which narrows.
func join(layers []*layer, restricted bool) *joined {
	j := &joined{}
	for _, l := range layers {
		for _, b := range l.blocks {
			if restricted && l.kind.Foreign() && b.spec.grants {
				continue
			}
			j.add(l, b, restricted)
		}
	}
	for _, m := range j.blocks {
		for name := range m.said {
			// The rules of the person come first, wherever they stand.
			slices.SortStableFunc(m.said[name], func(a, b *setting) int {
				if m.adds(name) {
					return cmp.Compare(rank(a.layer), rank(b.layer))
				}
				return 0
			})
		}
	}
	return j
}

func (m *merged) adds(name string) bool {
	spec, ok := m.spec.Attribute(name)
	return ok && spec.Merge == AddsUp
}

// rank puts the person's layers in front.
func rank(l Layer) int {
	if l.Foreign() {
		return 1
	}
	return 0
}

func (j *joined) add(l *layer, b *block, restricted bool) {
	m := j.find(b.spec.Type, b.label)
	if fault, ok := refused(l, b, m); ok {
		j.diags = append(j.diags, fault)
		return
	}
	if m == nil {
		m = &merged{spec: b.spec, label: b.label, said: make(map[string][]*setting), layer: l.kind}
		j.blocks = append(j.blocks, m)
	}
	m.blocks = append(m.blocks, b)
	m.layer = m.layer.later(l.kind)
	for _, s := range b.settings {
		if restricted && l.kind.Foreign() && (s.spec.grants || s.widens(m.last(s.spec.Name))) {
			continue
		}
		j.diags = append(j.diags, m.say(s)...)
	}
}

// refused tells whether a workspace's block may not be at all.
func refused(l *layer, b *block, earlier *merged) (Diagnostic, bool) {
	switch {
	case !l.kind.Foreign():
	case b.spec.personal:
		return b.source.error(fmt.Sprintf("A workspace cannot have the %s block", b.spec.Type),
			"Only you decide that, in your own configuration. Take the block out here.", b.header), true
	case b.spec.unshared && earlier != nil && !earlier.layer.Foreign():
		return b.source.error(fmt.Sprintf("%s is the person's own", title(b.spec.Type, b.label)),
			fmt.Sprintf("It is declared at %s, and a workspace cannot change it. Choose another name here.", earlier.blocks[0].place()), b.header), true
	}
	return Diagnostic{}, false
}

func (b *block) place() string { return b.source.place(b.header) }

// say adds a setting to what earlier layers say.
func (m *merged) say(s *setting) Diagnostics {
	name, earlier := s.spec.Name, m.last(s.spec.Name)
	var diags Diagnostics
	if s.layer.Foreign() && earlier != nil {
		switch {
		case s.spec.wider != nil && earlier.scalar == s.scalar:
			return nil // what the person says needs no agreement
		case s.widens(earlier):
			return Diagnostics{s.source.warning(s.spec.kept, fmt.Sprintf("%s = %v stands at %s, which is more careful, so it stays. Change it there, or take this line out.",
				name, quotedScalar(earlier.scalar), earlier.source.place(earlier.at)), s.at)}
		case name == "tools":
			s, diags = s.withoutTurningOn(m.said[name])
		}
	}
	if s.spec.Merge == Replaces {
		m.said[name] = nil
	}
	m.said[name] = append(m.said[name], s)
	return diags
}

// widens reports whether a workspace's setting is wider than what an earlier
// layer, or the default, says.
func (s *setting) widens(earlier *setting) bool {
	if s.spec.wider == nil {
		return false
	}
	was := s.spec.Default
	if earlier != nil {
		was = earlier.scalar
	}
	return s.spec.wider(was, s.scalar)
}

func quotedScalar(value any) string {
	if text, ok := value.(string); ok {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprint(value)
}

// withoutTurningOn leaves out the tools that an earlier layer turned off.
func (s *setting) withoutTurningOn(earlier []*setting) (*setting, Diagnostics) {
	var diags Diagnostics
	kept := *s
	kept.items = nil
	for _, item := range s.items {
		off, ok := turnedOff(earlier, item.key)
		if !ok || item.text == "off" {
			kept.items = append(kept.items, item)
			continue
		}
		diags = append(diags, s.source.warning(fmt.Sprintf("The tool %s stays off", item.key),
			fmt.Sprintf("It is turned off at %s, and a workspace cannot turn it on. Change it there, or take this entry out.", off), item.keyAt))
	}
	return &kept, diags
}

// turnedOff finds the place that turns off a tool which an entry for a name or
// pattern would turn on.
func turnedOff(earlier []*setting, name string) (place string, ok bool) {
	for _, s := range slices.Backward(earlier) {
		for _, item := range s.items {
			if item.text == "off" && sameTool(item.key, name) && overrides(name, item.key) {
				return s.source.place(item.keyAt), true
			}
		}
	}
	return "", false
}
