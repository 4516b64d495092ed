package pool

import (
	"cmp"
	"slices"
)

// kinds has every kind, the earlier first.
var kinds = []OriginKind{OriginBuiltin, OriginActivatedBuiltin, OriginPlugin, OriginMCP, OriginRemote, OriginACP}

// rank orders kinds. A kind that is not known comes after all others.
func (k OriginKind) rank() int {
	if i := slices.Index(kinds, k); i >= 0 {
		return i
	}
	return len(kinds)
}

// Bundled reports whether tools of the kind come with Toolcrib itself.
func (k OriginKind) Bundled() bool { return k == OriginBuiltin || k == OriginActivatedBuiltin }

// String names the origin for a person: "builtin", "plugin words", "mcp github".
func (o Origin) String() string {
	switch {
	case o.Kind == OriginBuiltin:
		return "builtin"
	case o.Kind == OriginActivatedBuiltin:
		return "builtin " + o.Provider
	case o.Kind == OriginMCP && o.Server != "":
		return "mcp " + o.Server
	case o.Server != "":
		return string(o.Kind) + " " + o.Provider + "/" + o.Server
	}
	return string(o.Kind) + " " + o.Provider
}

func (o Origin) compare(other Origin) int {
	return cmp.Or(
		cmp.Compare(o.Kind.rank(), other.Kind.rank()),
		cmp.Compare(o.Kind, other.Kind),
		cmp.Compare(o.Provider, other.Provider),
		cmp.Compare(o.Server, other.Server),
	)
}
