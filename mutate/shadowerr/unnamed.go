package shadowerr

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/capture"
)

// unnamed is the form in which named results that a goroutine assigns become variables: Node is the
// function, Expr their declarations.
const unnamed = "unname"

// unnaming lists the edit of a function whose results goroutines assign: a return assigns them, too.
func unnaming(fn *mutate.Function) []mutate.Edit {
	var vars []capture.Variable
	var start *capture.Start
	for _, s := range capture.Starts(fn) {
		for _, v := range s.Captured(fn) {
			if v.Var.Kind() == types.ResultVar && v.Writes() && fn.Narrowing.Shared(v.Var) && !v.Addressed() && within(fn, v.Var) && onlyReturned(fn, v.Var) {
				vars, start = append(vars, v), &s
			}
		}
	}
	if len(vars) == 0 {
		return nil
	}
	decls, ok := declarations(fn)
	if !ok || !explicit(fn) {
		return nil
	}
	e := start.Edit(fn, "shadowerr", vars...)
	e.Form, e.Node, e.Expr = unnamed, fn.ID(fn.Node), decls
	e.Note = "no results by name: a return assigns those, also while the goroutine does"
	return []mutate.Edit{e}
}

// onlyReturned reports whether a function assigns a variable by its returns alone, its literals left out.
func onlyReturned(fn *mutate.Function, v *types.Var) bool {
	only := true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case ast.Stmt:
			only = only && !slices.ContainsFunc(syntax.Assigned(n), func(to ast.Expr) bool {
				return syntax.Variable(fn.File.Package.Info, to) == v
			})
		}
		return only
	})
	return only
}

// within reports whether a variable is a result of the function itself.
func within(fn *mutate.Function, v *types.Var) bool {
	return fn.Type.Results != nil && fn.Type.Results.Pos() <= v.Pos() && v.Pos() < fn.Type.Results.End()
}

// declarations declare the results that the function reads as variables; false: one cannot be declared,
// or is only assigned, which does not compile for a variable.
func declarations(fn *mutate.Function) (text string, ok bool) {
	info := fn.File.Package.Info
	for _, field := range fn.Type.Results.List {
		for _, name := range field.Names {
			v, _ := info.Defs[name].(*types.Var)
			if v == nil || !mentioned(info, fn.Body, v) {
				continue
			}
			typ, known := typetext.Of(fn, v.Type(), fn.Body.Lbrace+1)
			if !known || !read(info, fn.Body, v) {
				return "", false
			}
			if text != "" {
				text += "\n"
			}
			text += "var " + name.Name + " " + typ
		}
	}
	return text, text != ""
}

func mentioned(info *types.Info, body ast.Node, v *types.Var) bool {
	return syntax.Any(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && info.Uses[id] == v
	})
}

// read reports whether a variable is used other than to be assigned.
func read(info *types.Info, body ast.Node, v *types.Var) bool {
	assigned := make(map[*ast.Ident]bool)
	return syntax.Any(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				if id, ok := to.(*ast.Ident); ok {
					assigned[id] = true
				}
			}
		case *ast.Ident:
			return info.Uses[n] == v && !assigned[n]
		}
		return false
	})
}

// explicit reports whether each return of a function says what it returns, and no deferred call can
// change that.
func explicit(fn *mutate.Function) bool {
	info := fn.File.Package.Info
	ok := true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			ok = ok && len(n.Results) > 0
		case *ast.DeferStmt:
			ok = ok && !syntax.Any(n, func(n ast.Node) bool {
				id, is := n.(*ast.Ident)
				v, isVar := info.Uses[id].(*types.Var)
				return is && isVar && within(fn, v)
			})
		}
		return true
	})
	return ok
}

// unname makes the edit.
func unname(m *mutate.Mutation, e mutate.Edit) error {
	var typ *dst.FuncType
	switch fn := m.Node(e.File, e.Node).(type) {
	case *dst.FuncDecl:
		typ = fn.Type
	case *dst.FuncLit:
		typ = fn.Type
	}
	if typ == nil || typ.Results == nil {
		return mutate.Refuse(e, "the function has no results any more")
	}
	var results []*dst.Field
	for _, field := range typ.Results.List {
		for range max(1, len(field.Names)) {
			results = append(results, &dst.Field{Type: dst.Clone(field.Type).(dst.Expr)})
		}
	}
	typ.Results.List = slices.Clone(results)
	typ.Results.Opening, typ.Results.Closing = len(results) > 1, len(results) > 1
	return m.Prepend(e.File, e.Node, "// "+e.Note+"\n"+e.Expr)
}
