package plugin

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestExampleCountsWords(t *testing.T) {
	program := filepath.Join(t.TempDir(), "words")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = filepath.Join("..", "..", "examples", "words")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the example: %v\n%s", err, output)
	}
	workspace := t.TempDir()
	if err := os.WriteFile(filepath.Join(workspace, "text"), []byte("grüß dich\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newTest(t, Spec{Name: "words", Kind: "plugin", Command: []string{program}, Workspace: workspace}, Options{})
	result, err := lease(t, s).Call(t.Context(), CallRequest{Tool: "count", Input: json.RawMessage(`{"path":"text"}`)}, quietHandler{})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"characters":10,"lines":1,"words":2}`; string(result.Structured) != want {
		t.Errorf("result is %s, want %s", result.Structured, want)
	}
}
