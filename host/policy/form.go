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

	// exact is the words as patterns match them, with a separator between two,
	// and folded the same with the name in lower case.
	exact, folded string
	// loose is folded with words that may vanish or become several; empty when
	// every word is known.
	loose string
	// name is the first word in lower case; empty when it is not known.
	name string
	// files are the files that it is given; see uses.
	files    []fileUse
	filesSet bool
}

// uses lists the files that the reading is given. They are found out once.
func (f *form) uses() []fileUse {
	if !f.filesSet {
		f.files, f.filesSet = usesOf(f.words), true
	}
	return f.files
}

// maxLoose is how much of a command with unknown words patterns are compared
// with; what follows may be anything.
const maxLoose = 512

// maxForms bounds the readings of one command: in doubt, a wrapper has many.
const maxForms = 64

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
			named[0].shape = named[0].shape[strings.LastIndexByte(named[0].shape, '/')+1:]
			forms = append(forms, form{words: named, byName: true})
		}
	}
	for i := range forms {
		forms[i].render()
	}
	return forms, all
}

// render writes the texts that patterns are matched against.
func (f *form) render() {
	if f.words[0].Static {
		f.name = strings.ToLower(f.words[0].Text)
	}
	var exact strings.Builder
	static := true
	for i, word := range f.words {
		if i > 0 {
			exact.WriteString(separator)
		}
		exact.WriteString(word.shape)
		static = static && word.Static
	}
	f.exact = exact.String()
	f.folded = foldName(f.exact)
	if !static {
		f.loose = foldName(f.looseText())
		if len(f.loose) > maxLoose {
			f.loose = f.loose[:maxLoose] + string(anyText)
		}
	}
}

// looseText is the words, where one that may vanish takes its separator along.
func (f *form) looseText() string {
	if f.words[0].open {
		return string(anyText) // whatever follows may be the command
	}
	var loose strings.Builder
	for i, word := range f.words {
		if word.open {
			loose.WriteRune(anyText)
			continue
		}
		if i > 0 {
			loose.WriteString(separator)
		}
		loose.WriteString(word.shape)
	}
	return loose.String()
}

// foldName puts the first word into lower case.
func foldName(text string) string {
	end := strings.IndexByte(text, separator[0])
	if end < 0 {
		end = len(text)
	}
	if name := strings.ToLower(text[:end]); name != text[:end] {
		return name + text[end:]
	}
	return text
}
