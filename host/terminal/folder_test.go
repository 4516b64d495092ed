package terminal

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestOpenSweepsTheFoldersOfKilledHosts(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	live := open(t, "bash", "")
	leave := func(name string, lock bool, age time.Duration) {
		path := filepath.Join(temp, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if lock {
			write(t, filepath.Join(path, folderLock), "")
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	leave(folderPrefix+"dead", true, 0)
	leave(folderPrefix+"old", false, 2*unlockedAge)
	leave(folderPrefix+"being-made", false, 0)
	leave("another", true, 2*unlockedAge)
	if err := os.Symlink(filepath.Join(temp, "another"), filepath.Join(temp, folderPrefix+"link")); err != nil {
		t.Fatal(err)
	}

	term := open(t, "bash", "")
	for name, want := range map[string]bool{
		folderPrefix + "dead": false, folderPrefix + "old": false, folderPrefix + "being-made": true,
		folderPrefix + "link": true, "another": true,
		filepath.Base(live.inst.dir): true, filepath.Base(term.inst.dir): true,
	} {
		if _, err := os.Lstat(filepath.Join(temp, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r := run(t, live, "echo fine"); r.Output != "fine\n" {
		t.Errorf("the shell of before: %s", describe(r))
	}
}
