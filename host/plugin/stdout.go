package plugin

import (
	"bufio"
	"io"
	"regexp"
	"strings"
)

// handshakeBytes bounds go-plugin's handshake line, which carries a certificate.
const handshakeBytes = 16 << 10

// handshakeLine is how go-plugin's line begins: core version, protocol version,
// network.
var handshakeLine = regexp.MustCompile(`^\d+\|\d+\|(unix|tcp)\|`)

// drainStdout reads out until its end, so that the process never blocks on it.
// The handshake line goes to handshake, which is closed after it; what else a
// provider prints goes to stray, line by line. Without a handshake line,
// handshake is left open.
func drainStdout(out io.Reader, handshake io.WriteCloser, stray func(line string)) {
	reader := bufio.NewReaderSize(out, handshakeBytes)
	found := false
	for continued := false; ; {
		line, more, err := reader.ReadLine()
		if err != nil {
			return
		}
		switch {
		case continued: // the rest of a line that is too long
		case !found && !more && handshakeLine.Match(line):
			found = true
			_, _ = handshake.Write(append(line, '\n'))
			handshake.Close()
		default:
			stray(string(line))
		}
		continued = more
	}
}

// announcement hands the handshake line on and keeps the version of the protocol
// that it names.
type announcement struct {
	io.WriteCloser
	process *process
}

func (a *announcement) Write(line []byte) (int, error) {
	if fields := strings.SplitN(string(line), "|", 3); len(fields) > 1 {
		a.process.mu.Lock()
		a.process.version = fields[1]
		a.process.mu.Unlock()
	}
	return a.WriteCloser.Write(line)
}

// lineWriter cuts what is written to it into lines. It is not safe for
// concurrent use.
type lineWriter struct {
	cutter lineCutter
	line   func(string)
}

func (w *lineWriter) Write(data []byte) (int, error) {
	w.cutter.cut(data, w.line)
	return len(data), nil
}
