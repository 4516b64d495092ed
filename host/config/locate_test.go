package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
)

// What a person agreed to names the folder of the commands.
func TestALinkToAWorkspaceLeadsToTheSameWorkspace(t *testing.T) {
	root := write(t, map[string]string{
		"real/config.hcl":  "toolcrib {}\nplugin \"w\" {\n  command = [\"./w\", path.workspace, path.config]\n}\n",
		"real/inner/.keep": "",
	})
	link := filepath.Join(root, "link")
	if err := os.Symlink(filepath.Join(root, "real"), link); err != nil {
		t.Fatal(err)
	}
	want := mustLoad(t, root, "real")
	for _, dir := range []string{"link", "link/inner"} {
		got := mustLoad(t, root, dir)
		if got.Workspace != filepath.Join(root, "real") || got.Digest() != want.Digest() {
			t.Errorf("%s is the workspace %s with %+v, want %s with %+v", dir, got.Workspace, got.Plugins, want.Workspace, want.Plugins)
		}
	}
}

// The person's folder may be reached by a link, and be a workspace as well.
func TestThePersonsOwnFileIsNoWorkspacesBehindALink(t *testing.T) {
	root := write(t, map[string]string{"real/config.hcl": "toolcrib {}\npolicy {\n  allow = [\"Edit\"]\n}\n"})
	link := filepath.Join(root, "link")
	if err := os.Symlink(filepath.Join(root, "real"), link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{link, filepath.Join(root, "real")} {
		c, diags := config.Load(dir, config.Options{UserFile: filepath.Join(link, "config.hcl")})
		if len(diags) > 0 || len(c.Files) != 1 || len(c.Policy.Rules) != 1 {
			t.Errorf("files = %q, rules = %v, want the person's own:\n%s", c.Files, c.Policy.Rules, text(diags))
		}
	}
}
