package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// decoder turns HCL into the JSON value that a schema describes.
type decoder struct {
	evaluator
}

// at makes a block's file the one that is decoded.
func (d *decoder) at(b *configBlock) {
	d.source, d.scope = b.source, b.scope
}

// found is what one of the files says in a block.
type found struct {
	*configBlock
	content *hcl.BodyContent
	extra   []*hcl.Attribute
}

// body decodes the arguments and blocks of an object. Several files may say
// something of it, of which the later one holds, argument by argument.
func (d *decoder) body(parts []*configBlock, n node) map[string]any {
	object := make(map[string]any)
	var files []found
	for _, part := range parts {
		d.at(part)
		content, extra := d.content(part.body, n)
		files = append(files, found{part, content, extra})
	}
	for _, name := range n.names() {
		if value, ok := d.property(files, name, n.property(name)); ok {
			object[name] = value
		}
	}
	for _, name := range n.names() {
		written := func(f found) bool { return f.content.Attributes[name] != nil || len(f.content.Blocks.OfType(name)) > 0 }
		if slices.Contains(n.schema.Required, name) && !slices.ContainsFunc(files, written) {
			d.at(files[len(files)-1].configBlock)
			d.missing(name, n.property(name), files[len(files)-1].header)
		}
	}
	for _, file := range files {
		d.at(file.configBlock)
		for _, attribute := range file.extra {
			if value, ok := d.expression(attribute.Expr, n.property(attribute.Name)); ok {
				object[attribute.Name] = value
			}
		}
	}
	return object
}

// property decodes what the files say of one property: the last argument, or the
// blocks after it, which are one for an object.
func (d *decoder) property(files []found, name string, n node) (value any, ok bool) {
	var blocks []*configBlock
	for _, file := range files {
		d.at(file.configBlock)
		attribute, written := file.content.Attributes[name]
		here := file.content.Blocks.OfType(name)
		switch {
		case written && len(here) > 0:
			d.fault(fmt.Sprintf("%q is given twice", name),
				fmt.Sprintf("It is an argument at %s and a block here. Keep one of them.", d.source.place(attribute.Range)), here[0].DefRange)
		case written:
			blocks = nil
			value, ok = d.expression(attribute.Expr, n)
		case len(here) > 0 && n.shape() == shapeBlocks:
			value, ok = d.repeated(file, here, n), true
		case len(here) > 0:
			for _, block := range here[1:] {
				d.fault(fmt.Sprintf("%q is given twice", name),
					fmt.Sprintf("The first block is at %s. Join the two.", d.source.place(here[0].DefRange)), block.DefRange)
			}
			blocks = append(blocks, file.inner(here[0]))
		}
	}
	if blocks != nil {
		return d.body(blocks, n), true
	}
	return value, ok
}

// inner is a block of the same file.
func (b *configBlock) inner(block *hcl.Block) *configBlock {
	return &configBlock{source: b.source, scope: b.scope, layer: b.layer, body: block.Body, header: block.DefRange}
}

// repeated decodes blocks as a list of objects.
func (d *decoder) repeated(file found, blocks hcl.Blocks, n node) []any {
	list := make([]any, 0, len(blocks))
	for _, block := range blocks {
		list = append(list, d.body([]*configBlock{file.inner(block)}, n.items()))
	}
	return list
}

// content reads a body by the schema. extra are arguments that the schema does
// not name and does not refuse.
func (d *decoder) content(body hcl.Body, n node) (content *hcl.BodyContent, extra []*hcl.Attribute) {
	var found hcl.Diagnostics
	if !n.open() {
		content, found = body.Content(n.body())
		d.diags = append(d.diags, d.source.fromHCL(found)...)
		return content, nil
	}
	content, _, found = body.PartialContent(n.body())
	d.diags = append(d.diags, d.source.fromHCL(found)...)
	attributes, blocks := contents(body)
	for _, attribute := range attributes {
		if !slices.Contains(n.names(), attribute.Name) {
			extra = append(extra, attribute)
		}
	}
	for _, block := range blocks {
		if !slices.Contains(n.names(), block.Type) {
			d.fault("Unsupported block type", fmt.Sprintf("Blocks of type %q are not expected here.%s", block.Type, didYouMean(block.Type, n.names())), block.TypeRange)
		}
	}
	return content, extra
}

func (d *decoder) missing(name string, n node, header hcl.Range) {
	example := fmt.Sprintf("Add an argument %q, as in %s = ...", name, name)
	if shape := n.shape(); shape == shapeBlock || shape == shapeBlocks {
		example = fmt.Sprintf("Add a block %q, as in %s { ... }", name, name)
	}
	if n.schema != nil && n.schema.Description != "" {
		example += ": " + n.schema.Description
	}
	d.fault(fmt.Sprintf("%q is missing", name), strings.TrimSuffix(example, ".")+".", header)
}
