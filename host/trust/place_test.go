package trust_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/trust"
)

// agreed is a workspace that the person agreed to.
func agreed(t *testing.T) (root string, store *trust.Store) {
	t.Helper()
	root, store = workspace(t, hcl), trust.NewStore(t.TempDir())
	must(t, store.Grant(root, survey(t, root)))
	return root, store
}

func asks(t *testing.T, store *trust.Store, root string) *trust.Request {
	t.Helper()
	c, diags := config.Load(root, config.Options{UserFile: filepath.Join(root, "none.hcl")})
	if diags.HasErrors() {
		t.Fatalf("%+v", diags)
	}
	return store.Agree(c).Request()
}

func TestWhereAWorkspaceIs(t *testing.T) {
	tests := map[string]struct {
		at   func(t *testing.T, root string) string
		asks bool
	}{
		"in its place":           {func(_ *testing.T, root string) string { return root }, false},
		"by a path with dots":    {func(_ *testing.T, root string) string { return root + "/bin/.." }, false},
		"from a folder below it": {func(_ *testing.T, root string) string { return filepath.Join(root, "bin") }, false},
		"through a link": {func(t *testing.T, root string) string {
			link := filepath.Join(t.TempDir(), "link")
			must(t, os.Symlink(root, link))
			return link
		}, false},
		"through a link in a folder above it": {func(t *testing.T, root string) string {
			link := filepath.Join(t.TempDir(), "link")
			must(t, os.Symlink(filepath.Dir(root), link))
			return filepath.Join(link, filepath.Base(root))
		}, false},
		"copied elsewhere": {func(t *testing.T, root string) string {
			other := filepath.Join(t.TempDir(), "copy")
			must(t, os.CopyFS(other, os.DirFS(root)))
			must(t, os.Chmod(filepath.Join(other, "bin", "words"), 0o755))
			return other
		}, true},
		"moved elsewhere": {func(t *testing.T, root string) string {
			must(t, os.Rename(root, root+"-moved"))
			t.Cleanup(func() { must(t, os.RemoveAll(root+"-moved")) })
			return root + "-moved"
		}, true},
		"moved, with a link where it was": {func(t *testing.T, root string) string {
			must(t, os.Rename(root, root+"-moved"))
			must(t, os.Symlink(root+"-moved", root))
			t.Cleanup(func() { must(t, os.RemoveAll(root+"-moved")) })
			return root
		}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			root, store := agreed(t)
			if request := asks(t, store, test.at(t, root)); (request != nil) != test.asks {
				t.Errorf("request = %+v, want one: %t", request, test.asks)
			}
		})
	}
}

func TestAnotherSpellingOfAFolderIsTheSameWorkspace(t *testing.T) {
	root, store := agreed(t)
	other := filepath.Join(filepath.Dir(root), strings.ToUpper(filepath.Base(root)))
	if other == root {
		other = filepath.Join(filepath.Dir(filepath.Dir(root)), strings.ToLower(filepath.Base(filepath.Dir(root))), filepath.Base(root))
	}
	if _, err := os.Stat(other); err != nil {
		// Here they are two folders, and must be two workspaces.
		must(t, os.MkdirAll(filepath.Dir(other), 0o755))
		must(t, os.CopyFS(other, os.DirFS(root)))
		t.Cleanup(func() { os.RemoveAll(other) })
		if asks(t, store, other) == nil {
			t.Error("a folder whose name differs in case is trusted")
		}
		return
	}
	if request := asks(t, store, other); request != nil {
		t.Errorf("%s is asked about again: %q", other, request.Describe())
	}
}

func TestARecordThatCameWithTheWorkspaceIsNotBelieved(t *testing.T) {
	root := workspace(t, hcl)
	store := trust.NewStore(filepath.Join(root, "state"))
	must(t, store.Grant(root, survey(t, root)))
	if request := asks(t, store, root); request != nil {
		t.Fatalf("a record that was written here is not believed: %q", request.Describe())
	}
	// The same files, as a repository would bring them.
	records, copied := filepath.Join(root, "state", "trust"), filepath.Join(root, "state", "copied")
	must(t, os.CopyFS(copied, os.DirFS(records)))
	must(t, os.RemoveAll(records))
	must(t, os.Mkdir(filepath.Join(root, "state", "other"), 0o700)) // so that the number is not given again
	must(t, os.Rename(copied, records))
	must(t, os.Chmod(records, 0o700))
	entries, err := os.ReadDir(records)
	must(t, err)
	for _, entry := range entries {
		must(t, os.Chmod(filepath.Join(records, entry.Name()), 0o600))
	}
	request := asks(t, store, root)
	if request == nil || !strings.Contains(request.Problem, "was not written here") {
		t.Errorf("request = %+v, want the problem of a record that came with the files", request)
	}
}
