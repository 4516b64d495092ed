package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/aymanbagabas/go-udiff"
	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/plaintext"
)

// errNotFormatted is what --check finds; the files have been printed.
var errNotFormatted = silent(errors.New("not formatted"))

func newFmt(global *globalFlags) *cobra.Command {
	f := formatter{}
	recursive := false
	cmd := &cobra.Command{
		Use:   "fmt [PATH...]",
		Short: "Lay out config.hcl as every other one",
		Long: `Lay out configuration files, and print the names of those that change. A file
that does not parse is left alone, and what is wrong with it is shown.

Without a PATH it is the workspace's own files. Of a folder it is those that are
Toolcrib's: in .toolcrib, and config.hcl with a toolcrib block. A file is
formatted whatever its name; "-" reads standard input and writes standard output.

Mode, line ends and a byte order mark stay; of a link, the file behind it changes.`,
		Example: `  toolcrib fmt
  toolcrib fmt --check --recursive .    for CI: exit code 3 when one would change
  toolcrib fmt --diff .toolcrib/config.hcl
  toolcrib fmt - < config.hcl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.in, f.out = cmd.InOrStdin(), cmd.OutOrStdout()
			files, err := filesToFormat(global, args, recursive)
			if err != nil {
				return err
			}
			return f.formatAll(files)
		},
	}
	cmd.Flags().BoolVar(&f.check, "check", false, "change nothing; exit code 3 when a file would change")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "change nothing; print what would change")
	cmd.Flags().BoolVarP(&recursive, "recursive", "r", false, "go into folders below PATH, but for .git and node_modules")
	return cmd
}

// standardInput is the PATH that is no file.
const standardInput = "-"

// filesToFormat makes files of arguments.
func filesToFormat(global *globalFlags, args []string, recursive bool) ([]string, error) {
	if len(args) == 0 {
		options, err := global.options()
		if err != nil {
			return nil, err
		}
		// What is wrong with it is found by formatting.
		loaded, _ := host.LoadConfig(options)
		args = []string{loaded.Workspace}
	}
	fault := func(err error) error { return &usageError{err: err, command: "toolcrib fmt"} }
	var files []string
	for _, arg := range args {
		if arg == standardInput {
			files = append(files, arg)
			continue
		}
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(global.dir, arg)
		}
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			return nil, fault(err)
		case info.IsDir():
			found, err := filesBelow(nearName(arg), recursive)
			if err != nil {
				return nil, err
			}
			files = append(files, found...)
		case !info.Mode().IsRegular():
			return nil, fault(fmt.Errorf("%s is not a file; use - to read standard input", arg))
		case filepath.Ext(arg) == ".json":
			return nil, fault(fmt.Errorf("%s is JSON, which has other formatters; this one is for HCL's native syntax", arg))
		default:
			files = append(files, arg)
		}
	}
	return files, nil
}

// nearName is a path as seen from the current folder, unless that is longer.
func nearName(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	relative, err := filepath.Rel(here, path)
	if err != nil || len(relative) > len(path) {
		return path
	}
	return relative
}

// filesBelow lists the configurations in a folder.
func filesBelow(dir string, recursive bool) ([]string, error) {
	if !recursive {
		return config.FilesIn(dir)
	}
	var files []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			return nil
		case entry.Name() == ".git" || entry.Name() == "node_modules":
			return filepath.SkipDir
		}
		found, err := config.FilesIn(path)
		files = append(files, found...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for configurations: %w", err)
	}
	return files, nil
}

// formatter lays out files, or only says what it would do.
type formatter struct {
	in          io.Reader
	out         io.Writer
	check, diff bool
}

// formatAll formats every file, also after one that cannot be.
func (f *formatter) formatAll(files []string) error {
	var faults config.Diagnostics
	changed := false
	for _, file := range files {
		different, diagnostics, err := f.format(file)
		if err != nil {
			return err
		}
		faults = append(faults, diagnostics...)
		changed = changed || different
	}
	switch {
	case faults.HasErrors():
		return &host.ConfigError{Diagnostics: faults}
	case f.check && changed:
		return errNotFormatted
	}
	return nil
}

// format lays out one file and reports whether that changes it.
func (f *formatter) format(file string) (changed bool, diagnostics config.Diagnostics, err error) {
	name, text, err := f.read(file)
	if err != nil {
		return false, nil, fmt.Errorf("format %s: %w", name, err)
	}
	formatted, diagnostics := config.Format(name, text)
	if diagnostics.HasErrors() {
		return false, diagnostics, nil
	}
	changed = !bytes.Equal(text, formatted)
	switch {
	case f.diff:
		err = f.printDiff(name, text, formatted)
	case file == standardInput && !f.check:
		_, err = f.out.Write(formatted)
	case changed:
		if _, err = fmt.Fprintln(f.out, plaintext.Line(name)); err == nil && !f.check {
			err = replaceFile(file, formatted)
		}
	}
	return changed, nil, err
}

// read reads a file, up to what [config.Format] would refuse.
func (f *formatter) read(file string) (name string, text []byte, err error) {
	const most = 1 << 20
	if file == standardInput {
		text, err = io.ReadAll(io.LimitReader(f.in, most))
		return "standard input", text, err
	}
	opened, err := os.Open(file)
	if err != nil {
		return file, nil, err
	}
	defer opened.Close()
	text, err = io.ReadAll(io.LimitReader(opened, most))
	return file, text, err
}

// printDiff prints a diff that patch can apply. On a terminal it is made safe to
// show, which changes it.
func (f *formatter) printDiff(name string, before, after []byte) error {
	diff := udiff.Unified(name, name, string(before), string(after))
	if isTerminal(f.out) {
		diff = plaintext.Block(diff)
	}
	_, err := io.WriteString(f.out, diff)
	return err
}

// replaceFile replaces the content of a file at once. Its mode stays, and of a
// link, the file behind it is replaced.
func replaceFile(path string, text []byte) error {
	target, err := filepath.EvalSymlinks(path)
	if err == nil {
		// The mode is not used: the file exists.
		err = renameio.WriteFile(target, text, 0o600, renameio.WithExistingPermissions())
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
