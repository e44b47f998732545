package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/internal/rewrite/operations"
)

// access puts the hooks of an access, if goroutines share the variable.
func (r *rewriter) access(op operations.Operation) {
	if op.Var == nil || !r.shared(op.Var) {
		return
	}
	e := op.On
	switch op.Kind {
	case operations.Read:
		r.Around(e.Pos(), e.End(), "(*"+r.call("R", r.site(e, "read", e))+"&", "))")
	case operations.MapRead:
		r.Around(e.Pos(), e.End(), r.call("MapR", r.site(e, "read", e)), ")")
	case operations.Write, operations.MapWrite:
		r.write(op)
	default:
		r.update(op)
	}
}

// write rewrites l = v, or one of several variables that are assigned results.
func (r *rewriter) write(op operations.Operation) {
	if op.By != nil {
		if place := r.place(op); place != "" {
			r.Around(op.By.Pos(), op.By.End(), place+".V(", ")")
		}
		return
	}
	e := op.On
	if op.Kind == operations.MapWrite {
		r.Around(e.Pos(), e.End(), r.call("MapW", r.site(e, "write", e)), ")")
		return
	}
	r.Around(e.Pos(), e.End(), "*"+r.call("W", r.site(e, "write", e))+"&", ")")
}

// place is the hook that begins an assignment; "" if it cannot have one.
func (r *rewriter) place(op operations.Operation) string {
	e := op.On
	if !operations.Pure(r.info, e) || r.Line(e) == "" {
		return ""
	}
	if op.Kind == operations.MapWrite || op.Kind == operations.MapUpdate {
		return r.call("MapAt", r.site(op.Node, "write", e)) + r.Line(e) + ")"
	}
	return r.call("At", r.site(op.Node, "write", e)) + "&" + r.Line(e) + ")"
}

// update rewrites l op= v, or l++.
func (r *rewriter) update(op operations.Operation) {
	l, at, sign := updated(op.Node.(ast.Stmt))
	read := r.value(op, l)
	if read == "" {
		return
	}
	place := r.place(op)
	if op.By == nil {
		r.Put(at, at+2, "= "+place+".V("+read+" "+sign+" 1)")
		return
	}
	r.Put(at, at+token.Pos(len(sign)+1), "= "+place+".V("+read+" "+sign+" (")
	r.Close(at, op.By.End(), "))")
}

// updated is what a statement updates, and where its operator is.
func updated(s ast.Stmt) (l ast.Expr, at token.Pos, sign string) {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		return s.X, s.TokPos, s.Tok.String()[:1]
	case *ast.AssignStmt:
		return s.Lhs[0], s.TokPos, strings.TrimSuffix(s.Tok.String(), "=")
	}
	return nil, token.NoPos, ""
}

// value is the hooked read of what is updated; "" if it cannot have a hook.
func (r *rewriter) value(op operations.Operation, l ast.Expr) string {
	if !operations.Pure(r.info, l) || r.Line(l) == "" {
		return ""
	}
	if op.Kind == operations.MapUpdate {
		i := ast.Unparen(l).(*ast.IndexExpr)
		return r.call("MapR", r.site(l, "read", i.X)) + r.Line(i.X) + ")[" + r.Line(i.Index) + "]"
	}
	return "(*" + r.call("R", r.site(l, "read", l)) + "&" + r.Line(l) + "))"
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
