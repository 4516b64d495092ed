package policy

// fileCommands are the commands of which it is known what they do with files. A
// command that is missing is taken to do anything with any of its arguments.
var fileCommands = makeFileCommands()

func makeFileCommands() map[string]fileCommand {
	table := make(map[string]fileCommand)
	add := func(command fileCommand, names ...string) {
		for _, name := range names {
			table[name] = command
		}
	}
	add(fileCommand{}, "echo", "printf", "true", "false", ":", "pwd", "whoami", "id", "uname", "date", "sleep", "seq", "basename",
		"dirname", "which", "type", "hostname", "kill", "export", "unset", "set", "exit", "return", "expr", "nproc", "uptime",
		"jobs", "wait", "yes", "tty", "locale", "getconf", "test", "[", "tr", "arch", "groups", "free", "ps", "cal", "command",
		"declare", "local", "readonly", "typeset", "alias", "logname", "printenv", "numfmt", "nice", "timeout", "nohup", "time",
		"stdbuf", "env", "sudo", "doas", "xargs", "builtin", "exec", "setsid", "ionice", "watch", "eval", "trap", "read", "break",
		"continue", "shift", "umask", "ulimit", "hash", "popd", "dirs", "help", "history", "man", "mktemp")
	addReaders(add)
	addWriters(add)
	return table
}

func addReaders(add func(fileCommand, ...string)) {
	add(fileCommand{operands: reads}, "cat", "tac", "rev", "less", "more", "most", "zcat", "bzcat", "xzcat", "zless", "stat",
		"file", "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "cksum", "sum", "comm", "tsort",
		"readlink", "realpath", "cd", "pushd", "source", ".", "bat", "batcat", "open", "xdg-open", "look", "cmp")
	add(fileCommand{operands: reads, valued: "ens", reading: []string{"-f"}}, "hexdump", "hd")
	add(fileCommand{operands: reads, valued: "wITk", long: "width ignore tabsize block-size color sort time-style hide quoting-style indicator-style format time"},
		"ls", "dir", "vdir", "eza", "exa", "lsd")
	add(fileCommand{operands: reads, valued: "nc", long: "lines bytes pid sleep-interval max-unchanged-stats"}, "head", "tail")
	add(fileCommand{operands: reads, reading: []string{"--files0-from"}}, "wc")
	add(fileCommand{operands: reads, valued: "BdtX", long: "block-size max-depth threshold exclude time-style", reading: []string{"--files0-from", "-X", "--exclude-from"}}, "du")
	add(fileCommand{operands: reads, valued: "bdfhilnsvw"}, "nl")
	add(fileCommand{operands: reads, valued: "AjNStw", long: "skip-bytes address-radix read-bytes format width strings"}, "od")
	add(fileCommand{operands: reads, valued: "bcdf", long: "bytes characters delimiter fields output-delimiter"}, "cut")
	add(fileCommand{operands: reads, valued: "d", long: "delimiters"}, "paste")
	add(fileCommand{operands: reads, valued: "wptgW", long: "width tabs prefix goal"}, "fold", "fmt", "expand", "unexpand", "pr")
	add(fileCommand{operands: reads, valued: "csNERHdlnoptTW"}, "column")
	add(fileCommand{operands: reads, valued: "net", long: "bytes encoding radix"}, "strings")
	add(fileCommand{operands: reads, valued: "w", long: "wrap"}, "base64", "base32", "basenc")
	add(fileCommand{operands: reads, valued: "UCWFxSI", long: "unified context width label exclude", reading: []string{"--to-file", "--from-file", "-X", "--exclude-from"}}, "diff", "diff3", "sdiff", "colordiff")
	add(fileCommand{operands: reads, valued: "tj12aeov"}, "join")
	add(fileCommand{operands: reads, valued: "ni", long: "head-count", reading: []string{"--random-source"}, writing: []string{"-o", "--output"}}, "shuf")
	add(fileCommand{operands: reads, valued: "kStT", long: "key field-separator buffer-size sort compress-program parallel batch-size",
		reading: []string{"--files0-from", "--random-source"}, writing: []string{"-o", "--output", "-T", "--temporary-directory"}}, "sort")
	add(fileCommand{operands: readsFirst, valued: "fsw", long: "skip-fields skip-chars check-chars"}, "uniq")
	add(fileCommand{operands: readsFirst, valued: "clos"}, "xxd")
	add(fileCommand{operands: reads, valued: "LPIHT", long: "filelimit charset", writing: []string{"-o"}}, "tree")
	add(fileCommand{operands: reads, valued: "ft", long: "from-code to-code", writing: []string{"-o", "--output"}}, "iconv")
	add(fileCommand{operands: readsRest, valued: "ABCmdDtTjgEM", pattern: []string{"-e", "-f", "--regexp", "--file", "--files"},
		long:    "context after-context before-context max-count include exclude exclude-dir color binary-files label type type-not glob iglob threads max-depth regexp sort max-columns max-filesize engine encoding replace colors",
		reading: []string{"-f", "--file", "--exclude-from", "--ignore-file"}}.withValue("e"), "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack")
	add(fileCommand{operands: readsRest, valued: "lE", pattern: []string{"-e", "-f", "--expression", "--file"}, long: "expression line-length",
		reading: []string{"-f", "--file"}}.withValue("e"), "sed")
	add(fileCommand{operands: readsRest, valued: "Fv", pattern: []string{"-f", "--file"}, long: "field-separator assign",
		reading: []string{"-f", "--file", "-E", "--exec", "-i", "--include"}}, "awk", "gawk", "mawk", "nawk")
	add(fileCommand{operands: readsRest, pattern: []string{"-f", "--from-file"}, long: "indent arg argjson",
		reading: []string{"-f", "--from-file", "-L"}}, "jq", "yq")
	add(fileCommand{operands: readsScript, valued: "cmeWXIrSE", long: "eval require"}, "python", "python2", "python3", "node", "ruby", "perl", "php",
		"bash", "sh", "zsh", "dash", "ksh", "fish", "lua", "deno", "bun")
}

