// Command shift is a plugin for the tests of reloads: it is built twice, with two
// names for its tool.
package main

import (
	"context"
	"os"
	"time"

	"github.com/toolcrib/toolcrib/sdk"
)

// tool is the name of its tool, given when it is built.
var tool = "unnamed"

func main() {
	type input struct {
		Path string `json:"path"`
	}
	say := func(context.Context, *sdk.Call, struct{}) (string, error) { return "this is " + tool, nil }
	hold := func(ctx context.Context, _ *sdk.Call, in input) (string, error) {
		if err := os.WriteFile(in.Path, nil, 0o600); err != nil {
			return "", err
		}
		for {
			if _, err := os.Stat(in.Path); err != nil {
				return "held by " + tool, nil
			}
			select {
			case <-ctx.Done():
				return "", ctx.Err()
			case <-time.After(time.Millisecond): // the end of a file cannot be waited for
			}
		}
	}
	sdk.Serve(&sdk.Provider{Name: "shift", Version: tool, Tools: []sdk.Tool{
		sdk.NewTool(sdk.Spec{Name: tool, Description: "Say which build this is.", ReadOnly: true}, say),
		sdk.NewTool(sdk.Spec{Name: "hold", Description: "Make a file and wait until it is gone.", ReadOnly: true}, hold),
	}})
}
