package localize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/checker/sched"
)

// A channel may be a semaphore: who enters sends something that says nothing, and who
// leaves receives it. There, a receiver that waits for ever gives back what somebody has
// given back before.

// releasedTwice explains a wait at a semaphore by the places that take its slots: there
// are fewer of them than releases, and a goroutine has done both.
func (x *examiner) releasedTwice(w waiter, own *execution) []suspect {
	if w.obj == 0 || !strings.Contains(w.what, "receive") {
		return nil
	}
	slots := x.src.slots(w.at)
	if slots == nil {
		return nil
	}
	takes, gives := map[int]int{}, map[int]int{w.g: 1}
	var sites []site
	taken, given := 0, 1
	for _, d := range own.deeds[w.obj] {
		switch {
		case d.kind == sched.KindSend || d.kind == sched.KindSelect && x.src.sends(d.at, slots):
			taken++
			takes[d.g]++
			sites = append(sites, d.at)
		case d.kind == sched.KindRecv:
			given++
			gives[d.g]++
		}
	}
	both := false
	for g := range takes {
		both = both || gives[g] > 0
	}
	if !both || given <= taken {
		return nil
	}
	base := suspect{variable: slots.Name(), fault: evidence.DoubleRelease, partnerDoes: w.what}
	wait := base
	wait.at, wait.does, wait.score = w.at, w.what, slotGoneTwice
	wait.says = fmt.Sprintf("gives back a slot of %s that was given back before, and waits for ever: %d were taken", slots.Name(), taken)
	list := []suspect{wait}
	seen := map[site]bool{}
	for _, at := range sites {
		if seen[at] {
			continue
		}
		seen[at] = true
		take := base
		take.at, take.does, take.partner, take.score = at, "channel send", w.at, slotTaken
		take.says = fmt.Sprintf("takes a slot of %s, which is given back more than once: at %s nothing is left to give back", slots.Name(), x.src.rel(w.at))
		list = append(list, take)
	}
	return list
}

// slots is the channel that a line receives from, if only slots go through it: constants
// are sent, nobody looks at what comes, and it is not closed. nil: there is none.
func (s *sources) slots(at site) *types.Var {
	f, stmt := s.statement(at)
	if stmt == nil {
		return nil
	}
	var ch *types.Var
	ast.Inspect(stmt, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW && s.line(u.Pos()) == at.line && ch == nil {
			ch = syntax.Variable(f.Package.Info, u.X)
		}
		return ch == nil
	})
	if ch == nil {
		return nil
	}
	for _, pkg := range s.program.Packages {
		for _, f := range pkg.Files {
			if !onlySlots(f.AST, pkg.Info, ch) {
				return nil
			}
		}
	}
	return ch
}

// onlySlots reports whether all that code does with a channel may be what is done with a
// semaphore.
func onlySlots(code ast.Node, info *types.Info, ch *types.Var) bool {
	is := func(e ast.Expr) bool {
		v := syntax.Variable(info, e)
		return v != nil && v.Origin() == ch.Origin()
	}
	only := true
	alone := map[ast.Node]bool{} // receives whose value is not used
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			alone[ast.Unparen(n.X)] = true
		case *ast.UnaryExpr:
			only = only && (n.Op != token.ARROW || alone[n] || !is(n.X))
		case *ast.RangeStmt:
			only = only && !is(n.X)
		case *ast.SendStmt:
			lit, empty := ast.Unparen(n.Value).(*ast.CompositeLit)
			only = only && (!is(n.Chan) || info.Types[n.Value].Value != nil || empty && len(lit.Elts) == 0)
		case *ast.CallExpr:
			only = only && !(syntax.Builtin(info, n) == "close" && is(n.Args[0]))
		}
		return only
	})
	return only
}

// sends reports whether a line is a select that may send on a channel.
func (s *sources) sends(at site, ch *types.Var) bool {
	f := s.program.File(at.file)
	if f == nil {
		return false
	}
	return syntax.Any(f.AST, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if !ok || s.line(sel.Pos()) > at.line || at.line > s.line(sel.End()) {
			return false
		}
		for _, c := range sel.Body.List {
			send, ok := c.(*ast.CommClause).Comm.(*ast.SendStmt)
			if !ok {
				continue
			}
			if v := syntax.Variable(f.Package.Info, send.Chan); v != nil && v.Origin() == ch.Origin() {
				return true
			}
		}
		return false
	})
}
