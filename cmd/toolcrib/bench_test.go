package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkValidate is the whole process, with 200 plugins to check. The budget of
// `toolcrib validate` is 50 ms; `toolcrib version` beside it is what a process of
// this program costs that does nothing.
func BenchmarkValidate(b *testing.B) {
	dir, home := b.TempDir(), b.TempDir()
	text := &strings.Builder{}
	text.WriteString("toolcrib {}\n")
	for i := range 200 {
		fmt.Fprintf(text, "plugin \"p%d\" {\n  command  = [\"./bin/p%d\", \"--flag\"]\n  env      = { LANG = \"en\" }\n  pass_env = [\"TOKEN\"]\n  config {\n    limits {\n      max_bytes = %d\n    }\n    folder = \"${path.workspace}/notes\"\n  }\n}\n", i, i, i)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.hcl"), []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"validate", "version"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				cmd := exec.Command(filepath.Join(programs, "toolcrib"), name)
				cmd.Dir, cmd.Env = dir, environment(home)
				if output, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, output)
				}
			}
		})
	}
}
