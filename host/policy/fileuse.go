package policy

import (
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/pool"
)

// fileUse is a file that a command is given.
type fileUse struct {
	word Word
	// access is what the command does with it; empty when that is not known.
	access pool.Access
	// deep tells that of a folder the command takes all that is below it.
	deep bool
}

// role says what the operands of a command are.
type role int

const (
	noFiles     role = iota // echo
	reads                   // cat
	writes                  // touch
	readsRest               // grep: the first one is a pattern
	writesRest              // chmod: the first one is a mode
	readsToLast             // cp: the last one is written
	readsFirst              // uniq: the second one is written
	readsScript             // bash: the first one is a script, the rest its own
)

// fileCommand says which arguments of a command are files.
type fileCommand struct {
	operands role
	// valued are short options whose value is no file; long are long ones whose
	// value may be the next word, with a blank between them.
	valued, long string
	// reading and writing are options whose value is a file.
	reading, writing []string
	// target is the option that names the folder that all operands go to.
	target bool
	// pattern are options that stand for the first operand.
	pattern []string
}

// usesOf lists the files that one reading of a command is given. For a command
// that is not in the table, every argument may be one.
func usesOf(words []Word) []fileUse {
	name := base(words[0])
	switch name {
	case "find":
		return findUses(words)
	case "dd":
		return ddUses(words)
	case "tar":
		return tarUses(words)
	}
	command, ok := fileCommands[name]
	if !ok {
		return anyUses(words)
	}
	operands, uses, options := command.parse(words[1:])
	for _, option := range command.pattern {
		if slices.Contains(options, option) && (command.operands == readsRest || command.operands == writesRest) {
			command.operands-- // to reads, or from writesRest to readsRest
		}
	}
	if name == "sed" && inPlace(options) {
		command.operands = writesRest
		if slices.ContainsFunc(options, func(o string) bool { return o == "-e" || o == "-f" || o == "--expression" || o == "--file" }) {
			command.operands = writes
		}
	}
	if command.target && slices.ContainsFunc(options, func(o string) bool { return o == "-t" || o == "--target-directory" }) {
		command.operands = reads
	}
	if name == "curl" {
		uses = append(uses, curlUses(words[1:])...)
	}
	deep := recursive(name, options)
	given := command.operandUses(name, operands)
	if len(given) == 0 && deep && slices.Contains(searchers, name) {
		given = []fileUse{{word: knownWord("."), access: pool.AccessRead}}
	}
	for _, use := range given {
		use.deep = deep
		uses = append(uses, use)
	}
	return uses
}

func (c fileCommand) operandUses(name string, operands []Word) []fileUse {
	var uses []fileUse
	for i, word := range operands {
		use := fileUse{word: word, access: pool.AccessRead}
		switch c.operands {
		case noFiles:
			continue
		case readsRest, writesRest:
			if i == 0 {
				continue
			}
			if c.operands == writesRest {
				use.access = pool.AccessWrite
			}
		case writes:
			use.access = pool.AccessWrite
		case readsToLast:
			if i == len(operands)-1 && i > 0 {
				use.access = pool.AccessWrite
			}
		case readsFirst:
			if i > 0 {
				use.access = pool.AccessWrite
			}
		case readsScript:
			if i > 0 {
				use.access = ""
			}
		}
		uses = append(uses, use)
	}
	if len(operands) == 0 && name == "cd" {
		uses = append(uses, fileUse{word: homeWord(), access: pool.AccessRead})
	}
	if len(operands) == 0 && slices.Contains(listers, name) {
		uses = append(uses, fileUse{word: knownWord("."), access: pool.AccessRead})
	}
	return uses
}

// listers show the folder they are in when they are given none.
var listers = []string{"ls", "dir", "vdir", "tree", "du", "eza", "exa", "lsd"}

// parse splits arguments into operands and options, and lists the files in the
// values of options.
func (c fileCommand) parse(args []Word) (operands []Word, uses []fileUse, options []string) {
	value := func(option string, word Word) {
		switch {
		case slices.Contains(c.reading, option):
			uses = append(uses, fileUse{word: word, access: pool.AccessRead})
		case slices.Contains(c.writing, option):
			uses = append(uses, fileUse{word: word, access: pool.AccessWrite})
		}
	}
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		switch {
		case text == "--" && args[i].Static:
			return append(operands, args[i+1:]...), uses, options
		case len(text) < 2 || text[0] != '-':
			operands = append(operands, args[i])
		case text[1] == '-':
			name, inline, attached := strings.Cut(text, "=")
			name = c.longName(name)
			options = append(options, name)
			switch {
			case attached:
				value(name, args[i].after(len(text)-len(inline)))
			case c.takesValue(name) && i+1 < len(args):
				i++
				value(name, args[i])
			}
		default:
			for j := 1; j < len(text); j++ {
				name := "-" + text[j:j+1]
				options = append(options, name)
				if !c.takesValue(name) {
					continue
				}
				if j+1 < len(text) {
					value(name, args[i].after(j+1))
				} else if i+1 < len(args) {
					i++
					value(name, args[i])
				}
				break
			}
		}
	}
	return operands, uses, options
}

