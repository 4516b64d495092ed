package toolcrib

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// gate is a way to start a process, or to have a program that may be started, and
// the files that may use it, each with why it may.
type gate struct {
	name  string
	opens func(use) bool
	files map[string]string
}

// use is a name of another package that a file uses.
type use struct {
	path, name string
	pointer    bool // the type of a pointer: it makes none
}

var gates = []gate{
	{"starts a process", startsProcess, map[string]string{
		"host/executable/process.go":      "providers and hooks: takes a trust.Program and runs the file whose checksum was taken",
		"host/plugin/memory_darwin.go":    "/bin/ps, to ask for the memory of a provider",
		"host/terminal/shell.go":          "the person's own shell",
		"plugins/builtin/command.go":      "the Bash tool, inside its provider; every call was judged by policy",
		"sdk/conformance/process.go":      "`toolcrib plugin check`: the program that the person names on the command line",
		"sdk/proto/generate/main.go":      "the generator of the protocol's code, for developers",
		"cmd/toolcrib/screen/program.go":  "a session on a screen, for tests and the screenshot",
		"cmd/toolcrib/screenshot/main.go": "the screenshot of the documentation, for developers",
	}},
	{"has a program without an agreement", named("host/trust", "Own"), map[string]string{
		"host/providers.go":     "bundled providers, which are toolcrib itself",
		"host/trust/program.go": "the agreement's own, of which the person agreed to each, or which the person declares",
	}},
}

// processes are the names that start a process; a type starts one when a value of
// it is made. "*" is every name.
var processes = map[string][]string{
	"os/exec":               {"Cmd", "Command", "CommandContext"},
	"os":                    {"StartProcess"},
	"syscall":               {"Exec", "ForkExec", "StartProcess", "RawSyscall", "RawSyscall6", "Syscall", "Syscall6"},
	"golang.org/x/sys/unix": {"Exec", "RawSyscall", "RawSyscall6", "Syscall", "Syscall6"},
	"github.com/creack/pty": {"Start", "StartWithAttrs", "StartWithSize"},
	"plugin":                {"Open"},
	"C":                     {"*"},
}

func startsProcess(u use) bool {
	names := processes[u.path]
	return !u.pointer && (slices.Contains(names, u.name) || slices.Contains(names, "*"))
}

func named(pkg, name string) func(use) bool {
	return func(u use) bool { return u.path == module+pkg && u.name == name }
}

// TestGates fails when a file that is not listed starts processes, or has programs
// that the person has not agreed to.
func TestGates(t *testing.T) {
	uses, err := usesBelow(".")
	if err != nil {
		t.Fatal(err)
	}
	if len(uses) < 100 {
		t.Fatalf("found only %d files", len(uses))
	}
	for _, fault := range gateFaults(uses, gates) {
		t.Error(fault)
	}
}

// A gate that cannot be found open would guard nothing.
func TestGatesFindsAFault(t *testing.T) {
	tests := map[string]struct {
		source string
		faults int
	}{
		"a command":                 {"import \"os/exec\"\nvar _ = exec.Command(\"x\")", 1},
		"a command by another name": {"import run \"os/exec\"\nvar _ = run.Command", 1},
		"a command made by hand":    {"import \"os/exec\"\nvar _ = &exec.Cmd{}", 1},
		"a command made by new":     {"import \"os/exec\"\nvar _ = new(exec.Cmd)", 1},
		"a dot import":              {"import . \"os/exec\"", 1},
		"a process of os":           {"import \"os\"\nvar _ = os.StartProcess", 1},
		"a system call":             {"import \"syscall\"\nvar _ = syscall.ForkExec", 1},
		"C":                         {"import \"C\"\nvar _ = C.system", 1},
		"a program of one's own":    {"import \"" + module + "host/trust\"\nvar _ = trust.Own(\"x\")", 1},
		"a command that is taken":   {"import \"os/exec\"\nfunc f(*exec.Cmd) error { return exec.ErrDot }", 0},
		"another package's names":   {"import \"os\"\nvar exec = os.Args", 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			uses, err := usesOf("x/x.go", "package x\n"+test.source)
			if err != nil {
				t.Fatal(err)
			}
			open := make([]gate, len(gates))
			for i, g := range gates {
				open[i] = gate{g.name, g.opens, nil}
			}
			if got := gateFaults(map[string][]use{"x/x.go": uses}, open); len(got) != test.faults {
				t.Errorf("faults = %q, want %d", got, test.faults)
			}
		})
	}
	if got := gateFaults(nil, []gate{{"x", startsProcess, map[string]string{"gone.go": "it did once"}}}); len(got) != 1 {
		t.Errorf("a file that is listed in vain gives %q", got)
	}
}

// gateFaults lists the files that use a gate and may not, and those that may and
// do not: a list that is longer than it needs to be is a hole.
func gateFaults(uses map[string][]use, gates []gate) []string {
	var faults []string
	for _, g := range gates {
		for _, file := range slices.Sorted(maps.Keys(uses)) {
			if g.files[file] == "" && slices.ContainsFunc(uses[file], g.opens) {
				faults = append(faults, fmt.Sprintf("%s %s: start it by what takes a trust.Program, or say in gate_test.go why it may", file, g.name))
			}
		}
		for _, file := range slices.Sorted(maps.Keys(g.files)) {
			if !slices.ContainsFunc(uses[file], g.opens) {
				faults = append(faults, fmt.Sprintf("%s is listed in gate_test.go as one that %s, and does not", file, g.name))
			}
		}
	}
	return faults
}

// usesBelow reads the files of the module that are no tests. Examples are modules
// of their own.
func usesBelow(root string) (map[string][]use, error) {
	all := make(map[string][]use)
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "examples" || entry.Name() == "testdata" || entry.Name() == ".git"):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		uses, err := usesOf(file, nil)
		all[filepath.ToSlash(file)] = uses
		return err
	})
	return all, err
}

// usesOf lists what a file, or the source in its place, uses of other packages.
// Names of the file's own package count as that package's.
func usesOf(file string, source any) ([]use, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
	if err != nil {
		return nil, err
	}
	var uses []use
	imports := make(map[string]string)
	for _, spec := range parsed.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		local := path.Base(imported)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if names := processes[imported]; local == "." && len(names) > 0 {
			// Its names cannot be told from the file's own.
			uses = append(uses, use{path: imported, name: names[0]})
		}
		imports[local] = imported
	}
	own := module + filepath.ToSlash(filepath.Dir(file))
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.StarExpr:
			if u, ok := selected(node.X, imports); ok {
				uses = append(uses, use{path: u.path, name: u.name, pointer: true})
				return false
			}
		case *ast.SelectorExpr:
			if u, ok := selected(node, imports); ok {
				uses = append(uses, u)
			}
		case *ast.CallExpr:
			if name, ok := node.Fun.(*ast.Ident); ok {
				uses = append(uses, use{path: own, name: name.Name})
			}
		}
		return true
	})
	return uses, nil
}

// selected is the name of another package that an expression is.
func selected(expr ast.Expr, imports map[string]string) (use, bool) {
	selector, ok := expr.(*ast.SelectorExpr)
	if !ok {
		return use{}, false
	}
	pkg, ok := selector.X.(*ast.Ident)
	if !ok || imports[pkg.Name] == "" {
		return use{}, false
	}
	return use{path: imports[pkg.Name], name: selector.Sel.Name}, true
}
