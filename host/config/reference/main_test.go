package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
)

func rendered(t *testing.T) string {
	t.Helper()
	text, err := render()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheDocumentationIsCurrent(t *testing.T) {
	kept, err := os.ReadFile("../../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, []byte(rendered(t))) {
		t.Error("docs/configuration.md is not what the table says; run make docs")
	}
}

func TestEveryArgumentIsInTheExamples(t *testing.T) {
	for _, block := range config.Blocks() {
		for _, attribute := range block.Attributes {
			if !regexp.MustCompile(`(?m)^\s*` + attribute.Name + `\s*=`).MatchString(example + own) {
				t.Errorf("%s.%s is in neither example", block.Type, attribute.Name)
			}
		}
	}
}

func TestEveryFunctionIsTold(t *testing.T) {
	_, section, _ := strings.Cut(rendered(t), "call these functions")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, name := range config.Functions() {
		if !regexp.MustCompile("`" + name + "[(`]").MatchString(section) {
			t.Errorf("the function %s is not in the table", name)
		}
	}
}

// What a reader copies from the page has to work.
func TestEveryExampleOfThePageIsValid(t *testing.T) {
	fences := regexp.MustCompile("(?s)```hcl\n(.*?)```").FindAllStringSubmatch(rendered(t), -1)
	if len(fences) < len(config.Blocks()) {
		t.Fatalf("the page has only %d examples", len(fences))
	}
	for i, fence := range fences {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			root := t.TempDir()
			user, workspace := filepath.Join(root, "own.hcl"), filepath.Join(root, ".toolcrib", "config.hcl")
			path := workspace
			if strings.Contains(fence[1], "environment {") {
				path = user
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(fence[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			c, diags := config.Load(root, config.Options{UserFile: user})
			if len(diags) > 0 || len(c.Files) != 1 {
				t.Errorf("%+v\n%s", diags, fence[1])
			}
			if formatted, _ := config.Format("", []byte(fence[1])); string(formatted) != fence[1] {
				t.Errorf("toolcrib fmt would change it to\n%s", formatted)
			}
		})
	}
}
