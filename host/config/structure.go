package config

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
)

// rootSchema is what may stand outside of blocks.
func rootSchema(table []Block) *hcl.BodySchema {
	schema := &hcl.BodySchema{}
	for _, spec := range table {
		header := hcl.BlockHeaderSchema{Type: spec.Type}
		if spec.Label != "" {
			header.LabelNames = []string{spec.Label}
		}
		schema.Blocks = append(schema.Blocks, header)
	}
	return schema
}

func (b *Block) bodySchema() *hcl.BodySchema {
	schema := &hcl.BodySchema{}
	for _, attribute := range b.Attributes {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: attribute.Name})
	}
	if b.Config {
		schema.Blocks = []hcl.BlockHeaderSchema{{Type: "config"}}
	}
	return schema
}

// written is a block as it was found, with its expressions not looked at.
type written struct {
	spec     *Block
	label    string
	block    *hcl.Block
	content  *hcl.BodyContent
	config   *hcl.Block
	repeated bool // it stood there before
	faulty   bool
}

// structure finds the blocks of a file, as the table has them.
func (s *source) structure(body hcl.Body, table []Block) ([]*written, Diagnostics) {
	content, found := body.Content(rootSchema(table))
	diags := s.fromHCL(found)
	var all []*written
	first := make(map[string]hcl.Range)
	for i := range table {
		for _, block := range content.Blocks.OfType(table[i].Type) {
			w := &written{spec: &table[i], block: block}
			if table[i].Label != "" {
				w.label = block.Labels[0]
				if fault := table[i].checkName(w.label); fault != "" {
					diags = append(diags, s.error("Invalid "+w.spec.Type+" name", fault, block.LabelRanges[0]))
					continue
				}
			}
			key := table[i].Type + "." + w.label
			if earlier, ok := first[key]; ok {
				w.repeated = true
				diags = append(diags, s.error(w.title()+" is declared twice",
					fmt.Sprintf("The first one is at %s. Join the two blocks.", s.place(earlier)), block.DefRange))
			} else {
				first[key] = block.DefRange
			}
			faults := w.open(s)
			w.faulty = faults.HasErrors()
			diags = append(diags, faults...)
			all = append(all, w)
		}
	}
	return all, diags
}

// title names the block in a sentence.
func (w *written) title() string { return title(w.spec.Type, w.label) }

func title(kind, label string) string {
	if label == "" {
		return fmt.Sprintf("The %s block", kind)
	}
	return fmt.Sprintf("%s %q", capital(kind), label)
}

// open reads what the block holds.
func (w *written) open(s *source) Diagnostics {
	content, found := w.block.Body.Content(w.spec.bodySchema())
	diags := s.fromHCL(found)
	w.content = content
	for _, config := range content.Blocks.OfType("config") {
		if w.config == nil {
			w.config = config
			continue
		}
		diags = append(diags, s.error("A plugin has one config block",
			fmt.Sprintf("The first one is at %s. Join the two blocks.", s.place(w.config.DefRange)), config.DefRange))
	}
	return diags
}
