package policy

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// scriptHazard raises h by what a script does.
func scriptHazard(h *hazard, script *Script, call Call) {
	if script.forkBomb {
		h.raise(Critical, "starts itself without end (a fork bomb)")
	}
	if script.download {
		h.raise(High, "runs a program that it downloads")
	}
	for _, commands := range [][]Command{script.Commands, script.suspects} {
		for _, command := range commands {
			for _, redirect := range command.Redirects {
				if redirect.Writes && isDevice(redirect.Target.Text) {
					h.raise(Critical, "writes to the device "+redirect.Target.Text)
				}
			}
			shown := func() string { return " (" + command.shown() + ")" }
			for _, form := range command.forms {
				commandHazard(h, form.words, shown, call)
			}
		}
	}
}

// commandHazard raises h by one reading of a command, which reasons show as shown.
func commandHazard(h *hazard, words []Word, shown func() string, call Call) {
	name := base(words[0])
	if !mayHarm(name) {
		return
	}
	args := arguments(words[1:])
	switch {
	case name == "rm" || name == "rmdir" || name == "shred":
		removal(h, args, shown, call)
	case name == "sudo" || name == "doas" || name == "su" || name == "pkexec":
		h.raise(High, "runs as another user"+shown())
	case name == "mkfs" || strings.HasPrefix(name, "mkfs.") || name == "wipefs" || name == "mkswap":
		h.raise(Critical, "erases a file system"+shown())
	case name == "dd":
		h.raise(High, "copies raw data"+shown())
		for _, word := range args.operands {
			if target, ok := strings.CutPrefix(word.Text, "of="); ok && isDevice(target) {
				h.raise(Critical, "writes to the device "+target)
			}
		}
	case name == "shutdown" || name == "reboot" || name == "halt" || name == "poweroff":
		h.raise(Critical, "stops this machine"+shown())
	case name == "git":
		gitHazard(h, args, shown)
	case name == "find" && args.has("", "-delete"):
		h.raise(High, "removes every file that find finds"+shown())
	case (name == "chmod" || name == "chown" || name == "chgrp") && args.has("R", "--recursive"):
		h.raise(High, "changes permissions of a whole tree"+shown())
	}
}

// mayHarm tells whether commandHazard knows of a harm that a command does.
func mayHarm(name string) bool {
	switch name {
	case "rm", "rmdir", "shred", "sudo", "doas", "su", "pkexec", "mkfs", "wipefs", "mkswap", "dd", "shutdown", "reboot", "halt", "poweroff",
		"git", "find", "chmod", "chown", "chgrp":
		return true
	}
	return strings.HasPrefix(name, "mkfs.")
}

// removal judges rm and its relatives.
func removal(h *hazard, args argumentList, shown func() string, call Call) {
	h.raise(Medium, "removes files"+shown())
	recursive := args.has("rR", "--recursive")
	if recursive || args.has("f", "--force") {
		h.raise(High, "removes files for good, without asking"+shown())
	}
	for _, operand := range args.operands {
		if what := vital(operand.Text, recursive, call.Workspace, call.Home); what != "" {
			h.raise(Critical, "removes "+what+shown())
		}
	}
}

// vital names what must not be removed lightly, or nothing. The parts of target
// that are not known are missing from it, as if they were empty: "$UNSET"/ is /.
func vital(target string, recursive bool, workspace, home string) string {
	if target == "" {
		return ""
	}
	clean := path.Clean(strings.TrimSuffix(target, "*"))
	switch {
	case clean == "/":
		return "the root of the file system"
	case clean == "~" || home != "" && clean == path.Clean(home):
		return "the home directory"
	case workspace != "" && (clean == path.Clean(workspace) || strings.HasPrefix(path.Clean(workspace), clean+"/")):
		return "the workspace"
	case !recursive:
		return ""
	case path.IsAbs(clean) && path.Dir(clean) == "/":
		return "the system directory " + clean
	case strings.Trim(clean, "./") == "":
		return "the current directory or one above it"
	}
	return ""
}

