package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// DecodeConfig reads the plugin's config block against the JSON Schema that the
// plugin reports, and returns a JSON object. Objects are written as blocks, lists
// of objects as repeated blocks, all else as arguments. Empty schema: the plugin
// takes no configuration. A plugin without a config block gets an empty object,
// if its schema accepts one. With errors the JSON is nil.
func (p Plugin) DecodeConfig(schema json.RawMessage) (json.RawMessage, Diagnostics) {
	root, takes, err := parseSchema(schema)
	if err != nil {
		return nil, Diagnostics{p.at(p.header(), Error, fmt.Sprintf("Plugin %q cannot be configured", p.Name),
			fmt.Sprintf("Its author has to mend it: %v.", err))}
	}
	if !takes {
		if p.HasConfig() {
			return nil, Diagnostics{p.at(p.header(), Error, fmt.Sprintf("Plugin %q takes no configuration", p.Name), "Remove its config block.")}
		}
		return json.RawMessage("{}"), nil
	}
	var d decoder
	parts := p.config
	if len(parts) == 0 {
		parts = []*configBlock{{source: p.configSource(), body: hcl.EmptyBody(), header: p.header()}}
	}
	object := d.body(parts, root)
	if d.diags.HasErrors() {
		return nil, p.placed(d.diags.sorted())
	}
	text, err := json.Marshal(object)
	if err != nil {
		return nil, Diagnostics{p.at(p.header(), Error, "Unusable configuration", fmt.Sprintf("It has no JSON form: %v.", err))}
	}
	if diags := p.validate(schema, text); diags.HasErrors() {
		return nil, diags
	}
	return text, d.diags
}

// lastConfig is what the last file writes into the config block; nil when none
// does.
func (p Plugin) lastConfig() *configBlock {
	if len(p.config) == 0 {
		return nil
	}
	return p.config[len(p.config)-1]
}

// configSource is the file of the config block; a plugin that no file mentions
// has none to show.
func (p Plugin) configSource() *source {
	switch {
	case p.HasConfig():
		return p.lastConfig().source
	case p.source != nil:
		return p.source
	}
	return &source{}
}

// header is where a fault of the whole block is marked.
func (p Plugin) header() hcl.Range {
	if p.HasConfig() {
		return p.lastConfig().header
	}
	return p.block
}

// at makes a diagnostic in the file of the config block, if there is one.
func (p Plugin) at(r hcl.Range, severity Severity, summary, detail string) Diagnostic {
	return p.placed(Diagnostics{p.configSource().diagnostic(severity, summary, detail, r)})[0]
}

// placed removes the places of a plugin that no file mentions.
func (p Plugin) placed(diags Diagnostics) Diagnostics {
	if p.HasConfig() || p.source != nil {
		return diags
	}
	for i, d := range diags {
		diags[i] = Diagnostic{Severity: d.Severity, Summary: d.Summary,
			Detail: fmt.Sprintf("%s It belongs into plugin %q { config { ... } }.", d.Detail, p.Name)}
	}
	return diags
}

// validate checks what the shape of the schema does not say: ranges, patterns,
// combinations.
func (p Plugin) validate(schema, config json.RawMessage) Diagnostics {
	unusable := func(err error) Diagnostics {
		return Diagnostics{p.at(p.header(), Error, fmt.Sprintf("Plugin %q cannot be configured", p.Name),
			fmt.Sprintf("Its author has to mend the schema of its configuration: %v.", err))}
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return unusable(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(refuseLoader{})
	if err := compiler.AddResource("config.json", document); err != nil {
		return unusable(err)
	}
	compiled, err := compiler.Compile("config.json")
	if err != nil {
		return unusable(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(config))
	if err != nil {
		return unusable(err)
	}
	var invalid *jsonschema.ValidationError
	if err := compiled.Validate(value); errors.As(err, &invalid) {
		return p.leaves(invalid)
	} else if err != nil {
		return unusable(err)
	}
	return nil
}

// leaves are the faults that name a value, at their places.
func (p Plugin) leaves(invalid *jsonschema.ValidationError) Diagnostics {
	if len(invalid.Causes) > 0 {
		var diags Diagnostics
		for _, cause := range invalid.Causes {
			diags = append(diags, p.leaves(cause)...)
		}
		return diags
	}
	text := invalid.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	return Diagnostics{p.DiagnosticAt(invalid.InstanceLocation, Error, "Invalid value", "The plugin does not accept it: "+text+".")}
}

// refuseLoader keeps a plugin's schema from making the host read a file or a URL.
type refuseLoader struct{}

func (refuseLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("the schema refers to %s, and only its own definitions are followed", url)
}

// DiagnosticAt puts a finding about a value of the config block at its source
// line. The path leads from the block to the value, as in {"bash", "timeout"};
// an element of a list is its index. Of a path that was not written, the part
// that was is marked.
func (p Plugin) DiagnosticAt(path []string, severity Severity, summary, detail string) Diagnostic {
	if !p.HasConfig() {
		return p.at(p.header(), severity, summary, detail)
	}
	best, depth := place{at: p.header()}, -1
	by := p.lastConfig()
	for _, part := range slices.Backward(p.config) {
		if found, deep := find(part.body, path, 0, part.header); deep > depth {
			best, depth, by = found, deep, part
		}
	}
	e := evaluator{source: by.source, scope: by.scope}
	d := by.source.diagnostic(severity, summary, detail, best.at)
	if best.expr != nil {
		d.Values = e.involved(best.expr.Variables())
		if _, sensitive, _ := e.value(best.expr); sensitive {
			d.Detail = "The plugin says something of a sensitive value, which is not shown."
		}
	}
	return d
}

// place is a part of a config block. expr is nil for a block.
type place struct {
	at   hcl.Range
	expr hcl.Expression
}

// find locates a value in a body, and tells how many steps of the path lead
// there; header is the body's.
func find(body hcl.Body, path []string, depth int, header hcl.Range) (place, int) {
	if len(path) == 0 {
		return place{at: header}, depth
	}
	attributes, all := contents(body)
	for _, attribute := range attributes {
		if attribute.Name == path[0] {
			return findIn(attribute.Expr, path[1:], depth+1)
		}
	}
	blocks := slices.DeleteFunc(all, func(block *hcl.Block) bool { return block.Type != path[0] })
	if len(blocks) == 0 {
		return place{at: header}, depth
	}
	block, rest := blocks[0], path[1:]
	if len(rest) > 0 {
		if i, err := strconv.Atoi(rest[0]); err == nil && i >= 0 && i < len(blocks) {
			block, rest = blocks[i], rest[1:]
		}
	}
	return find(block.Body, rest, depth+1, block.DefRange)
}

// findIn locates a value in an object or list that is written out.
func findIn(expr hcl.Expression, path []string, depth int) (place, int) {
	if len(path) == 0 {
		return place{expr.Range(), expr}, depth
	}
	if pairs, found := hcl.ExprMap(expr); !found.HasErrors() {
		for _, pair := range pairs {
			if hasKey([]hcl.KeyValuePair{pair}, path[0]) {
				return findIn(pair.Value, path[1:], depth+1)
			}
		}
	}
	if elements, found := hcl.ExprList(expr); !found.HasErrors() {
		if i, err := strconv.Atoi(path[0]); err == nil && i >= 0 && i < len(elements) {
			return findIn(elements[i], path[1:], depth+1)
		}
	}
	return place{expr.Range(), expr}, depth
}
