package scenario

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// isOneStep says whether a function of the original is meant to take effect at once, as far as
// its text shows: it takes one lock at most or, without a lock, writes one atomic value at most, not in a
// loop, and calls nobody's function on its way. What has several sections lets others in between them by
// design, unless that is the bug, which cannot be told apart.
func (m *maker) isOneStep(fn *types.Func) bool {
	var all steps
	for f := range m.reach(fn).functions {
		b := m.bodies[f]
		if b == nil {
			return false // a method of an interface
		}
		one := b.steps()
		all.locks += one.locks
		all.atomics += one.atomics
		all.others += one.others
	}
	return all.others == 0 && (all.locks == 1 || all.locks == 0 && all.atomics <= 1)
}

// waits says whether a function may wait for others: it receives, sends, selects, or waits for a
// condition variable, a wait group or a function that is known only when it runs.
func (m *maker) waits(fn *types.Func) bool {
	for f := range m.reach(fn).functions {
		if b := m.bodies[f]; b == nil || b.steps().waits > 0 {
			return true
		}
	}
	return false
}

// steps are the places at which a function synchronises; one in a loop counts for many.
type steps struct {
	locks, atomics int
	waits          int // among others: it waits
	others         int // it communicates, waits for time, or calls what is known only when it runs
}

// steps counts the places at which a function synchronises.
func (b *body) steps() (s steps) {
	loops := 0
	var visit func(ast.Node) bool
	visit = func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.ForStmt:
			loops++
			ast.Inspect(x.Body, visit)
			loops--
			return false
		case *ast.RangeStmt:
			loops++
			ast.Inspect(x.Body, visit)
			loops--
			return false
		case *ast.GoStmt:
			s.others++
		case *ast.SendStmt, *ast.SelectStmt:
			s.others++
			s.waits++
		case *ast.UnaryExpr:
			if x.Op == token.ARROW {
				s.others++
				s.waits++
			}
		case *ast.CallExpr:
			b.count(&s, x)
			if loops > 0 {
				b.count(&s, x)
			}
		}
		return true
	}
	ast.Inspect(b.decl.Body, visit)
	return s
}

// count counts a call.
func (b *body) count(s *steps, c *ast.CallExpr) {
	info := b.file.Package.Info
	fn := callee(info, c.Fun)
	if fn == nil {
		tv := info.Types[c.Fun]
		if _, literal := ast.Unparen(c.Fun).(*ast.FuncLit); !literal && !tv.IsType() && !tv.IsBuiltin() {
			s.others++
		}
		return
	}
	if fn.Pkg() == nil {
		return
	}
	switch fn.Pkg().Path() {
	case "sync":
		switch fn.Name() {
		case "Lock", "RLock", "TryLock", "TryRLock", "Do":
			s.locks++
		case "Store", "LoadOrStore", "Swap", "CompareAndSwap", "Delete", "LoadAndDelete":
			s.atomics++
		case "Wait":
			s.others++
			s.waits++
		}
	case "sync/atomic":
		if !strings.HasPrefix(fn.Name(), "Load") {
			s.atomics++
		}
	case "time":
		if fn.Name() == "Sleep" {
			s.others++
		}
	}
}
