package buffer

import (
	"slices"

	"mendel/mutate"
)

// maxParts is the largest number of channels that are changed together.
const maxParts = 6

// alone is what an edit keeps of its heat: where channels are likely to need
// room together, that is tried before, since a part that is not needed is easily
// taken away again. Chosen, not measured.
const alone = 0.95

// together lists the edits of channels that are mended together: of all makes
// of a channel, of channels that one function makes and one sends to, and of
// all channels at which senders are blocked.
func together(w *mutate.Whole) []mutate.Edit {
	g := &groups{firsts: firsts(w)}
	var blocked []*mutate.Channel
	channels := w.Channels()
	for i, c := range channels {
		g.add(c)
		var siblings []*mutate.Channel
		for _, o := range channels[i:] {
			if c == o || meet(c.Makes, o.Makes) && meet(c.Sends, o.Sends) {
				siblings = append(siblings, o)
			}
		}
		g.add(siblings...)
		if len(w.Functions) > 0 && seen(w.Functions[0], c).sender {
			blocked = append(blocked, c)
		}
	}
	g.add(blocked...)
	return g.edits
}

// A makeOf names a make.
type makeOf struct {
	file string
	node int
}

// firsts are the edits that are tried first at each make.
func firsts(w *mutate.Whole) map[makeOf]mutate.Edit {
	found := make(map[makeOf]mutate.Edit)
	for _, e := range w.EditsOf("buffer") {
		at := makeOf{e.File, e.Node}
		if f, ok := found[at]; !ok || e.Worth() > f.Worth() {
			found[at] = e
		}
	}
	return found
}

// groups collects the composite edits.
type groups struct {
	firsts map[makeOf]mutate.Edit
	edits  []mutate.Edit
}

// add adds the edit of all makes of some channels, if there is more than one.
func (g *groups) add(channels ...*mutate.Channel) {
	var parts []mutate.Edit
	for _, c := range channels {
		for _, u := range c.Makes {
			if u.Fn == nil {
				continue
			}
			if e, ok := g.firsts[makeOf{u.Fn.File.Rel, u.Fn.ID(u.Node)}]; ok {
				parts = append(parts, e)
			}
		}
	}
	if len(parts) > 1 && len(parts) <= maxParts {
		e := mutate.Composite("buffer", parts...)
		e.Doubt(1 / alone)
		g.edits = append(g.edits, e)
	}
}

// meet reports whether two lists of operations have a function in common.
func meet(a, b []mutate.ChannelUse) bool {
	return slices.ContainsFunc(a, func(u mutate.ChannelUse) bool {
		return u.Fn != nil && slices.ContainsFunc(b, func(v mutate.ChannelUse) bool { return u.Fn == v.Fn })
	})
}
