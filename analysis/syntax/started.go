package syntax

import (
	"go/ast"
	"go/types"
)

// Started is the function value that a node starts in a goroutine of its own: what
// a go statement calls; the argument of a method Go or TryGo with no other, such
// as those of a WaitGroup and an errgroup; the last one of AfterFunc. It is nil
// for other nodes. Who is started is asked here and nowhere else.
func Started(info *types.Info, n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.GoStmt:
		return ast.Unparen(n.Call.Fun)
	case *ast.CallExpr:
		if !StartsArgument(n) || len(n.Args) == 0 {
			return nil
		}
		f := Callee(info, n.Fun)
		if f == nil || f.Name() != "AfterFunc" && (f.Signature().Recv() == nil || len(n.Args) != 1) {
			return nil
		}
		return ast.Unparen(n.Args[len(n.Args)-1])
	}
	return nil
}

// StartsArgument reports whether a call has the name of one that runs the function
// passed to it elsewhere: Go and TryGo of a group of goroutines, AfterFunc.
func StartsArgument(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && (sel.Sel.Name == "Go" || sel.Sel.Name == "TryGo" || sel.Sel.Name == "AfterFunc")
}

// CallsAtOnce reports whether a function of the standard library calls the
// functions passed to it before it returns.
func CallsAtOnce(f *types.Func) bool {
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "sort", "slices", "maps", "strings", "bytes":
		return true
	case "sync":
		return f.Name() == "Do" || f.Name() == "Range"
	}
	return false
}
