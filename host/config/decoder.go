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

// body decodes the arguments and blocks of an object.
func (d *decoder) body(body hcl.Body, n node, header hcl.Range) map[string]any {
	content, extra := d.content(body, n)
	object := make(map[string]any)
	for _, name := range n.names() {
		property := n.property(name)
		attribute, written := content.Attributes[name]
		blocks := content.Blocks.OfType(name)
		if written && len(blocks) > 0 {
			d.fault(fmt.Sprintf("%q is given twice", name),
				fmt.Sprintf("It is an argument at %s and a block here. Keep one of them.", d.source.place(attribute.Range)), blocks[0].DefRange)
			continue
		}
		if written {
			if value, ok := d.expression(attribute.Expr, property); ok {
				object[name] = value
			}
			continue
		}
		if len(blocks) > 0 {
			object[name] = d.blocks(blocks, property)
			continue
		}
		if slices.Contains(n.schema.Required, name) {
			d.missing(name, property, header)
		}
	}
	for name, attribute := range extra {
		if value, ok := d.expression(attribute.Expr, n.property(name)); ok {
			object[name] = value
		}
	}
	return object
}

// content reads a body by the schema. extra are arguments that the schema does
// not name and does not refuse.
func (d *decoder) content(body hcl.Body, n node) (content *hcl.BodyContent, extra hcl.Attributes) {
	var found hcl.Diagnostics
	if !n.open() {
		content, found = body.Content(n.body())
		d.diags = append(d.diags, d.source.fromHCL(found)...)
		return content, nil
	}
	content, rest, found := body.PartialContent(n.body())
	d.diags = append(d.diags, d.source.fromHCL(found)...)
	extra, found = rest.JustAttributes()
	d.diags = append(d.diags, d.source.fromHCL(found)...)
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

// blocks decodes one block as an object, or several as a list of them.
func (d *decoder) blocks(blocks hcl.Blocks, n node) any {
	if n.shape() == shapeBlocks {
		list := make([]any, 0, len(blocks))
		for _, block := range blocks {
			list = append(list, d.body(block.Body, n.items(), block.DefRange))
		}
		return list
	}
	for _, block := range blocks[1:] {
		d.fault(fmt.Sprintf("%q is given twice", block.Type),
			fmt.Sprintf("The first block is at %s. Join the two.", d.source.place(blocks[0].DefRange)), block.DefRange)
	}
	return d.body(blocks[0].Body, n, blocks[0].DefRange)
}
