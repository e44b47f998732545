package rules

import (
	"go/token"
	"slices"
	"strings"
)

// A function that starts a goroutine tells it to end, and may wait for it, where it leaves
// early. Who starts it behind the last of these exits has nobody to end there:
//
//	go w.run()
//	if err := w.load(); err != nil {        if err := w.load(); err != nil {
//		w.Close()                           	return nil, err
//		return nil, err              →      }
//	}                                       go w.run()
//	return w, nil                           return w, nil

// unstarted counts the closes, or calls of a function that only ends goroutines, that are gone
// for this reason.
func (s *sources) unstarted(key string) (n int) {
	if !strings.HasPrefix(key, closeKey) && !s.synchronising.ends(key) {
		return 0
	}
	for in := range s.before.returns {
		if s.startsLast(in) {
			n += max(0, s.endingsIn(in, key)-len(inFunction(s.after.done[key], in)))
		}
	}
	return n
}

// startsLast reports whether a function starts its goroutines behind its last early exit,
// and did not before.
func (s *sources) startsLast(in string) bool {
	was, is := s.before.startsIn(in), s.after.startsIn(in)
	if len(was) == 0 || len(is) < len(was) {
		return false
	}
	return was[0] < s.before.lastExit(in) && s.after.lastExit(in) < is[0]
}

// endingsIn counts the effects of an original's function that are between its first start of
// a goroutine and its last early exit.
func (s *sources) endingsIn(in, key string) (n int) {
	first, last := s.before.startsIn(in)[0], s.before.lastExit(in)
	for _, d := range inFunction(s.before.done[key], in) {
		if first < d.at && d.at < last && !d.deferred {
			n++
		}
	}
	return n
}

func inFunction(list []effect, in string) []effect {
	return slices.DeleteFunc(slices.Clone(list), func(d effect) bool { return d.in != in })
}

// startsIn are the places where a function starts a goroutine, or calls a function that does
// so itself, in their order.
func (d *effects) startsIn(in string) (at []token.Pos) {
	starting := map[string]bool{}
	for _, st := range d.starts {
		starting[st.in] = true
		if st.in == in {
			at = append(at, st.at)
		}
	}
	for key := range starting {
		at = append(at, positions(inFunction(d.done[key], in))...)
	}
	slices.Sort(at)
	return at
}

// lastExit is the last return of a function but one; NoPos: there is none.
func (d *effects) lastExit(in string) token.Pos {
	if returns := d.returns[in]; len(returns) > 1 {
		return returns[len(returns)-2]
	}
	return token.NoPos
}
