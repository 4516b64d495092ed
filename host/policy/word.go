package policy

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Word is one word of a command after quote removal.
type Word struct {
	// Text is the word as the command gets it. What is only known when the
	// command runs is left out of it, but the home directory stands as "~".
	Text string
	// Static tells that Text is the whole word, and one word.
	Static bool

	// shape is Text with marks for what is not known; see anyText.
	shape string
	kind  wordKind
	// home tells that the "~" at the start of Text is the home directory.
	home bool
	// open tells that the word may become none, or several.
	open bool
}

// The marks in a shape. A script that holds these characters is refused.
const (
	anyText = '\x01' // any text, or none
	anyChar = '\x02' // one character
	marks   = "\x01\x02"
)

// wordKind says how a word is not known.
type wordKind int

const (
	known   wordKind = iota
	glob             // a pattern over file names
	number           // the result of constant arithmetic
	input            // what xargs or find puts there
	unknown          // anything
)

// known is a word that is exactly text.
func knownWord(text string) Word { return Word{Text: text, Static: true, shape: text} }

// homeWord is the home directory.
func homeWord() Word { return Word{Text: "~", Static: true, shape: "~", home: true} }

// unknownWord is a word of which nothing is known.
func unknownWord(kind wordKind) Word { return Word{shape: string(anyText), kind: kind, open: true} }

// fieldReader makes the words that bash makes of one word of the source: it
// removes quotes, expands what is known and splits it.
type fieldReader struct {
	scope *scope
	// odd is told what blocks an allow although it is known.
	odd func(why string)

	fields  []Word
	text    strings.Builder
	shape   strings.Builder
	kind    wordKind
	started bool
	home    bool
	open    bool
	// vague tells that a bracket was opened: what follows may be in it, and is
	// not followed.
	vague bool
}

// special are the characters that bash or zsh may treat specially in a word
// without quotes.
const special = `\*?[{~=`

// isPlain tells whether a word without quotes stands for itself. [ alone is a
// command, no pattern.
func isPlain(text string) bool { return !strings.ContainsAny(text, special) || text == "[" }

// readWords reads one word of the source; scope may be nil.
func readWords(word *syntax.Word, scope *scope, odd func(why string)) []Word {
	if len(word.Parts) == 1 {
		if lit, ok := word.Parts[0].(*syntax.Lit); ok && isPlain(lit.Value) {
			return []Word{knownWord(lit.Value)}
		}
	}
	var words []Word
	for _, braced := range expandBraces(word, odd) {
		if braced == nil {
			words = append(words, unknownWord(unknown))
			continue
		}
		r := fieldReader{scope: scope, odd: odd}
		for i, part := range braced.Parts {
			r.part(part, i == 0)
		}
		r.end()
		words = append(words, r.fields...)
	}
	return words
}

// readOne reads a word that bash does not split, as a value or a file name.
func readOne(word *syntax.Word, scope *scope, odd func(why string)) Word {
	words := readWords(word, scope, odd)
	switch len(words) {
	case 0:
		return knownWord("")
	case 1:
		return words[0]
	}
	return unknownWord(unknown)
}

// end finishes a field.
func (r *fieldReader) end() {
	if !r.started {
		return
	}
	word := Word{Text: r.text.String(), shape: r.shape.String(), kind: r.kind, home: r.home, open: r.open}
	word.Static = r.kind == known
	// zsh expands =name to the path of a command.
	if word.Static && strings.HasPrefix(word.Text, "=") {
		word.Static, word.kind, word.shape = false, unknown, string(anyText)
	}
	r.fields = append(r.fields, word)
	r.text.Reset()
	r.shape.Reset()
	r.kind, r.started, r.home, r.open, r.vague = known, false, false, false, false
}

func (r *fieldReader) write(text string) {
	r.started = true
	r.text.WriteString(text)
	if !r.vague {
		r.shape.WriteString(text)
	}
}

// writeQuoted writes text in quotes. A line in it that looks like a comment hides
// what follows from a person.
func (r *fieldReader) writeQuoted(text string) {
	r.write(text)
	if !strings.Contains(text, "\n") {
		return
	}
	for _, line := range strings.Split(text, "\n")[1:] {
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			r.odd("has a line in quotes that looks like a comment")
		}
	}
}

// unknown adds a part that is not known; open: that may be split.
func (r *fieldReader) unknown(kind wordKind, open bool) {
	r.started = true
	r.shape.WriteRune(anyText)
	r.kind = max(r.kind, kind)
	r.open = r.open || open
}

func (r *fieldReader) part(part syntax.WordPart, first bool) {
	switch part := part.(type) {
	case *syntax.Lit:
		r.literal(part.Value, first)
	case *syntax.SglQuoted:
		r.started = true
		if !part.Dollar {
			r.writeQuoted(part.Value)
			return
		}
		r.odd("uses quotes with escapes of their own, as $'\\x41'")
		text, ok := decodeANSI(part.Value)
		if !ok || strings.ContainsAny(text, marks) {
			r.unknown(unknown, false)
			return
		}
		r.write(text)
	case *syntax.DblQuoted:
		r.started = true
		if part.Dollar {
			r.odd("uses text that is translated, as $\"text\"")
		}
		for _, inner := range part.Parts {
			r.quoted(inner)
		}
	case *syntax.ParamExp:
		r.parameter(part, false)
	case *syntax.ArithmExp:
		r.arithmetic(part)
	case *syntax.ProcSubst:
		r.unknown(unknown, false)
	case *syntax.ExtGlob:
		r.odd("uses a pattern with parentheses, which may run code in zsh")
		r.unknown(glob, false)
	default:
		r.unknown(unknown, true)
	}
}