func gitHazard(h *hazard, args argumentList, shown func() string) {
	if len(args.operands) == 0 {
		return
	}
	switch args.operands[0].Text {
	case "push":
		forced := slices.ContainsFunc(args.operands, func(w Word) bool { return strings.HasPrefix(w.Text, "+") })
		if forced || args.has("fd", "--force", "--force-with-lease", "--mirror", "--delete", "--prune") {
			h.raise(High, "overwrites or removes what others see"+shown())
		}
	case "reset":
		if args.has("", "--hard") {
			h.raise(High, "throws away uncommitted changes"+shown())
		}
	case "clean":
		if args.has("f", "--force") {
			h.raise(High, "removes files that git does not track"+shown())
		}
	case "branch":
		if args.has("D", "") {
			h.raise(High, "removes a branch that may not be merged"+shown())
		}
	}
}

// argumentList splits arguments as getopt does.
type argumentList struct {
	options, operands []Word
}

func arguments(words []Word) argumentList {
	var list argumentList
	for i, word := range words {
		switch {
		case word.Text == "--" && word.Static:
			list.operands = append(list.operands, words[i+1:]...)
			return list
		case strings.HasPrefix(word.Text, "-") && word.Text != "-":
			list.options = append(list.options, word)
		default:
			list.operands = append(list.operands, word)
		}
	}
	return list
}

// has tells whether one of the short or long options is there.
func (l argumentList) has(short string, long ...string) bool {
	for _, option := range l.options {
		name, _, _ := strings.Cut(option.Text, "=")
		if slices.Contains(long, name) {
			return true
		}
		if !strings.HasPrefix(option.Text, "--") && short != "" && strings.ContainsAny(option.Text[1:], short) {
			return true
		}
	}
	return false
}

// isDevice tells whether a path is a device that holds data.
func isDevice(target string) bool {
	name, ok := strings.CutPrefix(path.Clean(target), "/dev/")
	if !ok {
		return false
	}
	for _, harmless := range []string{"null", "zero", "stdout", "stderr", "stdin", "tty", "fd/", "pts/", "shm/", "tcp/", "udp/"} {
		if name == harmless || strings.HasSuffix(harmless, "/") && strings.HasPrefix(name, harmless) {
			return false
		}
	}
	return true
}

// isDownloadPipe recognises curl URL | sh.
func isDownloadPipe(pipe *syntax.BinaryCmd) bool {
	if pipe.Op != syntax.Pipe && pipe.Op != syntax.PipeAll {
		return false
	}
	return runsAny(pipe.X, func(name string) bool { return name == "curl" || name == "wget" || name == "fetch" }) &&
		runsAny(pipe.Y, isInterpreter)
}

func isInterpreter(name string) bool {
	for _, interpreter := range []string{"python", "perl", "ruby", "node", "php"} {
		if strings.HasPrefix(name, interpreter) {
			return true
		}
	}
	return isShell(name)
}

// runsAny tells whether a part of stmt runs a command whose name is wanted,
// itself or through a wrapper.
func runsAny(stmt *syntax.Stmt, wanted func(name string) bool) bool {
	found := false
	syntax.Walk(stmt, func(node syntax.Node) bool {
		if call, ok := node.(*syntax.CallExpr); ok {
			var words []Word
			for _, arg := range call.Args {
				words = append(words, readWords(arg, nil, func(string) {})...)
			}
			forms, _ := formsOf(words)
			for _, form := range forms {
				found = found || wanted(path.Base(form.words[0].Text))
			}
		}
		return !found
	})
	return found
}

// isForkBomb recognises a function that calls itself in the background or in a
// pipeline.
func isForkBomb(decl *syntax.FuncDecl) bool {
	if decl.Name == nil {
		return false
	}
	found := false
	syntax.Walk(decl.Body, func(node syntax.Node) bool {
		stmt, ok := node.(*syntax.Stmt)
		if !ok {
			return true
		}
		_, pipe := stmt.Cmd.(*syntax.BinaryCmd)
		if stmt.Background || pipe {
			found = found || runsAny(stmt, func(name string) bool { return name == decl.Name.Value })
		}
		return true
	})
	return found
}
