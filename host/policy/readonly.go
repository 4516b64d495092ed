package policy

import (
	"slices"
	"strings"
)

// readOnly proves that a command, as its words say, changes nothing but what it
// prints, whatever its input is. It is a list of what is known to be harmless:
// what is not on it is not proven. Where its files are is another question; see
// usesOf.
func readOnly(words []Word) bool {
	for _, word := range words {
		if !word.Static && word.kind != glob && word.kind != number {
			return false
		}
	}
	if !words[0].Static {
		return false
	}
	name := words[0].Text
	if slices.Contains(plainReaders, name) {
		return true
	}
	// The names of the files are in other files, or come from the input.
	if slices.ContainsFunc(words, func(w Word) bool { return strings.HasPrefix(w.Text, "--files0") }) {
		return false
	}
	if name == "find" && slices.ContainsFunc(words, func(w Word) bool { return w.kind == glob }) {
		return false // a file name may be an action of find
	}
	args := texts(words[1:])
	if len(args) == 1 && slices.Contains([]string{"--version", "--help"}, args[0]) && slices.Contains(versioned, name) {
		return true
	}
	if check, ok := carefulReaders[name]; ok {
		return !startsOpen(words[1:]) && check(args)
	}
	return len(args) == 1 && args[0] == "-v" && name == "node"
}

// plainReaders only read, with whatever options.
var plainReaders = strings.Fields(`
	: arch b2sum base32 base64 basename basenc cal cat cd cksum cmp column comm cut df diff dirname du echo expand expr
	false fmt fold free getconf groups head hexdump id join locale ls md5sum nl nproc numfmt od paste pr ps pwd
	readlink realpath rev seq sha1sum sha224sum sha256sum sha384sum sha512sum sleep stat strings sum tac tail tr true
	tsort tty type uname unexpand uptime wc which whoami`)

// versioned tell their version and nothing else.
var versioned = strings.Fields("cargo gcc git go java make node npm perl php pip pip3 python python3 ruby rustc")

// carefulReaders only read with the arguments that their check accepts.
var carefulReaders = map[string]func(args []string) bool{
	"date": func(args []string) bool {
		return !hasOption(args, "sfr", "--set", "--file", "--reference") && onlyFormats(args)
	},
	"file":  func(args []string) bool { return !hasOption(args, "Cfm", "--compile", "--files-from", "--magic-file") },
	"jq":    jqReads,
	"find":  findReads,
	"git":   gitReads,
	"[":     testReads,
	"egrep": grepReads,
	"fgrep": grepReads,
	"grep":  grepReads,
	"test":  testReads,
	"hostname": func(args []string) bool {
		return len(args) == 0 || len(args) == 1 && slices.Contains([]string{"-f", "-s", "-i", "-I", "-d"}, args[0])
	},
	"man":    func(args []string) bool { return len(args) > 0 && !slices.ContainsFunc(args, isDashed) },
	"printf": func(args []string) bool { return len(args) == 0 || !strings.HasPrefix(args[0], "-v") },
	"rg": func(args []string) bool {
		return !hasOption(args, "zL", "--pre", "--hostname-bin", "--search-zip", "--follow")
	},
	"sed": sedReads,
	"sort": func(args []string) bool {
		return !hasOption(args, "oT", "--output", "--compress-program", "--temporary-directory")
	},
	"tree": func(args []string) bool { return !hasOption(args, "oRl", "--output") },
	"uniq": func(args []string) bool { return uniqOperands(args) <= 1 },
	"xxd":  func(args []string) bool { return uniqOperands(args) <= 1 && !hasOption(args, "r", "--revert") },
}

func texts(words []Word) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = word.Text
	}
	return list
}

// startsOpen tells whether a pattern over file names could become an option.
func startsOpen(words []Word) bool {
	return slices.ContainsFunc(words, func(w Word) bool {
		return w.kind == glob && (w.Text == "" || strings.ContainsAny(w.Text[:1], "*?[-"))
	})
}

// hasOption tells whether one of the short options, or of the long ones or what
// getopt takes for it, is among the arguments. A value may be mistaken for an
// option, which is on the safe side.
func hasOption(args []string, short string, long ...string) bool {
	for _, arg := range args {
		switch {
		case len(arg) < 2 || arg[0] != '-':
		case arg[1] == '-':
			name, _, _ := strings.Cut(arg, "=")
			if slices.ContainsFunc(long, func(l string) bool { return len(name) > 2 && strings.HasPrefix(l, name) }) {
				return true
			}
		case strings.ContainsAny(arg[1:], short):
			return true
		}
	}
	return false
}

