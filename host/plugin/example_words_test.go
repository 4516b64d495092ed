package plugin

import (
	"encoding/json"
	"testing"
)

func TestExampleCountsWords(t *testing.T) {
	s := newTest(t, wordsSpec(t), Options{})
	result, err := lease(t, s).Call(t.Context(), CallRequest{Tool: "count", Input: json.RawMessage(`{"path":"text"}`)}, quietHandler{})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"characters":10,"lines":1,"words":2}`; string(result.Structured) != want {
		t.Errorf("result is %s, want %s", result.Structured, want)
	}
}
