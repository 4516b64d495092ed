package plaintext_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/toolcrib/toolcrib/host/plaintext"
)

func TestHiddenThingsBecomeVisible(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"a colour":                              {"\x1b[31mred\x1b[0m", "␛[31mred␛[0m"},
		"a window title":                        {"\x1b]0;x\x07", "␛]0;x␇"},
		"a carriage return":                     {"safe\revil", "safe␍evil"},
		"a backspace":                           {"ab\b\b", "ab␈␈"},
		"a zero byte":                           {"a\x00b", "a␀b"},
		"delete":                                {"a\x7f", "a␡"},
		"a C1 control":                          {"a\u009b31m", "a<U+009B>31m"},
		"a C1 control as one byte":              {"a\x9b31m", "a<0x9B>31m"},
		"a bidi override":                       {"a\u202egpj.exe", "a<U+202E>gpj.exe"},
		"bidi isolates":                         {"\u2066a\u2069", "<U+2066>a<U+2069>"},
		"a right-to-left mark":                  {"a\u200fb", "a<U+200F>b"},
		"a zero-width space":                    {"r\u200bm", "r<U+200B>m"},
		"a byte order mark":                     {"\ufeffa", "<U+FEFF>a"},
		"a soft hyphen":                         {"a\u00adb", "a<U+00AD>b"},
		"a no-break space":                      {"a\u00a0b", "a<U+00A0>b"},
		"an ideographic space":                  {"a\u3000b", "a<U+3000>b"},
		"a line separator":                      {"a\u2028b\u2029", "a<U+2028>b<U+2029>"},
		"next line":                             {"a\u0085b", "a<U+0085>b"},
		"a tag character":                       {"a\U000e0041", "a<U+E0041>"},
		"a private-use character":               {"\ue000", "<U+E000>"},
		"a noncharacter":                        {"\ufffe", "<U+FFFE>"},
		"a Hangul filler":                       {"a\u3164b", "a<U+3164>b"},
		"a braille blank":                       {"a\u2800b", "a<U+2800>b"},
		"a grapheme joiner":                     {"a\u034fb", "a<U+034F>b"},
		"invalid UTF-8":                         {"a\xffb\xc3", "a<0xFF>b<0xC3>"},
		"an overlong encoding":                  {"\xc0\x9b", "<0xC0><0x9B>"},
		"a surrogate":                           {"\xed\xa0\x80", "<0xED><0xA0><0x80>"},
		"an emoji joiner":                       {"👩\u200d🔧", "👩<U+200D>🔧"},
		"a variation selector on a letter":      {"a\ufe0f", "a<U+FE0F>"},
		"a second variation selector":           {"⚠\ufe0f\ufe0e", "⚠\ufe0f<U+FE0E>"},
		"a variation selector that hides data":  {"⚠\U000e0100", "⚠<U+E0100>"},
		"more marks than a character has":       {"a" + strings.Repeat("\u0301", 6), "a" + strings.Repeat("\u0301", 4) + "<U+0301><U+0301>"},
		"a mark on nothing":                     {"\u0301a", "<U+0301>a"},
		"a mark on a space":                     {" \u0301", " <U+0301>"},
		"a mark on something that is spelt out": {"\x1b\u0301", "␛<U+0301>"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := plaintext.Line(tc.in); got != tc.want {
				t.Errorf("Line(%q) is %q, want %q", tc.in, got, tc.want)
			}
			if got := plaintext.Block(tc.in); got != tc.want {
				t.Errorf("Block(%q) is %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestPlainTextStaysAsItIs(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":             "",
		"ASCII":               `func main() { fmt.Println("\x1b[0m <U+202E> ~!@#$%^&*") }`,
		"accents":             "größer, naïve, Ærø",
		"decomposed accents":  "e\u0301 n\u0303 ệ e\u0323\u0302",
		"Greek and Cyrillic":  "Ελληνικά, кириллица",
		"Chinese":             "你好，世界。",
		"Japanese and Korean": "こんにちは カタカナ 안녕하세요",
		"Hebrew and Arabic":   "שָׁלוֹם مَرْحَبًا",
		"Devanagari":          "नमस्ते दुनिया",
		"Thai":                "สวัสดี ที่นี่",
		"boxes and arrows":    "┌─┐ │ └─┘ → ⇒ ✓ …",
		"emoji":               "🙂 ⚠\ufe0f 🎉",
		"replacement":         "\ufffd",
		"control pictures":    "␛[31m",
	} {
		t.Run(name, func(t *testing.T) {
			if got := plaintext.Line(text); got != text {
				t.Errorf("Line(%q) is %q", text, got)
			}
			if got := plaintext.Block("a\n" + text + "\nb\n"); got != "a\n"+text+"\nb\n" {
				t.Errorf("Block(%q) is %q", text, got)
			}
		})
	}
}

func TestLineFeedsAndTabs(t *testing.T) {
	for name, tc := range map[string]struct{ in, line, block string }{
		"line feeds":              {"a\nb\n", "a␊b␊", "a\nb\n"},
		"DOS line ends":           {"a\r\nb", "a␍␊b", "a␍\nb"},
		"a tab at the start":      {"\tx", "    x", "    x"},
		"a tab to the next stop":  {"ab\tx", "ab  x", "ab  x"},
		"a tab at a stop":         {"abcd\tx", "abcd    x", "abcd    x"},
		"a tab on a second line":  {"abc\n\tx", "abc␊    x", "abc\n    x"},
		"a mark after a new line": {"a\n\u0301", "a␊<U+0301>", "a\n<U+0301>"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := plaintext.Line(tc.in); got != tc.line {
				t.Errorf("Line(%q) is %q, want %q", tc.in, got, tc.line)
			}
			if got := plaintext.Block(tc.in); got != tc.block {
				t.Errorf("Block(%q) is %q, want %q", tc.in, got, tc.block)
			}
		})
	}
}

func FuzzPlaintext(f *testing.F) {
	for _, seed := range []string{
		"", "plain", "a\tb\r\nc\x1b[2J", "\u202e\u2066\u200b\ufeff", "\xff\xfe\xc0\x80", "⚠\ufe0f\ufe0f",
		"a\u0301\u0301\u0301\u0301\u0301", "\U000e0041\U000f0000\U0010ffff", "\u2800\u3164\u115f", "👩\u200d🔧\U0001f1e9\U0001f1ea",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		for name, clean := range map[string]func(string) string{"Line": plaintext.Line, "Block": plaintext.Block} {
			out := clean(in)
			if !utf8.ValidString(out) {
				t.Errorf("%s(%q) is not UTF-8: %q", name, in, out)
			}
			for _, r := range out {
				if r == '\n' && name == "Block" {
					continue
				}
				if !unicode.IsPrint(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) {
					t.Errorf("%s(%q) has %U: %q", name, in, r, out)
				}
			}
			if again := clean(out); again != out {
				t.Errorf("%s(%q) is %q, and again %q", name, in, out, again)
			}
		}
		if got, want := strings.Count(plaintext.Block(in), "\n"), strings.Count(in, "\n"); got != want {
			t.Errorf("Block(%q) has %d lines, not %d", in, got, want)
		}
	})
}

func BenchmarkBlock(b *testing.B) {
	text := strings.Repeat("\tfunc (w *writer) rune(r rune) { // größer\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		plaintext.Block(text)
	}
}
