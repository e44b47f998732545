package clonemap

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/capture"
)

// structEdits copy a local struct with its slices and maps where the function returns it, although goroutines
// that it has started may still change their elements.
func structEdits(fn *mutate.Function) (out []mutate.Edit) {
	changed := make(map[*types.Var][]string) // fields, by the struct
	for _, s := range capture.Starts(fn) {
		for _, v := range s.Captured(fn) {
			if fields := changedFields(fn, s.Lit, v.Var); len(fields) > 0 {
				changed[v.Var] = append(changed[v.Var], fields...)
			}
		}
	}
	if len(changed) == 0 {
		return nil
	}
	for _, st := range fn.Statements() {
		ret, ok := st.Stmt.(*ast.ReturnStmt)
		if !ok {
			continue
		}
		for _, e := range ret.Results {
			id, ok := ast.Unparen(e).(*ast.Ident)
			if !ok {
				continue
			}
			v, _ := fn.File.Package.Info.Uses[id].(*types.Var)
			if text, ok := structCopy(fn, v, changed[v], e); ok {
				ed := fn.NewEdit("clonemap", e, st.Stmt)
				ed.Form, ed.Other, ed.Expr = literal, fn.ID(st.Stmt), text
				ed.Note = "the caller's own copy: goroutines go on changing " + v.Name()
				out = append(out, warmed(fn, ed, v))
			}
		}
	}
	return out
}

// changedFields are the slices and maps in a captured struct whose elements a literal changes.
func changedFields(fn *mutate.Function, lit *ast.FuncLit, v *types.Var) (fields []string) {
	if _, ok := v.Type().Underlying().(*types.Struct); !ok {
		return nil
	}
	info := fn.File.Package.Info
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		for _, e := range syntax.InPlace(info, n) {
			sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
			if ok && syntax.Is(info, sel.X, v) && packageOf(info.TypeOf(sel)) != "" {
				fields = append(fields, sel.Sel.Name)
			}
		}
		return true
	})
	return fields
}

// mostFields is how many fields of a struct are written out. Guessed.
const mostFields = 10

// structCopy is the literal of a struct's type with copies of some of its slices and maps; ok is false where it
// cannot be written.
func structCopy(fn *mutate.Function, v *types.Var, changed []string, at ast.Expr) (text string, ok bool) {
	if v == nil || len(changed) == 0 || analysis.HoldsLock(v.Type()) {
		return "", false
	}
	name, ok := typetext.Of(fn, v.Type(), at.Pos())
	st, isStruct := v.Type().Underlying().(*types.Struct)
	if !ok || !isStruct || st.NumFields() > mostFields {
		return "", false
	}
	var fields []string
	for f := range st.Fields() {
		if f.Name() == "_" || !f.Exported() && f.Pkg() != fn.File.Package.Types {
			return "", false
		}
		value := v.Name() + "." + f.Name()
		if slices.Contains(changed, f.Name()) {
			pkg := packageOf(f.Type())
			if pkg == "" || hidden(fn, pkg, at.Pos()) {
				return "", false
			}
			value = pkg + ".Clone(" + value + ")"
		}
		fields = append(fields, f.Name()+": "+value)
	}
	return name + "{" + strings.Join(fields, ", ") + "}", true
}
