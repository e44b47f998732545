package handed

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A Lock is one that a function gets locked, with the value that it belongs to.
type Lock struct {
	naming.Lock
	From *program.Func // that takes it
	At   ast.Stmt      // with the call
	// Taken stands for its acquisition: in front of the statement from which on the function has it, behind the question
	// whether it could be taken.
	Taken locks.Change
}

// To lists the locks that a function gets from calls of others and releases itself, in the order of the calls.
// It takes none of them itself.
func To(of *locks.Model, fn *program.Func) []Lock {
	var list []Lock
	for _, l := range released(of, fn) {
		root, ok := l.Path.Root.(*types.Var)
		if !ok {
			continue
		}
		syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
			stmts := syntax.ListOf(n)
			for i := range max(len(stmts)-1, 0) {
				s := stmts[i]
				to, method := gives(of, fn, s, root, l.Key)
				if to == nil {
					continue
				}
				from := i + 1
				if asks(fn.Info(), stmts[from], s) {
					from++
				}
				if from < len(stmts) {
					list = append(list, Lock{l, to, s, locks.Change{Stmt: stmts[from], Where: locks.Before, Method: method}})
				}
			}
		})
	}
	return list
}

// released are the locks that a function releases in statements of its own, and takes nowhere.
func released(of *locks.Model, fn *program.Func) []naming.Lock {
	var list []naming.Lock
	taken := map[naming.Path]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		op, ok := program.LockMethod(fn.Info(), call.Fun)
		if !ok {
			return true
		}
		l, ok := of.LockOf(fn, call)
		switch {
		case !ok:
		case op.Method != "Unlock" && op.Method != "RUnlock":
			taken[l.Path] = true
		case !slices.ContainsFunc(list, func(o naming.Lock) bool { return o.Path == l.Path }):
			list = append(list, l)
		}
		return true
	})
	return slices.DeleteFunc(list, func(l naming.Lock) bool { return taken[l.Path] })
}

// gives is the function that a statement calls for a variable, and the method by which it takes the lock with
// a key that the variable's value has; nil if it does not.
func gives(of *locks.Model, fn *program.Func, s ast.Stmt, v *types.Var, key string) (to *program.Func, method string) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Rhs) != 1 {
		return nil, ""
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	at := slices.IndexFunc(a.Lhs, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && fn.Info().ObjectOf(id) == v
	})
	if !ok || at < 0 {
		return nil, ""
	}
	f := syntax.Callee(fn.Info(), call.Fun)
	if f == nil {
		return nil, ""
	}
	to = of.Named(f.Origin().FullName())
	if to == nil || to == fn {
		return nil, ""
	}
	for _, l := range taken(of, to) {
		if l.Key != key {
			continue
		}
		for _, s := range leaving(of, to, l) {
			if at < len(s.Results) && roots(of, to, l, s.Results[at]) {
				return to, methodOf(l)
			}
		}
	}
	return nil, ""
}

// By lists the returns of a function at which it hands a lock on that it has taken: what is returned has it, and who
// gets that releases it.
func By(of *locks.Model, fn *program.Func, l naming.Lock) []*ast.ReturnStmt {
	if fn.Object == nil {
		return nil
	}
	list := slices.DeleteFunc(leaving(of, fn, l), func(s *ast.ReturnStmt) bool {
		return !slices.ContainsFunc(s.Results, func(e ast.Expr) bool { return roots(of, fn, l, e) })
	})
	if len(list) == 0 {
		return nil
	}
	got := slices.ContainsFunc(of.Sites(fn), func(s program.Site) bool {
		return slices.ContainsFunc(To(of, s.In), func(o Lock) bool { return o.From == fn && o.Key == l.Key })
	})
	if !got {
		return nil
	}
	return list
}

// taken are the locks that a function takes in statements of its own; of each path one.
func taken(of *locks.Model, fn *program.Func) []naming.Lock {
	var list []naming.Lock
	syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		if op, ok := program.LockMethod(fn.Info(), call.Fun); !ok || op.Method != "Lock" && op.Method != "RLock" {
			return
		}
		if l, ok := of.LockOf(fn, call); ok && !slices.ContainsFunc(list, func(o naming.Lock) bool { return o.Path == l.Path }) {
			list = append(list, l)
		}
	})
	return list
}

// methodOf is the method that the text calls on a lock.
func methodOf(l naming.Lock) string {
	if l.Call != nil {
		return l.Call.Sel.Name
	}
	return "Lock"
}

// leaving are the returns of a function at which it leaves a lock taken.
func leaving(of *locks.Model, fn *program.Func, l naming.Lock) (list []*ast.ReturnStmt) {
	b := of.Balance(fn, l, false)
	if b == nil {
		return nil
	}
	faults, _ := b.Try()
	for _, f := range faults {
		if s, ok := f.Node.(*ast.ReturnStmt); ok && f.Kind == locks.LeftHeld {
			list = append(list, s)
		}
	}
	return list
}

// roots reports whether an expression is the value, or points to the one, that a lock belongs to.
func roots(of *locks.Model, fn *program.Func, l naming.Lock, e ast.Expr) bool {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	m := of.Lock()
	defer of.Unlock()
	owner := m.PathOf(fn, e)
	if !owner.Known() {
		return false
	}
	_, ok := l.Path.Below(owner)
	return ok
}

// asks reports whether a statement asks what another one was told, and leaves.
func asks(info *types.Info, s, told ast.Stmt) bool {
	question, ok := s.(*ast.IfStmt)
	if !ok || question.Init != nil || question.Else != nil || len(question.Body.List) == 0 {
		return false
	}
	switch question.Body.List[len(question.Body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
	default:
		return false
	}
	return syntax.Any(question.Cond, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && slices.ContainsFunc(told.(*ast.AssignStmt).Lhs, func(e ast.Expr) bool {
			to, ok := e.(*ast.Ident)
			return ok && info.ObjectOf(to) != nil && info.ObjectOf(to) == info.ObjectOf(id)
		})
	})
}
