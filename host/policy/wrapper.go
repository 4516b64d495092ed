package policy

import (
	"path"
	"slices"
	"strings"
)

// form is one reading of a command: as written, or what a wrapper runs.
type form struct {
	words []Word
	// transparent tells that an allow rule for these words also allows the
	// wrapper around them: it changes neither what runs nor as whom.
	transparent bool
	// byName tells that the command's path is replaced by its last element.
	byName bool
}

// maxForms bounds the readings of one command: in doubt, a wrapper has many.
const maxForms = 64

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
		return wrapper{flags: "pv", valued: "fo"}, true
	case "stdbuf":
		return wrapper{valued: "ioe", transparent: true, long: map[string]bool{"input": true, "output": true, "error": true}}, true
	case "command":
		return wrapper{flags: "p", queries: "vV", transparent: true}, true
	case "builtin", "noglob", "nocorrect":
		return wrapper{}, true
	case "exec":
		return wrapper{flags: "cl", valued: "a"}, true
	case "setsid":
		return wrapper{flags: "cfw", long: map[string]bool{"ctty": false, "fork": false, "wait": false}}, true
	case "ionice":
		return wrapper{flags: "t", valued: "cnpPu"}, true
	case "chroot", "flock":
		return wrapper{operands: 1}, true
	case "busybox", "toybox":
		return wrapper{}, true
	case "watch":
		return wrapper{flags: "bcegtx", valued: "n"}, true
	case "xargs":
		return wrapper{flags: "0oprtx", valued: "aEdILnPs", long: map[string]bool{
			"null": false, "no-run-if-empty": false, "verbose": false, "max-args": true, "max-procs": true,
			"delimiter": true, "arg-file": true, "replace": false}}, true
	}
	return wrapper{}, false
}

// formsOf lists the command as written, what its wrappers run, and each of them
// by its name alone where it is called by a path. all is false when there are
// more readings than are listed.
func formsOf(words []Word) (forms []form, all bool) {
	if len(words) == 0 {
		return nil, true
	}
	forms = []form{{words: words, transparent: true}}
	// The list grows while it is read: a wrapper may run a wrapper.
	for i := 0; i < len(forms) && len(forms) <= maxForms; i++ {
		forms = append(forms, forms[i].unwrap()...)
	}
	all = len(forms) <= maxForms
	forms = forms[:min(len(forms), maxForms)]
	for _, f := range forms {
		if strings.Contains(f.words[0].Text, "/") {
			named := slices.Clone(f.words)
			named[0].Text = path.Base(named[0].Text)
			forms = append(forms, form{words: named, byName: true})
		}
	}
	return forms, all
}

// unwrap lists what a form runs: one reading when the wrapper's options are
// known, else every reading that is possible.
func (f form) unwrap() []form {
	name := path.Base(f.words[0].Text)
	if name == "find" {
		return findCommands(f.words)
	}
	w, ok := wrapperNamed(name)
	if !ok {
		return nil
	}
	start, known := w.skip(f.words)
	if known {
		if start >= len(f.words) {
			return nil
		}
		// A wrapper by its path may be another program of that name.
		transparent := f.transparent && w.transparent && f.words[0].Static && f.words[0].Text == name
		return []form{{words: f.words[start:], transparent: transparent}}
	}
	var forms []form
	for i := 1; i < len(f.words); i++ {
		forms = append(forms, form{words: f.words[i:]})
	}
	return forms
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

// findCommands lists the commands that find runs by -exec and its relatives.
func findCommands(words []Word) []form {
	var forms []form
	for i, word := range words {
		if slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir"}, word.Text) && i+1 < len(words) {
			forms = append(forms, form{words: words[i+1:]})
		}
	}
	return forms
}
