package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/plaintext"
)

func newInit(global *globalFlags) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a config.hcl for this folder",
		Long: `Look at what this folder has, ask a few questions, and write a commented
config.hcl for it: what runs without asking, what asks, and what never runs.

Nothing is written before the last question, and nothing is overwritten. Escape or
Ctrl-C leaves everything as it was.`,
		Example: `  toolcrib init
  toolcrib init --yes             answer every question with yes
  toolcrib -C ../service init     for another folder`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := filepath.Abs(global.dir)
			if err != nil {
				return fmt.Errorf("find the folder: %w", err)
			}
			options, err := global.options()
			if err != nil {
				return err
			}
			// What is wrong with a configuration that is there is not init's to tell.
			existing, _ := host.LoadConfig(options)
			ask, err := asker(cmd, yes)
			if err != nil {
				return err
			}
			return (&initializer{dir: dir, existing: existing, ask: ask, out: cmd.OutOrStdout()}).run()
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "answer every question with yes, as where there is no terminal")
	return cmd
}

// errNothingWritten is a person who left, or said no at the end.
var errNothingWritten = errors.New("nothing was written")

// asker answers questions: yes to all, or as the person at the terminal does.
func asker(cmd *cobra.Command, yes bool) (func(question string) (bool, error), error) {
	if yes {
		return func(string) (bool, error) { return true, nil }, nil
	}
	terminal, ok := cmd.InOrStdin().(*os.File)
	if !ok || !isTerminal(terminal) {
		return nil, &usageError{err: errors.New("there is no terminal to ask on; pass --yes to answer every question with yes"), command: cmd.CommandPath()}
	}
	return func(question string) (bool, error) {
		answer, err := askKey(cmd.Context(), terminal, cmd.ErrOrStderr(), question)
		if errors.Is(err, errLeft) {
			return false, errNothingWritten
		}
		return answer, err
	}, nil
}

// initializer makes the configuration of one folder.
type initializer struct {
	dir      string
	existing *config.Config // what holds in dir now
	ask      func(question string) (bool, error)
	out      io.Writer
}

func (i *initializer) run() error {
	if err := i.checkFree(); err != nil {
		return err
	}
	found := lookAround(i.dir)
	for _, line := range found.notes() {
		i.say(line)
	}
	wanted, err := i.questions(found)
	if err != nil {
		return err
	}
	text := wanted.hcl()
	if err := checkStarter(text); err != nil {
		return err
	}
	name := i.freeName()
	if ok, err := i.ask(fmt.Sprintf("Write %s?", name)); err != nil {
		return err
	} else if !ok {
		return errNothingWritten
	}
	if err := writeNew(filepath.Join(i.dir, name), text); err != nil {
		return err
	}
	i.say("wrote " + name)
	if wanted.ignoreLocal {
		if err := ignoreLocal(i.dir); err != nil {
			return err
		}
		i.say("added config.local.hcl to .gitignore")
	}
	i.say("")
	i.say("What it allows counts once you agreed to it. Next:")
	i.say("  toolcrib trust    see what it allows, and agree")
	i.say("  toolcrib          open a session here")
	return nil
}

// checkFree fails when the folder has a configuration, and tells of one above it.
func (i *initializer) checkFree() error {
	for _, file := range i.existing.Files {
		if !strings.HasPrefix(filepath.Base(file), "config.") {
			continue // what a configuration reads
		}
		switch filepath.Dir(file) {
		case i.dir, filepath.Join(i.dir, ".toolcrib"):
			return fmt.Errorf("%s is there already; edit it, and check it with `toolcrib validate`", nearName(file))
		case i.existing.Workspace, filepath.Join(i.existing.Workspace, ".toolcrib"):
			i.say(fmt.Sprintf("%s holds here now, and will not any more", file))
		}
	}
	return nil
}

func (i *initializer) say(line string) { fmt.Fprintln(i.out, plaintext.Line(line)) }

// questions asks what the configuration shall say.
func (i *initializer) questions(found *surroundings) (starter, error) {
	s := starter{found: found}
	type question struct {
		text   string
		asked  bool
		answer *bool
	}
	for _, q := range []question{
		{"Let commands that only read run without asking, such as ls and git status?", true, &s.readOnly},
		{fmt.Sprintf("Let these run without asking: %s?", strings.Join(found.commands, ", ")), len(found.commands) > 0, &s.commands},
		{fmt.Sprintf("Take over the rules of %s?", claudeSettings), found.rules != nil, &s.rules},
		{"Add config.local.hcl, for settings of your own, to .gitignore?", found.offersIgnore, &s.ignoreLocal},
	} {
		if !q.asked {
			continue
		}
		var err error
		if *q.answer, err = i.ask(q.text); err != nil {
			return s, err
		}
	}
	return s, nil
}

// freeName is where the configuration goes: another program may have a config.hcl.
func (i *initializer) freeName() string {
	if _, err := os.Lstat(filepath.Join(i.dir, "config.hcl")); err == nil {
		return filepath.Join(".toolcrib", "config.hcl")
	}
	return "config.hcl"
}

// checkStarter makes sure that what is written can be read, in a folder of its own.
func checkStarter(text []byte) error {
	dir, err := os.MkdirTemp("", "toolcrib-init-")
	if err != nil {
		return fmt.Errorf("check the configuration: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := writeNew(filepath.Join(dir, "config.hcl"), text); err != nil {
		return err
	}
	_, diagnostics := config.Load(dir, config.Options{UserFile: filepath.Join(dir, "none.hcl"), Version: version})
	if diagnostics.HasErrors() {
		return &host.ConfigError{Diagnostics: diagnostics}
	}
	return nil
}

// writeNew writes a file that must not be there.
func writeNew(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	return nil
}

// ignoreLocal adds config.local.hcl to the .gitignore of a folder.
func ignoreLocal(dir string) error {
	path := filepath.Join(dir, ".gitignore")
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("add to .gitignore: %w", err)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	text = append(text, localFile+"\n"...)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if err := renameio.WriteFile(path, text, 0o644, renameio.WithExistingPermissions()); err != nil {
		return fmt.Errorf("add to .gitignore: %w", err)
	}
	return nil
}
