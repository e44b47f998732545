package addunlock

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/held"
)

// A pair is two calls that stand for acquisition and release of locks which the function
// itself does not name: lockBoth(a, b) and unlockBoth(a, b). What most exits do behind the
// acquisition is what the others have forgotten (Engler et al., Bugs as Deviant Behavior,
// SOSP 2001).
type pair struct {
	acquire mutate.Statement
	release *ast.ExprStmt // one of the calls that release
	text    string        // of each
	key     string        // of the first lock that the acquisition takes
}

// pairEdits lists the exits behind a paired acquisition at which the release is missing that
// others have.
func pairEdits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, p := range pairs(fn) {
		for _, exit := range p.missing(fn) {
			e := fn.NewEdit("addunlock", exit, exit)
			e.Form, e.Expr, e.Other = formPair, p.text, fn.ID(p.release)
			e.Lock = &analysis.Lock{Expr: types.ExprString(p.release.X.(*ast.CallExpr).Fun), Key: p.key}
			e.Heat = max(e.Heat, fn.NewEdit("addunlock", p.acquire.Stmt).Heat, waitHeat(fn, p.key))
			e.Note, e.Sure = "released at the other exits", true
			e.Group = p.key + " " + fn.Name
			out = append(out, e)
		}
	}
	return out
}

// pairs finds the paired calls of a function.
func pairs(fn *mutate.Function) []pair {
	var found []pair
	for _, st := range fn.Statements() {
		x, to := called(fn, st.Stmt)
		if to == nil || len(x.Args) == 0 && !isMethod(to) || slices.ContainsFunc(found, func(p pair) bool { return p.text == types.ExprString(x) }) {
			continue
		}
		if taken, released := lockCalls(to); taken > 0 || released == 0 {
			continue
		}
		if a, key, ok := acquisition(fn, st.Stmt, x); ok {
			found = append(found, pair{a, st.Stmt.(*ast.ExprStmt), types.ExprString(x), key})
		}
	}
	return found
}

// called is the call that a statement is, and the function of the module that it names.
func called(fn *mutate.Function, s ast.Stmt) (*ast.CallExpr, *mutate.Function) {
	stmt, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil, nil
	}
	for _, c := range fn.Calls(stmt) {
		if c.Expr == ast.Unparen(stmt.X) {
			return c.Expr, c.To
		}
	}
	return nil, nil
}

func isMethod(fn *mutate.Function) bool {
	decl, ok := fn.Node.(*ast.FuncDecl)
	return ok && decl.Recv != nil
}

// lockCalls counts the calls of locks' methods in a function's text.
func lockCalls(fn *mutate.Function) (taken, released int) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if x, ok := n.(*ast.CallExpr); ok {
			switch _, method, ok := fn.Program.LockOf(fn.File, x); {
			case ok && strings.HasSuffix(method, "Unlock"):
				released++
			case ok:
				taken++
			}
		}
		return true
	})
	return taken, released
}

// acquisition is the call before a release, of the same things, of a function that takes as
// many locks as that of the release lets go, and lets none go.
func acquisition(fn *mutate.Function, release ast.Stmt, x *ast.CallExpr) (at mutate.Statement, key string, ok bool) {
	_, to := called(fn, release)
	_, let := lockCalls(to)
	for _, st := range fn.Statements() {
		if st.Stmt.Pos() >= release.Pos() {
			break
		}
		y, from := called(fn, st.Stmt)
		if from == nil || of(y) != of(x) {
			continue
		}
		keys := held.AcquiresOf(fn, y)
		if taken, released := lockCalls(from); released == 0 && taken == let && len(keys) > 0 && behind(st, release) {
			at, key, ok = st, keys[0], true
		}
	}
	return at, key, ok
}

// of is what a call is about: its receiver and arguments.
func of(x *ast.CallExpr) string {
	var parts []string
	if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok {
		parts = append(parts, types.ExprString(sel.X))
	}
	for _, a := range x.Args {
		parts = append(parts, types.ExprString(a))
	}
	return strings.Join(parts, ",")
}

// missing are the returns behind the acquisition before which the release is not called; none
// if no exit has it, or a return evaluates what the lock may be for.
func (p pair) missing(fn *mutate.Function) (exits []ast.Stmt) {
	exits = forgetful(fn, p.acquire, nil, func(exit ast.Stmt) bool { return p.releasedBefore(fn, exit) })
	if slices.ContainsFunc(exits, func(s ast.Stmt) bool { return effects.Matters(fn, s) }) {
		return nil
	}
	return exits
}

// forgetful are the returns behind a statement in front of which something is not released; none if no exit
// releases it. Those in the question whether it could be taken do not count; nil: there is none.
func forgetful(fn *mutate.Function, acquire mutate.Statement, asks *ast.IfStmt, released func(exit ast.Stmt) bool) (leaving []ast.Stmt) {
	if exits.HasGotoTarget(fn, fn.Body.List...) {
		return nil
	}
	some := false
	for _, st := range fn.Statements() {
		_, returns := st.Stmt.(*ast.ReturnStmt)
		switch {
		case !returns || !behind(acquire, st.Stmt) || asks != nil && syntax.Within(st.Stmt, asks):
		case released(st.Stmt):
			some = true
		default:
			leaving = append(leaving, st.Stmt)
		}
	}
	if !some {
		return nil
	}
	return leaving
}

// releasedBefore reports whether a release is called between the acquisition and an exit, in
// one of the lists around it.
func (p pair) releasedBefore(fn *mutate.Function, exit ast.Stmt) bool {
	return slices.ContainsFunc(fn.Statements(), func(st mutate.Statement) bool {
		x, _ := called(fn, st.Stmt)
		if x == nil || types.ExprString(x) != p.text || st.Stmt.Pos() < p.acquire.Stmt.End() {
			d, deferred := st.Stmt.(*ast.DeferStmt)
			if !deferred || types.ExprString(d.Call) != p.text {
				return false
			}
		}
		return behind(st, exit)
	})
}

// releasePair puts the release before the exit, in place of the releases of single locks of
// the pair that stand there.
func (p application) releasePair(exit dst.Stmt) error {
	for _, pr := range pairs(p.fn) {
		if p.fn.ID(pr.release) != p.e.Other {
			continue
		}
		src, _ := p.Syntax(p.e.File, p.e.Node).(ast.Stmt)
		st := mutate.Innermost(p.fn.Statements(), src)
		if src == nil || st.Stmt != src {
			break
		}
		for _, s := range st.List[:st.Index] {
			if !pr.single(p.fn, s) {
				continue
			}
			if node := p.StmtOf(p.e.File, s); node != nil {
				if err := p.Drop(p.e.File, node); err != nil {
					return mutate.Refuse(p.e, "%v", err)
				}
			}
		}
		return p.InsertSnippet(p.e.File, exit, false, pr.text)
	}
	return mutate.Refuse(p.e, "the release is not known any more")
}

// single reports whether a statement releases a lock of one of the things that a pair is about.
func (p pair) single(fn *mutate.Function, s ast.Stmt) bool {
	stmt, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	x, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	l, method, ok := fn.Program.LockOf(fn.File, x)
	if !ok || !strings.HasSuffix(method, "Unlock") || l.Key != p.key {
		return false
	}
	return slices.ContainsFunc(p.release.X.(*ast.CallExpr).Args, func(a ast.Expr) bool {
		return strings.HasPrefix(l.Expr, types.ExprString(a)+".")
	})
}

// behind reports whether a statement is in the list of another one behind it, at any depth.
func behind(st mutate.Statement, s ast.Stmt) bool { return syntax.Within(s, st.List[st.Index+1:]...) }
