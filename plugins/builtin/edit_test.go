package builtin

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/toolcrib/toolcrib/sdk"
)

func TestEdit(t *testing.T) {
	for name, tc := range map[string]struct {
		content string
		input   editInput
		want    string
		count   int
	}{
		"replaces the one occurrence":       {"a b c\n", editInput{OldString: "b", NewString: "B"}, "a B c\n", 1},
		"deletes":                           {"a b c\n", editInput{OldString: " b", NewString: ""}, "a c\n", 1},
		"replaces all when told":            {"x y x\n", editInput{OldString: "x", NewString: "z", ReplaceAll: true}, "z y z\n", 2},
		"does not replace twice":            {"aaa\n", editInput{OldString: "aa", NewString: "b", ReplaceAll: true}, "ba\n", 1},
		"does not replace its own text":     {"a\n", editInput{OldString: "a", NewString: "aa", ReplaceAll: true}, "aa\n", 1},
		"over several lines":                {"a\nb\nc\n", editInput{OldString: "a\nb\n", NewString: "1\n2\n3\n"}, "1\n2\n3\nc\n", 1},
		"keeps a missing last line end":     {"a\nb", editInput{OldString: "a", NewString: "A"}, "A\nb", 1},
		"can add the last line end":         {"a\nb", editInput{OldString: "b", NewString: "b\n"}, "a\nb\n", 1},
		"keeps DOS line ends":               {"a\r\nb\r\nc\r\n", editInput{OldString: "a\nb", NewString: "x\ny\nz"}, "x\r\ny\r\nz\r\nc\r\n", 1},
		"gives new lines DOS line ends":     {"a\r\nb\r\n", editInput{OldString: "a", NewString: "x\ny"}, "x\r\ny\r\nb\r\n", 1},
		"takes DOS line ends as given":      {"a\r\nb\r\n", editInput{OldString: "a\r\nb", NewString: "c\r\nd"}, "c\r\nd\r\n", 1},
		"LF in a file of mixed ends":        {"a\nb\nc\r\n", editInput{OldString: "a\nb", NewString: "x\ny"}, "x\ny\nc\r\n", 1},
		"CRLF in a file of mixed ends":      {"a\nb\r\nc\r\n", editInput{OldString: "b\nc", NewString: "x\ny"}, "a\nx\r\ny\r\n", 1},
		"keeps a byte order mark":           {"\ufeffa\n", editInput{OldString: "a", NewString: "b"}, "\ufeffb\n", 1},
		"takes a byte order mark as given":  {"\ufeffa\n", editInput{OldString: "\ufeffa", NewString: "\ufeffb"}, "\ufeffb\n", 1},
		"keeps bytes that are not UTF-8":    {"gr\xfc\xdfe\nx\n", editInput{OldString: "x", NewString: "y"}, "gr\xfc\xdfe\ny\n", 1},
		"patterns are only text":            {"a.*$1\n", editInput{OldString: ".*$1", NewString: "$0\\1"}, "a$0\\1\n", 1},
		"an empty file can be given a text": {"", editInput{NewString: "a\n"}, "a\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, "")
			w.write("f.txt", tc.content)
			tc.input.Path = "f.txt"
			plan := w.plan("Edit", tc.input)
			if w.content("f.txt") != tc.content {
				t.Fatal("the plan changed the file")
			}
			result := w.call(t.Context(), "Edit", tc.input, plan.Token)
			if result.IsError {
				t.Fatal(text(result))
			}
			if got := w.content("f.txt"); got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
			out := structured[editOutput](t, result)
			if out.Path != w.path("f.txt") || out.Replacements != tc.count || out.Diff != plan.Preview.Text || out.Diff == "" {
				t.Errorf("got %+v, planned %+v", out, plan.Preview)
			}
			if !strings.HasPrefix(text(result), "f.txt: ") || !strings.Contains(text(result), strings.TrimRight(out.Diff, "\n")) {
				t.Errorf("the model reads %q", text(result))
			}
			if want := (sdk.FileChange{Path: w.path("f.txt"), Kind: sdk.Modified}); len(result.Files) != 1 || result.Files[0] != want {
				t.Errorf("reports the changes %+v", result.Files)
			}
			w.onlyHas("f.txt")
		})
	}
}

// onlyHas asserts that no temporary file was left.
func (w *workspace) onlyHas(names ...string) {
	w.Helper()
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		w.Fatal(err)
	}
	var have []string
	for _, entry := range entries {
		have = append(have, entry.Name())
	}
	if strings.Join(have, " ") != strings.Join(names, " ") {
		w.Errorf("the folder has %q, want %q", have, names)
	}
}

func TestPlanIsAUnifiedDiff(t *testing.T) {
	w := newWorkspace(t, "")
	w.write("f.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n")
	plan := w.plan("Edit", editInput{Path: "f.txt", OldString: "five", NewString: "FIVE"})

	want := "--- a/f.txt\n+++ b/f.txt\n@@ -2,7 +2,7 @@\n two\n three\n four\n-five\n+FIVE\n six\n seven\n eight\n"
	if plan.Preview.Kind != sdk.PreviewDiff || plan.Preview.Text != want || plan.Preview.Path != "f.txt" {
		t.Errorf("got %+v", plan.Preview)
	}
	if len(plan.Subjects) != 1 || plan.Subjects[0] != (sdk.Subject{Kind: sdk.SubjectPath, Value: w.path("f.txt"), Access: sdk.AccessWrite}) {
		t.Errorf("acts on %+v", plan.Subjects)
	}
}

