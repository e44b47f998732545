package effects

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/lockcall"
)

// maxText is the length in bytes to which an expression is quoted in a note.
const maxText = 40

// OpenLocks counts the locks that consecutive statements of one list take
// themselves and do not release: how many sections a bound right after them
// would lie inside. It is -1 if they release a lock that they did not take,
// so that a bound right before them does. Deferred releases do not count.
func OpenLocks(fn *mutate.Function, stmts ...ast.Stmt) int {
	open := 0
	for _, s := range stmts {
		call, ok := lockcall.Of(fn.Program, fn.File, s)
		if !ok {
			continue
		}
		switch call.Method {
		case "Lock", "RLock":
			open++
		case "Unlock", "RUnlock":
			open--
		}
		if open < 0 {
			return -1
		}
	}
	return open
}

// Matters reports whether a lock around a statement can make a difference: it
// touches a shared variable or calls a function that is not from a library.
func Matters(fn *mutate.Function, stmt ast.Stmt) bool {
	if len(fn.Accesses(stmt)) > 0 {
		return true
	}
	found := false
	syntax.Now(stmt, func(n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || ownCall(fn, call)
		}
	})
	return found
}

// ownCall reports whether a call may run code of the module: it does not name a
// builtin, a type, or a function of a package that was not loaded.
func ownCall(fn *mutate.Function, call *ast.CallExpr) bool {
	if tv := fn.File.Package.Info.Types[call.Fun]; tv.IsBuiltin() || tv.IsType() {
		return false
	}
	f := syntax.Callee(fn.File.Package.Info, call.Fun)
	if f == nil || f.Pkg() == nil {
		return true
	}
	if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return f.Pkg().Path() != "context" // whose contexts nearly all are
	}
	for _, p := range fn.Program.Packages {
		if p.Path == f.Pkg().Path() {
			return true
		}
	}
	return false
}

// Subject says what some statements do that concerns a lock, for a note:
// "s.count must be changed", "s.count must be read" or "s.flush must be
// called", with "must be" or the like as verb. Writes come before reads, reads
// before calls, and all before variables that the function declares itself.
// It is "" where they do nothing of the kind.
func Subject(fn *mutate.Function, verb string, stmts ...ast.Stmt) string {
	var read, local string
	for _, a := range fn.Accesses(stmts...) {
		did := "read"
		if a.Write {
			did = "changed"
		}
		text := fmt.Sprintf("%s %s %s", short(a.Expr, a.Var.Name()), verb, did)
		switch {
		case ownLocal(fn, a.Var):
			local = cmp.Or(local, text)
		case a.Write:
			return text
		default:
			read = cmp.Or(read, text)
		}
	}
	if read != "" {
		return read
	}
	for _, s := range stmts {
		if name := Called(fn, s); name != "" {
			return fmt.Sprintf("%s %s called", name, verb)
		}
	}
	return local
}

// WaitNote says why a statement is better done without a section's lock.
func WaitNote(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt) string {
	effects, name := Of(fn, s, stmt), Called(fn, stmt)
	switch {
	case name != "" && effects.Relocks:
		return name + " takes " + s.Lock.Expr + " itself"
	case name != "" && effects.Nests:
		return name + " takes other locks: not under " + s.Lock.Expr
	case name != "" && effects.Calls:
		return name + " may wait for others: not under " + s.Lock.Expr
	}
	return "do not wait for others under " + s.Lock.Expr
}

// ownLocal reports whether a variable is declared in the function itself: a
// note that names it would say little.
func ownLocal(fn *mutate.Function, v *types.Var) bool {
	return !v.IsField() && fn.Body.Pos() <= v.Pos() && v.Pos() < fn.Body.End()
}

// Called names the first function that a statement calls and that may run
// code of the module; "" if there is none.
func Called(fn *mutate.Function, stmt ast.Stmt) string {
	name := ""
	syntax.Now(stmt, func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || name != "" || !ownCall(fn, call) {
			return
		}
		switch f := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = short(f, f.Sel.Name)
		}
	})
	return name
}

// short is an expression's text, or other text where that is long.
func short(e ast.Expr, other string) string {
	if text := types.ExprString(e); len(text) <= maxText {
		return text
	}
	return other
}
