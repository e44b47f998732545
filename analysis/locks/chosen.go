package locks

import (
	"go/ast"
	"slices"
)

// What is chosen in one section and taken out in others is a split too, although each call keeps its own promise:
//
//	for _, key := range s.expired() { // locks mu, asks each entry's expires
//		s.Remove(key) // locks mu, and takes out whatever has the key now
//	}

// chosen lists the splits of which both parts are in calls: the first lists elements by what a field of theirs says, the
// second changes those without asking for that field. Most are meant so; see [comparison.splitsLeft].
func (m *View) chosen() []Split {
	var found []Split
	for _, fn := range m.shipped() {
		steps := m.stepsOf(fn)
		for i, r := range steps {
			if r.Write || r.call == nil || slices.ContainsFunc(steps, func(s step) bool { return s.At == r.At && s.Key == r.Key && s.Write }) {
				continue
			}
			fields := m.chooses(r)
			if len(fields) == 0 {
				continue
			}
			for _, w := range steps[i+1:] {
				if w.Key != r.Key || !w.Write || w.call == nil || r.share(w) || r.At.End() > w.At.Pos() {
					continue
				}
				lock := r.common(w)
				if lock == "" || m.asksFor(w.call, fields) || !m.follows(r, w) {
					continue
				}
				s := Split{In: fn, Lock: lock, Read: r.Use, Written: w.Use, text: m.textBetween(r, w)}
				if !slices.ContainsFunc(found, s.same) {
					found = append(found, s)
				}
			}
		}
	}
	return found
}

// chooses are the fields by which what is called chooses elements of a variable: it ranges over that, and asks for
// them.
func (m *View) chooses(r step) (fields []string) {
	for to := range m.running(r.call) {
		ast.Inspect(to.Body, func(n ast.Node) bool {
			loop, ok := n.(*ast.RangeStmt)
			if !ok || !slices.ContainsFunc(m.usesOf(to), func(u Use) bool { return u.Key == r.Key && u.At == ast.Unparen(loop.X) }) {
				return true
			}
			for _, u := range m.usesOf(to) {
				if u.Key != r.Key && !u.Write && loop.Body.Pos() <= u.At.Pos() && u.At.End() <= loop.Body.End() && decides(to, u.At) {
					fields = append(fields, u.Key)
				}
			}
			return true
		})
	}
	return fields
}

// asksFor reports whether what is called decides by one of some fields.
func (m *View) asksFor(fn *Func, fields []string) bool {
	for to := range m.running(fn) {
		for _, u := range m.usesOf(to) {
			if !u.Write && slices.Contains(fields, u.Key) && decides(to, u.At) {
				return true
			}
		}
	}
	return false
}