// longName completes a long option that is cut short, as getopt does, to one
// whose value is a file.
func (c fileCommand) longName(name string) string {
	for _, option := range slices.Concat(c.reading, c.writing, []string{"--target-directory"}) {
		if len(name) > 2 && strings.HasPrefix(option, name) {
			return option
		}
	}
	return name
}

// takesValue tells whether an option has a value.
func (c fileCommand) takesValue(name string) bool {
	if slices.Contains(c.reading, name) || slices.Contains(c.writing, name) || c.target && (name == "-t" || name == "--target-directory") {
		return true
	}
	if strings.HasPrefix(name, "--") {
		return slices.Contains(strings.Fields(c.long), name[2:])
	}
	return strings.Contains(c.valued, name[1:])
}

// after is the rest of a word from byte i on.
func (w Word) after(i int) Word {
	w.Text = w.Text[i:]
	w.home = strings.HasPrefix(w.Text, "~/") || w.Text == "~"
	if w.Static {
		w.shape = w.Text
	} else {
		w.shape = string(anyText)
	}
	return w
}

// curlUses lists what curl sends: -d @file and -F name=@file read files, and
// user@host may look the same.
func curlUses(args []Word) []fileUse {
	var uses []fileUse
	for _, word := range args {
		i := strings.IndexByte(word.Text, '@')
		if i < 0 || !word.Static {
			continue
		}
		access := pool.Access("")
		if i == 0 || word.Text[i-1] == '=' || word.Text[0] == '-' {
			access = pool.AccessRead
		}
		uses = append(uses, fileUse{word: word.after(i + 1), access: access})
	}
	return uses
}

func inPlace(options []string) bool {
	return slices.Contains(options, "-i") || slices.Contains(options, "--in-place")
}

// anyUses takes every argument for a file of which it is not known whether it is
// read or written: the word itself, and what follows the first = or a short
// option.
func anyUses(words []Word) []fileUse {
	uses := make([]fileUse, 0, len(words))
	for _, word := range words[1:] {
		if !word.Static {
			continue
		}
		uses = append(uses, fileUse{word: word, access: ""})
		if i := strings.IndexAny(word.Text, "=:@"); i >= 0 {
			uses = append(uses, fileUse{word: word.after(i + 1), access: ""})
		}
		if len(word.Text) > 2 && word.Text[0] == '-' && word.Text[1] != '-' {
			uses = append(uses, fileUse{word: word.after(2), access: ""})
		}
	}
	return uses
}

// findUses lists where find starts, and the files that it writes.
func findUses(words []Word) []fileUse {
	var uses []fileUse
	access := pool.AccessRead
	if slices.ContainsFunc(words, func(w Word) bool { return w.Text == "-delete" }) {
		access = pool.AccessWrite
	}
	i := 1
	for i < len(words) && (words[i].Text == "-H" || words[i].Text == "-L" || words[i].Text == "-P") {
		i++
	}
	for ; i < len(words); i++ {
		text := words[i].Text
		if text != "" && strings.ContainsAny(text[:1], "-(!,)") && words[i].Static {
			break
		}
		uses = append(uses, fileUse{word: words[i], access: access})
	}
	if len(uses) == 0 {
		uses = append(uses, fileUse{word: knownWord("."), access: access})
	}
	for i := range uses {
		uses[i].deep = access == pool.AccessWrite // else it only lists names
	}
	for ; i+1 < len(words); i++ {
		switch words[i].Text {
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			uses = append(uses, fileUse{word: words[i+1], access: pool.AccessWrite})
		case "-newer", "-anewer", "-cnewer", "-samefile", "-files0-from":
			uses = append(uses, fileUse{word: words[i+1], access: pool.AccessRead})
		}
	}
	return uses
}

func ddUses(words []Word) []fileUse {
	var uses []fileUse
	for _, word := range words[1:] {
		if strings.HasPrefix(word.Text, "if=") {
			uses = append(uses, fileUse{word: word.after(3), access: pool.AccessRead})
		}
		if strings.HasPrefix(word.Text, "of=") {
			uses = append(uses, fileUse{word: word.after(3), access: pool.AccessWrite})
		}
	}
	return uses
}

// tarUses takes what tar is given as read when it creates or lists an archive,
// and as written when it unpacks one.
func tarUses(words []Word) []fileUse {
	args := slices.Clone(words[1:])
	if len(args) > 0 && args[0].Static && args[0].Text != "" && args[0].Text[0] != '-' {
		args[0] = knownWord("-" + args[0].Text) // the old style: tar cf x
	}
	command := fileCommand{valued: "bCHKLNVXIFg", long: "directory exclude format transform strip-components use-compress-program",
		reading: []string{"-T", "--files-from", "-X", "--exclude-from"}, writing: []string{"-f", "--file", "-C", "--directory"}}
	operands, uses, options := command.parse(args)
	packs := slices.ContainsFunc(options, func(o string) bool {
		return slices.Contains([]string{"-c", "-r", "-u", "-t", "-d", "--create", "--append", "--update", "--list", "--diff"}, o)
	})
	for _, operand := range operands {
		access := pool.AccessWrite
		if packs {
			access = pool.AccessRead
		}
		uses = append(uses, fileUse{word: operand, access: access, deep: packs})
	}
	if slices.Contains(options, "-t") || slices.Contains(options, "--list") {
		for i := range uses {
			uses[i].access = pool.AccessRead
		}
	}
	return uses
}
