package channelflow

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A Channel is what may be one channel when the program runs: all expressions
// between which its value may flow (assignment, parameter, result, field,
// element, captured variable), whatever the order. Fields are told apart by
// their declaration, not by the value they are selected from. Operations of
// tests are included, and marked.
type Channel[F comparable] struct {
	Elem types.Type
	// In source order. A make's Expr is the call itself.
	Makes, Sends, Receives, Ranges, Closes []Use[F]
	Escapes                                bool // given to code that cannot be seen: of a package outside the module
}

// A Use is one operation on a channel.
type Use[F comparable] struct {
	Fn     F               // innermost function around it; zero where the caller has none
	Expr   ast.Expr        // the channel; of a make, the call
	Node   ast.Node        // *ast.CallExpr (make, close), *ast.SendStmt, *ast.UnaryExpr (receive) or *ast.RangeStmt
	Stmt   ast.Stmt        // innermost statement around it; of an operation of a select, the CommClause's Comm
	Select *ast.SelectStmt // the select that it is a case of, or nil
	Loop   bool            // inside a loop of its function, or its function is started in a loop
	Test   bool
}

// Uses are all operations on the channel, makes first.
func (c *Channel[F]) Uses() []Use[F] {
	return slices.Concat(c.Makes, c.Sends, c.Receives, c.Ranges, c.Closes)
}

// An Index holds the channels of a program. It is safe for concurrent use.
type Index[F comparable] struct {
	flow   *flow
	byRoot map[*node][]*Channel[F]
	all    []*Channel[F]
}

// New finds the program's channels. F is what the caller keeps of a function:
// function returns it for an *ast.FuncDecl or *ast.FuncLit, and the zero value
// for one that the caller does not know.
func New[F comparable](p *analysis.Program, function func(ast.Node) F) *Index[F] {
	c := &collector[F]{
		index:    &Index[F]{flow: newFlow(p), byRoot: make(map[*node][]*Channel[F])},
		function: function,
		declared: make(map[*types.Func]ast.Node),
		looped:   make(map[ast.Node]bool),
	}
	var files []*analysis.File
	for _, pkg := range p.Packages {
		files = append(files, pkg.Files...)
	}
	slices.SortStableFunc(files, func(a, b *analysis.File) int { return cmp.Compare(a.Rel, b.Rel) })
	for _, f := range files {
		c.findDeclared(f)
	}
	for _, f := range files {
		c.findLooped(f)
	}
	for _, f := range files {
		c.file = f
		syntax.Walk(f.AST, c.use)
	}
	slices.SortStableFunc(c.index.all, func(a, b *Channel[F]) int {
		return cmp.Compare(min(len(b.Makes), 1), min(len(a.Makes), 1))
	})
	return c.index
}

// All lists the channels in source order of the first make; those without any
// come last. The slice must not be changed.
func (ix *Index[F]) All() []*Channel[F] { return ix.all }

// OfVar finds the channel that a variable, field, parameter or result of the
// program may hold; nil if it is unknown.
func (ix *Index[F]) OfVar(v *types.Var) *Channel[F] {
	c, ok := v.Type().Underlying().(*types.Chan)
	if !ok {
		return nil
	}
	return ix.find(ix.flow.objects[v.Origin()], c.Elem())
}

// Of finds the channel that an expression may stand for; nil if it is unknown, as
// one that a package outside the module made is: ctx.Done(), time.After(d).
func (ix *Index[F]) Of(info *types.Info, e ast.Expr) *Channel[F] {
	return ix.find(ix.flow.known(e), elemOf(info, e))
}

func (ix *Index[F]) find(n *node, elem types.Type) *Channel[F] {
	if n == nil || elem == nil {
		return nil
	}
	for _, c := range ix.byRoot[n.root()] {
		if sameElem(c.Elem, elem) {
			if len(c.Makes) == 0 && n.root().foreign {
				return nil
			}
			return c
		}
	}
	return nil
}

// add finds the channel of an expression or begins it.
func (ix *Index[F]) add(info *types.Info, e ast.Expr) *Channel[F] {
	n, elem := ix.flow.known(e), elemOf(info, e)
	if n == nil || elem == nil {
		return nil
	}
	root := n.root()
	for _, c := range ix.byRoot[root] {
		if sameElem(c.Elem, elem) {
			return c
		}
	}
	c := &Channel[F]{Elem: elem, Escapes: root.escapes}
	ix.byRoot[root] = append(ix.byRoot[root], c)
	ix.all = append(ix.all, c)
	return c
}

// elemOf is the element type of an expression's channel type; nil if it has
// another type.
func elemOf(info *types.Info, e ast.Expr) types.Type {
	t := info.TypeOf(e)
	if t == nil {
		return nil
	}
	c, ok := t.Underlying().(*types.Chan)
	if !ok {
		return nil
	}
	return c.Elem()
}

// sameElem reports whether channels with two element types may be one: values of
// different types meet in an interface variable, say, and stay apart. What a
// type parameter stands for is not looked up.
func sameElem(a, b types.Type) bool {
	return types.Identical(a, b) || generic(a) || generic(b)
}

func generic(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return generic(t.Elem())
	case *types.Slice:
		return generic(t.Elem())
	case *types.Chan:
		return generic(t.Elem())
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if generic(arg) {
				return true
			}
		}
		return t.TypeArgs().Len() == 0 && t.TypeParams().Len() > 0
	}
	return false
}
