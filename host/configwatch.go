package host

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// settleTime is the pause after which a file counts as written, and
	// settleLimit how long it is waited for.
	settleTime  = 100 * time.Millisecond
	settleLimit = time.Second
	// pollInterval is how often files are read whose folders cannot be watched.
	pollInterval = 2 * time.Second
	// maxLinks bounds a chain of symbolic links.
	maxLinks = 40
)

// configWatch tells when one of some files may have changed. It watches the
// folders of the files, since editors put a new file in the place of the old
// one, and so finds files that come to be.
type configWatch struct {
	files func() []string
	// touched has a token when there was a change.
	touched chan struct{}
	// failed is told once why folders are not watched. They are then polled.
	failed func(error)

	watcher *fsnotify.Watcher // nil when there is none
	done    sync.WaitGroup
	quit    chan struct{}

	mu      sync.Mutex
	polling bool
	names   map[string]bool // of directory entries that are of interest
}

// watchConfig begins to watch; close ends it. files is asked again for each
// follow. touched has a token at once: what changed before cannot be known.
func watchConfig(files func() []string, failed func(error)) *configWatch {
	w := &configWatch{files: files, failed: failed, touched: make(chan struct{}, 1), quit: make(chan struct{})}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		w.poll(err)
	} else {
		w.watcher = watcher
		w.done.Go(w.read)
	}
	w.touch()
	return w
}

func (w *configWatch) close() {
	close(w.quit)
	if w.watcher != nil {
		_ = w.watcher.Close()
	}
	w.done.Wait()
}

func (w *configWatch) touch() {
	select {
	case w.touched <- struct{}{}:
	default:
	}
}

// read turns events into touches until the watcher is closed.
func (w *configWatch) read() {
	for {
		select {
		case event, ok := <-w.watcher.Events:
			if !ok {
				return
			}
			w.mu.Lock()
			concerned := w.names[event.Name]
			w.mu.Unlock()
			if concerned {
				w.touch()
			}
		case _, ok := <-w.watcher.Errors:
			if !ok {
				return
			}
			w.touch() // events may be lost
		}
	}
}

// follow watches the folders that the files are in now, and no others.
func (w *configWatch) follow() {
	if w.watcher == nil {
		return
	}
	names, folders := make(map[string]bool), make(map[string]bool)
	for _, file := range w.files() {
		for _, entry := range trail(file) {
			names[entry] = true
			folders[filepath.Dir(entry)] = true
		}
	}
	for folder := range folders {
		names[folder] = true // it may itself be removed
	}
	w.mu.Lock()
	w.names = names
	w.mu.Unlock()
	for _, folder := range w.watcher.WatchList() {
		if !folders[folder] {
			_ = w.watcher.Remove(folder) // it may be gone
		}
	}
	for folder := range folders {
		// Watching one again does no harm.
		if err := w.watcher.Add(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.poll(err)
		}
	}
}

// poll touches from time to time from now on.
func (w *configWatch) poll(reason error) {
	w.mu.Lock()
	already := w.polling
	w.polling = true
	w.mu.Unlock()
	if already {
		return
	}
	w.failed(reason)
	w.done.Go(func() {
		ticker := time.NewTicker(pollInterval)
		defer ticker.Stop()
		for {
			select {
			case <-w.quit:
				return
			case <-ticker.C:
				w.touch()
			}
		}
	})
}

// trail lists the directory entries whose change may change what a path names:
// the file and the links that lead to it. Where a folder is missing, it ends with
// that folder. All of them are in folders that exist, by their real names.
func trail(path string) []string {
	var entries []string
	for range maxLinks {
		folder, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			if path = filepath.Dir(path); path == filepath.Dir(path) {
				return entries
			}
			continue
		}
		entry := filepath.Join(folder, filepath.Base(path))
		entries = append(entries, entry)
		target, err := os.Readlink(entry)
		if err != nil {
			return entries
		}
		path = target
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
	}
	return entries
}

// settled calls changed after touches, once they pause or go on for long.
// It returns when ctx ends.
func settled(ctx context.Context, touched <-chan struct{}, changed func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-touched:
		}
		limit := time.After(settleLimit)
		for pause := time.After(settleTime); pause != nil; {
			select {
			case <-ctx.Done():
				return
			case <-touched:
				pause = time.After(settleTime)
			case <-pause:
				pause = nil
			case <-limit:
				pause = nil
			}
		}
		changed()
	}
}
