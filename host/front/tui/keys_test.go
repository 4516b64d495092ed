package tui

import (
	"testing"

	"github.com/gdamore/tcell/v2"
)

func TestEncodeKey(t *testing.T) {
	cases := map[string]struct {
		key         tcell.Key
		r           rune
		mods        tcell.ModMask
		application bool
		want        string
	}{
		"a letter":                    {key: tcell.KeyRune, r: 'a', want: "a"},
		"a letter of two bytes":       {key: tcell.KeyRune, r: 'é', want: "é"},
		"Alt puts escape in front":    {key: tcell.KeyRune, r: 'b', mods: tcell.ModAlt, want: "\x1bb"},
		"Enter":                       {key: tcell.KeyEnter, want: "\r"},
		"Tab":                         {key: tcell.KeyTab, want: "\t"},
		"Backtab":                     {key: tcell.KeyBacktab, want: "\x1b[Z"},
		"Esc":                         {key: tcell.KeyEscape, want: "\x1b"},
		"Backspace":                   {key: tcell.KeyBackspace2, want: "\x7f"},
		"Alt Backspace":               {key: tcell.KeyBackspace, mods: tcell.ModAlt, want: "\x1b\x7f"},
		"Ctrl Backspace":              {key: tcell.KeyBackspace, mods: tcell.ModCtrl, want: "\x08"},
		"Ctrl-C":                      {key: tcell.KeyCtrlC, mods: tcell.ModCtrl, want: "\x03"},
		"Ctrl-D":                      {key: tcell.KeyCtrlD, want: "\x04"},
		"Ctrl-Z":                      {key: tcell.KeyCtrlZ, want: "\x1a"},
		"Ctrl-Space":                  {key: tcell.KeyCtrlSpace, want: "\x00"},
		"Ctrl-Backslash":              {key: tcell.KeyCtrlBackslash, want: "\x1c"},
		"Ctrl-Alt-a":                  {key: tcell.KeyRune, r: 'a', mods: tcell.ModCtrl | tcell.ModAlt, want: "\x1b\x01"},
		"Ctrl-slash":                  {key: tcell.KeyRune, r: '/', mods: tcell.ModCtrl, want: "\x1f"},
		"Ctrl with a digit":           {key: tcell.KeyRune, r: '1', mods: tcell.ModCtrl, want: "1"},
		"Up":                          {key: tcell.KeyUp, want: "\x1b[A"},
		"Up in application mode":      {key: tcell.KeyUp, application: true, want: "\x1bOA"},
		"Ctrl-Left":                   {key: tcell.KeyLeft, mods: tcell.ModCtrl, want: "\x1b[1;5D"},
		"Ctrl-Left in application":    {key: tcell.KeyLeft, mods: tcell.ModCtrl, application: true, want: "\x1b[1;5D"},
		"Shift-Alt-Right":             {key: tcell.KeyRight, mods: tcell.ModShift | tcell.ModAlt, want: "\x1b[1;4C"},
		"Home":                        {key: tcell.KeyHome, want: "\x1b[H"},
		"End in application mode":     {key: tcell.KeyEnd, application: true, want: "\x1bOF"},
		"F1":                          {key: tcell.KeyF1, want: "\x1bOP"},
		"Shift-F1":                    {key: tcell.KeyF1, mods: tcell.ModShift, want: "\x1b[1;2P"},
		"F5":                          {key: tcell.KeyF5, want: "\x1b[15~"},
		"F12":                         {key: tcell.KeyF12, want: "\x1b[24~"},
		"F13 is Shift-F1":             {key: tcell.KeyF13, want: "\x1b[1;2P"},
		"F17 is Shift-F5":             {key: tcell.KeyF17, want: "\x1b[15;2~"},
		"Insert":                      {key: tcell.KeyInsert, want: "\x1b[2~"},
		"Delete":                      {key: tcell.KeyDelete, want: "\x1b[3~"},
		"Ctrl-Delete":                 {key: tcell.KeyDelete, mods: tcell.ModCtrl, want: "\x1b[3;5~"},
		"PgUp":                        {key: tcell.KeyPgUp, want: "\x1b[5~"},
		"PgDn":                        {key: tcell.KeyPgDn, want: "\x1b[6~"},
		"a key without bytes is none": {key: tcell.KeyPrint, want: ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := encodeKey(tcell.NewEventKey(c.key, c.r, c.mods), c.application); string(got) != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
