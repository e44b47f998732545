package buffer

import (
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/internal/chanwait"
)

// A sighting is what a failure saw waiting at a channel, and how hot it is there.
type sighting struct {
	sender, receiver bool
	heat             float64 // of the hottest blocked sender's line
}

func seen(fn *mutate.Function, c *mutate.Channel) sighting {
	var s sighting
	for _, u := range c.Sends {
		heat, waits := fn.Narrowing.HeatAt(u.Node.Pos())
		if u.Select != nil {
			heat, waits = selected(fn, u, heat, waits)
		}
		if waits == "chan send" || u.Select != nil && waits == "select" {
			s.sender, s.heat = true, max(s.heat, heat)
		}
	}
	for _, u := range append(c.Receives[:len(c.Receives):len(c.Receives)], c.Ranges...) {
		heat, waits := fn.Narrowing.HeatAt(u.Node.Pos())
		if u.Select != nil {
			_, waits = selected(fn, u, heat, waits)
		}
		s.receiver = s.receiver || waits == "chan receive" || u.Select != nil && waits == "select"
	}
	return s
}

// selected looks at the line of the select that an operation is a case of, too.
func selected(fn *mutate.Function, u mutate.ChannelUse, heat float64, waits string) (float64, string) {
	if waits != "" {
		return heat, waits
	}
	return fn.Narrowing.HeatAt(u.Select.Pos())
}

// What fits the evidence less is tried later; the steps are chosen, not measured.
const (
	unseen    = 0.5 // nobody was seen waiting at the channel
	receiving = 0.2 // only receivers were
	handsOver = 0.5 // the sender relies on having been received from
)

// heat is how hot an edit of a channel is whose make has a heat.
func heat(fn *mutate.Function, c *mutate.Channel, made float64) float64 {
	s := seen(fn, c)
	h := made
	switch {
	case s.sender:
		h = max(made, s.heat)
	case s.receiver:
		h *= receiving
	default:
		h *= unseen
	}
	if handshake(c) {
		h *= handsOver
	}
	return h
}

// handshake reports whether the senders of a mere signal use shared data behind
// the send, as if that told them that the receiver is there.
func handshake(c *mutate.Channel) bool {
	if !chanwait.Signals(c.Elem) {
		return false
	}
	for _, u := range c.Sends {
		if u.Fn == nil || u.Select != nil {
			continue
		}
		at := mutate.Innermost(u.Fn.Statements(), u.Node)
		if at.Stmt != nil && slices.ContainsFunc(u.Fn.Accesses(at.List[at.Index+1:]...), data) {
			return true
		}
	}
	return false
}

// data reports whether an access is one of what a receiver may hand over: another
// channel synchronises by itself.
func data(a analysis.Access) bool {
	_, ok := a.Var.Type().Underlying().(*types.Chan)
	return !ok
}
