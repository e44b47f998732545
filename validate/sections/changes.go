package sections

import (
	"go/ast"
	"go/types"

	"mendel/analysis"
	"mendel/analysis/locks/sections"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// changes finds the statements that change memory which other goroutines can
// reach: those that write a shared variable, and those that call a function of
// the program which does, at any depth, without a lock of its own. What a
// function writes to fields of a type with shared fields counts too: the tests
// may show only some of them to be shared. No step of optimising moves such a
// statement out of a section.
type changes struct {
	covers *Covers
	bodies map[*types.Func]functionBody
	known  map[*types.Func]bool // false while a function is being examined, too
	owners map[types.Object]bool
}

type functionBody struct {
	file *analysis.File
	decl *ast.FuncDecl
}

// KeepsChanges reports whether b holds the locks that a holds where memory is
// changed that others can reach.
func (c *Covers) KeepsChanges(a, b *mutate.Mutant) (bool, error) {
	if c.narrowing == nil {
		return false, nil
	}
	if c.changing == nil {
		c.changing = lines{}
		newChanges(c).add(c.changing)
	}
	return c.keeps(a, b, c.changing, false)
}

func newChanges(c *Covers) *changes {
	ch := &changes{covers: c, bodies: map[*types.Func]functionBody{}, known: map[*types.Func]bool{}, owners: map[types.Object]bool{}}
	found, _, _ := c.narrowing.Findings()
	for _, f := range found {
		if f.Object != nil {
			ch.owners[f.Object] = true
		}
	}
	for _, pkg := range c.program.Packages {
		for _, file := range pkg.Files {
			for _, d := range file.AST.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
					if obj, ok := pkg.Info.Defs[fd.Name].(*types.Func); ok {
						ch.bodies[obj] = functionBody{file, fd}
					}
				}
			}
		}
	}
	return ch
}

// add adds the lines of such statements in the whole program.
func (ch *changes) add(to lines) {
	c := ch.covers
	c.eachAccess(func(f *analysis.File, a analysis.Access) {
		if a.Write {
			to.add(f.Name, c.line(a.Expr.Pos()))
		}
	})
	for _, pkg := range c.program.Packages {
		for _, file := range pkg.Files {
			ast.Inspect(file.AST, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && ch.changes(syntax.Callee(pkg.Info, call.Fun)) {
					to.add(file.Name, c.line(call.Pos()))
				}
				return true
			})
		}
	}
}

// changes reports whether a function changes what others can reach.
func (ch *changes) changes(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	fn = fn.Origin()
	if known, ok := ch.known[fn]; ok {
		return known
	}
	ch.known[fn] = false
	body, ok := ch.bodies[fn]
	if !ok {
		return false
	}
	locked := map[ast.Node]bool{}
	model := ch.covers.model()
	for _, s := range sections.Of(model, model.Of(body.decl)) {
		for _, n := range s.Nodes {
			locked[n] = true
		}
	}
	changes := false
	ast.Inspect(body.decl.Body, func(n ast.Node) bool {
		if locked[n] {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				changes = changes || ch.reachable(body.file.Package.Info, e)
			}
		case *ast.IncDecStmt:
			changes = changes || ch.reachable(body.file.Package.Info, n.X)
		case *ast.CallExpr:
			changes = changes || ch.changes(syntax.Callee(body.file.Package.Info, n.Fun))
		}
		return !changes
	})
	ch.known[fn] = changes
	return changes
}

// reachable reports whether an assigned expression is a shared variable, an
// element of one, or a field of a type with shared fields.
func (ch *changes) reachable(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return ch.reachable(info, e.X)
	case *ast.StarExpr:
		return ch.reachable(info, e.X)
	case *ast.Ident:
		v, ok := info.Uses[e].(*types.Var)
		return ok && ch.covers.narrowing.Shared(v)
	case *ast.SelectorExpr:
		if v, ok := info.Uses[e.Sel].(*types.Var); ok && ch.covers.narrowing.Shared(v) {
			return true
		}
		s := info.Selections[e]
		if s == nil || s.Kind() != types.FieldVal {
			return false
		}
		t := types.Unalias(s.Recv())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		named, ok := t.(*types.Named)
		return ok && ch.owners[named.Origin().Obj()]
	}
	return false
}
