package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// build makes the plugin shift with that name for its tool.
func build(t *testing.T, path, tool string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-X main.tool="+tool, "-o", path, "./testdata/shift")
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build shift: %v\n%s", err, output)
	}
}

// shifting is a workspace with the plugin shift, whose tool is "before", and the
// path of another build of it, whose tool is "after".
func shifting(t *testing.T) (dir, other string) {
	t.Helper()
	dir = workspace(t, map[string]string{
		"config.hcl": "toolcrib {}\nplugin \"shift\" {\n  command = [\"./shift\"]\n}\n",
	})
	other = filepath.Join(t.TempDir(), "shift")
	build(t, filepath.Join(dir, "shift"), "before")
	build(t, other, "after")
	return dir, other
}

// awaitsFile waits until a file exists.
func awaitsFile(t *testing.T, path string) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
		if time.Since(begun) > patience {
			t.Fatalf("%s does not come to be", path)
		}
	}
}

func succeeds(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSessionReloadsAReplacedPluginWhileItsCallsGoOn(t *testing.T) {
	dir, other := shifting(t)
	p := openIn(t, dir, 120, 40)
	p.sees(`trust this workspace`)
	p.presses("t")
	p.sees(`\+ shift__before, shift__hold`)
	held := filepath.Join(dir, "held")
	p.types(`/call shift__hold {"path":"held"}`)
	awaitsFile(t, held)

	succeeds(t, os.Rename(other, filepath.Join(dir, "shift")))
	p.types(`/reload`)
	p.sees(`trust this workspace`, `sha256 changed`) // another program behind the path
	p.presses("t")
	p.sees(`\+ shift__after`, `- shift__before`)
	p.types(`/call shift__after {}`)
	p.sees(`this is after`)

	succeeds(t, os.Remove(held))
	p.sees(`held by before`)
}

func TestSessionTellsWhatAnEditOfItsConfigurationDid(t *testing.T) {
	dir := workspace(t, map[string]string{"config.hcl": "toolcrib {}\n", "notes.txt": "still here\n"})
	file := filepath.Join(dir, "config.hcl")
	p := openIn(t, dir, 120, 40)
	succeeds(t, os.WriteFile(file, []byte("toolcrib {}\npolicy {\n  dney = [\"Read\"]\n}\n"), 0o644))
	p.sees(`is refused`, `dney = `, `deny`)
	p.types(`/call Read {"path":"notes.txt"}`)
	p.sees(`still here`)
	succeeds(t, os.WriteFile(file, []byte("toolcrib {}\npolicy {\n  deny = [\"Read\"]\n}\n"), 0o644))
	p.sees(`good again`, `new rule: deny Read`, `- Read \(denied by policy\)`)
}

func TestSessionIsReloadedFromAnotherShell(t *testing.T) {
	dir, other := shifting(t)
	p := openIn(t, dir, 120, 40)
	p.sees(`trust this workspace`)
	p.presses("t")
	p.sees(`\+ shift__before, shift__hold`)
	if said := p.command(dir, "plugins", "reload", "shift"); !strings.Contains(said, "shift restarted") {
		t.Errorf("it says %s", said)
	}
	p.sees(`reloaded from another`)

	// What is not the program that was agreed to is not started.
	succeeds(t, os.Rename(other, filepath.Join(dir, "shift")))
	cmd := exec.CommandContext(t.Context(), filepath.Join(programs, "toolcrib"), "plugins", "reload", "shift")
	cmd.Dir, cmd.Env = dir, environment(p.home)
	said, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "shift kept old") || !strings.Contains(string(said), "waits for your trust") {
		t.Errorf("it says %s, %v", said, err)
	}
	p.sees(`trust this workspace`, `sha256 changed`)
}

func TestSessionReloadsOnHangupWhileItsTerminalIsThere(t *testing.T) {
	p := openIn(t, workspace(t, nil), 120, 40)
	succeeds(t, syscall.Kill(p.PID(), syscall.SIGHUP))
	p.sees(`reloaded by SIGHUP`)
	succeeds(t, syscall.Kill(p.PID(), syscall.SIGHUP))
	p.sees(`(?s)reloaded by SIGHUP.*reloaded by SIGHUP`)
}

func TestNothingIsLeftWhenTheTerminalIsClosed(t *testing.T) {
	needsProc(t)
	p := openIn(t, workspace(t, nil), 120, 40)
	left := p.descendants()
	if len(left) < 2 { // the provider and the shell
		t.Fatalf("descendants = %v", left)
	}
	closed := time.Now()
	p.Hangup()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_ = p.Wait(ctx) // how it ends is not the matter
	p.awaitsEnd(left)
	t.Logf("all %d were gone after %v", len(left), time.Since(closed))
}
