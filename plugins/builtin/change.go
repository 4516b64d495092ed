package builtin

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/aymanbagabas/go-udiff"
)

// maxEditBytes bounds the files that Edit takes into memory.
const maxEditBytes = 16 << 20

// change is what one edit does to one file, worked out but not done.
type change struct {
	// target is the file itself, where links lead to; outOfLink is the path
	// that was asked for, when that is a link.
	target, outOfLink string
	created           bool
	info              fs.FileInfo // nil when created
	before, after     []byte
	replacements      int
	diff              string
}

// change works out an edit and touches nothing.
func (f folder) change(in editInput) (*change, error) {
	path, err := f.resolve(in.Path)
	if err != nil {
		return nil, fault("path", "%w", err)
	}
	if in.OldString == in.NewString && in.OldString != "" {
		return nil, fault("new_string", "new_string is the same as old_string; say what should change")
	}
	c := &change{target: realPath(path)}
	if c.target != path {
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			c.outOfLink = f.display(path)
		}
	}
	switch info, err := os.Lstat(c.target); {
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return nil, fault("path", "%s is a link that leads to no file; name the file it should lead to", f.display(path))
	case errors.Is(err, fs.ErrNotExist) && in.OldString == "":
		return f.creation(c, in)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault("path", "%w; to create it, leave old_string empty", f.explainMissing(c.target))
	}
	if err := f.load(c); err != nil {
		return nil, err
	}
	if in.OldString == "" && len(c.before) > 0 {
		return nil, fault("old_string", "%s already exists; read it, then give the text to replace as old_string", f.display(path))
	}
	return c, f.replace(c, in)
}

func (f folder) creation(c *change, in editInput) (*change, error) {
	if in.NewString == "" {
		return nil, fault("new_string", "old_string and new_string are both empty; give the content of the new file as new_string")
	}
	c.created, c.replacements, c.after = true, 1, []byte(in.NewString)
	c.diff = udiff.Unified("/dev/null", "b/"+strings.TrimPrefix(f.display(c.target), "/"), "", in.NewString)
	return c, nil
}

// load reads the file that is to change, if it is one that can be replaced
// without losing anything.
func (f folder) load(c *change) error {
	name := f.display(c.target)
	file, info, err := f.open(c.target)
	if err != nil {
		return fault("path", "%w", err)
	}
	defer file.Close()
	if info.Size() > maxEditBytes {
		return fault("path", "%s has %d bytes and Edit takes files up to %d; change it with Bash: sed", name, info.Size(), maxEditBytes)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink > 1 {
		return fault("path", "%s has %d hard links, which replacing it would part; change it in place with Bash, or copy it first", name, stat.Nlink)
	}
	if info.Mode().Perm()&0o222 == 0 || syscall.Access(c.target, accessWrite) != nil {
		return fault("path", "%s is read-only (%s); if it should change, make it writable with Bash: chmod u+w %[1]s", name, info.Mode().Perm())
	}
	c.info = info
	if c.before, err = io.ReadAll(io.LimitReader(file, maxEditBytes+1)); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if err := refuseBinary(name, c.before[:min(len(c.before), sniffBytes)]); err != nil {
		return fault("path", "%w", err)
	}
	return nil
}

// accessWrite is W_OK of access(2).
const accessWrite = 2

// replace works out the content after the edit, and the diff.
func (f folder) replace(c *change, in editInput) error {
	name := f.display(c.target)
	content, hadBOM := strings.CutPrefix(string(c.before), bom)
	edit := fitLineEnds(content, strings.TrimPrefix(in.OldString, bom), strings.TrimPrefix(in.NewString, bom))

	places := edit.places(content)
	switch {
	case len(places) == 0:
		return fault("old_string", "old_string does not occur in %s: %s", name, explainMismatch(content, edit.old))
	case len(places) > 1 && !in.ReplaceAll:
		return fault("old_string", "old_string occurs %d times in %s, on lines %s; add the lines around the one you mean, or set replace_all",
			len(places), name, lineNumbers(content, places))
	}
	var edits []udiff.Edit
	end := 0
	for _, at := range places {
		if at < end {
			continue // overlaps the one before, as "aa" does in "aaa"
		}
		end = at + len(edit.old)
		edits = append(edits, udiff.Edit{Start: at, End: end, New: edit.new})
	}
	after, err := udiff.Apply(content, edits)
	if err != nil {
		return fmt.Errorf("edit %s: %w", name, err)
	}
	label := strings.TrimPrefix(name, "/")
	if c.diff, err = udiff.ToUnified("a/"+label, "b/"+label, content, edits, udiff.DefaultContextLines); err != nil {
		return fmt.Errorf("diff of %s: %w", name, err)
	}
	c.diff = strings.ToValidUTF8(c.diff, "\ufffd")
	c.replacements = len(edits)
	if hadBOM {
		after = bom + after
	}
	c.after = []byte(after)
	return nil
}

// token identifies the file, its content and what becomes of it. It differs
// when any of them is not what was planned.
func (c *change) token() []byte {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q\n%x\n%x\n", c.target, sha256.Sum256(c.before), sha256.Sum256(c.after))
	if c.info != nil {
		if stat, ok := c.info.Sys().(*syscall.Stat_t); ok {
			fmt.Fprintf(hash, "%d %d", stat.Dev, stat.Ino)
		}
	}
	return hash.Sum(nil)
}

// folder is where the change is written.
func (c *change) folder() string { return filepath.Dir(c.target) }
