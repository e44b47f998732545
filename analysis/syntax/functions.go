package syntax

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"mendel/analysis"
)

// Functions visits a file's functions with bodies, outer ones first, with
// the names that the runtime gives them.
func Functions(f *analysis.File, visit func(ast.Node, *ast.FuncType, *ast.BlockStmt, string)) {
	var literals func(n ast.Node, prefix string, count int) int
	literals = func(n ast.Node, prefix string, count int) int {
		ast.Inspect(n, func(n ast.Node) bool {
			l, ok := n.(*ast.FuncLit)
			if !ok {
				return true
			}
			count++
			name := prefix + strconv.Itoa(count)
			visit(l, l.Type, l.Body, name)
			literals(l.Body, name+".", 0)
			return false
		})
		return count
	}
	global := 0
	for _, d := range f.AST.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				name := analysis.FuncName(d)
				visit(d, d.Type, d.Body, name)
				literals(d.Body, name+".func", 0)
			}
		case *ast.GenDecl:
			global = literals(d, "glob..func", global)
		}
	}
}

// MethodOf returns what a call of a method of a type, "*sync.Cond" for example, selects; nil if it
// is no such call.
func MethodOf(info *types.Info, call *ast.CallExpr, typ string) *ast.SelectorExpr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || info.Types[sel.X].IsType() { // (*sync.Cond).Signal(c)
		return nil
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || !strings.HasPrefix(strings.TrimPrefix(typ, "*"), f.Pkg().Path()+".") || !strings.HasPrefix(f.FullName(), "("+typ+").") {
		return nil
	}
	return sel
}
