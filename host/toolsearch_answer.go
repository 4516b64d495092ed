package host

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolcrib/toolcrib/host/plugin"
)

// found is the answer to a search.
type found struct {
	Tools []foundTool `json:"tools"`
	// Missing are selected names that no tool has.
	Missing []missingTool `json:"missing,omitempty"`
	// NoServer is the server that was asked for and that no tool comes from.
	NoServer *missingTool `json:"no_server,omitempty"`
	// Absent are providers and servers whose tools could not be searched.
	Absent []absentServer `json:"not_searched,omitempty"`
	// Gone are tools that were loaded and have vanished since the last search.
	Gone []missingTool `json:"gone,omitempty"`
}

type foundTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type missingTool struct {
	Name string   `json:"name"`
	Near []string `json:"near,omitempty"`
}

// lost tells of a loaded tool that vanished.
func (m missingTool) lost() string {
	text := fmt.Sprintf("the loaded tool %s is not there any more", m.Name)
	if len(m.Near) > 0 {
		text += "; near it: " + strings.Join(m.Near, ", ")
	}
	return text
}

type absentServer struct {
	Name   string `json:"name"`
	State  string `json:"state"`
	Reason string `json:"reason,omitempty"`
}

// absent are the providers, and the servers behind them, that are not ready.
func (v *View) absent() []absentServer {
	var absent []absentServer
	for _, supervisor := range v.host.providers.all() {
		status := supervisor.Status()
		if status.State != plugin.Ready {
			absent = append(absent, absentServer{status.Name, string(status.State), status.Reason})
		}
		for _, upstream := range status.Upstreams {
			if upstream.State != "ready" {
				absent = append(absent, absentServer{upstream.Name, upstream.State, upstream.Reason})
			}
		}
	}
	return absent
}

// text is the answer as a model reads it: one tool a line.
func (f *found) text() string {
	var b strings.Builder
	switch len(f.Tools) {
	case 0:
		b.WriteString("No tool was found.")
		if len(f.Absent) == 0 {
			b.WriteString(" All servers were searched. Try other words, or fewer +required ones.")
		}
	case 1:
		b.WriteString("1 tool was found and can be called now:")
	default:
		fmt.Fprintf(&b, "%d tools were found and can be called now, the best first:", len(f.Tools))
	}
	for _, tool := range f.Tools {
		line, err := json.Marshal(tool)
		if err != nil {
			continue // a pool has no tool whose schema is not JSON
		}
		b.WriteString("\n")
		b.Write(line)
	}
	for _, m := range f.Missing {
		fmt.Fprintf(&b, "\nThere is no tool %q.", m.Name)
		if len(m.Near) > 0 {
			fmt.Fprintf(&b, " Near it: %s.", strings.Join(m.Near, ", "))
		}
	}
	if f.NoServer != nil {
		fmt.Fprintf(&b, "\nThere is no server %q.", f.NoServer.Name)
		if len(f.NoServer.Near) > 0 {
			fmt.Fprintf(&b, " There are: %s.", strings.Join(f.NoServer.Near, ", "))
		}
	}
	if len(f.Absent) > 0 {
		b.WriteString("\nNot searched in full, because they are not ready; search again later:")
	}
	for _, server := range f.Absent {
		fmt.Fprintf(&b, "\n- %s: %s", server.Name, server.State)
		if server.Reason != "" {
			fmt.Fprintf(&b, ": %s", server.Reason)
		}
	}
	for _, m := range f.Gone {
		fmt.Fprintf(&b, "\nNote: %s.", m.lost())
	}
	return b.String()
}
