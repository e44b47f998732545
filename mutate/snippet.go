package mutate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/dave/dst"
	"github.com/dave/dst/decorator"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// Snippet makes the trees of statements that are given as Go writes them,
// comments included.
func Snippet(src string) ([]dst.Stmt, error) {
	f, err := decorator.Parse("package p\n\nfunc _() {\n" + src + "\n}\n")
	if err != nil {
		return nil, fmt.Errorf("parsing %q: %w", src, err)
	}
	body := dst.Clone(f.Decls[0].(*dst.FuncDecl).Body).(*dst.BlockStmt)
	return body.List, nil
}

// SnippetExpr makes the tree of an expression that is given as Go writes it.
func SnippetExpr(src string) dst.Expr { return parseExpr(src) }

// InsertSnippet is Insert of a Snippet.
func (m *Mutation) InsertSnippet(file string, anchor dst.Stmt, after bool, src string) error {
	stmts, err := Snippet(src)
	if err != nil {
		return err
	}
	return m.Insert(file, anchor, after, stmts...)
}

// Prepend puts a Snippet first into the body of the original's function with
// a NodeID.
func (m *Mutation) Prepend(file string, function int, src string) error {
	return m.intoBody(file, function, src, true)
}

// Append puts a Snippet last into the body of the original's function with a
// NodeID.
func (m *Mutation) Append(file string, function int, src string) error {
	return m.intoBody(file, function, src, false)
}

func (m *Mutation) intoBody(file string, function int, src string, first bool) error {
	body := functionBody(m.Node(file, function))
	if body == nil {
		return fmt.Errorf("the function is no longer in %s", file)
	}
	if len(body.List) > 0 {
		anchor := body.List[0]
		if !first {
			anchor = body.List[len(body.List)-1]
		}
		return m.InsertSnippet(file, anchor, !first, src)
	}
	stmts, err := Snippet(src)
	if err != nil {
		return err
	}
	for _, s := range stmts {
		s.Decorations().Before, s.Decorations().After = dst.NewLine, dst.NewLine
	}
	body.List = stmts
	return nil
}

// Move puts a statement with its comments before (or after) another one of the file.
func (m *Mutation) Move(file string, s, anchor dst.Stmt, after bool) error {
	if _, _, ok := m.ListOf(file, anchor); !ok || s == nil {
		return fmt.Errorf("another edit removed the statement to move, or to move to, from %s", file)
	}
	decs := s.Decorations()
	start, end := decs.Start, decs.End
	decs.Start, decs.End = nil, nil
	if err := m.Remove(file, s); err != nil {
		return err
	}
	decs.Start, decs.End = start, end
	return m.Insert(file, anchor, after, s)
}

// InsertFunc declares a function behind another one of the file: source has it, with a
// comment, as a function without name and receiver, which are given apart.
func (m *Mutation) InsertFunc(file string, behind *dst.FuncDecl, name string, recv *dst.FieldList, source string) error {
	parsed, err := decorator.Parse("package p\n\n" + source + "\n")
	if err != nil {
		return fmt.Errorf("parsing %q: %w", source, err)
	}
	decl := dst.Clone(parsed.Decls[0]).(*dst.FuncDecl)
	decl.Name.Name, decl.Recv = name, recv
	decl.Decs.Before, decl.Decs.After = dst.EmptyLine, dst.EmptyLine
	return m.InsertDecl(file, behind, decl)
}

// InsertDecl puts the declaration of a function behind another one of the file.
func (m *Mutation) InsertDecl(file string, behind, decl *dst.FuncDecl) error {
	f, err := m.file(file)
	if err != nil {
		return err
	}
	at := slices.Index(f.root.Decls, dst.Decl(behind))
	if at < 0 {
		return fmt.Errorf("the function to declare %s behind is no longer in %s", decl.Name.Name, file)
	}
	f.root.Decls = slices.Insert(f.root.Decls, at+1, dst.Decl(decl))
	return nil
}

