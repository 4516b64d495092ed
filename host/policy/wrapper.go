package policy

import (
	"slices"
	"strings"
)

// wrapper is a command that runs the command in its arguments.
type wrapper struct {
	// flags and valued are its short options without and with a value.
	flags, valued string
	// long are its long options; true: the value is the next word.
	long map[string]bool
	// operands is how many words stand before the command.
	operands int
	// assigns tells that NAME=VALUE words stand before the command.
	assigns     bool
	transparent bool
	// bare tells that it is transparent only without options.
	bare bool
	// appends tells that it adds words that are not known to the command.
	appends bool
	// guess tells that its options are not listed here: any word may be where
	// the command starts.
	guess bool
	// queries are options with which it runs nothing.
	queries string
}

func wrapperNamed(name string) (wrapper, bool) {
	switch name {
	case "env":
		return wrapper{flags: "i0v", valued: "uC", assigns: true, long: map[string]bool{
			"ignore-environment": false, "null": false, "debug": false, "unset": true, "chdir": true}}, true
	case "sudo":
		return wrapper{flags: "AbEeHiKklnPSsVv", valued: "CDghpRrTtUu", assigns: true, long: map[string]bool{
			"user": true, "group": true, "host": true, "prompt": true, "chdir": true, "non-interactive": false,
			"preserve-env": false, "stdin": false, "background": false, "login": false, "shell": false}}, true
	case "doas":
		return wrapper{flags: "Lns", valued: "aCu"}, true
	case "timeout":
		return wrapper{flags: "v", valued: "ks", operands: 1, transparent: true, long: map[string]bool{
			"signal": true, "kill-after": true, "foreground": false, "preserve-status": false, "verbose": false}}, true
	case "nice":
		return wrapper{flags: "0123456789", valued: "n", transparent: true, long: map[string]bool{"adjustment": true}}, true
	case "nohup":
		return wrapper{transparent: true}, true
	case "time":
		return wrapper{flags: "pv", valued: "fo", transparent: true, bare: true}, true
	case "stdbuf":
		return wrapper{valued: "ioe", transparent: true, long: map[string]bool{"input": true, "output": true, "error": true}}, true
	case "command":
		return wrapper{flags: "p", queries: "vV", transparent: true}, true
	case "builtin", "noglob":
		return wrapper{transparent: true}, true
	case "nocorrect":
		return wrapper{}, true
	case "exec":
		return wrapper{flags: "cl", valued: "a"}, true
	case "setsid":
		return wrapper{flags: "cfw", long: map[string]bool{"ctty": false, "fork": false, "wait": false}}, true
	case "ionice":
		return wrapper{flags: "t", valued: "cnpPu"}, true
	case "chroot":
		return wrapper{operands: 1, long: map[string]bool{"userspec": true, "groups": true, "skip-chdir": false}}, true
	case "flock":
		return wrapper{flags: "nsuxeFo", valued: "wE", operands: 1, long: map[string]bool{
			"nonblock": false, "shared": false, "exclusive": false, "timeout": true, "wait": true, "close": false}}, true
	case "busybox", "toybox":
		return wrapper{}, true
	case "watch":
		return wrapper{flags: "bcegtx", valued: "n"}, true
	case "xargs":
		return wrapper{flags: "0oprtxei", valued: "aEdILnPs", transparent: true, bare: true, appends: true, long: map[string]bool{
			"null": false, "no-run-if-empty": false, "verbose": false, "max-args": true, "max-procs": true,
			"delimiter": true, "arg-file": true, "replace": false, "exit": false, "interactive": false, "max-lines": false,
			"max-chars": true, "process-slot-var": true}}, true
	case "pkexec", "unshare", "nsenter", "strace", "ltrace", "taskset", "chrt", "numactl", "prlimit", "setarch", "fakeroot",
		"systemd-run", "runuser", "parallel", "setpriv", "capsh", "catchsegv", "valgrind", "rlwrap", "unbuffer", "caffeinate",
		"xvfb-run", "dbus-run-session", "firejail", "bwrap", "proot", "torsocks", "proxychains", "proxychains4", "entr", "su",
		"script", "npx", "bunx", "uvx", "pipx", "faketime", "choom", "ssh-agent", "gdb", "perf", "hyperfine",
		"gtimeout", "gnice", "gnohup", "genv", "gxargs", "chpst", "softlimit", "start-stop-daemon", "nsjail":
		return wrapper{guess: true}, true
	case "-", "repeat": // of zsh
		return wrapper{guess: true}, true
	}
	return wrapper{}, false
}

