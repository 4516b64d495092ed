package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/trust"
)

// hookBlock is a hook block whose script prints an answer, or does what else the
// lines say.
func hookBlock(t *testing.T, dir, name, attributes string, lines ...string) string {
	t.Helper()
	path := filepath.Join(dir, name+".sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+strings.Join(lines, "\n")+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("hook %q {\n  command = [%q]\n  %s\n}\n", name, path, attributes)
}

// answersWith is the line of a script that answers with an object.
func answersWith(object string) string { return "printf '%s' '" + object + "'" }

// personal opens a host with hooks of the person's own.
func personal(t *testing.T, hcl func(dir string) string, change ...func(*host.Options)) *opened {
	t.Helper()
	return open(t, func(o *host.Options) {
		o.UserConfig = filepath.Join(t.TempDir(), "config.hcl")
		put(t, o.UserConfig, hcl(t.TempDir()))
		for _, f := range change {
			f(o)
		}
	})
}

// inWorkspace opens a host with hooks of the workspace, agreed to or not.
func inWorkspace(t *testing.T, agreed bool, hcl func(dir string) string) *opened {
	t.Helper()
	return open(t, func(o *host.Options) {
		put(t, filepath.Join(o.Dir, "config.hcl"), "toolcrib {}\n"+hcl(o.Dir))
		if agreed {
			agree(t, *o)
		}
	})
}

func agree(t *testing.T, o host.Options) {
	t.Helper()
	_, request, diagnostics := host.EffectivePolicy(o)
	if diagnostics.HasErrors() || request == nil {
		t.Fatalf("diagnostics %+v, request %+v", diagnostics, request)
	}
	if err := trust.NewStore(o.StateDir).Grant(o.Dir, request.Set); err != nil {
		t.Fatal(err)
	}
}

// said are the answers of hooks in the log.
func (o *opened) said(event hook.Event) []session.HookAnswered {
	var found []session.HookAnswered
	for _, e := range o.Events().Since(0) {
		if b, ok := e.Body.(session.HookAnswered); ok && b.Event == string(event) {
			found = append(found, b)
		}
	}
	return found
}

func contains(texts []string, part string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, part) })
}
