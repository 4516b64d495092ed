package policy

import "strings"

// sedReads tells whether a sed command only prints: it edits no file in place,
// and its scripts are plain.
func sedReads(args []string) bool {
	return !hasOption(args, "isf", "--in-place", "--separate", "--file") && sedPlain(args)
}

// sedPlain tells whether the scripts among sed's arguments run no program and
// write no file, as the commands e and w do.
func sedPlain(args []string) bool {
	script, given := "", false
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case strings.HasPrefix(arg, "--expression="):
			script, given = script+"\n"+arg[len("--expression="):], true
		case (arg == "-e" || arg == "--expression") && i+1 < len(args):
			i++
			script, given = script+"\n"+args[i], true
		case strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && strings.HasSuffix(arg, "e") && i+1 < len(args):
			i++ // -ne SCRIPT
			script, given = script+"\n"+args[i], true
		case strings.HasPrefix(arg, "-e"):
			script, given = script+"\n"+arg[2:], true
		}
	}
	for i := 0; !given && i < len(args); i++ {
		if !isDashed(args[i]) {
			script, given = args[i], true
		}
	}
	return given && plainSedScript(script)
}

// plainSedScript reads a script of sed (POSIX sed, "Editing Commands in sed").
// What it does not understand is not plain.
func plainSedScript(script string) bool {
	s := sedScanner{text: script}
	for {
		s.skip(" \t\n;{}!")
		if s.done() {
			return true
		}
		if !s.address() {
			return false
		}
		s.skip(" \t!{")
		if s.done() || !s.command() {
			return false
		}
	}
}

type sedScanner struct {
	text string
	at   int
}

func (s *sedScanner) done() bool { return s.at >= len(s.text) }

func (s *sedScanner) skip(set string) {
	for !s.done() && strings.IndexByte(set, s.text[s.at]) >= 0 {
		s.at++
	}
}

// address reads what lines a command is for: 3, $, /re/, 1~2 and two of them.
func (s *sedScanner) address() bool {
	for !s.done() {
		switch c := s.text[s.at]; {
		case c >= '0' && c <= '9' || strings.IndexByte("$,~+ \t", c) >= 0:
			s.at++
		case c == '/':
			s.at++
			if !s.until('/') {
				return false
			}
			s.skip("IM")
		case c == '\\' && s.at+1 < len(s.text):
			delimiter := s.text[s.at+1]
			s.at += 2
			if !s.until(delimiter) {
				return false
			}
			s.skip("IM")
		default:
			return true
		}
	}
	return true
}

// until moves behind the next delimiter that no backslash and no bracket hides.
func (s *sedScanner) until(delimiter byte) bool {
	for !s.done() {
		c := s.text[s.at]
		s.at++
		switch c {
		case '\\':
			s.at++
		case '[':
			// Whether a delimiter in brackets counts depends on the sed.
			end := strings.IndexByte(s.text[min(s.at+1, len(s.text)):], ']')
			if end < 0 || strings.IndexByte(s.text[s.at:s.at+1+end], delimiter) >= 0 {
				return false
			}
		case delimiter:
			return true
		}
	}
	return false
}

// untilTwice moves behind the second of the next delimiters.
func (s *sedScanner) untilTwice(delimiter byte) bool {
	for range 2 {
		if !s.until(delimiter) {
			return false
		}
	}
	return true
}

func (s *sedScanner) command() bool {
	c := s.text[s.at]
	s.at++
	switch c {
	case 'p', 'P', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'x', 'z', '=', 'F':
		return s.ends("")
	case 'q', 'Q', 'l', 'L':
		return s.ends("0123456789 ")
	case 's':
		return s.substitute()
	case 'y':
		if s.done() {
			return false
		}
		delimiter := s.text[s.at]
		s.at++
		return s.untilTwice(delimiter) && s.ends("")
	case '#', 'a', 'i', 'c', ':', 'b', 't', 'T':
		// Text and labels go to the end of the line.
		line, _, _ := strings.Cut(s.text[s.at:], "\n")
		if strings.HasSuffix(line, `\`) || (c == 'b' || c == 't' || c == 'T' || c == ':') && strings.ContainsAny(line, ";}") {
			return false
		}
		s.at += len(line)
		return true
	}
	return false
}

// substitute reads s/re/text/flags; the flags e and w are not plain.
func (s *sedScanner) substitute() bool {
	if s.done() {
		return false
	}
	delimiter := s.text[s.at]
	s.at++
	return delimiter != '\\' && delimiter != '\n' && s.untilTwice(delimiter) && s.ends("gpiImM0123456789")
}

// ends reads the rest of a command, of the characters in set.
func (s *sedScanner) ends(set string) bool {
	s.skip(set)
	s.skip(" \t")
	return s.done() || strings.IndexByte(";\n}", s.text[s.at]) >= 0
}