// HasInserted reports whether a function with a name has been put right behind another one
// of the file.
func (m *Mutation) HasInserted(file string, behind *dst.FuncDecl, name string) bool {
	f, err := m.file(file)
	if err != nil {
		return false
	}
	at := slices.Index(f.root.Decls, dst.Decl(behind)) + 1
	if at >= len(f.root.Decls) {
		return false
	}
	decl, ok := f.root.Decls[at].(*dst.FuncDecl)
	_, original := f.ids.of(f.root.Decls[at])
	return ok && !original && decl.Name.Name == name
}

// HasMethod reports whether a file has, or has got, a method of a type.
func (m *Mutation) HasMethod(file, of, name string) bool {
	f, err := m.file(file)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(f.root.Decls, func(d dst.Decl) bool {
		decl, ok := d.(*dst.FuncDecl)
		if !ok || decl.Name.Name != name || decl.Recv == nil {
			return false
		}
		t := decl.Recv.List[0].Type
		if p, ok := t.(*dst.StarExpr); ok {
			t = p.X
		}
		id, ok := t.(*dst.Ident)
		return ok && id.Name == of
	})
}

// Means reports whether an expression of names and selectors that the function
// uses means the same at another position of its file: the variable it starts
// with is in scope there under its name.
func (fn *Function) Means(e ast.Expr, at token.Pos) bool {
	root := fn.Path(e).Root
	if root == nil {
		return false
	}
	inner := fn.File.Package.Types.Scope().Innermost(at)
	if inner == nil {
		return false
	}
	_, found := inner.LookupParent(root.Name(), at)
	return found == root
}

// FreeName is the first of name, name2, name3 ... that neither the declaration
// around the function nor its package nor its file uses for anything.
func (fn *Function) FreeName(name string) string {
	used := fn.Program.NamesAt(fn.File, fn.Node.Pos())
	inner := fn.File.Package.Types.Scope().Innermost(fn.Body.Pos())
	free := func(name string) bool {
		if used[name] {
			return false
		}
		if inner == nil {
			return types.Universe.Lookup(name) == nil
		}
		_, found := inner.LookupParent(name, token.NoPos)
		return found == nil
	}
	candidate := name
	for i := 2; !free(candidate); i++ {
		candidate = name + strconv.Itoa(i)
	}
	return candidate
}

// LocalKey is the key of a new lock, or what is declared instead of one,
// beside a local variable of the declaration around the function.
func (fn *Function) LocalKey(name string, beside *types.Var) string {
	around := fn.Name
	if decl := fn.Decl(); decl != nil {
		around = analysis.FuncName(decl)
	}
	at := fn.Program.Fset.Position(beside.Pos())
	return fmt.Sprintf("%s.%s.%s@%d:%d", fn.File.Package.Path, around, name, at.Line, at.Column)
}

// Loops reports whether a node of the function's own is inside a loop of it.
func (fn *Function) Loops(n ast.Node) bool {
	return slices.ContainsFunc(loopBodies.Of(fn), func(body *ast.BlockStmt) bool {
		return body.Pos() <= n.Pos() && n.End() <= body.End()
	})
}

// loopBodies are those of a function's own loops.
var loopBodies = NewFact(func(fn *Function) []*ast.BlockStmt {
	var bodies []*ast.BlockStmt
	syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
		switch loop := n.(type) {
		case *ast.ForStmt:
			bodies = append(bodies, loop.Body)
		case *ast.RangeStmt:
			bodies = append(bodies, loop.Body)
		}
	})
	return bodies
})

// HeatAt is the heat of the line that a position of the program is on, and
// what a failure says a goroutine waits for there; "" if none does.
func (fn *Function) HeatAt(pos token.Pos) (heat float64, waits string) {
	at := fn.Program.Fset.PositionFor(pos, false)
	return fn.Narrowing.Heat(at.Filename, at.Line), fn.Narrowing.Waits(at.Filename, at.Line)
}

// Constant reports whether an expression is the same whenever it is evaluated: a
// constant, nil, or a literal without elements.
func (fn *Function) Constant(e ast.Expr) bool {
	tv := fn.File.Package.Info.Types[e]
	if tv.Value != nil || tv.IsNil() {
		return true
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	return ok && len(lit.Elts) == 0
}

func functionBody(n dst.Node) *dst.BlockStmt {
	switch n := n.(type) {
	case *dst.FuncDecl:
		return n.Body
	case *dst.FuncLit:
		return n.Body
	}
	return nil
}