func TestRiskOfAnEdit(t *testing.T) {
	w := newWorkspace(t, "")
	outside := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(outside, []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.write("f", "a")
	if err := os.Symlink(outside, w.path("link")); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		path string
		want sdk.RiskLevel
	}{
		"in the workspace is medium":   {"f", sdk.RiskMedium},
		"outside of it is high":        {outside, sdk.RiskHigh},
		"out of it by a link, too":     {"link", sdk.RiskHigh},
		"out of it by dots, too":       {"../" + filepath.Base(filepath.Dir(outside)) + "/x", sdk.RiskHigh},
		"a new file of it is medium":   {"new/folder/f", sdk.RiskMedium},
		"by its absolute path, medium": {w.path("f"), sdk.RiskMedium},
	} {
		t.Run(name, func(t *testing.T) {
			in := editInput{Path: tc.path, OldString: "a", NewString: "b"}
			if _, err := os.Stat(w.path(tc.path)); err != nil && !filepath.IsAbs(tc.path) {
				in.OldString = ""
			}
			if plan := w.plan("Edit", in); plan.Risk.Level != tc.want || plan.Risk.Reason == "" {
				t.Errorf("got %+v %+v", plan.Risk, plan.Errors)
			}
		})
	}
}

func TestEditCreates(t *testing.T) {
	w := newWorkspace(t, "")
	in := editInput{Path: "new/folder/f.txt", NewString: "a\nb\n"}
	plan := w.plan("Edit", in)
	if want := "--- /dev/null\n+++ b/new/folder/f.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n"; plan.Preview.Text != want {
		t.Errorf("planned %q", plan.Preview.Text)
	}
	w.onlyHas()
	result := w.call(t.Context(), "Edit", in, plan.Token)
	if result.IsError || w.content(in.Path) != in.NewString {
		t.Fatalf("got %s", text(result))
	}
	if len(result.Files) != 1 || result.Files[0].Kind != sdk.Created {
		t.Errorf("reports %+v", result.Files)
	}
	wantError(t, w.call(t.Context(), "Edit", in, nil), "already exists")
}

func TestEditRefuses(t *testing.T) {
	w := newWorkspace(t, "")
	w.write("f.go", "package f\n\nfunc one() {\n\treturn nil\n}\n\nfunc two() {\n\treturn nil\n}\n")
	w.write("overlap", "aaa\n")
	w.write("binary", "a\x00b")
	w.write("locked", "a\n")
	w.write("linked", "a\n")
	for _, err := range []error{
		os.Chmod(w.path("locked"), 0o444),
		os.Link(w.path("linked"), w.path("other")),
		os.Symlink("nowhere", w.path("dangling")),
		os.Mkdir(w.path("folder"), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		input editInput
		field string
		want  []string
	}{
		"a text that occurs twice":       {editInput{"f.go", "return nil", "x", false}, "old_string", []string{"2 times", "lines 4, 8", "replace_all"}},
		"a text that overlaps itself":    {editInput{"overlap", "aa", "x", false}, "old_string", []string{"2 times"}},
		"other white space":              {editInput{"f.go", "func one() {\n    return nil\n", "x", false}, "old_string", []string{"line 4", "white space", `"\treturn nil"`}},
		"a text that is not quite there": {editInput{"f.go", "func ones() {", "x", false}, "old_string", []string{"nearest line is 3", "func one() {"}},
		"a text that is not there":       {editInput{"f.go", "something else entirely", "x", false}, "old_string", []string{"no line is like it", "read the file again"}},
		"Read's line numbers":            {editInput{"f.go", "     3\tfunc one() {", "x", false}, "old_string", []string{"line number"}},
		"nothing to change":              {editInput{"f.go", "one", "one", false}, "new_string", []string{"same"}},
		"nothing at all":                 {editInput{"new", "", "", false}, "new_string", []string{"both empty"}},
		"to create what exists":          {editInput{"f.go", "", "x", false}, "old_string", []string{"already exists"}},
		"a file that is not there":       {editInput{"g.go", "a", "b", false}, "path", []string{"did you mean f.go", "to create it"}},
		"a folder":                       {editInput{"folder", "a", "b", false}, "path", []string{"is a directory"}},
		"a binary":                       {editInput{"binary", "a", "b", false}, "path", []string{"binary"}},
		"a read-only file":               {editInput{"locked", "a", "b", false}, "path", []string{"read-only", "chmod"}},
		"a file with two names":          {editInput{"linked", "a", "b", false}, "path", []string{"2 hard links"}},
		"a link to nothing":              {editInput{"dangling", "", "b", false}, "path", []string{"leads to no file"}},
		"no path":                        {editInput{"", "a", "b", false}, "path", []string{"path is empty"}},
	} {
		t.Run(name, func(t *testing.T) {
			plan := w.plan("Edit", tc.input)
			if len(plan.Errors) != 1 || plan.Errors[0].Path != "/"+tc.field {
				t.Errorf("planned %+v", plan)
			}
			wantError(t, w.call(t.Context(), "Edit", tc.input, nil), tc.want...)
		})
	}
	if got := w.content("linked") + w.content("locked") + w.content("overlap"); got != "a\na\naaa\n" {
		t.Errorf("something was written: %q", got)
	}
}

func TestEditRefusesAnOutdatedPlan(t *testing.T) {
	in := editInput{Path: "f", OldString: "a", NewString: "b"}
	for name, change := range map[string]func(w *workspace){
		"when the content changed": func(w *workspace) { w.write("f", "a and more\n") },
		"when it is another file": func(w *workspace) {
			w.write("g", "a\n")
			if err := os.Rename(w.path("g"), w.path("f")); err != nil {
				w.Fatal(err)
			}
		},
		"when a link took its place": func(w *workspace) {
			w.write("g", "a\n")
			if err := os.Remove(w.path("f")); err != nil {
				w.Fatal(err)
			}
			if err := os.Symlink("g", w.path("f")); err != nil {
				w.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, "")
			w.write("f", "a\n")
			plan := w.plan("Edit", in)
			change(w)
			before := w.content("f")
			wantError(t, w.call(t.Context(), "Edit", in, plan.Token), "changed after this edit was planned")
			if w.content("f") != before {
				t.Error("it was written")
			}
		})
	}
	t.Run("when the input is another one", func(t *testing.T) {
		w := newWorkspace(t, "")
		w.write("f", "a\n")
		plan := w.plan("Edit", in)
		other := in
		other.NewString = "c"
		wantError(t, w.call(t.Context(), "Edit", other, plan.Token), "planned")
	})
	t.Run("when the new file appeared", func(t *testing.T) {
		w := newWorkspace(t, "")
		create := editInput{Path: "f", NewString: "b"}
		plan := w.plan("Edit", create)
		w.write("f", "a\n")
		wantError(t, w.call(t.Context(), "Edit", create, plan.Token), "already exists")
	})
}

