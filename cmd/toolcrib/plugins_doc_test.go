package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docsPage is the page whose programs are built and checked as an author would.
const docsPage = "../../docs/plugins.md"

// codeBlocks are the fenced code blocks of a language.
func codeBlocks(t *testing.T, language string) []string {
	t.Helper()
	page, err := os.ReadFile(docsPage)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, match := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(string(page), -1) {
		blocks = append(blocks, match[1])
	}
	return blocks
}

// newModule makes a folder with a module like that of the example, which depends
// on this one.
func newModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(root, "examples", "words", name))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, name), strings.ReplaceAll(string(data), "=> ../..", "=> "+root))
	}
	return dir
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// succeed runs a command and returns what it printed.
func succeed(t *testing.T, dir string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, output)
	}
	return string(output)
}

func TestDocsPlugins(t *testing.T) {
	toolcrib := filepath.Join(programs, "toolcrib")
	blocks := codeBlocks(t, "go")
	if len(blocks) != 4 {
		t.Fatalf("the page has %d Go programs, want words, its test, notes, and guard", len(blocks))
	}

	t.Run("words can be written as it stands, declared, and tested", func(t *testing.T) {
		dir := newModule(t)
		writeFile(t, filepath.Join(dir, "main.go"), blocks[0])
		writeFile(t, filepath.Join(dir, "main_test.go"), blocks[1])
		writeFile(t, filepath.Join(dir, "config.hcl"), "toolcrib {}\n"+codeBlocks(t, "hcl")[0])
		succeed(t, dir, "go", "build", "-o", "bin/words", ".")
		succeed(t, dir, "go", "vet", ".")
		succeed(t, dir, "go", "test", ".")
		succeed(t, dir, toolcrib, "validate")
		succeed(t, dir, toolcrib, "plugin", "check", "./bin/words")
	})

	t.Run("notes keeps the contract", func(t *testing.T) {
		dir := newModule(t)
		writeFile(t, filepath.Join(dir, "main.go"), blocks[2])
		succeed(t, dir, "go", "build", "-o", "notes", ".")
		succeed(t, dir, "go", "vet", ".")
		output := succeed(t, dir, toolcrib, "plugin", "check", "./notes",
			"--input", `add={"title":"one","text":"two"}`, "--long-input", `remind={"minutes":9}`)
		for _, want := range []string{"pass  call add", "pass  a long call ends when it is cancelled"} {
			if !strings.Contains(output, want) {
				t.Errorf("%q is not in:\n%s", want, output)
			}
		}
	})

	t.Run("guard keeps the contract", func(t *testing.T) {
		dir := newModule(t)
		writeFile(t, filepath.Join(dir, "main.go"), blocks[3])
		succeed(t, dir, "go", "build", "-o", "guard", ".")
		succeed(t, dir, "go", "vet", ".")
		output := succeed(t, dir, toolcrib, "plugin", "check", "./guard")
		for _, want := range []string{"pass  events that it wants are known (pre_tool_use)", "pass  events are answered"} {
			if !strings.Contains(output, want) {
				t.Errorf("%q is not in:\n%s", want, output)
			}
		}
	})
}
