package plugin

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/host/trust"
)

// program writes a file that may be run and returns a spec that runs it as the
// provider of the tests.
func program(t *testing.T, content []byte, mode os.FileMode) Spec {
	t.Helper()
	spec := testSpec("provider")
	spec.Program = trust.Own(filepath.Join(t.TempDir(), "program"))
	if err := os.WriteFile(spec.Program.Path(), content, mode); err != nil {
		t.Fatal(err)
	}
	return spec
}

// self is the content of the test binary.
func self(t *testing.T) []byte {
	t.Helper()
	content, err := os.ReadFile(testSpec("").Program.Path())
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func script(line string) []byte { return []byte(line + "\n") }

func TestProgramThatIsAScriptServes(t *testing.T) {
	leaveNothing(t)
	spec := program(t, script(fmt.Sprintf("#!/bin/sh\nexec %q", testSpec("").Program.Path())), 0o700)
	if got := callText(t, lease(t, newTest(t, spec, Options{})), "echo", "fine"); got != "fine" {
		t.Errorf("call answers %q", got)
	}
}

func TestFileThatCannotRunIsExplained(t *testing.T) {
	foreign := []byte("\xcf\xfa\xed\xfe\xff\xff\xff\xff")
	if runtime.GOOS == "linux" {
		foreign = self(t)[:4096]
		foreign[18] = byte(elf.EM_S390) // e_machine
	}
	for claim, c := range map[string]struct {
		spec Spec
		want string
	}{
		"a program for another machine": {program(t, foreign, 0o700), "is no program for this system (" + runtime.GOOS + "/" + runtime.GOARCH + ")"},
		"a file that is not executable": {program(t, self(t), 0o600), "is not executable; run chmod +x"},
		"a script without interpreter":  {program(t, script("#!/nowhere/python3"), 0o700), "its interpreter, is missing"},
		"a folder":                      {Spec{Name: "test", Program: trust.Own(t.TempDir()), Workspace: t.TempDir()}, "is not a file"},
		"nothing":                       {Spec{Name: "test", Program: trust.Own("/nowhere/program"), Workspace: t.TempDir()}, "no such file"},
	} {
		t.Run(claim, func(t *testing.T) {
			leaveNothing(t)
			s := newTest(t, c.spec, Options{})
			err := s.Start(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.spec.Program.Path()) {
				t.Errorf("error is %v, want %q and the path", err, c.want)
			}
			if status := s.Status(); status.Crashes != 0 {
				t.Error("what a person has to correct counts as a crash")
			}
		})
	}
}

func TestWhatRunsIsTheFileWhoseChecksumWasTaken(t *testing.T) {
	leaveNothing(t)
	spec := program(t, self(t), 0o700)
	checked, err := executable.Open(trust.Own(spec.Program.Path()), &executable.Checksums{})
	if err != nil {
		t.Fatal(err)
	}
	defer checked.Close()
	other := filepath.Join(filepath.Dir(spec.Program.Path()), "other")
	if err := os.WriteFile(other, script("#!/bin/sh\necho this was never looked at >&2; exit 9"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, spec.Program.Path()); err != nil {
		t.Fatal(err)
	}
	s := newTest(t, spec, Options{})
	g, err := s.launch(t.Context(), spec, checked)
	switch {
	case runtime.GOOS != "linux": // nothing else can be done there
		if err == nil || !strings.Contains(err.Error(), "was replaced while its checksum was taken") {
			t.Errorf("error is %v", err)
		}
	case err != nil:
		t.Fatal(err)
	}
	if err == nil {
		g.discard()
	}
}

func TestSocketFolder(t *testing.T) {
	t.Run("a long TMPDIR is passed over", func(t *testing.T) {
		leaveNothing(t)
		long := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
		if err := os.MkdirAll(long, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("TMPDIR", long)
		_, l := startTest(t, "provider", Options{})
		if got := callText(t, l, "echo", "fine"); got != "fine" {
			t.Errorf("call answers %q", got)
		}
	})
	t.Run("a TMPDIR that is read-only is passed over", func(t *testing.T) {
		leaveNothing(t)
		t.Setenv("TMPDIR", readOnlyFolder(t))
		_, l := startTest(t, "provider", Options{})
		if got := callText(t, l, "echo", "fine"); got != "fine" {
			t.Errorf("call answers %q", got)
		}
	})
	t.Run("a TMPDIR that is full is explained", func(t *testing.T) {
		leaveNothing(t)
		t.Setenv("TMPDIR", fullFolder(t))
		err := newTest(t, testSpec("provider"), Options{}).Start(t.Context())
		if err == nil || !strings.Contains(err.Error(), syscall.ENOSPC.Error()) {
			t.Errorf("error is %v, want %q", err, syscall.ENOSPC)
		}
	})
}

// readOnlyFolder cannot be written to even by root, where root can arrange that.
func readOnlyFolder(t *testing.T) string {
	dir := shortTempDir(t)
	if os.Getuid() == 0 {
		mountTmpfs(t, dir, true, "")
		return dir
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	return dir
}

// fullFolder has room for the folders of a provider and not for its socket.
func fullFolder(t *testing.T) string {
	dir := shortTempDir(t)
	mountTmpfs(t, dir, false, "nr_inodes=3")
	return dir
}
