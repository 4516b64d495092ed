package host

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/toolcrib/toolcrib/host/hook"
)

// held is a hook that answers when it is let go.
type held struct{ free chan struct{} }

func (h held) Ask(context.Context, hook.Event, json.RawMessage) ([]byte, error) {
	<-h.free
	return []byte("{}"), nil
}

func TestWhoTellsAHookOfTheStartAsTheSecondWaitsForItsAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		greet := once{held{free}, &hooks{greeted: make(map[string]chan struct{})}, "hook hello"}
		answers := make(chan string, 2)
		for range 2 {
			go func() {
				output, err := greet.Ask(t.Context(), hook.SessionStart, nil)
				if err != nil {
					t.Error(err)
				}
				answers <- string(output)
			}()
		}
		synctest.Wait()
		if len(answers) > 0 {
			t.Error("one did not wait")
		}
		close(free)
		if got := <-answers + <-answers; got != "{}" {
			t.Errorf("the answers are %q together, want one", got)
		}
	})
}
