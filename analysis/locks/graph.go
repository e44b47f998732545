package locks

import (
	"go/ast"

	"golang.org/x/tools/go/cfg"

	"mendel/analysis/locks/program"
)

// Implicit reports whether a node of a function's graph is not in its text.
func Implicit(fn *program.Func, n ast.Node) bool {
	e, empty := n.(*ast.EmptyStmt)
	_, returns := n.(*ast.ReturnStmt)
	return empty && e.Implicit || returns && n.Pos() == fn.Body.Rbrace
}

// A Graph is a function's control-flow graph in which each statement has a node:
// in front of one that is none itself, such as a loop or a break, an empty
// statement stands for it.
type Graph struct {
	*cfg.CFG
	marks    map[ast.Stmt]*ast.EmptyStmt
	branches map[ast.Node]*ast.BranchStmt // by their marks
	*bounds
}

// bounds are the ends of a graph's statement lists, where it has nodes for them.
type bounds struct {
	ends map[ast.Node]ast.Stmt // the last statement of a list, by the node behind it
	last map[ast.Stmt]bool     // whether a statement is one
}

// Graph makes a function's graph on first use.
func (m *View) Graph(fn *program.Func) *Graph {
	if g := m.graphs[fn]; g != nil {
		return g
	}
	g := newGraph(fn, nil)
	m.graphs[fn] = g
	return g
}

// newGraph makes a function's graph; with bounds, which it fills in, one that has a node behind
// each statement list.
func newGraph(fn *program.Func, b *bounds) *Graph {
	g := &Graph{marks: make(map[ast.Stmt]*ast.EmptyStmt), branches: make(map[ast.Node]*ast.BranchStmt), bounds: b}
	body := &ast.BlockStmt{Lbrace: fn.Body.Lbrace, List: g.list(fn.Body.List), Rbrace: fn.Body.Rbrace}
	g.CFG = cfg.New(body, func(call *ast.CallExpr) bool { return program.EndOf(fn.Info(), call) == program.GoesOn })
	return g
}

// Node is the node before which a statement's state is found.
func (g *Graph) Node(s ast.Stmt) ast.Node {
	if mark := g.marks[s]; mark != nil {
		return mark
	}
	if decl, ok := s.(*ast.DeclStmt); ok {
		if d, ok := decl.Decl.(*ast.GenDecl); ok && len(d.Specs) > 0 {
			return d.Specs[0]
		}
	}
	return s
}

// list copies a statement list with its marks.
func (g *Graph) list(list []ast.Stmt) []ast.Stmt {
	out := make([]ast.Stmt, 0, len(list))
	for _, s := range list {
		again := g.stmt(s)
		branch, ok := s.(*ast.BranchStmt)
		if again != s || ok {
			mark := &ast.EmptyStmt{Semicolon: s.Pos(), Implicit: true}
			g.marks[s] = mark
			out = append(out, mark)
			if ok {
				g.branches[mark] = branch
			}
		}
		out = append(out, again)
	}
	if n := len(list); n > 0 && g.bounds != nil {
		end := &ast.EmptyStmt{Semicolon: list[n-1].End(), Implicit: true}
		g.ends[end], g.last[list[n-1]] = list[n-1], true
		out = append(out, end)
	}
	return out
}

// stmt copies a statement that has lists; others it returns as they are.
func (g *Graph) stmt(s ast.Stmt) ast.Stmt {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return g.block(s)
	case *ast.LabeledStmt:
		c := *s
		c.Stmt = g.stmt(s.Stmt)
		return &c
	case *ast.IfStmt:
		c := *s
		c.Body = g.block(s.Body)
		switch otherwise := s.Else.(type) {
		case *ast.BlockStmt:
			c.Else = g.block(otherwise)
		case *ast.IfStmt:
			c.Else = &ast.BlockStmt{Lbrace: otherwise.Pos(), List: g.list([]ast.Stmt{otherwise}), Rbrace: otherwise.End() - 1}
		}
		return &c
	case *ast.ForStmt:
		c := *s
		c.Body = g.block(s.Body)
		return &c
	case *ast.RangeStmt:
		c := *s
		c.Body = g.block(s.Body)
		return &c
	case *ast.SwitchStmt:
		c := *s
		c.Body = g.clauses(s.Body)
		return &c
	case *ast.TypeSwitchStmt:
		c := *s
		c.Body = g.clauses(s.Body)
		return &c
	case *ast.SelectStmt:
		c := *s
		c.Body = g.clauses(s.Body)
		return &c
	}
	return s
}

func (g *Graph) block(b *ast.BlockStmt) *ast.BlockStmt {
	c := *b
	c.List = g.list(b.List)
	return &c
}

func (g *Graph) clauses(b *ast.BlockStmt) *ast.BlockStmt {
	c := *b
	c.List = make([]ast.Stmt, len(b.List))
	for i, s := range b.List {
		switch s := s.(type) {
		case *ast.CaseClause:
			clause := *s
			clause.Body = g.list(s.Body)
			c.List[i] = &clause
		case *ast.CommClause:
			clause := *s
			clause.Body = g.list(s.Body)
			c.List[i] = &clause
		default:
			c.List[i] = s
		}
	}
	return &c
}
