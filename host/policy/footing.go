package policy

import "slices"

// Footing is where the paths of a call led when it was judged. A link that is
// changed between judging and running changes what a rule was asked about.
type Footing struct {
	start []footstep
}

type footstep struct {
	path string
	ends []string
}

func (j *judgement) footing() Footing {
	var f Footing
	for path, e := range j.places.seen {
		f.start = append(f.start, footstep{path, e.paths})
	}
	return f
}

// Moved tells whether a path leads elsewhere now, and which. Call it right
// before the call runs, and judge again when it does.
func (f Footing) Moved() (path string, moved bool) {
	now := &places{links: make(map[string]string), seen: make(map[string]*ends)}
	for _, step := range f.start {
		if !slices.Equal(now.of(step.path).paths, step.ends) {
			return step.path, true
		}
	}
	return "", false
}
