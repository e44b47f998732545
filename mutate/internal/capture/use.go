package capture

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A Use is one use of a local variable.
type Use struct {
	Pos         token.Pos // of a write: where it has happened
	Read, Write bool
	Addressed   bool            // its address is taken: it may be read and written later
	Assign      *ast.AssignStmt // of a write by an assignment
	Cond        bool            // in the condition of a loop, which may wait for another value

	lit      *ast.FuncLit // innermost around it; nil: none
	from, to token.Pos    // of a write: where reads are certain to come after it
}

// feeds reports whether a read sees what this use or a later one writes, and
// nothing older.
func (u *Use) feeds(read Use) bool {
	return u.Write && !u.Read && u.from <= read.Pos && read.Pos < u.to
}

// usesOf lists the uses of a variable in a declaration, in source order.
func usesOf(fn *mutate.Function, decl ast.Node, v *types.Var) []Use {
	info := fn.File.Package.Info
	var out []Use
	syntax.Walk(decl, func(n ast.Node, path []ast.Node) {
		switch n := n.(type) {
		case *ast.Ident:
			switch {
			case info.Uses[n] == types.Object(v):
				out = append(out, classify(info, path, n))
			case info.Defs[n] == types.Object(v) && !PerIteration(fn) && inRange(path):
				out = append(out, classify(info, path, n)) // each iteration assigns to the one variable
			}
		case *ast.ReturnStmt:
			if v.Kind() == types.ResultVar && returnsFrom(path, v) {
				out = append(out, Use{Pos: n.End(), Read: len(n.Results) == 0, Write: len(n.Results) > 0, lit: innermostLit(path)})
			}
		}
	})
	return out
}

// inRange reports whether the path ends at the clause of a range statement.
func inRange(path []ast.Node) bool {
	_, ok := path[len(path)-1].(*ast.RangeStmt)
	return ok
}

// returnsFrom reports whether the innermost function of a path has a variable
// among its results.
func returnsFrom(path []ast.Node, v *types.Var) bool {
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.FuncLit:
			return within(v.Pos(), n.Type)
		case *ast.FuncDecl:
			return within(v.Pos(), n.Type)
		}
	}
	return false
}

func innermostLit(path []ast.Node) *ast.FuncLit {
	for i := len(path) - 1; i >= 0; i-- {
		if lit, ok := path[i].(*ast.FuncLit); ok {
			return lit
		}
	}
	return nil
}

// classify says what happens to a variable where a path of nodes names it.
func classify(info *types.Info, path []ast.Node, id *ast.Ident) Use {
	u := Use{Pos: id.Pos(), lit: innermostLit(path), Cond: inCond(path, id)}
	var part ast.Expr = id // the variable or a part of it
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.ParenExpr:
			part = n
			continue
		case *ast.SelectorExpr:
			if s := info.Selections[n]; s != nil && !syntax.Pointer(info.TypeOf(part)) {
				if s.Kind() == types.FieldVal {
					part = n
					continue
				}
				u.Addressed = s.Kind() == types.MethodVal && pointerMethod(s)
			}
		case *ast.IndexExpr:
			if _, array := info.TypeOf(n.X).Underlying().(*types.Array); array && n.X == part {
				part = n
				continue
			}
		case *ast.SliceExpr:
			_, array := info.TypeOf(n.X).Underlying().(*types.Array)
			u.Addressed = array && n.X == part
		case *ast.UnaryExpr:
			u.Addressed = n.Op == token.AND
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				u.Write = u.Write || l == part
			}
			if u.Write {
				u.Pos, u.Assign = n.End(), n
				u.Read = n.Tok != token.ASSIGN && n.Tok != token.DEFINE || ast.Unparen(part) != ast.Expr(id)
				u.from, u.to = extent(path[:i], n)
				return u
			}
		case *ast.IncDecStmt:
			u.Write = true
		case *ast.RangeStmt:
			if n.Key == part || n.Value == part {
				u.Write, u.from, u.to = true, n.Body.Pos(), n.Body.End()
				return u
			}
		}
		break
	}
	u.Read = true
	return u
}

// inCond reports whether a name stands in the condition of a loop.
func inCond(path []ast.Node, id *ast.Ident) bool {
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			return n.Cond != nil && within(id.Pos(), n.Cond)
		case ast.Stmt:
			return false
		}
	}
	return false
}

// extent is where reads come after a statement for certain: the rest of its
// list, or of the statement that it initialises.
func extent(path []ast.Node, s ast.Stmt) (from, to token.Pos) {
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.LabeledStmt:
			continue
		case *ast.BlockStmt:
			if i > 0 && always(path[i-1], n, s) {
				_, to = extent(path[:i-1], path[i-1].(ast.Stmt))
			}
			return s.End(), max(to, n.End())
		case *ast.CaseClause, *ast.CommClause, *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt:
			return s.End(), n.End()
		case *ast.ForStmt:
			if n.Init == s {
				return s.End(), n.End()
			}
		}
		break
	}
	return token.NoPos, token.NoPos
}

// always reports whether a statement runs in the body of a loop without condition before the loop
// can end.
func always(loop ast.Node, body *ast.BlockStmt, s ast.Stmt) bool {
	f, ok := loop.(*ast.ForStmt)
	if !ok || f.Cond != nil || f.Body != body {
		return false
	}
	for _, o := range body.List {
		if o == s {
			return true
		}
		if syntax.Any(o, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.BranchStmt, *ast.ReturnStmt:
				return true
			}
			return false
		}) {
			return false
		}
	}
	return false
}

func pointerMethod(s *types.Selection) bool {
	f, ok := s.Obj().(*types.Func)
	return ok && f.Signature().Recv() != nil && syntax.Pointer(f.Signature().Recv().Type())
}
