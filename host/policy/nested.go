package policy

import (
	"path"
	"strings"
)

// nested is the script that a command runs: eval, bash -c, env -S.
type nested struct {
	text string
	// unknown tells that there is a script, and that it is not known.
	unknown bool
}

func nestedScript(words []Word) nested {
	if len(words) == 0 || !words[0].Static {
		return nested{}
	}
	switch name := path.Base(words[0].Text); {
	case name == "eval":
		return joined(words[1:])
	case name == "watch", name == "trap":
		return nested{unknown: len(words) > 1}
	case name == "env":
		for _, word := range words[1:] {
			if strings.HasPrefix(word.Text, "-S") || strings.HasPrefix(word.Text, "--split-string") {
				return nested{unknown: true}
			}
		}
	case name == "source", name == ".":
		return nested{unknown: true}
	case isShell(name):
		return shellScript(words[1:])
	}
	return nested{}
}

// shellScript finds the script of `bash -c`, and notes a shell that reads its
// script from its input.
func shellScript(args []Word) nested {
	fromArgument := false
	for i, arg := range args {
		switch {
		case !arg.Static:
			return nested{unknown: true}
		case fromArgument && !isOption(arg.Text):
			return nested{text: arg.Text}
		case !isOption(arg.Text):
			return nested{} // a script file
		case arg.Text == "--" && fromArgument:
			return joined(args[i+1 : min(i+2, len(args))])
		case strings.HasPrefix(arg.Text, "--"):
			if arg.Text == "--version" || arg.Text == "--help" {
				return nested{}
			}
		case strings.ContainsAny(arg.Text, "oO"):
			return nested{unknown: true} // its value is the next word, or not
		case strings.Contains(arg.Text, "c"):
			fromArgument = true
		}
	}
	return nested{unknown: true}
}

func joined(words []Word) nested {
	texts := make([]string, 0, len(words))
	for _, word := range words {
		if !word.Static {
			return nested{unknown: true}
		}
		texts = append(texts, word.Text)
	}
	return nested{text: strings.Join(texts, " ")}
}

func isOption(text string) bool {
	return len(text) > 1 && (text[0] == '-' || text[0] == '+')
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "rbash":
		return true
	}
	return false
}
