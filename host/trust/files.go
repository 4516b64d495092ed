package trust

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// What an interpreter that is given "x" may open in its place, and what of a
// folder.
var (
	scriptSuffixes = []string{".js", ".mjs", ".cjs", ".ts", ".py"}
	folderEntries  = []string{"package.json", "index.js", "index.mjs", "index.cjs", "index.ts", "__main__.py", "__init__.py"}
)

// files takes the checksums of files that a command leads to besides its program,
// each under the name by which it is called there.
type files struct {
	workspace string // where the command runs
	sums      map[string]string
}

// filesOf looks into the arguments and the values of the environment. It finds
// what is named, not what the named files load.
func filesOf(path string, args []string, env map[string]string, workspace string) map[string]string {
	f := &files{workspace: workspace}
	for i, arg := range args {
		f.words(arg)
		if i > 0 && args[i-1] == "-m" {
			f.module(arg)
		}
	}
	for _, value := range env {
		f.words(value)
	}
	f.interpreters(path)
	return f.sums
}

// words looks for files in a text: the text as a whole, the value of a --flag=value,
// or a word of a line for a shell.
func (f *files) words(text string) {
	f.named(text)
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`;&|()<>", r) }) {
		f.named(word)
		if _, value, ok := strings.Cut(word, "="); ok {
			f.named(value)
		}
		for _, part := range filepath.SplitList(word) {
			f.named(part)
		}
	}
}

// named takes a file, or what an interpreter would open by its name.
func (f *files) named(name string) {
	if name == "" || f.add(name) {
		return
	}
	for _, suffix := range scriptSuffixes {
		f.add(name + suffix)
	}
	for _, entry := range folderEntries {
		f.add(filepath.Join(name, entry))
	}
}

// module takes the files of a Python module.
func (f *files) module(name string) {
	path := filepath.FromSlash(strings.ReplaceAll(name, ".", "/"))
	f.named(path)
	f.add(filepath.Join(filepath.Dir(path), "__init__.py"))
}

// maxInterpreters is how many scripts may run one another; Linux allows five.
const maxInterpreters = 5

// interpreters takes those files of the workspace that run a script by its first
// line. What is outside belongs to the person.
func (f *files) interpreters(script string) {
	for range maxInterpreters {
		interpreter := interpreterOf(script)
		if interpreter == "" {
			return
		}
		script = f.absolute(interpreter)
		if relative, ok := within(f.workspace, script); ok {
			f.add(relative)
		}
	}
}

// interpreterOf is the program of a script's first line; empty when the file is
// no script.
func interpreterOf(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	head, _ := io.ReadAll(io.LimitReader(file, 4096)) // an unreadable one does not run
	line, isScript := bytes.CutPrefix(head, []byte("#!"))
	if !isScript {
		return ""
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	if words := strings.Fields(string(line)); len(words) > 0 {
		return words[0]
	}
	return ""
}

func (f *files) add(name string) bool {
	sum, err := fileSum(f.absolute(name))
	if err != nil {
		return false
	}
	if f.sums == nil {
		f.sums = make(map[string]string)
	}
	f.sums[name] = sum
	return true
}

func (f *files) absolute(name string) string { return absolute(f.workspace, name) }

// absolute is a path of a command that runs in the workspace.
func absolute(workspace, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(workspace, name)
}
