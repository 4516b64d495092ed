package config

// Block describes a kind of block of config.hcl. The table of them, [Blocks],
// drives decoding, merging, and what the documentation and the schema for
// editors say.
type Block struct {
	// Type is the word that the block starts with.
	Type string
	// Label says what the label of the block is; empty when it has none, and
	// then there is one such block in a file.
	Label string
	// Doc tells what the block is for, in Markdown.
	Doc string
	// Workspace tells what a workspace's file may do with the block.
	Workspace string
	// Example is HCL that has no faults.
	Example    string
	Attributes []Attribute
	// Config tells that it may hold a config block, whose content is up to the
	// plugin.
	Config bool

	personal  bool // no workspace may have one
	unshared  bool // a workspace may not repeat a label of the person's
	grants    bool // in a workspace's file it counts only once it is trusted
	checkName func(string) string
}

// Attribute describes an argument of a block.
type Attribute struct {
	Name string
	Type Type
	// Values are the only ones that a string may have; nil is any.
	Values []string
	// Default is what holds when no layer says anything: a string, a bool, or
	// nil for nothing.
	Default any
	// Required tells that some layer must give it.
	Required bool
	// Doc tells what it does, in Markdown, with its unit.
	Doc string
	// Workspace tells what a workspace's file may do with it; empty is anything
	// that the block may.
	Workspace string
	// Example is its value in HCL.
	Example string
	// Merge says how the values of several layers become one.
	Merge Merge
	// Sensitive tells that it may hold sensitive values. It is never shown with
	// them.
	Sensitive bool

	grants bool   // in a workspace's file it counts only once it is trusted
	kept   string // summary of the finding when a workspace would widen it
	// wider compares what an earlier layer says with what a workspace's says.
	wider func(earlier, now any) bool
	// check looks at a value that has the right type, reports what is wrong with
	// it, and tells whether anything is left to use.
	check func(*reader, *written, *setting) bool
}

// Type is what the value of an attribute must be.
type Type string

const (
	TypeString   Type = "string"
	TypeBool     Type = "bool"
	TypeNumber   Type = "whole number"
	TypeDuration Type = "duration"
	TypeStrings  Type = "list of strings"
	TypeObject   Type = "object of strings"
	TypeRules    Type = "list of rules"
	TypeAny      Type = "any value"
)

// Merge says how the values that several layers give become one.
type Merge string

const (
	// Replaces is the zero value: the value of the latest layer holds.
	Replaces Merge = ""
	// AddsUp: the elements of all layers hold.
	AddsUp Merge = "adds up"
	// ByKey: the keys of all layers hold, each with its latest value.
	ByKey Merge = "by key"
)

// Attribute finds an attribute by its name.
func (b *Block) Attribute(name string) (*Attribute, bool) {
	for i := range b.Attributes {
		if b.Attributes[i].Name == name {
			return &b.Attributes[i], true
		}
	}
	return nil, false
}

// Blocks is the table of everything that config.hcl may hold, in the order in
// which the documentation tells of it. The caller may change it.
func Blocks() []Block {
	return []Block{toolcribSpec(), variableSpec(), pluginSpec(), hookSpec(), policySpec(), poolSpec(), environmentSpec()}
}
