// Command words is a complete toolcrib plugin.
package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/toolcrib/toolcrib/sdk"
)

type config struct {
	Limits struct {
		MaxBytes int `json:"max_bytes,omitempty"`
	} `json:"limits,omitzero"`
}
type input struct {
	Path string `json:"path" jsonschema:"the text file to count, relative to the workspace"`
}

func configure(_ context.Context, _ sdk.Environment, c config) ([]sdk.Tool, error) {
	limit := cmp.Or(c.Limits.MaxBytes, 1_000_000)
	count := func(_ context.Context, _ *sdk.Call, in input) (map[string]int, error) {
		text, err := os.ReadFile(in.Path) // a plugin runs in the workspace
		if err != nil || len(text) > limit {
			return nil, cmp.Or(err, fmt.Errorf("%s has more than %d bytes; count a smaller file", in.Path, limit))
		}
		return map[string]int{"words": len(bytes.Fields(text)), "lines": bytes.Count(text, []byte("\n")), "characters": len(bytes.Runes(text))}, nil
	}
	spec := sdk.Spec{Name: "count", Description: "Count the words, lines and characters of a text file.", ReadOnly: true}
	spec.Subjects = []sdk.SubjectField{{Field: "path", Kind: sdk.SubjectPath, Access: sdk.AccessRead}}
	return []sdk.Tool{sdk.NewTool(spec, count)}, nil
}

func newProvider() *sdk.Provider {
	return &sdk.Provider{Name: "words", Version: "0.1.0", Config: sdk.NewConfig(configure)}
}
func main() { sdk.Serve(newProvider()) }
