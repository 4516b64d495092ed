package config

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// contents are the arguments of a body, sorted by name, and its blocks, without
// a schema. In JSON all are arguments.
func contents(body hcl.Body) ([]*hcl.Attribute, []*hcl.Block) {
	if native, ok := body.(*hclsyntax.Body); ok {
		var attributes []*hcl.Attribute
		for _, name := range slices.Sorted(maps.Keys(native.Attributes)) {
			attributes = append(attributes, native.Attributes[name].AsHCLAttribute())
		}
		var blocks []*hcl.Block
		for _, block := range native.Blocks {
			blocks = append(blocks, block.AsHCLBlock())
		}
		return attributes, blocks
	}
	// What is no object has no arguments.
	all, _ := body.JustAttributes()
	var attributes []*hcl.Attribute
	for _, name := range slices.Sorted(maps.Keys(all)) {
		attributes = append(attributes, all[name])
	}
	return attributes, nil
}
