package deferclose

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/mutate"
	"mendel/mutate/internal/syncops"
)

// byOwner lists the edits that close a channel of the receiver in front of what
// waits in one of its methods: what is waited for receives from the channel
// until it is closed.
func byOwner(fn *mutate.Function) []mutate.Edit {
	owner := receiver(fn)
	if owner == nil {
		return nil
	}
	var out []mutate.Edit
	for _, ch := range channelsOf(fn, owner) {
		for _, st := range fn.Statements() {
			s, ok := st.Stmt.(*ast.ExprStmt)
			if !ok || fn.Loops(s) || !waits(fn, s.X) || !inScope(fn, owner, s) {
				continue
			}
			e := fn.NewEdit("deferclose", s) // as hot as the wait itself
			e.Form, e.Expr = formOwner, ch.Text
			out = append(out, e)
		}
	}
	return out
}

// receiver is the variable of the receiver of the method around a function; nil
// if that is no method or its receiver has no name.
func receiver(fn *mutate.Function) *types.Var {
	decl, ok := syncops.Decl(fn).(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 {
		return nil
	}
	v, _ := fn.File.Package.Info.Defs[decl.Recv.List[0].Names[0]].(*types.Var)
	return v
}

// channelsOf are the channels in fields of a value that others send on, that other
// functions receive from until they are closed, and that nobody closes.
func channelsOf(fn *mutate.Function, owner *types.Var) []syncops.Named {
	t := owner.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	fields, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []syncops.Named
	for field := range fields.Fields() {
		c, ok := field.Type().Underlying().(*types.Chan)
		if !ok || c.Dir() == types.RecvOnly {
			continue
		}
		ch := syncops.Named{Channel: fn.ChannelOf(field), Text: owner.Name() + "." + field.Name()}
		if ch.Channel == nil || ch.Escapes || len(ch.Closes) > 0 || len(ch.Sends) == 0 || !untilClosed(ch) {
			continue
		}
		if len(syncops.In(fn, slices.Concat(ch.Sends, ch.Receives, ch.Ranges))) == 0 {
			out = append(out, ch)
		}
	}
	return out
}

// waits reports whether an expression is a call that may wait for another goroutine.
func waits(fn *mutate.Function, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && fn.MayWait(call)
}

// inScope reports whether a variable's name stands for it at a statement.
func inScope(fn *mutate.Function, v *types.Var, at ast.Stmt) bool {
	inner := fn.File.Package.Types.Scope().Innermost(at.Pos())
	if inner == nil {
		return false
	}
	_, found := inner.LookupParent(v.Name(), at.Pos())
	return found == v
}
