package flow

import (
	"maps"
	"strconv"
	"strings"
)

// A hold is a way in which a goroutine may hold a lock at a point of a function.
type hold struct {
	write, read int8
	lent        int8   // held by the iterator whose loop body this is: 0, reading or writing
	defers      string // calls deferred so far that matter to the lock: indexes, each with a comma
	flags       string // what is known of flags, as "+" or "-", position and a comma
}

const (
	reading int8 = 1
	writing int8 = 2
	// maxReads bounds nested read locks, so that the holds of a function are few.
	maxReads int8 = 3
)

// A state is the set of holds on the paths to a point; an empty one says that
// the point is never reached.
type state map[hold]bool

func (s state) with(others ...state) state {
	all := make(state, len(s))
	maps.Copy(all, s)
	for _, o := range others {
		maps.Copy(all, o)
	}
	return all
}

func (s state) each(f func(hold) hold) state {
	out := make(state, len(s))
	for h := range s {
		out[f(h)] = true
	}
	return out
}

// add joins another state into this one; it reports whether that changed it.
func (s state) add(o state) bool {
	before := len(s)
	maps.Copy(s, o)
	return len(s) > before
}

// An entry is how a lock is held when a function is entered or left, as far as callers see.
type entry struct{ write, read int8 }

func (h hold) entry() entry {
	e := entry{h.write, h.read}
	switch {
	case h.lent == writing:
		e.write = max(e.write, 1)
	case h.lent == reading && e.write == 0:
		e.read = max(e.read, 1)
	}
	return e
}

// leave is the hold after a call that was entered with one entry and left with another.
func (h hold) leave(in, out entry) hold {
	h.write += out.write - in.write
	h.read = min(h.read+out.read-in.read, maxReads)
	return h
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
		if h.entry().write > 0 {
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

// A Kind is what is wrong with how a lock is held.
type Kind int

// Kinds of faults.
const (
	NoFault    Kind = iota
	TakenTwice      // taken where it may be held: the goroutine waits for itself
	ReadTwice       // taken for reading where it may be held for reading: it may wait for a writer that waits for it
	NotHeld         // released where it may not be held: the program crashes
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
	yes, no := "+"+strconv.Itoa(flag)+",", "-"+strconv.Itoa(flag)+","
	if !value {
		yes, no = no, yes
	}
	switch {
	case strings.Contains(h.flags, no):
		return h, false
	case !strings.Contains(h.flags, yes) && len(h.flags) < maxFlags:
		h.flags += yes
	}
	return h, true
}

// maxFlags bounds the text of what is known of flags, so that the holds of a function are few.
const maxFlags = 30

// assume is the part of a state where a flag may have a value.
func (s state) assume(flag int, value bool) state {
	out := make(state)
	for h := range s {
		if next, ok := h.assume(flag, value); ok {
			out[next] = true
		}
	}
	return out
}

// forget is the hold after an assignment to a flag.
func (h hold) forget(flag int) hold {
	text := strconv.Itoa(flag) + ","
	h.flags = strings.ReplaceAll(strings.ReplaceAll(h.flags, "+"+text, ""), "-"+text, "")
	return h
}
