package main

import (
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/session"
)

func TestProgressIsOneLineThatCannotMoveTheCursor(t *testing.T) {
	half := 0.5
	tests := map[string]struct {
		body session.Body
		want string
	}{
		"the last line of output":           {session.ToolOutput{Text: "one\ntwo\n"}, "two"},
		"a bar that overwrites itself":      {session.ToolOutput{Text: "10%\r20%\r"}, "20%"},
		"a message with how much is done":   {session.ToolProgress{Message: "copying", Fraction: &half}, " 50% copying"},
		"an escape sequence becomes a sign": {session.ToolOutput{Text: "\x1b[2Jgone"}, "␛[2Jgone"},
		"a long line is cut":                {session.ToolOutput{Text: strings.Repeat("é", 200)}, strings.Repeat("é", progressWidth)},
		"other events are not shown":        {session.Notice{Text: "hi"}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := progressLine(tt.body); got != tt.want {
				t.Errorf("progressLine = %q, want %q", got, tt.want)
			}
		})
	}
}
