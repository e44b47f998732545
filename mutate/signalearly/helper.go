package signalearly

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/internal/syncops"
)

// maxHelper bounds the statements of a helper: what does more is no mere signal. Guessed.
const maxHelper = 4

// helperCall is the operation that a statement is if it calls a method, with
// nothing else to give or take, that does no more than wake somebody.
func helperCall(fn *mutate.Function, s ast.Stmt) (op syncops.Operation, ok bool) {
	x, isExpr := s.(*ast.ExprStmt)
	if !isExpr {
		return op, false
	}
	call, isCall := x.X.(*ast.CallExpr)
	if !isCall || len(call.Args) > 0 {
		return op, false
	}
	sel, isSel := call.Fun.(*ast.SelectorExpr)
	if !isSel {
		return op, false
	}
	for _, c := range fn.Calls(s) {
		if c.Expr == call && wakes(c.To) {
			return syncops.Operation{Kind: syncops.Notify, On: sel.X, Stmt: s}, true
		}
	}
	return op, false
}

// wakes reports whether a method of the module does nothing but wake somebody
// without waiting: it offers to send in a select with a default, or signals a
// condition variable.
func wakes(fn *mutate.Function) bool {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || fn.Type.Params.NumFields() > 0 || fn.Type.Results.NumFields() > 0 || len(fn.Body.List) > maxHelper {
		return false
	}
	found := false
	for _, st := range fn.Statements() {
		switch s := st.Stmt.(type) {
		case *ast.SelectStmt:
			found = found || syntax.HasDefault(s) && offers(s)
		case *ast.ExprStmt:
			op, ok := syncops.Of(fn, s)
			if !ok || op.Kind != syncops.Notify {
				return false // it does something else, too, or takes a lock
			}
			found = true
		case *ast.ReturnStmt, *ast.IfStmt:
		default:
			return false
		}
	}
	return found
}

// offers reports whether a select sends, and does nothing with it.
func offers(s *ast.SelectStmt) bool {
	sends := false
	for _, c := range s.Body.List {
		clause := c.(*ast.CommClause)
		_, send := clause.Comm.(*ast.SendStmt)
		sends = sends || send
		if clause.Comm != nil && !send {
			return false
		}
	}
	return sends
}

// neighbours lists the edits that give a function's signal, made by a helper, in
// another method of the type which changes the same under the same lock and gives
// it nowhere: behind the section, where the function returns without an error.
func neighbours(w *mutate.Whole, from *mutate.Function, s *signal) []mutate.Edit {
	call := s.Stmt.(*ast.ExprStmt).X.(*ast.CallExpr)
	helper := syntax.Callee(from.File.Package.Info, call.Fun)
	if helper == nil {
		return nil
	}
	keys := sectionKeys(from)
	var out []mutate.Edit
	for _, fn := range w.Functions {
		name, ok := receiverOf(fn, helper)
		if !ok || fn == from || wakes(fn) || !intersect(keys, sectionKeys(fn)) || syntax.Names(fn.File.Package.Info, fn.Body, helper) {
			continue
		}
		for _, exit := range exits.Of(fn, fn.Body.List...) {
			if !exits.Plain(fn, exit) || fails(fn, exit) || heldAt(fn, exit, keys) || !behind(fn, exit, keys) {
				continue
			}
			e := fn.NewEdit("signalearly", exit, exit)
			e.Form, e.Expr = formExit, name+"."+helper.Name()+"()"
			s.warm(fn, &e)
			out = append(out, e)
		}
	}
	if len(out) > maxExits {
		return nil
	}
	return out
}

// sectionKeys are the keys of the locks of a function's sections.
func sectionKeys(fn *mutate.Function) []string {
	var keys []string
	for _, s := range fn.Sections() {
		keys = append(keys, s.Lock.Key)
	}
	return keys
}

func intersect(a, b []string) bool {
	return slices.ContainsFunc(a, func(k string) bool { return slices.Contains(b, k) })
}

// receiverOf is the name of a method's receiver if it has the type of another method's.
func receiverOf(fn *mutate.Function, other *types.Func) (name string, ok bool) {
	decl, isDecl := fn.Node.(*ast.FuncDecl)
	if !isDecl || decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 {
		return "", false
	}
	method, isFunc := fn.File.Package.Info.Defs[decl.Name].(*types.Func)
	if !isFunc || method.Pkg() != other.Pkg() || syntax.Receiver(method) != syntax.Receiver(other) {
		return "", false
	}
	name = decl.Recv.List[0].Names[0].Name
	return name, name != "_"
}

// fails reports whether an exit returns an error, or ends the goroutine.
func fails(fn *mutate.Function, exit ast.Stmt) bool {
	ret, ok := exit.(*ast.ReturnStmt)
	if !ok {
		return true
	}
	for _, r := range ret.Results {
		tv := fn.File.Package.Info.Types[r]
		if !tv.IsNil() && types.Implements(tv.Type, types.Universe.Lookup("error").Type().Underlying().(*types.Interface)) {
			return true
		}
	}
	return false
}

// heldAt reports whether one of some locks is held at an exit.
func heldAt(fn *mutate.Function, exit ast.Stmt, keys []string) bool {
	for _, l := range fn.HeldAt(exit) {
		if slices.Contains(keys, l.Key) {
			return true
		}
	}
	return false
}

// behind reports whether an exit comes after the beginning of a section of one of
// some locks that writes, or calls what may.
func behind(fn *mutate.Function, exit ast.Stmt, keys []string) bool {
	return slices.ContainsFunc(fn.Sections(), func(s *mutate.Section) bool {
		return slices.Contains(keys, s.Lock.Key) && !s.Read && s.Acquire.Pos() < exit.Pos()
	})
}
