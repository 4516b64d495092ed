package config_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/toolcrib/toolcrib/host/config"
)

func TestFormat(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"what is laid out stays":               {"toolcrib {}\n", "toolcrib {}\n"},
		"equals signs are aligned":             {"plugin \"x\" {\ncommand=[\"./x\"]\n env = {}\n}\n", "plugin \"x\" {\n  command = [\"./x\"]\n  env     = {}\n}\n"},
		"comments stay":                        {"# why\ntoolcrib  { } // end\n", "# why\ntoolcrib {} // end\n"},
		"CRLF stays":                           {"toolcrib {\r\nrequired_version=\"1\"\r\n}\r\n", "toolcrib {\r\n  required_version = \"1\"\r\n}\r\n"},
		"a byte order mark stays":              {"\ufefftoolcrib  {}\n", "\ufefftoolcrib {}\n"},
		"the text of a heredoc stays":          {"a=<<E\n  x   =  1\nE\n", "a = <<E\n  x   =  1\nE\n"},
		"an empty file stays empty":            {"", ""},
		"a missing last line end is not added": {"a=1", "a = 1"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, diags := config.Format("config.hcl", []byte(test.in))
			if string(got) != test.want || len(diags) > 0 {
				t.Errorf("Format = %q, %v, want %q", got, diags, test.want)
			}
		})
	}
}

func TestFormatRefusesWhatDoesNotParse(t *testing.T) {
	tests := map[string]struct {
		text string
		line int
	}{
		"a missing brace":      {"toolcrib {\n", 1},
		"a missing quote":      {"a = 1\nb = \"x\nc = \"y\"\n", 2},
		"brackets too deep":    {"a = " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), 1},
		"text that is no text": {"a = \"\xff\"", 0},
		"a file too large":     {strings.Repeat("#\n", 1<<20), 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, diags := config.Format("config.hcl", []byte(test.text))
			if got != nil || len(diags) != 1 || diags[0].File != "config.hcl" || diags[0].Line != test.line {
				t.Errorf("Format = %q, %+v, want one diagnostic of line %d", got, diags, test.line)
			}
		})
	}
}

func TestFilesIn(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"ours/config.hcl":               "toolcrib {}\n",
		"ours/config.local.hcl":         "",
		"ours/more.hcl":                 "",
		"foreign/config.hcl":            "listener \"tcp\" {}\n",
		"foreign/config.local.hcl":      "",
		"inside/.toolcrib/config.hcl":   "",
		"inside/.toolcrib/config.txt":   "",
		"broken/config.hcl":             "toolcrib {\n",
		"pipeless/config.hcl/place.txt": "",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for folder, want := range map[string][]string{
		"ours":     {"config.hcl", "config.local.hcl"},
		"foreign":  nil,
		"inside":   {".toolcrib/config.hcl"},
		"broken":   {"config.hcl"},
		"pipeless": nil,
		"missing":  nil,
	} {
		t.Run(folder, func(t *testing.T) {
			found, err := config.FilesIn(filepath.Join(dir, folder))
			var got []string
			for _, file := range found {
				relative, _ := filepath.Rel(filepath.Join(dir, folder), file)
				got = append(got, relative)
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("FilesIn = %q, %v, want %q", got, err, want)
			}
		})
	}
}

// FuzzFormat holds that a formatted text says the same: it has the same tokens.
func FuzzFormat(f *testing.F) {
	for _, seed := range []string{
		"toolcrib {}\n", "a=<<E\n x\nE\n", "a = \"${b  +1}\" # c\r\n", "\ufeffa=[1,\n2]\n", "a = {b=1,c :2}\n", "x \"y\" z {\n}\n",
		"a = -1\n", "a = b ? c:d\n", "a = [for x in y: x if x != 1]\n", "a = x[*].y\n", "a = <<-E\n  ${b}\n  E\n", "/* c */ a = 1",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		formatted, diags := config.Format("config.hcl", text)
		if diags.HasErrors() {
			if formatted != nil {
				t.Fatalf("Format gives a text and an error: %+v", diags)
			}
			return
		}
		if before, after := tokens(text), tokens(formatted); !slices.Equal(before, after) {
			t.Errorf("Format(%q) = %q: tokens %q, were %q", text, formatted, after, before)
		}
	})
}

func tokens(text []byte) []string {
	lexed, _ := hclsyntax.LexConfig(bytes.TrimPrefix(text, []byte("\ufeff")), "", hcl.InitialPos)
	var texts []string
	for _, token := range lexed {
		texts = append(texts, string(token.Bytes))
	}
	return texts
}
