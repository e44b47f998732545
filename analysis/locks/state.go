package locks

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A hold is a way in which a goroutine may hold a lock at a point of a function.
type hold struct {
	write, read int8
	lent        int8   // held by the iterator whose loop body this is: 0, reading or writing
	defers      string // calls deferred so far that matter to the lock: indexes, each with a comma
	flags       flags
}

const (
	reading int8 = 1
	writing int8 = 2
	// maxReads bounds nested read locks, so that the holds of a function are few.
	maxReads int8 = 3
)

// A state is the set of holds on the paths to a point; an empty one says that
// the point is never reached. It is never changed: what is done to it makes
// another one. The holds are sorted, and none is a special case of another: what
// is the same whether a flag is set or not says nothing of the flag.
type state []hold

// with is the union of some states.
func (s state) with(others ...state) state {
	for _, o := range others {
		if len(s) == 0 {
			s = o
			continue
		}
		for _, h := range o {
			s = s.plus(h)
		}
	}
	return s
}

// plus is a state with one more hold.
func (s state) plus(h hold) state {
	if s.covers(h) {
		return s
	}
	out := make(state, 0, len(s)+1)
	for _, o := range s {
		switch {
		case o.special(h):
		case o.apart(h) >= 0: // what is left of both says nothing of the flag
			h.flags = h.flags.without(o.apart(h))
			return slices.DeleteFunc(slices.Clone(s), func(other hold) bool { return other == o }).plus(h)
		default:
			out = append(out, o)
		}
	}
	i, _ := slices.BinarySearchFunc(out, h, hold.compare)
	return slices.Insert(out, i, h)
}

// covers reports whether a hold, or one of which it is a special case, is in a state.
func (s state) covers(h hold) bool {
	return slices.ContainsFunc(s, h.special)
}

// each is what a function makes of all holds.
func (s state) each(f func(hold) hold) state {
	var out state
	for i, h := range s {
		next := f(h)
		if out == nil && next == h {
			continue
		}
		if out == nil {
			out = slices.Clone(s[:i])
		}
		out = out.plus(next)
	}
	if out == nil {
		return s
	}
	return out
}

// An entry is how a lock is held when a function is entered or left, as far as callers see.
type entry struct{ Write, Read int8 }

func (h hold) entry() entry {
	e := entry{h.write, h.read}
	switch {
	case h.lent == writing:
		e.Write = max(e.Write, 1)
	case h.lent == reading && e.Write == 0:
		e.Read = max(e.Read, 1)
	}
	return e
}

// leave is the hold after a call that was entered with one entry and left with another.
func (h hold) leave(in, out entry) hold {
	h.write += out.Write - in.Write
	h.read = min(h.read+out.Read-in.Read, maxReads)
	return h
}

// may are the holds that one may become which becomes another: the most read locks that are
// counted may be more, and still be as many when some of them have been released.
func (h hold) may(next hold) state {
	if h.read < maxReads || next.read >= maxReads {
		return state{next}
	}
	more := state{next}
	for read := next.read + 1; read <= maxReads; read++ {
		still := next
		still.read = read
		more = more.plus(still)
	}
	return more
}

// free reports whether the lock is not held at all.
func (h hold) free() bool { return h.entry() == entry{} }

// after is the hold after a call of a lock's method; ok is false where the call
// is a fault after which the path ends.
func (h hold) after(method string) (next hold, fault Kind, ok bool) {
	switch method {
	case "Lock":
		if !h.free() {
			return h, TakenTwice, false
		}
		h.write = 1
	case "RLock":
		if h.entry().Write > 0 {
			return h, TakenTwice, false
		}
		nested := !h.free()
		h.read = min(h.read+1, maxReads)
		if nested {
			return h, ReadTwice, true
		}
	case "Unlock":
		if h.write == 0 {
			return h, NotHeld, false
		}
		h.write--
	case "RUnlock":
		if h.read == 0 {
			return h, NotHeld, false
		}
		h.read--
	}
	return h, NoFault, true
}

// deeper is the hold after a call that takes the lock once more, as if that could be.
func (h hold) deeper(method string) hold {
	if method == "Lock" {
		h.write = min(h.write+1, maxReads)
	} else {
		h.read = min(h.read+1, maxReads)
	}
	return h
}

// A Kind is what is wrong with how a lock is held.
type Kind int

// Kinds of faults.
const (
	NoFault       Kind = iota
	TakenTwice         // taken where it may be held: the goroutine waits for itself
	ReadTwice          // taken for reading where it may be held for reading: it may wait for a writer that waits for it
	NotHeld            // released where it may not be held: the program crashes
	LeftHeld           // the function is left with the lock held
	IterationHeld      // an iteration of a loop leaves the lock otherwise than it found it
)

// pushed is a hold with one more deferred call; in a loop the same call counts once.
func (h hold) pushed(i int) hold {
	text := strconv.Itoa(i) + ","
	if !strings.Contains(","+h.defers, ","+text) {
		h.defers += text
	}
	return h
}

// deferred are the indexes of the calls that are deferred, the last first.
func (h hold) deferred() []int {
	var out []int
	for part := range strings.SplitSeq(strings.TrimSuffix(h.defers, ","), ",") {
		if i, err := strconv.Atoi(part); err == nil {
			out = append([]int{i}, out...)
		}
	}
	return out
}

// assume is the hold where a flag has a value; ok is false where it is known to have the other.
func (h hold) assume(flag int, value bool) (next hold, ok bool) {
	h.flags, ok = h.flags.assume(flag, value)
	return h, ok
}

// assume is the part of a state where a flag may have a value.
func (s state) assume(flag int, value bool) state {
	var out state
	for _, h := range s {
		if next, ok := h.assume(flag, value); ok {
			out = out.plus(next)
		}
	}
	return out
}

// forget is the hold after an assignment to a flag.
func (h hold) forget(flag int) hold {
	if i, _, known := h.flags.find(flag); known {
		h.flags = h.flags.without(i)
	}
	return h
}

func (h hold) compare(o hold) int {
	return cmp.Or(cmp.Compare(h.write, o.write), cmp.Compare(h.read, o.read), cmp.Compare(h.lent, o.lent),
		cmp.Compare(h.defers, o.defers), cmp.Compare(h.flags, o.flags))
}

// special reports whether a hold is the other, but that more may be known of flags.
func (h hold) special(o hold) bool {
	return h.like(o) && h.flags.includes(o.flags)
}

// like reports whether two holds are the same but for flags.
func (h hold) like(o hold) bool {
	return h.write == o.write && h.read == o.read && h.lent == o.lent && h.defers == o.defers
}

// apart is the place of the one flag in which two holds differ; -1 if they differ otherwise.
func (h hold) apart(o hold) int {
	if !h.like(o) {
		return -1
	}
	return h.flags.apart(o.flags)
}
