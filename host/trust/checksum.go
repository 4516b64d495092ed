package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// How much of a file is read. A workspace that nobody trusts yet names the files,
// and some that the kernel makes have no end.
const (
	maxProgram = 2 << 30
	maxNamed   = 64 << 20
)

var errTooLarge = errors.New("it is too large to take its checksum")

// checksum is the SHA-256 of a regular file of at most that many bytes, in
// hexadecimal.
func checksum(path string, most int64) (string, error) {
	file, info, err := openRegular(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if info.Size() > most {
		return "", fmt.Errorf("read %s: %w", path, errTooLarge)
	}
	// The kernel's own files may say that they are empty.
	sum := sha256.New()
	switch n, err := io.Copy(sum, io.LimitReader(file, most+1)); {
	case err != nil:
		return "", fmt.Errorf("read %s: %w", path, err)
	case n > most:
		return "", fmt.Errorf("read %s: %w", path, errTooLarge)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// fileSum changes when a file that a command names does: it is its checksum, or of
// a large one, such as a model, what the file system tells of it.
func fileSum(path string) (string, error) {
	sum, err := checksum(path, maxNamed)
	if !errors.Is(err, errTooLarge) {
		return sum, err
	}
	file, info, err := openRegular(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	// The time of the last change of the inode is one that nobody can set.
	identity := sha256.Sum256(fmt.Appendf(nil, "%d %d %s", inode(info), info.Size(), changed(info)))
	return hex.EncodeToString(identity[:]), nil
}

// openRegular opens a file to read it. A device is not opened, since that alone may
// do something, and a named pipe that takes the file's place is not waited for.
func openRegular(path string) (*os.File, os.FileInfo, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, nil, err
	} else if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is not a regular file", path)
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}
