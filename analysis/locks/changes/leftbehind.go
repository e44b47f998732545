package changes

import (
	"go/ast"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/sections"
	"mendel/analysis/syntax"
)

// leftBehind finds calls of a function that sends behind a section of a lock, where the change moves such a
// call into the section elsewhere: what the section has found out may not be so any more when it sends.
func (c *comparison) leftBehind() {
	was, now := sendingCalls(c.before), sendingCalls(c.after)
	mended := make(map[string][]string) // functions, by callee and lock
	for _, a := range was {
		if !a.behind {
			continue
		}
		moved := func(b sendingCall) bool {
			return b.in.Name == a.in.Name && b.lock == a.lock && !b.behind && (b.callee == a.callee || b.callee == syntax.VariantKey(a.callee))
		}
		stays := func(b sendingCall) bool { return b.in.Name == a.in.Name && b.same(a) }
		if slices.ContainsFunc(now, moved) && !slices.ContainsFunc(now, stays) {
			mended[a.callee+" "+a.lock] = append(mended[a.callee+" "+a.lock], a.in.Label())
		}
	}
	for _, b := range now {
		in := mended[b.callee+" "+b.lock]
		if b.behind && len(in) > 0 && slices.ContainsFunc(was, func(a sendingCall) bool { return a.in.Name == b.in.Name && b.same(a) }) {
			c.reportAt(SplitLeft, b.in, b.call, "", "%s is called behind the section of %s, into which the change moves it in %s", syntax.CalledName(b.call.Fun).Name, shortKey(b.lock), in[0])
		}
	}
}

// A sendingCall is a call of a function that sends, in a section of a lock or behind one.
type sendingCall struct {
	in     *program.Func
	call   *ast.CallExpr
	callee string
	lock   string
	behind bool
}

// same says whether both are calls of one function in the same place of a section.
func (s sendingCall) same(o sendingCall) bool {
	return s.callee == o.callee && s.lock == o.lock && s.behind == o.behind
}

// sendingCalls lists those of the program, tests left out.
func sendingCalls(m *locks.View) (all []sendingCall) {
	for _, fn := range m.Shipped() {
		var calls []sendingCall
		for _, s := range m.Calls(fn) {
			f := syntax.Callee(fn.Info(), s.Call.Fun)
			if f == nil || syntax.CalledName(s.Call.Fun) == nil {
				continue
			}
			if sends(m, m.Declared(f), sendingDepth) {
				calls = append(calls, sendingCall{in: fn, call: s.Call, callee: f.Origin().FullName()})
			}
		}
		if len(calls) == 0 {
			continue
		}
		within := sections.In(m, fn)
		for _, c := range calls {
			all = append(all, c.places(within)...)
		}
	}
	return all
}

// places are the call in each section that it is in, or is behind.
func (s sendingCall) places(sections []sections.Section) (all []sendingCall) {
	for _, section := range sections {
		under := slices.ContainsFunc(section.Nodes, func(n ast.Node) bool { return n.Pos() <= s.call.Pos() && s.call.End() <= n.End() })
		before := len(section.Nodes) > 0 && !slices.ContainsFunc(section.Nodes, func(n ast.Node) bool { return n.End() > s.call.Pos() })
		if under || before {
			s.lock, s.behind = section.Key, !under
			all = append(all, s)
		}
	}
	return all
}

// sendingDepth is over how many calls it is looked for a send: a function, and what it calls with the lock.
const sendingDepth = 2

// sends reports whether a function sends to a channel, itself or by what it calls.
func sends(m *locks.View, fn *program.Func, depth int) bool {
	if fn == nil || depth == 0 {
		return false
	}
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			return true
		case *ast.CallExpr:
			f := syntax.Callee(fn.Info(), n.Fun)
			return f != nil && sends(m, m.Declared(f), depth-1)
		}
		return false
	})
}
