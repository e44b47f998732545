package capture

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/testrules"
)

// A Start is a statement that starts a function literal in a goroutine of its own.
type Start struct {
	mutate.Statement
	Lit *ast.FuncLit
	// Go is the go statement; nil: the literal is given to a call that starts
	// it, such as the Go of a WaitGroup, or runs it as a parallel subtest.
	Go *ast.GoStmt

	path []ast.Node // from the declaration around it to the statement
}

// Starts lists the function's statements that start a literal, in source order.
func Starts(fn *mutate.Function) []Start {
	var out []Start
	for _, st := range fn.Statements() {
		s := Start{Statement: st}
		switch stmt := st.Stmt.(type) {
		case *ast.GoStmt:
			s.Go = stmt
			s.Lit, _ = ast.Unparen(stmt.Call.Fun).(*ast.FuncLit)
		case *ast.ExprStmt:
			s.Lit = given(fn, stmt.X)
		case *ast.AssignStmt: // timer = time.AfterFunc(...)
			if len(stmt.Rhs) == 1 {
				s.Lit = given(fn, stmt.Rhs[0])
			}
		}
		if s.Lit != nil {
			s.path = pathTo(fn.File.AST, st.Stmt)
			out = append(out, s)
		}
	}
	return out
}

// given is the literal that a call is given to start.
func given(fn *mutate.Function, e ast.Expr) *ast.FuncLit {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	info := fn.File.Package.Info
	if lit, ok := syntax.Started(info, call).(*ast.FuncLit); ok {
		return lit
	}
	lit, ok := ast.Unparen(call.Args[len(call.Args)-1]).(*ast.FuncLit)
	f := syntax.Callee(info, call.Fun)
	if !ok || f == nil || f.FullName() != "(*testing.T).Run" || !testrules.Parallel(info, lit) {
		return nil
	}
	return lit
}

// pathTo lists the nodes from a file's declaration to a node in it, this included.
func pathTo(file *ast.File, to ast.Node) []ast.Node {
	var path []ast.Node
	for _, d := range file.Decls {
		if d.Pos() > to.Pos() || to.End() > d.End() {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if n == nil || n.Pos() > to.Pos() || to.End() > n.End() || len(path) > 0 && path[len(path)-1] == to {
				return false
			}
			path = append(path, n)
			return true
		})
	}
	return path
}

// Loop is the outermost loop around the start whose iterations share one instance
// of a variable; nil if there is none.
func (s *Start) Loop(fn *mutate.Function, v *types.Var) ast.Node {
	for _, n := range s.path {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		default:
			continue
		}
		if body.Pos() > s.Stmt.Pos() || s.Stmt.End() > body.End() || within(v.Pos(), body) {
			continue
		}
		if !(within(v.Pos(), n) && PerIteration(fn)) {
			return n
		}
	}
	return nil
}

// PerIteration reports whether loops have variables of their own for each
// iteration in the function's file, as they do since Go 1.22.
func PerIteration(fn *mutate.Function) bool {
	v := fn.File.Package.Info.FileVersions[fn.File.AST]
	return v == "" || version.Compare(v, "go1.22") >= 0
}

func within(pos token.Pos, n ast.Node) bool { return n.Pos() <= pos && pos < n.End() }
