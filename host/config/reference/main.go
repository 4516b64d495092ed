// Command reference writes docs/configuration.md: the parts that are written by
// hand, in configuration.md.tmpl, with what the table of package config says of
// every block and argument.
//
//	go run ./host/config/reference docs/configuration.md
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/sdk/environ"
)

var (
	//go:embed configuration.md.tmpl
	page string
	// example is the workspace's file of the page, and own the person's.
	//
	//go:embed example.hcl
	example string
	//go:embed own.hcl
	own string
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name the file to write, as in docs/configuration.md; - is standard output")
	}
	text, err := render()
	if err != nil {
		return err
	}
	if args[0] == "-" {
		_, err = os.Stdout.Write(text)
		return err
	}
	return os.WriteFile(args[0], text, 0o644)
}

// render makes the page.
func render() ([]byte, error) {
	parsed, err := template.New("configuration.md").Funcs(template.FuncMap{
		"cell": cell, "default": defaultOf, "diagnose": diagnose, "meaning": meaning,
	}).Parse(page)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = parsed.Execute(&out, map[string]any{"Blocks": config.Blocks(), "PassedEnv": environ.Passed(), "Example": strings.TrimSpace(example), "Own": strings.TrimSpace(own)})
	return out.Bytes(), err
}

// cell makes a text fit into one cell of a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

func defaultOf(a config.Attribute) string {
	switch {
	case a.Required:
		return "required"
	case a.Default != nil:
		return fmt.Sprintf("`%#v`", a.Default)
	}
	return ""
}

// meaning is all that the table says of an argument besides type and default.
func meaning(a config.Attribute) string {
	parts := []string{a.Doc}
	if len(a.Values) > 0 && !allNamed(a.Doc, a.Values) {
		parts = append(parts, "One of `"+strings.Join(a.Values, "`, `")+"`.")
	}
	switch a.Merge {
	case config.AddsUp:
		parts = append(parts, "Those of all files add up.")
	case config.ByKey:
		parts = append(parts, "Entries of all files add up, and of a key the later file's holds.")
	}
	if a.Workspace != "" {
		parts = append(parts, "*In a workspace:* "+a.Workspace)
	}
	return strings.Join(parts, " ")
}

func allNamed(doc string, values []string) bool {
	for _, value := range values {
		if !strings.Contains(doc, "`"+value+"`") {
			return false
		}
	}
	return true
}

// diagnose shows what a person is told about a configuration.
func diagnose(text string) (string, error) {
	dir, err := os.MkdirTemp("", "reference-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "config.hcl"), []byte(text), 0o600); err != nil {
		return "", err
	}
	_, diagnostics := config.Load(dir, config.Options{UserFile: filepath.Join(dir, "none.hcl")})
	var out strings.Builder
	if err := diagnostics.Render(&out, false); err != nil {
		return "", err
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("    "+line, " ")
	}
	return strings.Join(lines, "\n"), nil
}
