package askagain

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// maxFrames is how many calls deep a function is looked into.
const maxFrames = 4

// plain are the packages of the standard library whose functions change nothing but what
// they are given, by the beginnings of those names; "" stands for all.
var plain = map[string][]string{
	"errors": {""}, "strings": {""}, "strconv": {""}, "math": {""}, "cmp": {""}, "unicode": {""}, "unicode/utf8": {""},
	"fmt":    {"Errorf", "Sprint"},
	"slices": {"Contains", "Index", "BinarySearch", "Equal", "Max", "Min", "Clone"},
	"maps":   {"Clone", "Equal", "Keys", "Values"},
	"bytes":  {"Equal", "Contains", "Index", "HasPrefix", "HasSuffix", "Compare"},
	"time":   {"Now", "Since", "Until", "Before", "After", "Sub", "Add", "Equal", "IsZero", "Unix"},
}

// asking reports whether code changes nothing but the function's own variables, so that it
// can run twice: it neither waits nor writes what is shared, and what it calls does not
// either. The call except is taken for such a one.
func asking(fn *mutate.Function, n ast.Node, except *ast.CallExpr, frames int) bool {
	return repeats(fn, n, except, frames, may{})
}

// may is what code may do besides.
type may struct {
	lock   bool // take locks, for a while
	change bool // what others see, lists and maps of the standard library included
}

// repeats is asking for code that may do more.
func repeats(fn *mutate.Function, n ast.Node, except *ast.CallExpr, frames int, do may) bool {
	info := fn.File.Package.Info
	calls := map[*ast.CallExpr]*mutate.Function{}
	if s, ok := n.(ast.Stmt); ok {
		for _, c := range fn.Calls(s) {
			calls[c.Expr] = c.To
		}
	}
	return !syntax.Any(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt, *ast.GoStmt, *ast.SelectStmt, *ast.LabeledStmt:
			return true
		case *ast.DeferStmt:
			return !do.lock || !fn.IsLockCall(n)
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.RangeStmt:
			_, receives := info.TypeOf(n.X).Underlying().(*types.Chan)
			return receives
		case *ast.CallExpr:
			if n == except {
				return false
			}
			if to := calls[n]; to != nil {
				return frames == 0 || len(to.Sections()) > 0 && !do.lock || !repeats(to, to.Body, except, frames-1, do)
			}
			return !plainCall(info, n) && !(do.lock && lockCall(info, n)) && !(do.change && (ofContainer(info, n) || syntax.Builtin(info, n) != ""))
		case ast.Stmt:
			return !do.change && slices.ContainsFunc(syntax.Assigned(n), func(e ast.Expr) bool { return !own(fn, e) })
		}
		return false
	})
}

// own reports whether something that is assigned to is a local variable as a whole.
func own(fn *mutate.Function, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := fn.File.Package.Info.ObjectOf(id).(*types.Var)
	return id.Name == "_" || ok && fn.Node.Pos() <= v.Pos() && v.Pos() < fn.Node.End()
}

// ofContainer reports whether a call is one of a list, ring, slice or map of the standard library.
func ofContainer(info *types.Info, call *ast.CallExpr) bool {
	f := syntax.Callee(info, call.Fun)
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "container/list", "container/ring", "slices", "maps":
		return true
	}
	return false
}

// lockCall reports whether a call takes or releases a lock.
func lockCall(info *types.Info, call *ast.CallExpr) bool {
	f := syntax.Callee(info, call.Fun)
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync" &&
		slices.Contains([]string{"Lock", "Unlock", "RLock", "RUnlock"}, f.Name())
}

// plainCall reports whether a call is a conversion, of a function known to change nothing, or of a
// function value that is given nothing and returns something, as a clock.
func plainCall(info *types.Info, call *ast.CallExpr) bool {
	if tv := info.Types[call.Fun]; tv.IsType() {
		return true
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if _, ok := info.Uses[id].(*types.Builtin); ok {
			return slices.Contains([]string{"len", "cap", "min", "max", "new", "make", "real", "imag", "complex"}, id.Name)
		}
	}
	f := syntax.Callee(info, call.Fun)
	if f == nil {
		sig, ok := info.TypeOf(call.Fun).Underlying().(*types.Signature)
		return ok && sig.Params().Len() == 0 && sig.Results().Len() > 0
	}
	if f.Pkg() == nil {
		return f.Name() == "Error" // of the universe's error
	}
	return slices.ContainsFunc(plain[f.Pkg().Path()], func(name string) bool { return strings.HasPrefix(f.Name(), name) })
}

// shared are the accesses of statements, and of what they call, to what the narrowing has as shared.
func shared(fn *mutate.Function, frames int, stmts ...ast.Stmt) map[*types.Var]bool {
	vars := map[*types.Var]bool{}
	collect(fn, frames, vars, stmts...)
	return vars
}

// collect notes variables: true for those that are written.
func collect(fn *mutate.Function, frames int, vars map[*types.Var]bool, stmts ...ast.Stmt) {
	for _, a := range fn.Accesses(stmts...) {
		vars[a.Var] = vars[a.Var] || a.Write
	}
	if frames == 0 {
		return
	}
	for _, c := range fn.Calls(stmts...) {
		collect(c.To, frames-1, vars, c.To.Body)
	}
}
