package builtin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/google/renameio/v2"
)

// errMoved is the error of a change whose file is not the one it was worked out on.
var errMoved = errors.New("the file changed in this moment; read it again and repeat the edit")

// write does the change, wholly or not at all.
func (c *change) write() error {
	if c.created {
		return c.create()
	}
	return c.overwrite()
}

// create makes the file and the folders it needs. It never replaces one that
// appeared meanwhile.
func (c *change) create() (err error) {
	if err := os.MkdirAll(c.folder(), 0o777); err != nil {
		return fmt.Errorf("make its folder: %w; check the path", err)
	}
	file, err := os.OpenFile(c.target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return errMoved
	}
	if err != nil {
		return fmt.Errorf("%w; check the path and who may write there", err)
	}
	_, err = file.Write(c.after)
	err = errors.Join(err, file.Sync(), file.Close())
	if err != nil {
		return errors.Join(err, os.Remove(c.target))
	}
	return nil
}

// overwrite puts a new file with the old one's owner and mode in its place, so
// that a reader sees the old content or the new, also after a crash.
func (c *change) overwrite() error {
	file, err := renameio.NewPendingFile(c.target, renameio.WithTempDir(c.folder()), renameio.WithStaticPermissions(0o600))
	if err != nil {
		return fmt.Errorf("%w; its folder must be writable for an edit", err)
	}
	defer file.Cleanup()
	if _, err := file.Write(c.after); err != nil {
		return err
	}
	if err := c.keepOwner(file.File); err != nil {
		return err
	}
	if err := file.Chmod(c.info.Mode()); err != nil {
		return err
	}
	now, err := os.Lstat(c.target)
	if err != nil || !os.SameFile(now, c.info) || now.Size() != c.info.Size() || !now.ModTime().Equal(c.info.ModTime()) {
		return errMoved
	}
	return file.CloseAtomicallyReplace()
}

func (c *change) keepOwner(file *os.File) error {
	want, ok := c.info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if have, ok := info.Sys().(*syscall.Stat_t); ok && have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	if err := file.Chown(int(want.Uid), int(want.Gid)); err != nil {
		return fmt.Errorf("its owner %d:%d cannot be kept: %w; change it in place with Bash", want.Uid, want.Gid, err)
	}
	return nil
}
