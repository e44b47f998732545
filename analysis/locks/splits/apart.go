package splits

import (
	"slices"

	"mendel/analysis/locks"
)

// AsksApart are the steps, one of a function, that go by the variable of a split which is whole now, in a later
// section than the one that asks.
func AsksApart(m *locks.View, o Split) (left []Step) {
	whole := m.Named(o.In.Name)
	if whole == nil {
		return nil
	}
	acts := make(map[string]bool) // what is written in the section that sets the variable
	for _, set := range Steps(m, whole) {
		if !set.Write || set.Key != o.Read.Key {
			continue
		}
		for _, s := range Steps(m, whole) {
			if s.Write && s.Key != o.Read.Key && s.Share(set) {
				acts[s.Key] = true
			}
		}
	}
	for _, fn := range m.Shipped() {
		if fn == whole {
			continue
		}
		steps := Steps(m, fn)
		goesBy := func(r, w Step) bool {
			asks := func(s Step) bool { return !s.Write && s.Key == r.Key && s.Share(w) }
			return w.Write && acts[w.Key] && w.At.Pos() > r.At.End() && !r.Share(w) && r.Common(w) == o.Lock &&
				!slices.ContainsFunc(steps, asks) && follows(m, r, w)
		}
		for _, r := range steps {
			acted := func(s Step) bool { return s.Write && s.Share(r) }
			if r.Write || r.Key != o.Read.Key || slices.ContainsFunc(steps, acted) {
				continue
			}
			if i := slices.IndexFunc(steps, func(w Step) bool { return goesBy(r, w) }); i >= 0 {
				left = append(left, steps[i])
				break
			}
		}
	}
	return left
}
