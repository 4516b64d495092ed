package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/plaintext"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/policy"
)

// globalFlags are those of every command.
type globalFlags struct {
	dir     string
	mode    string
	confirm bool
	set     []string
	vars    []string
	session string
}

func (f *globalFlags) register(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVarP(&f.dir, "dir", "C", ".", "work as if started in `DIR`")
	flags.StringVar(&f.mode, "mode", "", "approval mode: recommend, auto or trust (default: what config.hcl says)")
	flags.BoolVar(&f.confirm, "confirm", false, "confirm --mode trust, in which hardly anything asks")
	flags.StringArrayVar(&f.set, "set", nil, "a setting that holds against all files, as in 'policy.approval_mode=\"recommend\"'; `PATH=VALUE`, repeatable")
	flags.StringArrayVar(&f.vars, "var", nil, "the value of a variable of config.hcl; `NAME=VALUE`, repeatable")
	flags.StringVar(&f.session, "session", "", "go on with the session `NAME`, or begin it: tools that it loaded are loaded")
	must(root.MarkPersistentFlagDirname("dir"))
	must(root.RegisterFlagCompletionFunc("session", cobra.NoFileCompletions))
	must(root.RegisterFlagCompletionFunc("mode", cobra.FixedCompletions(modeNames(), cobra.ShellCompDirectiveNoFileComp)))
}

func modeNames() []string {
	var names []string
	for _, mode := range policy.Modes() {
		names = append(names, string(mode))
	}
	return names
}

// must reports a mistake in the program itself, at its start.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// check finds what is wrong with the flags themselves.
func (f *globalFlags) check() error {
	usage := func(err error) error { return &usageError{err: err, command: "toolcrib"} }
	if info, err := os.Stat(f.dir); err != nil || !info.IsDir() {
		return usage(fmt.Errorf("--dir %s is not a folder", f.dir))
	}
	if f.mode == "" {
		return nil
	}
	if _, err := policy.ParseMode(f.mode); err != nil {
		return usage(err)
	}
	return nil
}

// confirmed finds a mode in which calls would run that nobody confirmed.
func (f *globalFlags) confirmed() error {
	if policy.Mode(f.mode) == policy.Trust && !f.confirm {
		return &usageError{
			err:     errors.New("mode trust runs nearly everything without asking: confirm it with --confirm"),
			command: "toolcrib",
		}
	}
	return nil
}

// options are those of a host without a foreground shell.
func (f *globalFlags) options() (host.Options, error) {
	if err := f.check(); err != nil {
		return host.Options{}, err
	}
	vars, err := f.variables()
	if err != nil {
		return host.Options{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return host.Options{}, fmt.Errorf("find the toolcrib binary: %w", err)
	}
	return host.Options{
		Dir:     f.dir,
		Version: version,
		Bundled: bundledCommands(self),
		Mode:    policy.Mode(f.mode),
		Confirm: f.confirm,
		Set:     f.set,
		Vars:    vars,

		SessionID: f.session,
	}, nil
}

// variables reads NAME=VALUE. Of a name that is given twice the last one holds.
func (f *globalFlags) variables() (map[string]string, error) {
	vars := make(map[string]string, len(f.vars))
	for _, text := range f.vars {
		name, value, found := strings.Cut(text, "=")
		if !found || name == "" {
			return nil, &usageError{err: fmt.Errorf("--var %q is not NAME=VALUE, as in lang=en", text), command: "toolcrib"}
		}
		vars[name] = value
	}
	return vars, nil
}

// open opens a host for a command that does one thing and ends. What a person
// should know before the output goes to stderr.
func (f *globalFlags) open(cmd *cobra.Command) (*host.Host, error) {
	if err := f.confirmed(); err != nil {
		return nil, err
	}
	options, err := f.options()
	if err != nil {
		return nil, err
	}
	options.NoSession = cmd.Name() != "call" // the others only look
	h, err := host.Open(cmd.Context(), options)
	if err != nil {
		return nil, err
	}
	stderr := cmd.ErrOrStderr()
	h.Diagnostics().Render(stderr, colorful(stderr))
	if h.TrustRequest() != nil {
		fmt.Fprintln(stderr, "toolcrib: this workspace is not trusted, so what its config.hcl starts or allows is left out")
		fmt.Fprintln(stderr, "hint: see it and agree with `toolcrib trust`")
	}
	if cmd.Name() != "plugins" { // which lists them
		noteProviders(stderr, h.Providers())
	}
	return h, nil
}

// noteProviders tells of providers that do not run, or that toolcrib did not
// start.
func noteProviders(w io.Writer, providers []plugin.Status) {
	for _, p := range providers {
		if p.Reason != "" {
			fmt.Fprintf(w, "toolcrib: provider %s is %s: %s\n", p.Name, p.State, plaintext.Block(p.Reason))
		}
	}
}
