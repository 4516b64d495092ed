package session

import (
	"encoding/json"
	"errors"
	"time"
)

var errNoBody = errors.New("the event has no body")

// wireEvent is an event in JSON: the type of the body stands beside it.
type wireEvent struct {
	Seq       uint64          `json:"seq"`
	Time      time.Time       `json:"time"`
	SessionID string          `json:"session_id"`
	RunID     string          `json:"run_id,omitempty"`
	Type      string          `json:"type"`
	Body      json.RawMessage `json:"body"`
}

// MarshalJSON writes the event with the type of its body:
//
//	{"seq":7,"time":"...","session_id":"s1","run_id":"r1","type":"tool_called","body":{...}}
func (e Event) MarshalJSON() ([]byte, error) {
	wire := wireEvent{Seq: e.Seq, Time: e.Time, SessionID: e.SessionID, RunID: e.RunID}
	switch body := e.Body.(type) {
	case nil:
	case Unknown:
		wire.Type, wire.Body = body.Name, body.Raw
	default:
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		wire.Type, wire.Body = body.Type(), raw
	}
	return json.Marshal(wire)
}

// UnmarshalJSON reads what MarshalJSON wrote. A body whose type this program
// does not know, or that does not fit its type, becomes [Unknown], so that a log
// written by a newer program can still be shown.
func (e *Event) UnmarshalJSON(data []byte) error {
	var wire wireEvent
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	*e = Event{Seq: wire.Seq, Time: wire.Time, SessionID: wire.SessionID, RunID: wire.RunID}
	e.Body = decodeBody(wire.Type, wire.Body)
	return nil
}

func decodeBody(name string, raw json.RawMessage) Body {
	var body Body
	var err error
	switch name {
	case Input{}.Type():
		body, err = decode[Input](raw)
	case Notice{}.Type():
		body, err = decode[Notice](raw)
	case ToolCalled{}.Type():
		body, err = decode[ToolCalled](raw)
	case ToolPlanned{}.Type():
		body, err = decode[ToolPlanned](raw)
	case ToolJudged{}.Type():
		body, err = decode[ToolJudged](raw)
	case ApprovalAsked{}.Type():
		body, err = decode[ApprovalAsked](raw)
	case ApprovalDecided{}.Type():
		body, err = decode[ApprovalDecided](raw)
	case HookAnswered{}.Type():
		body, err = decode[HookAnswered](raw)
	case ResultReplaced{}.Type():
		body, err = decode[ResultReplaced](raw)
	case ToolStarted{}.Type():
		body, err = decode[ToolStarted](raw)
	case ToolProgress{}.Type():
		body, err = decode[ToolProgress](raw)
	case ToolOutput{}.Type():
		body, err = decode[ToolOutput](raw)
	case HandoffStarted{}.Type():
		body, err = decode[HandoffStarted](raw)
	case HandoffEnded{}.Type():
		body, err = decode[HandoffEnded](raw)
	case FindingsReported{}.Type():
		body, err = decode[FindingsReported](raw)
	case ToolFinished{}.Type():
		body, err = decode[ToolFinished](raw)
	case PoolChanged{}.Type():
		body, err = decode[PoolChanged](raw)
	case ProviderChanged{}.Type():
		body, err = decode[ProviderChanged](raw)
	default:
		return Unknown{Name: name, Raw: raw}
	}
	if err != nil {
		return Unknown{Name: name, Raw: raw}
	}
	return body
}

func decode[T Body](raw json.RawMessage) (Body, error) {
	var body T
	if string(raw) == "null" {
		// Unmarshal would leave the zero value: a body that nobody wrote.
		return nil, errNoBody
	}
	err := json.Unmarshal(raw, &body)
	return body, err
}