func TestEditKeepsWhatTheFileIs(t *testing.T) {
	w := newWorkspace(t, "")
	if err := os.Mkdir(w.path("real"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.write("real/f", "a\n")
	if err := os.Chmod(w.path("real/f"), 0o751); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real/f", w.path("link")); err != nil {
		t.Fatal(err)
	}
	result := w.call(t.Context(), "Edit", editInput{Path: "link", OldString: "a", NewString: "b"}, nil)
	if result.IsError {
		t.Fatal(text(result))
	}
	info, err := os.Lstat(w.path("link"))
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info, err)
	}
	if info, err = os.Stat(w.path("real/f")); err != nil || info.Mode().Perm() != 0o751 {
		t.Errorf("the mode became %v, %v", info.Mode(), err)
	}
	if w.content("real/f") != "b\n" || result.Files[0].Path != w.path("real/f") || !strings.Contains(text(result), "link") {
		t.Errorf("wrote %q, reported %+v: %s", w.content("real/f"), result.Files, text(result))
	}
}

func TestEditsAtOnceAllCount(t *testing.T) {
	w := newWorkspace(t, "")
	var content strings.Builder
	names := "abcdefghijklmnop"
	for _, name := range names {
		content.WriteString("<" + string(name) + ">\n")
	}
	w.write("f", content.String())
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			in := editInput{Path: "f", OldString: "<" + string(name) + ">", NewString: "done"}
			if result := w.call(t.Context(), "Edit", in, nil); result.IsError {
				t.Error(text(result))
			}
		})
	}
	wg.Wait()
	if got := strings.Count(w.content("f"), "done"); got != len(names) {
		t.Errorf("%d of %d edits are left", got, len(names))
	}
}

func FuzzReplacement(f *testing.F) {
	f.Add("a\nb\n", "a", "b")
	f.Add("a\r\nb\r\n", "a\nb", "c\nd")
	f.Add("\ufeffa\nb\r\n", "a\nb", "")
	f.Add("aaa", "aa", "\n")
	f.Fuzz(func(t *testing.T, content, old, new string) {
		if old == "" || old == new {
			t.Skip()
		}
		c := &change{target: "/f", before: []byte(content)}
		in := editInput{Path: "/f", OldString: old, NewString: new, ReplaceAll: true}
		if err := (folder{}).replace(c, in); err != nil {
			return
		}
		body := strings.TrimPrefix(content, bom)
		edit := fitLineEnds(body, strings.TrimPrefix(old, bom), strings.TrimPrefix(new, bom))
		if want := strings.ReplaceAll(body, edit.old, edit.new); edit.old != "" && strings.TrimPrefix(string(c.after), bom) != strings.TrimPrefix(want, bom) {
			t.Errorf("replace %q in %q by %q: got %q", old, content, new, c.after)
		}
	})
}
