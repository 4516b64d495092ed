package search

// groups number the places that tools come from: servers, and providers without.
type groups struct {
	ids     map[string]uint32
	members []int // by id
	names   []string
	free    []uint32
}

// join returns the group of a tool and counts the tool in.
func (g *groups) join(provider, server string) uint32 {
	name := provider + "\x00" + server
	id, ok := g.ids[name]
	if !ok {
		if last := len(g.free) - 1; last >= 0 {
			id = g.free[last]
			g.free = g.free[:last]
		} else {
			id = uint32(len(g.members))
			g.members, g.names = append(g.members, 0), append(g.names, "")
		}
		g.ids[name], g.names[id] = id, name
	}
	g.members[id]++
	return id
}

// leave counts a tool out.
func (g *groups) leave(id uint32) {
	if g.members[id]--; g.members[id] == 0 {
		delete(g.ids, g.names[id])
		g.free = append(g.free, id)
	}
}
