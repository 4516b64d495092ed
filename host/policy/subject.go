package policy

import (
	"encoding/json"
	"strings"

	"github.com/toolcrib/toolcrib/host/pool"
)

// KnownSubjects reads what a call of a well-known tool acts on from its input,
// in the field names that coding agents use. It is for judging a call whose tool
// is not running; a tool that runs says itself what its subjects are. Unknown
// tools have none.
func KnownSubjects(tool string, input json.RawMessage) []Subject {
	fields := Call{Input: input}.fields()
	first := func(names ...string) string {
		for _, name := range names {
			if text, ok := scalar(fields[name]); ok && text != "" {
				return text
			}
		}
		return ""
	}
	switch tool {
	case bash:
		return []Subject{{Kind: pool.SubjectCommand, Value: first("command")}}
	case webFetch:
		return []Subject{{Kind: pool.SubjectDomain, Value: first("url")}}
	case agent, "Task":
		return []Subject{{Kind: pool.SubjectAgent, Value: first("subagent_type", "agent", "type")}}
	}
	access := capability(tool)
	if access == "" {
		return nil
	}
	path := first("file_path", "path", "notebook_path")
	if path == "" {
		path = "." // Grep and Glob look through the folder they are in
	}
	subjects := []Subject{{Kind: pool.SubjectPath, Value: path, Access: access}}
	if pattern := first("pattern"); tool == "Glob" && pattern != "" {
		if base := globBase(path, pattern); base != path {
			subjects = append(subjects, Subject{Kind: pool.SubjectPath, Value: base, Access: access})
		}
	}
	return subjects
}

// globBase is the folder that a pattern of file names looks through.
func globBase(folder, pattern string) string {
	var literal []string
	parts := strings.Split(pattern, "/")
	for _, part := range parts[:len(parts)-1] {
		if strings.ContainsAny(part, "*?[{") {
			break
		}
		literal = append(literal, part)
	}
	base := strings.Join(literal, "/")
	switch {
	case strings.HasPrefix(pattern, "/"):
		return "/" + strings.TrimPrefix(base, "/")
	case base == "":
		return folder
	}
	return folder + "/" + base
}