func isDashed(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

// onlyFormats tells whether date gets no operand that sets the clock.
func onlyFormats(args []string) bool {
	for i, arg := range args {
		valued := i > 0 && slices.Contains([]string{"-d", "--date"}, args[i-1])
		if !isDashed(arg) && !strings.HasPrefix(arg, "+") && !valued {
			return false
		}
	}
	return true
}

// uniqOperands counts operands; an option's value that stands apart counts, too.
func uniqOperands(args []string) int {
	count := 0
	for _, arg := range args {
		if !isDashed(arg) {
			count++
		}
	}
	return count
}

// grepReads tells whether grep stays where it was sent: -R follows links.
func grepReads(args []string) bool { return !hasOption(args, "R", "--dereference-recursive") }

// testReads tells whether a test names no variable, whose index it would
// evaluate.
func testReads(args []string) bool {
	return !slices.Contains(args, "-v") && !slices.Contains(args, "-R")
}

// jqReads tells whether a program of jq only looks at its input.
func jqReads(args []string) bool {
	return !hasOption(args, "fL", "--from-file", "--library-path", "--rawfile", "--slurpfile") && !slices.ContainsFunc(args, func(arg string) bool {
		return strings.Contains(arg, "env") || strings.Contains(arg, "ENV") || strings.Contains(arg, "import") || strings.Contains(arg, "include") || strings.Contains(arg, "input_")
	})
}

// findReads tells whether every part of find's expression only tests or prints.
func findReads(args []string) bool {
	for _, arg := range args {
		if !isDashed(arg) {
			continue
		}
		if !slices.Contains(findTests, arg) {
			return false
		}
	}
	return true
}

var findTests = strings.Fields(`
	-H -P -a -amin -and -anewer -atime -cmin -cnewer -ctime -daystart -depth -empty -executable -false -gid -group
	-ilname -iname -inum -ipath -iregex -iwholename -links -lname -ls -maxdepth -mindepth -mmin -mount -mtime -name -newer
	-nogroup -noleaf -not -nouser -o -or -path -perm -print -print0 -printf -prune -quit -readable -regex -regextype -samefile
	-size -true -type -uid -user -warn -wholename -writable -xdev -xtype`)

// gitReads tells whether git only looks.
func gitReads(args []string) bool {
	for len(args) > 0 && slices.Contains([]string{"--no-pager", "-P", "--no-optional-locks"}, args[0]) {
		args = args[1:]
	}
	if len(args) == 0 {
		return false
	}
	verb, rest := args[0], args[1:]
	for _, arg := range rest {
		// With a path outside, git diff compares any two files.
		if strings.HasPrefix(arg, "/") || strings.HasPrefix(arg, "~") || strings.Contains(arg, "../") || arg == ".." {
			return false
		}
	}
	if hasOption(rest, "", "--output", "--ext-diff", "--no-index", "--open-files-in-pager", "--exec", "--upload-pack", "--textconv", "--contents", "--output-directory") {
		return false
	}
	switch verb {
	case "status", "log", "diff", "show", "rev-parse", "ls-files", "ls-tree", "describe", "cat-file", "rev-list", "shortlog",
		"for-each-ref", "merge-base", "name-rev", "count-objects", "whatchanged", "diff-tree", "show-ref", "blame", "var", "version":
		return !(verb == "cat-file" && hasOption(rest, "", "--filters"))
	case "grep":
		return !hasOption(rest, "O")
	case "branch":
		return gitLists(rest, "avrl", "--all", "--list", "--remotes", "--show-current", "--verbose", "--contains", "--merged", "--no-merged", "--sort", "--format", "--no-color", "--color", "--column")
	case "tag":
		return len(rest) == 0 || gitLists(rest, "ln", "--list", "--contains", "--merged", "--no-merged", "--sort", "--format", "--points-at") && hasOption(rest, "ln", "--list", "--contains", "--points-at", "--merged", "--no-merged", "--sort")
	case "remote":
		return len(rest) == 0 || len(rest) == 1 && (rest[0] == "-v" || rest[0] == "--verbose") || rest[0] == "get-url"
	case "config":
		return len(rest) > 0 && slices.Contains([]string{"--get", "--get-all", "--get-regexp", "--list", "-l", "list", "get"}, rest[0]) && !hasOption(rest, "fe", "--file", "--edit")
	case "stash", "worktree", "reflog", "notes":
		return len(rest) > 0 && (rest[0] == "list" || rest[0] == "show") || verb == "reflog" && len(rest) == 0
	}
	return false
}

// gitLists tells whether all options are of those that list; a name alone would
// make a branch.
func gitLists(args []string, short string, long ...string) bool {
	listing := false
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		switch {
		case strings.HasPrefix(arg, "--"):
			if !slices.Contains(long, name) {
				return false
			}
			listing = listing || !slices.Contains([]string{"--verbose", "--no-color", "--color", "--column", "--sort", "--format"}, name)
		case isDashed(arg):
			if strings.Trim(arg[1:], short) != "" {
				return false
			}
			listing = listing || strings.ContainsAny(arg[1:], "alr")
		case !listing:
			return false
		}
	}
	return true
}
