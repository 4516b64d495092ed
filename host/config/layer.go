package config

import "github.com/hashicorp/hcl/v2"

// Layer is where a setting comes from. Later layers narrow earlier ones; flags
// are the person's own word and may widen them.
type Layer string

const (
	LayerBuiltin   Layer = "builtin"
	LayerUser      Layer = "user"
	LayerWorkspace Layer = "workspace"
	// LayerLocal is config.local.hcl beside the workspace's file. It has the
	// limits of the workspace and needs the same trust, since a repository can
	// hold one.
	LayerLocal Layer = "local"
	// LayerFlags is what the person says with --set and --var, and with variables
	// of the environment.
	LayerFlags Layer = "flags"
)

// Foreign reports whether the layer is written by whoever wrote the workspace,
// so that nothing it declares is started before the person agreed to it.
func (l Layer) Foreign() bool { return l == LayerWorkspace || l == LayerLocal }

// later is the layer of what two layers say together. A foreign one stays, even
// if the person's flags say something after it: the part that is foreign still
// needs an agreement.
func (l Layer) later(next Layer) Layer {
	if l.Foreign() && !next.Foreign() {
		return l
	}
	return next
}

// layer is what one file, or all flags, say.
type layer struct {
	kind    Layer
	source  *source
	folder  string // of the file; for flags, where the program is
	root    string // what relative commands are relative to
	written []*written
	blocks  []*block
}

// block is one block of one file.
type block struct {
	spec     *Block
	label    string
	source   *source
	layer    Layer
	scope    *hcl.EvalContext
	header   hcl.Range
	settings []*setting // in the order of the table
	config   *hcl.Block // of a plugin
	faulty   bool       // it, or a variable in it, was complained about
}
