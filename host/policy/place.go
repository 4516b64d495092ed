package policy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxLinks is how many links one path may have, as in the kernel.
const maxLinks = 40

// places finds out which files paths are about. It reads the file system, and
// remembers what it saw while one call is judged. It is used by one goroutine.
type places struct {
	// workspace is where relative paths start; home may be empty.
	workspace, home string
	// start is the folder that commands start in.
	start string
	// links are the targets of the links that were seen; empty for no link.
	links map[string]string
	seen  map[string]*ends
	// named are the files of words, by how they are written and where; nil for
	// one that is not known.
	named map[place]*ends
	roots []string
}

// place is a word that names a file, and the folder it is written in.
type place struct {
	text, dir string
	home      bool
}

func newPlaces(call Call) *places {
	p := &places{workspace: call.Workspace, home: call.Home, start: call.start(),
		links: make(map[string]string), seen: make(map[string]*ends), named: make(map[place]*ends)}
	p.roots = p.bothEnds(call.Workspace)
	return p
}

// ends are what one absolute path is about: it as it is written, and where its
// links lead.
type ends struct {
	// path is the one that was asked for, and paths what it is about.
	path  string
	paths []string
	// via are links that were followed on the way.
	via []string
	// lost tells that the links go round in circles.
	lost bool
}

// all are the ends and what lies between them.
func (e *ends) all() []string {
	if len(e.via) == 0 {
		return e.paths
	}
	return append(slices.Clip(e.paths), e.via...)
}

// of finds the ends of an absolute path, which need not exist.
func (p *places) of(path string) *ends {
	if found, ok := p.seen[path]; ok {
		return found
	}
	clean := filepath.Clean(path)
	e := &ends{path: path, paths: []string{clean}}
	// The kernel takes a link before the .. after it, and Clean does not.
	for _, start := range []string{path, clean} {
		real, via, ok := p.follow(start)
		e.lost = e.lost || !ok
		for _, link := range via {
			if !slices.Contains(e.via, link) {
				e.via = append(e.via, link)
			}
		}
		if ok && !slices.Contains(e.paths, real) {
			e.paths = append(e.paths, real)
		}
		if start == clean {
			break
		}
	}
	p.seen[path] = e
	return e
}

// bothEnds are a folder as it is written and where it is; nil for no folder.
func (p *places) bothEnds(folder string) []string {
	if folder == "" {
		return nil
	}
	return p.of(folder).paths
}

// follow walks a path through its links. What does not exist is no link.
func (p *places) follow(path string) (real string, via []string, ok bool) {
	rest := strings.Split(path, "/")
	real = "/"
	for followed := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			real = filepath.Dir(real)
			continue
		}
		next := filepath.Join(real, part)
		target := p.link(next)
		if target == "" {
			real = next
			continue
		}
		if followed++; followed > maxLinks {
			return "", via, false
		}
		via = append(via, next)
		if filepath.IsAbs(target) {
			real = "/"
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return real, via, true
}

func (p *places) link(path string) string {
	target, ok := p.links[path]
	if ok {
		return target
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
		target, _ = os.Readlink(path)
	}
	p.links[path] = target
	return target
}

// inside tells whether all ends are in the workspace.
func (p *places) inside(e *ends) bool {
	if e.lost || len(p.roots) == 0 {
		return false
	}
	for _, end := range e.paths {
		if !slices.ContainsFunc(p.roots, func(root string) bool { return within(root, end) }) {
			return false
		}
	}
	return true
}

// within tells whether path is root or below it.
func within(root, path string) bool {
	rest, ok := strings.CutPrefix(path, root)
	return ok && (rest == "" || rest[0] == '/' || root == "/")
}

// at finds the file that a command in dir takes a word for; nil when that is not
// known.
func (p *places) at(text string, home bool, dir string) *ends {
	at := place{text, dir, home}
	e, ok := p.named[at]
	if !ok { // the parts of a long command name the same few files
		if path, known := p.absolute(text, home, dir); known {
			e = p.of(path)
		}
		p.named[at] = e
	}
	return e
}

// absolute makes a word the absolute path that a command in dir takes it for; ok
// is false when that is not known.
func (p *places) absolute(text string, home bool, dir string) (path string, ok bool) {
	switch {
	case home && p.home == "":
		return "", false
	case home:
		return p.home + text[1:], true
	case filepath.IsAbs(text):
		return text, true
	}
	folder := p.start
	switch {
	case dir == "~" || strings.HasPrefix(dir, "~/"):
		if p.home == "" {
			return "", false
		}
		folder = p.home + dir[1:]
	case filepath.IsAbs(dir):
		folder = dir
	case dir != "":
		folder += "/" + dir
	}
	if folder == "" || !filepath.IsAbs(folder) {
		return "", false
	}
	return folder + "/" + text, true
}