// withValue adds short options with a value that is no file.
func (c fileCommand) withValue(options string) fileCommand {
	c.valued += options
	return c
}

func addWriters(add func(fileCommand, ...string)) {
	add(fileCommand{operands: writes}, "rmdir", "rm", "unlink", "tee", "mkfifo", "gunzip", "bunzip2", "unxz", "ed", "ex", "vi", "vim", "nvim",
		"nano", "emacs", "wipefs", "unzip")
	add(fileCommand{operands: writes, valued: "dt", long: "date time", reading: []string{"-r", "--reference"}}, "touch")
	add(fileCommand{operands: writes, valued: "m", long: "mode"}, "mkdir")
	add(fileCommand{operands: writes, valued: "ns", long: "iterations size"}, "shred")
	add(fileCommand{operands: writes, valued: "s", long: "size", reading: []string{"-r", "--reference"}}, "truncate")
	add(fileCommand{operands: writesRest, pattern: []string{"--reference"}, reading: []string{"--reference"}}, "chmod", "chown", "chgrp")
	add(fileCommand{operands: writesRest, valued: "mxnd"}, "setfacl", "setfattr", "chattr")
	add(fileCommand{operands: readsToLast, valued: "S", long: "suffix", target: true, writing: []string{"-t", "--target-directory"}}, "cp")
	add(fileCommand{operands: readsToLast, valued: "mogSCZ", long: "mode owner group suffix", target: true, writing: []string{"-t", "--target-directory"}}, "install")
	add(fileCommand{operands: writes, valued: "S", long: "suffix", writing: []string{"-t", "--target-directory"}}, "mv", "ln")
	add(fileCommand{operands: readsToLast, valued: "efBTM", long: "rsh exclude include filter", reading: []string{"--files-from", "--exclude-from", "--include-from"}}, "rsync", "scp")
	add(fileCommand{operands: writes, valued: "S", long: "suffix"}, "gzip", "bzip2", "xz", "zstd", "zip")
	add(fileCommand{operands: readsFirst, valued: "abCln", long: "bytes lines number suffix-length"}, "split", "csplit")
	add(fileCommand{operands: writes, valued: "pdDF", long: "strip directory", reading: []string{"-i", "--input"}, writing: []string{"-o", "--output", "-r", "--reject-file"}}, "patch")
	add(fileCommand{valued: "HXdAeuxmbFrwCYyEQUtz", long: "header request data user-agent referer user proxy max-time cookie form range write-out retry data-raw data-binary data-urlencode url connect-timeout",
		reading: []string{"-T", "--upload-file", "-K", "--config", "--cacert", "--cert", "--key", "-E"},
		writing: []string{"-o", "--output", "-c", "--cookie-jar", "-D", "--dump-header", "--trace", "--output-dir", "--stderr"}}, "curl")
	add(fileCommand{valued: "UtTwQlARDXI", long: "header user-agent post-data tries timeout level method body-data",
		reading: []string{"-i", "--input-file", "--post-file", "--body-file", "--load-cookies"},
		writing: []string{"-O", "--output-document", "-o", "--output-file", "-P", "--directory-prefix", "-a", "--append-output", "--save-cookies"}}, "wget")
}
