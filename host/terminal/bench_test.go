package terminal

import (
	"bytes"
	"testing"
)

// BenchmarkOutput is the path of a command's output: marks, capture, screen.
func BenchmarkOutput(b *testing.B) {
	for name, line := range map[string]string{
		"plain":    "the quick brown fox jumps over the lazy dog, again and again, until 70\r\n",
		"coloured": "\x1b[1;32mthe quick\x1b[m brown fox \x1b[38;5;9mjumps\x1b[m over the lazy dog\r\n",
	} {
		output := bytes.Repeat([]byte(line), 64<<10/len(line))
		b.Run(name, func(b *testing.B) {
			e := newEmulator(80, 24, 5000, func([]byte) {})
			defer e.stop()
			c := newCapture(0)
			var marks scanner
			b.SetBytes(int64(len(output)))
			for b.Loop() {
				marks.feed(output, func(p []byte) { c.write(p); e.write(p) }, func(mark) {})
			}
		})
	}
}
