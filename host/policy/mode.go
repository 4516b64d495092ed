package policy

import "fmt"

// Mode says what happens to calls that no rule decides.
type Mode string

const (
	// Recommend asks for every call.
	Recommend Mode = "recommend"
	// Auto asks for shell commands and for tools declared destructive.
	Auto Mode = "auto"
	// Trust asks only where an ask rule or a critical command does.
	Trust Mode = "trust"
)

// Modes lists the modes, the most careful one first.
func Modes() []Mode { return []Mode{Recommend, Auto, Trust} }

// ParseMode reads a mode's name.
func ParseMode(name string) (Mode, error) {
	for _, mode := range Modes() {
		if string(mode) == name {
			return mode, nil
		}
	}
	return "", fmt.Errorf("approval mode %q is unknown: use recommend, auto or trust", name)
}

// Wider reports whether m lets more calls run unasked than other.
func (m Mode) Wider(other Mode) bool { return m.rank() > other.rank() }

// rank orders modes; a mode that is not one of [Modes] counts as the most careful.
func (m Mode) rank() int {
	switch m {
	case Auto:
		return 1
	case Trust:
		return 2
	}
	return 0
}
