package policy

import (
	"slices"
	"strings"
)

// escape tells why a command does more than its name says: an option that runs
// a program or writes a file elsewhere. A rule for the command with any arguments
// was hardly meant for that. spelled are the words that the rule itself has.
// It is empty for a command that does what it is for.
func escape(words []Word, spelled []string) string {
	name := base(words[0])
	args := texts(words[1:])
	free := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return slices.Contains(spelled, arg) })
	if slices.Contains(neverByPrefix, name) {
		return name + " runs what its arguments say"
	}
	switch name {
	case "find":
		if slices.ContainsFunc(words, func(w Word) bool { return w.kind == glob }) {
			return "find gets a pattern over file names, which may become an action"
		}
		for _, arg := range free {
			if slices.Contains(findActions, arg) {
				return "find " + arg + " does more than find"
			}
		}
	case "git":
		return gitEscape(free)
	case "sed":
		if hasOption(free, "f", "--file") || !slices.Contains(spelled, firstScript(args)) && !sedPlain(args) {
			return "the script of sed may run a program or write a file"
		}
	case "awk", "gawk", "mawk", "nawk":
		if hasOption(free, "fiEl", "--file", "--include", "--exec", "--load") || slices.ContainsFunc(free, awkActs) {
			return "the program of awk may run a program or write a file"
		}
	case "go":
		for _, arg := range free {
			flag, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			if isDashed(arg) && slices.Contains([]string{"exec", "toolexec", "vettool"}, flag) {
				return "go " + arg + " runs a program"
			}
		}
	case "cp", "mv":
		if slices.ContainsFunc(free, isDashed) {
			return name + " with options may write elsewhere"
		}
	case "uniq":
		if uniqOperands(args) > 1 && uniqOperands(free) > 0 && !hasOption(args, "fsw") {
			return "the second file of uniq is written"
		}
	}
	if options, ok := escapes[name]; ok && hasOption(free, options.short, options.long...) {
		return "an option of " + name + " runs a program or writes a file"
	}
	return ""
}

// neverByPrefix run their arguments, and say so less than env or sudo do.
var neverByPrefix = strings.Fields("setsid ionice flock watch eval source .")

var findActions = strings.Fields("-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls")

// escapes are the options of commands that are not about running programs or
// writing files, and do so with these.
var escapes = map[string]struct {
	short string
	long  []string
}{
	"sort":   {"oT", []string{"--output", "--compress-program", "--temporary-directory"}},
	"date":   {"s", []string{"--set"}},
	"tree":   {"oR", nil},
	"rg":     {"", []string{"--pre", "--hostname-bin"}},
	"man":    {"PH", []string{"--pager", "--html"}},
	"tar":    {"IF", []string{"--checkpoint-action", "--to-command", "--use-compress-program", "--rsh-command", "--info-script", "--new-volume-script"}},
	"shuf":   {"o", []string{"--output"}},
	"iconv":  {"o", []string{"--output"}},
	"file":   {"C", []string{"--compile"}},
	"split":  {"", []string{"--filter"}},
	"rsync":  {"e", []string{"--rsh", "--rsync-path"}},
	"ssh":    {"oF", nil},
	"scp":    {"oSF", nil},
	"xxd":    {"r", []string{"--revert"}},
	"zip":    {"T", []string{"--unzip-command"}},
	"printf": {"v", nil},
	"less":   {"oOk", []string{"--log-file"}},
}

// awkActs tells whether a program of awk may run programs or write files.
func awkActs(program string) bool {
	return strings.Contains(program, "system") || strings.Contains(program, "getline") || strings.ContainsAny(program, "|>@")
}

// firstScript is the script that sed takes from its operands.
func firstScript(args []string) string {
	for _, arg := range args {
		if !isDashed(arg) {
			return arg
		}
	}
	return ""
}

// gitEscape finds options of git that run a program or write a file.
func gitEscape(args []string) string {
	const why = "an option of git runs a program or writes a file"
	verb := ""
	for i, arg := range args {
		if !isDashed(arg) {
			verb = arg
			args = args[i+1:]
			break
		}
		name, _, _ := strings.Cut(arg, "=")
		if slices.Contains([]string{"-c", "--config-env", "--exec-path", "--git-dir", "--work-tree", "-C", "--super-prefix"}, name) || strings.HasPrefix(name, "-c") || strings.HasPrefix(name, "-C") {
			return why
		}
	}
	if hasOption(args, "", "--output", "--ext-diff", "--upload-pack", "--receive-pack", "--exec", "--open-files-in-pager", "--extcmd", "--output-directory", "--config") {
		return why
	}
	switch verb {
	case "grep":
		if hasOption(args, "O") {
			return why
		}
	case "rebase":
		if hasOption(args, "x") {
			return why
		}
	case "clone", "fetch", "pull", "ls-remote", "push":
		if verb != "push" && verb != "fetch" && verb != "pull" && hasOption(args, "u") || slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "ext::") }) {
			return why
		}
	case "filter-branch", "difftool", "mergetool":
		return "git " + verb + " runs other programs"
	case "bisect", "submodule":
		if slices.Contains(args, "run") || slices.Contains(args, "foreach") {
			return "git " + verb + " runs what its arguments say"
		}
	case "config":
		if slices.ContainsFunc(args, runsByConfig) {
			return "the setting names a program that git runs"
		}
	}
	return ""
}

// runsByConfig recognises settings of git whose value is run.
func runsByConfig(key string) bool {
	key = strings.ToLower(key)
	for _, suffix := range []string{"pager", "editor", "fsmonitor", "sshcommand", "hookspath", ".textconv", ".external", "helper", ".program", ".clean", ".smudge", ".process", ".path", ".cmd", ".driver", "askpass", "gitproxy"} {
		if strings.HasSuffix(key, suffix) {
			return true
		}
	}
	return strings.HasPrefix(key, "alias.") || strings.HasPrefix(key, "pager.")
}
