package executable

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host/trust"
)

func TestChecksumIsTakenAgainWhenTheFileChanges(t *testing.T) {
	var known Checksums
	path := filepath.Join(t.TempDir(), "program")
	sum := func(content string) string {
		if content != "" {
			if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Open(trust.Own(path), &known)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		return f.SHA256()
	}
	first := sum("one")
	if second := sum("two"); second == first {
		t.Error("another content of the same size right after has the same checksum")
	}
	if len(known.known) != 0 {
		t.Error("the checksum of a file that may yet change unseen is remembered")
	}
	want := sum("")
	for len(known.known) == 0 { // until the change is old enough
		if got := sum(""); got != want {
			t.Fatalf("checksum is %s, want %s", got, want)
		}
		time.Sleep(time.Millisecond)
	}
	if got := sum(""); got != want {
		t.Errorf("the remembered checksum is %s, want %s", got, want)
	}
	if third := sum("three"); third == want {
		t.Error("another content has the same checksum")
	}
}
