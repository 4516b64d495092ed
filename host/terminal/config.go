package terminal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hashicorp/go-hclog"
)

// Config says which shell to start, where, and how large its terminal is.
type Config struct {
	// Shell is a bash or zsh, as a path or a name to look up. Empty is $SHELL,
	// or bash when $SHELL is neither.
	Shell string
	// Dir is the first working directory. Empty is the host's.
	Dir string
	// Env is the whole environment of the shell. Nil is the host's. TERM and
	// COLORTERM are set to what the screen can draw.
	Env []string
	// Cols and Rows are the size; 0 is 80 by 24.
	Cols, Rows int
	// Scrollback is how many lines are kept above the screen; 0 is 5000,
	// negative is none.
	Scrollback int
	// Grace is how long a command may take to end after Ctrl-C, and a shell
	// after a hangup, before it is killed; 0 is 3 seconds.
	Grace time.Duration
	// Logger may be nil.
	Logger hclog.Logger
}

const maxSize = 1000 // columns or rows

func (c Config) withDefaults() (Config, error) {
	if c.Cols == 0 {
		c.Cols = 80
	}
	if c.Rows == 0 {
		c.Rows = 24
	}
	if err := checkSize(c.Cols, c.Rows); err != nil {
		return c, err
	}
	if c.Scrollback == 0 {
		c.Scrollback = 5000
	}
	if c.Grace == 0 {
		c.Grace = 3 * time.Second
	}
	if c.Logger == nil {
		c.Logger = hclog.NewNullLogger()
	}
	if c.Env == nil {
		c.Env = os.Environ()
	}
	c.Env = append(c.Env[:len(c.Env):len(c.Env)], "TERM=xterm-256color", "COLORTERM=truecolor", "TERM_PROGRAM=toolcrib")
	if c.Dir != "" && !filepath.IsAbs(c.Dir) {
		return c, fmt.Errorf("terminal directory %q is not absolute", c.Dir)
	}
	return c, nil
}

func checkSize(cols, rows int) error {
	if cols < 1 || rows < 1 || cols > maxSize || rows > maxSize {
		return fmt.Errorf("terminal size %dx%d is not between 1x1 and %dx%d", cols, rows, maxSize, maxSize)
	}
	return nil
}

var (
	// ErrClosed says that the terminal was closed.
	ErrClosed = errors.New("the terminal is closed")
	// ErrExited says that the shell has ended. Restart starts another.
	ErrExited = errors.New("the shell has exited; restart it to run commands in it")
	// ErrReplaced says that the shell has turned into another program with
	// exec, which does not report its prompts.
	ErrReplaced = errors.New("the shell was replaced by another program with exec and no longer reports its prompts; leave that program and restart the shell")
	// ErrUnresponsive says that the shell shows prompts and does not take the
	// host's key, as when its key bindings were removed.
	ErrUnresponsive = errors.New("the shell does not take commands at its prompt; restart it")
)
