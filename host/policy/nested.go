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
	// here tells that it runs in the same shell.
	here bool
	// fromInput tells that it is what the command reads.
	fromInput bool
}

func nestedScript(words []Word) nested {
	if len(words) == 0 || !words[0].Static {
		return nested{}
	}
	switch name := path.Base(words[0].Text); {
	case name == "eval":
		script := joined(words[1:])
		script.here = true
		return script
	case name == "watch":
		return joined(skipOptions(words[1:], "nqs"))
	case name == "trap":
		action := skipOptions(words[1:], "")
		return joined(action[:min(1, len(action))])
	case name == "env":
		return splitString(words[1:])
	case name == "alias":
		return aliases(words[1:])
	case name == "su", name == "runuser", name == "script", name == "flock":
		return commandOption(words[1:])
	case isShell(name):
		return shellScript(words[1:])
	}
	return nested{}
}

// skipOptions drops leading options; valued ones take the next word, too.
func skipOptions(words []Word, valued string) []Word {
	for len(words) > 0 && isOption(words[0].Text) {
		option := words[0].Text
		words = words[1:]
		if option == "--" {
			break
		}
		if len(option) == 2 && strings.Contains(valued, option[1:]) && len(words) > 0 {
			words = words[1:]
		}
	}
	return words
}

// splitString is the command of env -S, which env splits itself.
func splitString(words []Word) nested {
	for i, word := range words {
		rest, ok := strings.CutPrefix(word.Text, "--split-string")
		if !ok {
			rest, ok = strings.CutPrefix(word.Text, "-S")
		}
		if !ok {
			continue
		}
		script := joined(append([]Word{knownWord(strings.TrimPrefix(rest, "="))}, words[i+1:]...))
		script.unknown = true
		return script
	}
	return nested{}
}

// aliases are the commands that aliases stand for.
func aliases(words []Word) nested {
	var texts []string
	unknown := false
	for _, word := range words {
		if _, value, ok := strings.Cut(word.Text, "="); ok {
			texts = append(texts, value)
		}
		unknown = unknown || !word.Static
	}
	return nested{text: strings.Join(texts, "\n"), unknown: unknown}
}

// commandOption is the script of -c, as su and script have it.
func commandOption(words []Word) nested {
	for i, word := range words {
		name, value, attached := strings.Cut(word.Text, "=")
		switch {
		case name == "--command" && attached:
			return nested{text: value, unknown: !word.Static}
		case (name == "--command" || name == "-c") && i+1 < len(words):
			return nested{text: words[i+1].Text, unknown: !words[i+1].Static}
		case strings.HasPrefix(word.Text, "-c") && len(word.Text) > 2:
			return nested{text: word.Text[2:], unknown: !word.Static}
		}
	}
	return nested{}
}

// shellScript finds the script of `bash -c`, and notes a shell that reads its
// script from its input.
func shellScript(args []Word) nested {
	fromArgument := false
	for i, arg := range args {
		switch {
		case fromArgument && !isOption(arg.Text):
			return nested{text: arg.Text, unknown: !arg.Static}
		case !arg.Static:
			return nested{text: arg.Text, unknown: true}
		case !isOption(arg.Text):
			return nested{} // a script file
		case arg.Text == "--" && fromArgument:
			return joined(args[i+1 : min(i+2, len(args))])
		case strings.HasPrefix(arg.Text, "--"):
			if arg.Text == "--version" || arg.Text == "--help" {
				return nested{}
			}
		case strings.ContainsAny(arg.Text, "oO"):
			// Its value is the next word, or not.
			script := joined(args[i+1:])
			script.unknown = true
			return script
		case strings.Contains(arg.Text, "c"):
			fromArgument = true
		}
	}
	return nested{unknown: true, fromInput: !fromArgument}
}

// joined is the script that the words make, with a blank between them.
func joined(words []Word) nested {
	script := nested{}
	texts := make([]string, 0, len(words))
	for _, word := range words {
		script.unknown = script.unknown || !word.Static
		texts = append(texts, word.Text)
	}
	script.text = strings.Join(texts, " ")
	return script
}

func isOption(text string) bool {
	return len(text) > 1 && (text[0] == '-' || text[0] == '+')
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "ash", "fish", "rbash":
		return true
	}
	return false
}
