package memory

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// PutBack finds uses of the memory of a value behind the statement that puts the value back into a pool, in
// functions that the patch makes or changes: whoever takes the value next writes over it.
//
//	data := b.Bytes()
//	buffers.Put(b)
//	return bytes.Clone(data)
func PutBack(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		if !c.Changed(fn) {
			continue
		}
		had := 0
		if was := c.Before.Named[fn.FullName]; was != nil {
			had = len(usedBehind(was))
		}
		if uses := usedBehind(fn); len(uses) > had {
			found = append(found, c.At(fn, uses[0].Pos(), "%s is memory of what has been put back into the pool", uses[0].Name))
		}
	}
	return found
}

// usedBehind are the uses of memory of a value behind the Put of it, in the lists of statements that put it back.
func usedBehind(fn *pair.Function) (uses []*ast.Ident) {
	var read func(list []ast.Stmt)
	read = func(list []ast.Stmt) {
		for i, s := range list {
			if v := putInto(fn.Info(), s); v != nil {
				memory := memoryOf(fn, v, s.Pos())
				for _, behind := range list[i+1:] {
					ast.Inspect(behind, func(n ast.Node) bool {
						if id, ok := n.(*ast.Ident); ok && memory[fn.Info().Uses[id]] {
							uses = append(uses, id)
						}
						return true
					})
				}
			}
			for _, inner := range pair.Lists(s) {
				read(inner)
			}
		}
	}
	read(fn.Body.List)
	return uses
}

// putInto is the variable that a statement puts into a sync.Pool; nil: it does not.
func putInto(info *types.Info, s ast.Stmt) types.Object {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	id, ok := ast.Unparen(call.Args[0]).(*ast.Ident)
	if f := syntax.Callee(info, call.Fun); !ok || f == nil || f.FullName() != "(*sync.Pool).Put" {
		return nil
	}
	return info.Uses[id]
}

// memoryOf are the slices that a function declares as memory of a variable's value, before a place.
func memoryOf(fn *pair.Function, v types.Object, before token.Pos) map[types.Object]bool {
	memory := map[types.Object]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Pos() > before || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return true
		}
		id, ok := a.Lhs[0].(*ast.Ident)
		if !ok || !ofValue(fn.Info(), a.Rhs[0], v) {
			return true
		}
		if obj := fn.Info().ObjectOf(id); obj != nil {
			if _, slice := obj.Type().Underlying().(*types.Slice); slice {
				memory[obj] = true
			}
		}
		return true
	})
	return memory
}

// ofValue reports whether an expression is the Bytes of a variable's buffer, or a part of a variable's value.
func ofValue(info *types.Info, e ast.Expr, v types.Object) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.Uses[e] == v
	case *ast.SliceExpr:
		return ofValue(info, e.X, v)
	case *ast.StarExpr:
		return ofValue(info, e.X, v)
	case *ast.SelectorExpr:
		return ofValue(info, e.X, v)
	case *ast.CallExpr:
		f := syntax.Callee(info, e.Fun)
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		return ok && f != nil && f.FullName() == "(*bytes.Buffer).Bytes" && ofValue(info, sel.X, v)
	}
	return false
}
