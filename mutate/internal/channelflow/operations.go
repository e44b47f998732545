package channelflow

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A collector adds the operations of files to the channels.
type collector[F comparable] struct {
	index    *Index[F]
	function func(ast.Node) F         // see New
	declared map[*types.Func]ast.Node // those that the caller knows
	looped   map[ast.Node]bool        // *ast.FuncLit and *ast.FuncDecl started in a loop
	file     *analysis.File
}

// findDeclared notes the declared functions of a file that the caller knows.
func (c *collector[F]) findDeclared(f *analysis.File) {
	var none F
	for _, d := range f.AST.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || c.function(decl) == none {
			continue
		}
		if obj, ok := f.Package.Info.Defs[decl.Name].(*types.Func); ok {
			c.declared[obj] = decl
		}
	}
}

// findLooped notes the functions that a file starts in loops.
func (c *collector[F]) findLooped(f *analysis.File) {
	start := func(fun ast.Expr) {
		if lit, ok := fun.(*ast.FuncLit); ok {
			c.looped[lit] = true
		} else if decl := c.declared[syntax.Callee(f.Package.Info, fun)]; decl != nil {
			c.looped[decl] = true
		}
	}
	syntax.Walk(f.AST, func(n ast.Node, path []ast.Node) {
		if !syntax.InLoop(n, path) {
			return
		}
		if fun := syntax.Started(f.Package.Info, n); fun != nil {
			start(fun)
		}
	})
}

// use adds the operation that a node is, if it is one.
func (c *collector[F]) use(n ast.Node, path []ast.Node) {
	info := c.file.Package.Info
	add := func(e ast.Expr, list func(*Channel[F]) *[]Use[F]) {
		if ch := c.index.add(info, e); ch != nil {
			l := list(ch)
			*l = append(*l, c.describe(e, n, path))
		}
	}
	switch n := n.(type) {
	case *ast.SendStmt:
		add(n.Chan, func(ch *Channel[F]) *[]Use[F] { return &ch.Sends })
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			add(n.X, func(ch *Channel[F]) *[]Use[F] { return &ch.Receives })
		}
	case *ast.RangeStmt:
		add(n.X, func(ch *Channel[F]) *[]Use[F] { return &ch.Ranges })
	case *ast.CallExpr:
		switch syntax.Builtin(info, n) {
		case "make":
			add(n, func(ch *Channel[F]) *[]Use[F] { return &ch.Makes })
		case "close":
			add(n.Args[0], func(ch *Channel[F]) *[]Use[F] { return &ch.Closes })
		}
	}
}

// describe fills in where an operation is.
func (c *collector[F]) describe(e ast.Expr, n ast.Node, path []ast.Node) Use[F] {
	u := Use[F]{Expr: e, Node: n, Test: c.file.Test, Loop: syntax.InLoop(n, path)}
	if s, ok := n.(ast.Stmt); ok {
		u.Stmt = s
	}
	for i := len(path) - 1; i >= 0; i-- {
		switch p := path[i].(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			u.Fn = c.function(p)
			u.Loop = u.Loop || c.looped[p]
			if clause, ok := c.commOf(u, path[i:]); ok {
				u.Select = clause
			}
			return u
		case ast.Stmt:
			if u.Stmt == nil {
				u.Stmt = p
			}
		}
	}
	return u
}

// commOf finds the select that an operation is a case of, in the nodes around it.
func (c *collector[F]) commOf(u Use[F], path []ast.Node) (*ast.SelectStmt, bool) {
	for i := len(path) - 1; i >= 2; i-- {
		clause, ok := path[i].(*ast.CommClause)
		if !ok || clause.Comm == nil || clause.Comm != u.Stmt {
			continue
		}
		var op ast.Node // a send, or what the statement receives
		switch s := clause.Comm.(type) {
		case *ast.SendStmt:
			op = s
		case *ast.ExprStmt:
			op = ast.Unparen(s.X)
		case *ast.AssignStmt:
			op = ast.Unparen(s.Rhs[0])
		}
		if op == u.Node {
			s, ok := path[i-2].(*ast.SelectStmt)
			return s, ok
		}
	}
	return nil, false
}
