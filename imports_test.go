// Package toolcrib holds the tests that are about the module as a whole.
package toolcrib

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/toolcrib/toolcrib/"

// border is one line of the dependency rule in docs/architecture.md.
type border struct {
	of     string   // packages at or below this path
	not    []string // must not import packages at or below these
	except []string // unless at or below these
}

var borders = []border{
	{of: "sdk", not: []string{"host", "plugins", "cmd"}},
	{of: "plugins", not: []string{"host", "cmd"}},
	{of: "host", not: []string{"cmd", "plugins"}},
	{of: "examples", not: []string{"cmd"}},

	{of: "host/policy", not: noFrontNoProcess},
	{of: "host/search", not: noFrontNoProcess},
	{of: "host/shape", not: noFrontNoProcess},
	{of: "host/pool", not: noFrontNoProcess},
	{of: "host/config", not: noFrontNoProcess},
	{of: "host/session", not: noFrontNoProcess},

	{of: "host/front/tui", not: []string{"host/front"}, except: []string{"host/front/tui"}},
	{of: "host/front/control", not: []string{"host/front"}, except: []string{"host/front/control"}},
	{of: "host/front/mcpserver", not: []string{"host/front"}, except: []string{"host/front/mcpserver"}},
	{of: "host/front/jsonl", not: []string{"host/front"}, except: []string{"host/front/jsonl"}},
	{of: "host/front/acp", not: []string{"host/front"}, except: []string{"host/front/acp"}},
}

// What a leaf of host must not import, itself or through another package of the
// module. What a library imports is the library's own affair.
var noFrontNoProcess = []string{"host/front", "host/plugin", "host/terminal", "host/pipeline", "os/exec", "github.com/creack/pty", "github.com/hashicorp/go-plugin"}

type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func TestImports(t *testing.T) {
	packages := list(t)
	if len(packages) < 10 {
		t.Fatalf("go list found only %d packages", len(packages))
	}
	for _, fault := range faults(packages, borders) {
		t.Error(fault)
	}
}

// A rule that cannot fail would guard nothing.
func TestImportsFindsAFault(t *testing.T) {
	packages := []listed{
		{ImportPath: module + "sdk", Deps: []string{module + "host/pool"}},
		{ImportPath: module + "host/hook", Imports: []string{"os/exec"}},
		{ImportPath: module + "host/policy", Deps: []string{module + "host/hook", "os/exec"}},
		{ImportPath: module + "host/front/tui", Deps: []string{module + "host/front/acp", module + "host/front/tui/card"}},
	}
	if got := faults(packages, borders); len(got) != 3 {
		t.Errorf("faults = %q, want 3", got)
	}
}

func faults(packages []listed, borders []border) []string {
	imports := make(map[string][]string)
	for _, p := range packages {
		imports[p.ImportPath] = p.Imports
	}
	var faults []string
	for _, p := range packages {
		name := strings.TrimPrefix(p.ImportPath, module)
		for _, b := range borders {
			if !below(name, b.of) {
				continue
			}
			for _, dep := range reached(p, imports) {
				short := strings.TrimPrefix(dep, module)
				if belowAny(short, b.not) && !belowAny(short, b.except) {
					faults = append(faults, name+" must not depend on "+short)
				}
			}
		}
	}
	return faults
}

// reached is what a package, and the packages of the module that it depends on,
// import.
func reached(p listed, imports map[string][]string) []string {
	all := slices.Clone(p.Imports)
	for _, dep := range p.Deps {
		if strings.HasPrefix(dep, module) {
			all = append(all, dep)
			all = append(all, imports[dep]...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func below(name, path string) bool { return name == path || strings.HasPrefix(name, path+"/") }

func belowAny(name string, paths []string) bool {
	for _, path := range paths {
		if below(name, path) {
			return true
		}
	}
	return false
}

// list asks the go command about every package of the module.
func list(t *testing.T) []listed {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), "go", "list", "-deps=false", "-json=ImportPath,Imports,Deps", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	decoder := json.NewDecoder(strings.NewReader(string(output)))
	for {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
