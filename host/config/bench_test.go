package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// BenchmarkLoad loads 200 plugin blocks. Parsing alone, by the HCL library, is
// what to hold it against.
func BenchmarkLoad(b *testing.B) {
	blocks := map[string]string{
		"plain plugins": `
plugin "p%d" {
  command = ["./bin/p"]

  config {
    limits {
      max_bytes = 1000000
    }
  }
}
`,
		"plugins with everything": `
plugin "p%d" {
  command  = ["./bin/p", "-lang", var.lang]
  env      = { LANG = var.lang, HOME_OF = "${path.workspace}/p" }
  pass_env = ["A", "B_*"]
  tools    = { search = "always", "delete_*" = "off" }

  config {
    name = "p"
    limits {
      max_bytes = 1000000
    }
  }
}
`,
	}
	for name, block := range blocks {
		var file strings.Builder
		file.WriteString("toolcrib {}\nvariable \"lang\" {\n  default = \"en\"\n}\n")
		for i := range 200 {
			fmt.Fprintf(&file, block, i)
		}
		b.Run(name, func(b *testing.B) {
			root := write(b, map[string]string{"config.hcl": file.String()})
			for b.Loop() {
				if c, diags := load(root, "."); len(diags) > 0 || len(c.Plugins) != 201 {
					b.Fatalf("Load:\n%s", text(diags))
				}
			}
		})
		b.Run(name+", parsed only", func(b *testing.B) {
			text := []byte(file.String())
			for b.Loop() {
				if _, found := hclsyntax.ParseConfig(text, "config.hcl", hcl.InitialPos); found.HasErrors() {
					b.Fatal(found)
				}
			}
		})
	}
}
