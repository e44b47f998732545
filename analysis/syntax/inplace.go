package syntax

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// movers are functions of package slices that change a slice in its place.
var movers = []string{"Sort", "SortFunc", "SortStableFunc", "Delete", "DeleteFunc", "Insert", "Replace", "Reverse", "Compact", "CompactFunc"}

// InPlace lists the slices and maps whose elements a node changes: an assignment to an element or to a
// field of one, a delete, clear, copy or sort, an append to a part. That append writes behind what is
// there changes no element. What is within the node by itself is not looked at.
func InPlace(info *types.Info, n ast.Node) (all []ast.Expr) {
	add := func(e ast.Expr) {
		e = ast.Unparen(e)
		if s, ok := e.(*ast.SliceExpr); ok {
			e = ast.Unparen(s.X)
		}
		all = append(all, e)
	}
	switch n := n.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt:
		for _, e := range Assigned(n.(ast.Stmt)) {
			if ix, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
				add(ix.X)
			} else if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
				if ix, ok := ast.Unparen(sel.X).(*ast.IndexExpr); ok {
					add(ix.X)
				}
			}
		}
	case *ast.CallExpr:
		if len(n.Args) == 0 {
			break
		}
		f := Callee(info, n.Fun)
		inPlace := f != nil && f.Pkg() != nil && (f.Pkg().Path() == "slices" && slices.Contains(movers, f.Name()) || f.Pkg().Path() == "sort" && !asks(f.Name()))
		switch name := Builtin(info, n); {
		case inPlace, name == "copy", name == "delete", name == "clear":
			add(n.Args[0])
		case name == "append":
			if s, ok := ast.Unparen(n.Args[0]).(*ast.SliceExpr); ok {
				add(s.X)
			}
		}
	}
	return all
}

// asks reports whether a function of package sort only looks at what it is given: IsSorted, SliceIsSorted, IntsAreSorted,
// Search and Find.
func asks(name string) bool {
	return strings.HasSuffix(name, "Sorted") || strings.HasPrefix(name, "Search") || name == "Find"
}
