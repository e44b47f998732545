package splits

import (
	"go/ast"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/program"
)

// What is chosen in one section and taken out in others is a split too, although each call keeps its own promise:
//
//	for _, key := range s.expired() { // locks mu, asks each entry's expires
//		s.Remove(key) // locks mu, and takes out whatever has the key now
//	}

// Chosen lists the splits of which both parts are in calls: the first lists elements by what a field of theirs says, the
// second changes those without asking for that field. Most are meant so; see [comparison.splitsLeft].
func Chosen(m *locks.View) []Split {
	var found []Split
	for _, fn := range m.Shipped() {
		steps := Steps(m, fn)
		for i, r := range steps {
			if r.Write || r.Call == nil || slices.ContainsFunc(steps, func(s Step) bool { return s.At == r.At && s.Key == r.Key && s.Write }) {
				continue
			}
			fields := chooses(m, r)
			if len(fields) == 0 {
				continue
			}
			for _, w := range steps[i+1:] {
				if w.Key != r.Key || !w.Write || w.Call == nil || r.Share(w) || r.At.End() > w.At.Pos() {
					continue
				}
				lock := r.Common(w)
				if lock == "" || asksFor(m, w.Call, fields) || !follows(m, r, w) {
					continue
				}
				s := Split{In: fn, Lock: lock, Read: r.Use, Written: w.Use, Text: textBetween(m, r, w)}
				if !slices.ContainsFunc(found, s.Same) {
					found = append(found, s)
				}
			}
		}
	}
	return found
}

// chooses are the fields by which what is called chooses elements of a variable: it ranges over that, and asks for
// them.
func chooses(m *locks.View, r Step) (fields []string) {
	for to := range m.Running(r.Call) {
		ast.Inspect(to.Body, func(n ast.Node) bool {
			loop, ok := n.(*ast.RangeStmt)
			if !ok || !slices.ContainsFunc(UsesOf(m, to), func(u access.Use) bool { return u.Key == r.Key && u.At == ast.Unparen(loop.X) }) {
				return true
			}
			for _, u := range UsesOf(m, to) {
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
func asksFor(m *locks.View, fn *program.Func, fields []string) bool {
	for to := range m.Running(fn) {
		for _, u := range UsesOf(m, to) {
			if !u.Write && slices.Contains(fields, u.Key) && decides(to, u.At) {
				return true
			}
		}
	}
	return false
}
