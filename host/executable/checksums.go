package executable

import (
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"
)

// settledTime is the age of a change from which on a later one is sure to have
// another time, whatever the clock of the file system.
const settledTime = 2 * time.Second

// Checksums remembers the checksums of programs that may be any, so that ten
// providers served by one program do not read it ten times. Where a program has
// one that was agreed to, it is taken anew for each start. The zero value is ready.
type Checksums struct {
	mu    sync.Mutex
	known map[fileIdentity]*knownSum
}

// fileIdentity changes whenever the content of a file does.
type fileIdentity struct {
	device, inode uint64
	size          int64
	changed       time.Time // of content or inode; nobody can set it back
}

// knownSum is taken by the first that needs it; the others wait for it.
type knownSum struct {
	take sync.Once
	sum  string
	err  error
}

// of is the checksum of an open file.
func (c *Checksums) of(file *os.File, info fs.FileInfo) (string, error) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return checksum(file)
	}
	identity := fileIdentity{
		device: uint64(stat.Dev), inode: stat.Ino, size: info.Size(), changed: changeTime(stat),
	}
	if time.Since(identity.changed) < settledTime {
		return checksum(file)
	}
	c.mu.Lock()
	known, ok := c.known[identity]
	if !ok {
		known = &knownSum{}
		if c.known == nil {
			c.known = make(map[fileIdentity]*knownSum)
		}
		c.known[identity] = known
	}
	c.mu.Unlock()
	known.take.Do(func() { known.sum, known.err = checksum(file) })
	if known.err != nil {
		c.mu.Lock()
		delete(c.known, identity)
		c.mu.Unlock()
	}
	return known.sum, known.err
}
