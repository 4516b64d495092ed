package config

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"
	"github.com/hashicorp/hcl/v2"
)

// loader makes a Config of files, flags and the environment.
type loader struct {
	options Options
	base    string // the folder that is asked for, absolute and without links
	table   []Block
	config  *Config
	diags   Diagnostics
	lookup  func(string) (string, bool)
	// userRead keeps the person's own file from being a workspace's, too.
	userRead bool
	allowed  []string // environment variables that the person allows
}

// Load reads the configuration that holds in dir. It always returns a Config:
// with faults, what could be made of the rest. It never starts anything.
func Load(dir string, options Options) (*Config, Diagnostics) {
	if options.Bundled == nil {
		options.Bundled = []string{"builtin"}
	}
	if options.UserFile == "" {
		options.UserFile = filepath.Join(xdg.ConfigHome, "toolcrib", "config.hcl")
	}
	if absolute, err := filepath.Abs(options.UserFile); err == nil {
		options.UserFile = absolute
	}
	if options.LookupEnv == nil {
		options.LookupEnv = os.LookupEnv
	}
	base, err := filepath.Abs(dir)
	if err != nil {
		c := &Config{Workspace: dir, bundled: options.Bundled, joined: &joined{}}
		return c, Diagnostics{plain("Cannot find the workspace", err.Error()+". Give an absolute path.")}
	}
	// Whichever link leads to a workspace, it is the same, and what was agreed to
	// of its commands names their folder.
	if resolved, err := filepath.EvalSymlinks(base); err == nil {
		base = resolved
	}
	l := &loader{options: options, base: base, table: Blocks(), config: &Config{bundled: options.Bundled}, lookup: options.LookupEnv}
	l.load()
	return l.config, l.diags.sorted()
}

// load reads the person's side first, since it says what the workspace's may do.
func (l *loader) load() {
	user := l.readUser()
	foreign := l.readWorkspace()
	flags := l.readFlags()
	person := slices.Concat(user, flags)

	// A workspace cannot use up what the person's own files may take.
	mine, others := newBudget(), newBudget()
	own := l.resolve(person, nil, mine)
	l.evaluate(person, own, mine)
	l.allowed = join(person, false).find("environment", "").texts("allow")
	theirs := l.resolve(foreign, own, others)
	l.evaluate(foreign, theirs, others)
	l.undeclared(own, theirs)

	c := l.config
	c.layers = slices.Concat(user, foreign, flags)
	c.variables = []map[string]*variable{own, theirs}
	l.diags = append(l.diags, c.merge(false)...)
}

// evaluate gives the blocks of layers their values.
func (l *loader) evaluate(layers []*layer, variables map[string]*variable, budget *budget) {
	for _, layer := range layers {
		r := &reader{evaluator: evaluator{source: layer.source, scope: l.scope(layer, values(variables)), budget: budget}, layer: layer, bundled: l.options.Bundled}
		for _, w := range layer.written {
			if w.spec.Type != "variable" {
				layer.blocks = append(layer.blocks, r.read(w))
			}
		}
		l.diags = append(l.diags, r.diags...)
	}
}

// readUser reads the person's own file, in either syntax.
func (l *loader) readUser() []*layer {
	s, _ := l.either(l.options.UserFile)
	l.userRead = true
	if s == nil {
		return nil
	}
	return l.open(s, &layer{kind: LayerUser, root: filepath.Dir(s.path)})
}

// readWorkspace finds the workspace, and reads its file and the local one beside
// it.
func (l *loader) readWorkspace() []*layer {
	root, s := l.locate()
	l.config.Workspace = root
	if s == nil {
		return nil
	}
	layers := l.open(s, &layer{kind: LayerWorkspace, root: root})
	if local, _ := l.either(filepath.Join(filepath.Dir(s.path), localName)); local != nil {
		layers = append(layers, l.open(local, &layer{kind: LayerLocal, root: root})...)
	}
	return layers
}

// readFlags makes a layer of each setting from the command line, so that a later
// one holds against an earlier one.
func (l *loader) readFlags() []*layer {
	var layers []*layer
	for _, text := range l.options.Set {
		s, body, diags := parseFlag(text, l.table)
		l.diags = append(l.diags, diags...)
		if body != nil {
			layers = append(layers, l.structure(s, body, &layer{kind: LayerFlags, root: l.base, folder: l.base}))
		}
	}
	return layers
}

// open parses a file into a layer. What cannot be used makes none.
func (l *loader) open(s *source, into *layer) []*layer {
	l.config.Files = append(l.config.Files, s.path)
	into.folder = filepath.Dir(s.path)
	body, diags := s.parse()
	if body != nil {
		diags = s.checkVersion(body, l.options.Version)
	}
	l.diags = append(l.diags, diags...)
	if body == nil || diags.HasErrors() {
		return nil
	}
	return []*layer{l.structure(s, body, into)}
}

func (l *loader) structure(s *source, body hcl.Body, into *layer) *layer {
	into.source = s
	var diags Diagnostics
	into.written, diags = s.structure(body, l.table)
	l.diags = append(l.diags, diags...)
	return into
}