// unwrap lists what a form runs: one reading when the wrapper's options are
// known, else every reading that is possible.
func (f form) unwrap() []form {
	name := base(f.words[0])
	if name == "find" {
		return findCommands(f.words)
	}
	w, ok := wrapperNamed(name)
	if !ok {
		return nil
	}
	start, known := 0, false
	if !w.guess {
		start, known = w.skip(f.words)
	}
	if !known {
		var forms []form
		for i := 1; i < len(f.words); i++ {
			forms = append(forms, form{words: f.words[i:]})
		}
		return forms
	}
	if start >= len(f.words) {
		return nil
	}
	// A wrapper by its path may be another program of that name.
	transparent := f.transparent && w.transparent && f.words[0].Static && f.words[0].Text == name && (!w.bare || start == 1)
	words := f.words[start:]
	if w.appends {
		words = append(slices.Clip(words), unknownWord(input))
		if mark := replacedMark(f.words[1:start]); mark != "" {
			words = replaceMark(words[:len(words)-1], mark)
		}
	}
	return []form{{words: words, transparent: transparent}}
}

// replacedMark is what xargs -I replaces by its input; empty for nothing.
func replacedMark(options []Word) string {
	for i, option := range options {
		text := option.Text
		switch {
		case text == "-I" && i+1 < len(options):
			return options[i+1].Text
		case strings.HasPrefix(text, "-I"):
			return text[2:]
		case text == "-i", text == "--replace":
			return "{}"
		case strings.HasPrefix(text, "-i"):
			return text[2:]
		case strings.HasPrefix(text, "--replace="):
			return text[len("--replace="):]
		}
	}
	return ""
}

// replaceMark makes the words that hold mark unknown at that place.
func replaceMark(words []Word, mark string) []Word {
	replaced := slices.Clone(words)
	for i, word := range words {
		if strings.Contains(word.Text, mark) {
			word.Static, word.kind = false, max(word.kind, input)
			word.shape = strings.ReplaceAll(word.shape, mark, string(anyText))
			replaced[i] = word
		}
	}
	return replaced
}

// skip finds where the wrapped command starts. known is false when an option is
// not in the table or not known before it runs.
func (w wrapper) skip(words []Word) (start int, known bool) {
	i, operands := 1, w.operands
	for i < len(words) {
		word := words[i]
		if !word.Static {
			return 0, false
		}
		switch {
		case word.Text == "--":
			i++
			return min(i+operands, len(words)), true
		case strings.HasPrefix(word.Text, "--"):
			name, _, attached := strings.Cut(word.Text[2:], "=")
			valued, ok := w.long[name]
			if !ok {
				return 0, false
			}
			if valued && !attached {
				i++
			}
		case len(word.Text) > 1 && word.Text[0] == '-':
			if len(w.queries) > 0 && strings.ContainsAny(word.Text, w.queries) {
				return len(words), true
			}
			takesNext, ok := w.short(word.Text[1:])
			if !ok {
				return 0, false
			}
			if takesNext {
				i++
			}
		case w.assigns && strings.Contains(word.Text, "="):
		case operands > 0:
			operands--
		default:
			return i, true
		}
		i++
	}
	return len(words), true
}

// short reads a cluster of short options.
func (w wrapper) short(cluster string) (takesNext, known bool) {
	for i := range len(cluster) {
		if strings.IndexByte(w.valued, cluster[i]) >= 0 {
			return i == len(cluster)-1, true
		}
		if strings.IndexByte(w.flags, cluster[i]) < 0 {
			return false, false
		}
	}
	return false, true
}

// findCommands lists the commands that find runs by -exec and its relatives, up
// to the ; or + that ends each.
func findCommands(words []Word) []form {
	var forms []form
	for i, word := range words {
		if !slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir"}, word.Text) || i+1 >= len(words) {
			continue
		}
		command := words[i+1:]
		for end, word := range command {
			if end > 0 && (word.Text == ";" || word.Text == "+") {
				command = command[:end]
				break
			}
		}
		forms = append(forms, form{words: replaceMark(command, "{}")})
	}
	return forms
}
