package clonemap

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// writes are the places where the elements of a variable are changed.
type writes []ast.Node

// in reports whether one lies in a part of the text.
func (w writes) in(n ast.Node) bool {
	for _, at := range w {
		if n.Pos() <= at.Pos() && at.End() <= n.End() {
			return true
		}
	}
	return false
}

// after reports whether one comes after a position, perhaps in the next iteration of
// a loop (nil: there is none), those in a literal left out.
func (w writes) after(pos token.Pos, loop ast.Node, but *ast.FuncLit) bool {
	for _, at := range w {
		if but != nil && but.Pos() <= at.Pos() && at.End() <= but.End() {
			continue
		}
		if at.Pos() >= pos || loop != nil && loop.Pos() <= at.Pos() && at.End() <= loop.End() {
			return true
		}
	}
	return false
}

// elementWrites finds them for a map or slice variable in the declaration
// around a statement. That append writes behind what is there changes no element.
func elementWrites(fn *mutate.Function, around ast.Stmt, v *types.Var) writes {
	info := fn.File.Package.Info
	var out writes
	names := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && info.Uses[id] == types.Object(v)
	}
	element := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.IndexExpr)
		return ok && names(x.X)
	}
	ast.Inspect(declaration(fn, around), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if element(l) {
					out = append(out, n)
				}
			}
		case *ast.IncDecStmt:
			if element(n.X) {
				out = append(out, n)
			}
		case *ast.RangeStmt:
			if n.Key != nil && element(n.Key) || n.Value != nil && element(n.Value) {
				out = append(out, n)
			}
		case *ast.CallExpr:
			if len(n.Args) == 0 {
				break
			}
			if into := filled(info, n); into != nil && names(into) {
				out = append(out, n)
			}
			name, target := syntax.Builtin(fn.File.Package.Info, n), ast.Unparen(n.Args[0])
			switch name {
			case "delete", "clear":
				if names(target) {
					out = append(out, n)
				}
			case "copy", "append":
				if s, ok := target.(*ast.SliceExpr); ok && names(s.X) || name == "copy" && names(target) {
					out = append(out, n)
				}
			}
		}
		return true
	})
	return out
}

// filled is the slice that a call reads into: Read(buf) and the like, by their names
// and types, whether all of it or a part; nil: none.
func filled(info *types.Info, call *ast.CallExpr) ast.Expr {
	fn := syntax.Callee(info, call.Fun)
	if fn == nil {
		return nil
	}
	at := 0
	switch name := fn.Name(); {
	case fn.Signature().Recv() == nil && fn.Pkg() != nil && fn.Pkg().Path() == "io" && (name == "ReadFull" || name == "ReadAtLeast"):
		at = 1
	case fn.Signature().Recv() != nil && (name == "Read" || name == "ReadAt" || strings.HasPrefix(name, "ReadFrom") || strings.HasPrefix(name, "PutUint")):
	default:
		return nil
	}
	if len(call.Args) <= at || !types.Identical(info.TypeOf(call.Args[at]).Underlying(), types.NewSlice(types.Typ[types.Byte])) {
		return nil
	}
	into := ast.Unparen(call.Args[at])
	for {
		s, ok := into.(*ast.SliceExpr)
		if !ok {
			return into
		}
		into = ast.Unparen(s.X)
	}
}

// declaration is the one of the function's file that a statement is in.
func declaration(fn *mutate.Function, s ast.Stmt) ast.Node {
	for _, d := range fn.File.AST.Decls {
		if d.Pos() <= s.Pos() && s.End() <= d.End() {
			return d
		}
	}
	return s
}

// loopAround is the outermost loop of the function around a statement in which
// a variable lives on from iteration to iteration; nil: there is none.
func loopAround(fn *mutate.Function, s ast.Stmt, v *types.Var) ast.Node {
	var loop ast.Node
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			around := n.Pos() <= s.Pos() && s.End() <= n.End()
			if own := n.Pos() <= v.Pos() && v.Pos() < n.End(); loop == nil && around && !own {
				loop = n
			}
		}
		return true
	})
	return loop
}
