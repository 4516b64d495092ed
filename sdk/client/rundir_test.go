package client_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/sdk/client"
)

func TestRunDirIsShortAndOnlyTheUsers(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	if err := os.MkdirAll(long, 0o700); err != nil {
		t.Fatal(err)
	}
	for claim, parent := range map[string]string{
		"in a TMPDIR that is short": "/tmp",
		"beside one that is long":   long,
		"beside one that is gone":   "/nowhere",
	} {
		t.Run(claim, func(t *testing.T) {
			t.Setenv("TMPDIR", parent)
			dir, err := client.MakeRunDir()
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			info, err := os.Stat(dir)
			if err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("%s is %v, %v", dir, info, err)
			}
			// go-plugin adds /plugin-dir0123456789/plugin0123456789 to it.
			if len(dir) > 62 {
				t.Errorf("%s is too long for a socket", dir)
			}
		})
	}
}
