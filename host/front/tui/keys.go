package tui

import (
	"strconv"

	"github.com/gdamore/tcell/v2"
)

// cursorKeys end in one letter, after ESC [ or, in application mode, ESC O.
var cursorKeys = map[tcell.Key]byte{
	tcell.KeyUp: 'A', tcell.KeyDown: 'B', tcell.KeyRight: 'C', tcell.KeyLeft: 'D',
	tcell.KeyHome: 'H', tcell.KeyEnd: 'F',
}

// functionKeys end in one letter, always after ESC O.
var functionKeys = map[tcell.Key]byte{
	tcell.KeyF1: 'P', tcell.KeyF2: 'Q', tcell.KeyF3: 'R', tcell.KeyF4: 'S',
}

// numberedKeys are ESC [ number ~.
var numberedKeys = map[tcell.Key]int{
	tcell.KeyInsert: 2, tcell.KeyDelete: 3, tcell.KeyPgUp: 5, tcell.KeyPgDn: 6,
	tcell.KeyF5: 15, tcell.KeyF6: 17, tcell.KeyF7: 18, tcell.KeyF8: 19, tcell.KeyF9: 20,
	tcell.KeyF10: 21, tcell.KeyF11: 23, tcell.KeyF12: 24,
}

// encodeKey returns what an xterm sends for a key; nil for a key that has no
// bytes. application is the mode of the cursor keys (DECCKM).
//
// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-PC-Style-Function-Keys
func encodeKey(event *tcell.EventKey, application bool) []byte {
	key, mods := event.Key(), event.Modifiers()
	// F13 to F24 is how a terminal reports Shift with F1 to F12.
	if key >= tcell.KeyF13 && key <= tcell.KeyF24 {
		key, mods = key-tcell.KeyF13+tcell.KeyF1, mods|tcell.ModShift
	}
	if letter, ok := cursorKeys[key]; ok {
		if application {
			return lettered("\x1bO", letter, mods)
		}
		return lettered("\x1b[", letter, mods)
	}
	if letter, ok := functionKeys[key]; ok {
		return lettered("\x1bO", letter, mods)
	}
	if number, ok := numberedKeys[key]; ok {
		return []byte("\x1b[" + strconv.Itoa(number) + modifier(";", mods) + "~")
	}
	return encodeTyped(key, event.Rune(), mods)
}

// lettered is a key that ends in a letter. Modifiers always take the ESC [ form.
func lettered(plain string, letter byte, mods tcell.ModMask) []byte {
	if m := modifier("1;", mods); m != "" {
		return append([]byte("\x1b["+m), letter)
	}
	return append([]byte(plain), letter)
}

// modifier is xterm's number of the modifiers after before; "" for none.
func modifier(before string, mods tcell.ModMask) string {
	n := 1
	for _, m := range []struct {
		mask  tcell.ModMask
		value int
	}{{tcell.ModShift, 1}, {tcell.ModAlt, 2}, {tcell.ModCtrl, 4}, {tcell.ModMeta, 8}} {
		if mods&m.mask != 0 {
			n += m.value
		}
	}
	if n == 1 {
		return ""
	}
	return before + strconv.Itoa(n)
}

// encodeTyped encodes characters and control characters; Alt puts ESC in front.
func encodeTyped(key tcell.Key, r rune, mods tcell.ModMask) []byte {
	var bytes []byte
	switch {
	case key == tcell.KeyBacktab:
		return []byte("\x1b[Z")
	case key == tcell.KeyBackspace && mods&tcell.ModCtrl != 0:
		bytes = []byte{0x08}
	case key == tcell.KeyBackspace, key == tcell.KeyBackspace2:
		bytes = []byte{0x7f}
	case key == tcell.KeyRune && mods&tcell.ModCtrl != 0:
		bytes = control(r)
	case key == tcell.KeyRune:
		bytes = []byte(string(r))
	case key >= tcell.KeyCtrlSpace && key <= tcell.KeyCtrlUnderscore:
		bytes = []byte{byte(key - tcell.KeyCtrlSpace)}
	case key >= 0 && key < ' ':
		bytes = []byte{byte(key)}
	}
	if len(bytes) > 0 && mods&(tcell.ModAlt|tcell.ModMeta) != 0 {
		return append([]byte{0x1b}, bytes...)
	}
	return bytes
}

// control is the control character of a key, or the key where there is none.
func control(r rune) []byte {
	switch {
	case r == ' ':
		return []byte{0}
	case r == '?':
		return []byte{0x7f}
	case r == '/':
		return []byte{0x1f}
	case r >= '@' && r <= '_', r >= 'a' && r <= 'z':
		return []byte{byte(r) & 0x1f}
	}
	return []byte(string(r))
}
