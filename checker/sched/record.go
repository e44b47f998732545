package sched

import "unsafe"

// A Touch is a plain access to memory of an execution with Options.Record.
type Touch struct {
	G     int
	After int   // events of the trace that came before it
	Word  int32 // numbers what is accessed by its address, from 1
	Write bool
	Stack []Frame // of the program, innermost first; not to be changed
}

// A recorder numbers what is accessed.
type recorder struct {
	words map[unsafe.Pointer]int32 // keeps the memory, so that no address is used again
	at    position                 // scratch
}

// maxTouches bounds the accesses that are recorded of an execution. Guessed: a few
// megabytes.
const maxTouches = 20_000

// record notes an access, if it is wanted.
func (g *goroutine) record(p unsafe.Pointer, write bool) {
	x := g.x
	r := &x.memory.touches
	if !x.options.Record || len(x.result.Touches) >= maxTouches {
		return
	}
	if r.words == nil {
		r.words = map[unsafe.Pointer]int32{}
	}
	word, ok := r.words[p]
	if !ok {
		word = int32(len(r.words) + 1)
		r.words[p] = word
	}
	t := Touch{G: g.id, After: len(x.result.Trace), Word: word, Write: write}
	r.at = where(2, shallow, r.at)
	t.Stack = r.at.frames()
	x.result.Touches = append(x.result.Touches, t)
}