// quoted reads a part inside double quotes.
func (r *fieldReader) quoted(part syntax.WordPart) {
	switch part := part.(type) {
	case *syntax.Lit:
		r.writeQuoted(doubleQuoted(part.Value))
	case *syntax.ParamExp:
		r.parameter(part, true)
	case *syntax.ArithmExp:
		r.arithmetic(part)
	case *syntax.CmdSubst:
		if text, ok := quotedDocument(part); ok {
			r.writeQuoted(text)
			return
		}
		r.unknown(unknown, false)
	default:
		r.unknown(unknown, false)
	}
}

func (r *fieldReader) arithmetic(expansion *syntax.ArithmExp) {
	if constantArithmetic(expansion.X) {
		r.unknown(number, false)
		return
	}
	r.odd("evaluates an expression")
	r.unknown(unknown, false)
}

func (r *fieldReader) parameter(param *syntax.ParamExp, quoted bool) {
	name, plain := plainParameter(param)
	if !plain {
		r.odd("uses a variable")
		r.unknown(unknown, !quoted || isList(param))
		return
	}
	value, ok := r.scope.value(name)
	if !ok {
		r.odd("uses a variable")
		if name == "HOME" && r.scope.homeHolds() && !r.started {
			r.text.WriteString("~")
		}
		r.unknown(unknown, !quoted)
		return
	}
	if value.odd {
		r.odd("uses a variable")
	}
	if value.home && r.started && r.text.Len() > 0 {
		r.unknown(unknown, false)
		return
	}
	r.home = r.home || value.home
	switch {
	case quoted || !strings.ContainsAny(value.text, " \t\n*?["):
		if quoted || value.text != "" {
			r.write(value.text)
		}
	case r.scope.splitsPlainly():
		r.split(value.text)
	default:
		r.unknown(unknown, true)
	}
}

// split writes an unquoted value, which bash splits and then takes for patterns.
func (r *fieldReader) split(value string) {
	for i := 0; i < len(value); i++ {
		switch c := value[i]; c {
		case ' ', '\t', '\n':
			r.end()
		case '*', '?', '[':
			r.pattern(c)
		default:
			r.write(string(c))
		}
	}
}

// literal reads unquoted text: a backslash keeps the next character.
func (r *fieldReader) literal(value string, first bool) {
	for i := 0; i < len(value); i++ {
		if plain := strings.IndexAny(value[i:], special); plain != 0 {
			if plain < 0 {
				plain = len(value) - i
			}
			r.write(value[i : i+plain])
			i += plain
			if i == len(value) {
				return
			}
		}
		switch c := value[i]; c {
		case '\\':
			i++
			if i < len(value) && value[i] != '\n' {
				r.write(value[i : i+1])
			}
		case '*', '?', '[':
			r.pattern(c)
		case '~':
			r.tilde(value[i:], first && i == 0)
		default:
			r.write(value[i : i+1])
		}
	}
}

// pattern writes a character that may match file names.
func (r *fieldReader) pattern(c byte) {
	r.started = true
	r.text.WriteByte(c)
	switch {
	case r.vague:
	case c == '?':
		r.shape.WriteRune(anyChar)
	default:
		r.shape.WriteRune(anyText)
		r.vague = c == '['
	}
	r.kind = max(r.kind, glob)
}

// tilde reads a tilde and what follows it. It is the home directory at the start
// of a word, alone or before a slash; ~user and ~+ are not known here. Elsewhere
// it expands in assignments only, which are read apart.
func (r *fieldReader) tilde(rest string, first bool) {
	switch {
	case !first:
		r.write("~")
	case len(rest) > 1 && rest[1] != '/':
		r.text.WriteByte('~')
		r.unknown(unknown, false)
	case r.scope.homeHolds():
		r.home = true
		r.write("~")
	default:
		r.unknown(unknown, false)
	}
}

// doubleQuoted reads text in double quotes, where a backslash is special only
// before the characters that POSIX lists (XCU 2.2.3).
func doubleQuoted(value string) string {
	if !strings.Contains(value, `\`) {
		return value
	}
	var text strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' && i+1 < len(value) && strings.IndexByte("$`\"\\\n", value[i+1]) >= 0 {
			i++
			if value[i] == '\n' {
				continue
			}
		}
		text.WriteByte(value[i])
	}
	return text.String()
}

// plainParameter is the name of $NAME and ${NAME}.
func plainParameter(p *syntax.ParamExp) (name string, plain bool) {
	if p.Param == nil || p.Excl || p.Length || p.Width || p.IsSet || p.Index != nil || p.Slice != nil || p.Repl != nil ||
		p.Exp != nil || p.Names != 0 || p.NestedParam != nil || p.Flags != nil || len(p.Modifiers) > 0 {
		return "", false
	}
	return p.Param.Value, !slices.Contains([]string{"@", "*", "#", "?", "-", "$", "!"}, p.Param.Value)
}

// isList tells whether an expansion may become several words inside quotes.
func isList(p *syntax.ParamExp) bool {
	return p.Param == nil || p.Param.Value == "@" || p.Index != nil || p.Names != 0 || p.Excl
}

// constantArithmetic tells whether an expression has numbers and operators only.
// A name is evaluated, and what it holds is evaluated in turn.
func constantArithmetic(expr syntax.ArithmExpr) bool {
	constant := expr != nil
	if !constant {
		return false
	}
	syntax.Walk(expr, func(node syntax.Node) bool {
		switch node := node.(type) {
		case nil, *syntax.BinaryArithm, *syntax.UnaryArithm, *syntax.ParenArithm, *syntax.Word:
		case *syntax.Lit:
			constant = constant && node.Value != "" && strings.Trim(node.Value, "0123456789") == ""
		default:
			constant = false
		}
		return constant
	})
	return constant
}
