// Command embed runs Toolcrib's host inside a program that is not Toolcrib: it
// opens the workspace of the current folder, reads the head of a file with a tool
// that runs in a process of its own, and lists the events of the session.
//
//	go run . README.md
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/plugins/builtin"
	"github.com/toolcrib/toolcrib/sdk"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "serve-builtin" {
		sdk.Serve(builtin.New("embed")) // the host started us as a provider
		return
	}
	if len(os.Args) != 2 {
		log.Fatal("usage: embed FILE")
	}
	if err := read(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func read(ctx context.Context, path string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	h, err := host.Open(ctx, host.Options{
		Bundled: []host.Bundled{{Name: "builtin", Command: []string{self, "serve-builtin"}}},
	})
	if err != nil {
		return err
	}
	defer h.Close()

	input := json.RawMessage(fmt.Sprintf(`{"path":%q,"limit":5}`, path))
	outcome, err := h.Invoke(ctx, pipeline.Invocation{Tool: "Read", Input: input})
	if err != nil {
		return err
	}
	fmt.Println(outcome.Text)
	for _, event := range h.Events().Since(0) {
		fmt.Println(event.Seq, event.Body.Type())
	}
	return nil
}
