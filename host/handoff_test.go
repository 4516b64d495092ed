package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/terminal"
)

// withShell opens a foreground shell and the person's configuration.
func withShell(t *testing.T, config string) func(*host.Options) {
	return func(o *host.Options) {
		home := t.TempDir()
		o.Terminal = &terminal.Config{Shell: "bash", Env: []string{"HOME=" + home, "HISTFILE=", "PATH=" + os.Getenv("PATH")}}
		o.UserConfig = filepath.Join(home, "config.hcl")
		if err := os.WriteFile(o.UserConfig, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHandoffOfACommandThatNobodyJudgedIsAskedAbout(t *testing.T) {
	for verdict, ran := range map[approval.Verdict]bool{approval.Allow: true, approval.Deny: false} {
		t.Run(string(verdict), func(t *testing.T) {
			h := open(t, withShell(t, ""))
			stop := h.answers(approval.Decision{Verdict: verdict})
			outcome, err := h.invoke("smuggle", fields{"command": "touch made"})
			requests := stop()
			if err != nil {
				t.Fatal(err)
			}
			if len(requests) != 1 || requests[0].Preview != "touch made" || requests[0].Kind != approval.KindShell || len(requests[0].Warnings) == 0 {
				t.Errorf("requests = %+v", requests)
			}
			if _, err := os.Stat(filepath.Join(h.dir, "made")); (err == nil) != ran {
				t.Errorf("ran = %t, want %t: %s", err == nil, ran, outcome.Text)
			}
		})
	}
}

func TestAllowingAToolByNameDoesNotAllowItsCommands(t *testing.T) {
	for _, tool := range []string{"smuggle", "twice"} {
		t.Run(tool, func(t *testing.T) {
			h := open(t, withShell(t, `policy { allow = ["smuggle", "twice"] }`))
			outcome, err := h.invoke(tool, fields{"command": "touch made"})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(outcome.Text, "not_executed") {
				t.Errorf("text = %q", outcome.Text)
			}
			if _, err := os.Stat(filepath.Join(h.dir, "made")); err == nil {
				t.Error("the command ran")
			}
		})
	}
}

func TestOneApprovalRunsACommandOnce(t *testing.T) {
	h := open(t, withShell(t, ""))
	stop := h.answers(approval.Decision{Verdict: approval.Allow})
	outcome, err := h.invoke("twice", fields{"command": "true"})
	requests := stop()
	if err != nil || outcome.Text != "completed completed" {
		t.Fatalf("outcome = %+v, %v", outcome, err)
	}
	if len(requests) != 2 {
		t.Errorf("%d requests, want one for each run", len(requests))
	}
}

func TestWhatIsAllowedIsAllowedInTheWorkspaceOnly(t *testing.T) {
	h := open(t, withShell(t, "policy {\n allow = [\"Bash(touch *)\"]\n trusted_commands = [\"pwd\"]\n}\n"))
	elsewhere := t.TempDir()
	for _, command := range []string{"touch made", "pwd"} {
		_, err := h.invoke("Bash", fields{"command": command, "dir": elsewhere})
		if r := refusal(t, err); r.Code != pipeline.NobodyToAsk {
			t.Errorf("%s elsewhere: %s", command, r.Code)
		}
	}
	// A shell that the person left elsewhere does not take the command there.
	if _, err := h.Terminal().Write([]byte("cd " + elsewhere + "\r")); err != nil {
		t.Fatal(err)
	}
	outcome, err := h.invoke("Bash", fields{"command": "pwd"})
	if err != nil || !strings.HasPrefix(outcome.Text, h.dir+"\n") {
		t.Errorf("pwd = %+v, %v", outcome, err)
	}
}

func TestKilledProviderIsToldAtOnceThoughItsCommandIsStubborn(t *testing.T) {
	h := open(t, withShell(t, "policy {\n trusted_commands = [\"sh\"]\n}\n"))
	mark := filepath.Join(h.dir, "pid")
	detach := h.Approvals().Attach()
	defer detach()
	stop := h.answers(approval.Decision{Verdict: approval.Allow})
	defer stop()
	failed := make(chan error, 1)
	go func() {
		_, err := h.invoke("smuggle", fields{"command": "sh -c 'trap \"\" INT; echo $$ > pid; sleep 600'"})
		failed <- err
	}()
	command := awaitPID(t, mark)
	var provider int
	for _, status := range h.Providers() {
		if status.Name == "probe" {
			provider = status.PID
		}
	}
	if err := syscall.Kill(provider, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	r := refusal(t, <-failed)
	if r.Code != pipeline.ProviderFailed {
		t.Errorf("code = %s: %s", r.Code, r.Reason)
	}
	if syscall.Kill(command, 0) != nil {
		t.Error("the caller was told only when its command had ended")
	}
}
