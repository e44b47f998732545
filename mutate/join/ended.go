package join

import (
	"go/ast"
	"go/types"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/donefield"
)

// ended is the form that waits for a goroutine of a value, which receives until the function
// closes its channel: Node is the close.
const ended = "ended"

// A collector is a method of a type that a goroutine of each value runs: it receives from a
// channel of the value until that is closed, and writes fields.
type collector struct {
	donefield.Field
	file   *analysis.File
	method *ast.FuncDecl
	value  string // the receiver's name
	writes map[*types.Var]bool
	starts int // go statements that run it
}

// closing is a statement that closes the channel of a collector, behind which the function
// uses what the collector writes.
type closing struct {
	stmt  ast.Stmt
	value ast.Expr // "g" of close(g.ended)
	by    *collector
}

// closings are those of a function, in source order.
func closings(fn *mutate.Function) (out []closing) {
	for _, st := range fn.Statements() {
		s, ok := st.Stmt.(*ast.ExprStmt)
		if !ok {
			continue
		}
		call, ok := s.X.(*ast.CallExpr)
		if !ok || syntax.Builtin(fn.File.Package.Info, call) != "close" {
			continue
		}
		sel, ok := ast.Unparen(call.Args[0]).(*ast.SelectorExpr)
		if !ok {
			continue
		}
		if c, ok := collectorOf(fn, sel); ok && uses(fn, st, c.writes) {
			out = append(out, closing{s, sel.X, c})
		}
	}
	return out
}

// collectorOf is the collector that receives from a field; ok is false if there is none, or
// its type cannot get a channel that says that it has ended.
func collectorOf(fn *mutate.Function, ch *ast.SelectorExpr) (*collector, bool) {
	info := fn.File.Package.Info
	field := syntax.Field(info, ch)
	if field == nil {
		return nil, false
	}
	c := &collector{}
	var ok bool
	if c.Field, ok = donefield.Of(fn, ch.X, ""); !ok {
		return nil, false
	}
	for _, f := range fn.File.Package.Files {
		for _, d := range f.AST.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && !f.Test && !f.Generated && d.Recv != nil && d.Body != nil && collects(f.Package.Info, d, field) {
				if c.method != nil {
					return nil, false
				}
				c.file, c.method = f, d
			}
		}
	}
	if c.method == nil || c.method == fn.Node || len(c.method.Recv.List[0].Names) != 1 {
		return nil, false
	}
	c.value = c.method.Recv.List[0].Names[0].Name
	c.findWrites(fn.Program)
	c.countStarts(fn.Program)
	return c, c.starts == 1 && len(c.writes) > 0
}

// collects reports whether a method's own statements loop over a channel in a field.
func collects(info *types.Info, d *ast.FuncDecl, field *types.Var) bool {
	for _, s := range d.Body.List {
		r, ok := s.(*ast.RangeStmt)
		if !ok {
			continue
		}
		if sel, ok := ast.Unparen(r.X).(*ast.SelectorExpr); ok && syntax.Field(info, sel) == field {
			return true
		}
	}
	return false
}

// findWrites finds the fields of the receiver that the collector writes.
func (c *collector) findWrites(p *analysis.Program) {
	c.writes = make(map[*types.Var]bool)
	for _, a := range p.Uses(c.file, c.method) {
		if id, ok := a.Owner().(*ast.Ident); ok && a.Write && a.Var.IsField() && id.Name == c.value {
			c.writes[a.Var] = true
		}
	}
}

// countStarts counts the go statements that run the collector. All other calls, and one in a
// loop, count twice: the channel would be closed too often. So does one in a function that
// does not make the value, and a value made elsewhere: nobody may have started its collector.
func (c *collector) countStarts(p *analysis.Program) {
	method := c.file.Package.Info.Defs[c.method.Name]
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			syntax.Walk(f.AST, func(n ast.Node, path []ast.Node) {
				if c.makes(pkg.Info, n) && (len(path) < 2 || !c.startedIn(pkg.Info, path[1])) {
					c.starts += 2
				}
				id, ok := n.(*ast.Ident)
				if f, isFunc := pkg.Info.Uses[id].(*types.Func); !ok || !isFunc || f.Origin() != method {
					return
				}
				c.starts += 2
				for i, around := range path {
					switch around.(type) {
					case *ast.ForStmt, *ast.RangeStmt:
						return
					case *ast.GoStmt:
						if i+3 >= len(path) { // the call, what it selects from, and the name
							c.starts--
						}
					}
				}
			})
		}
	}
}

// makes reports whether a node makes a value of the collector's type.
func (c *collector) makes(info *types.Info, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CompositeLit:
		return c.isType(info.TypeOf(n))
	case *ast.CallExpr:
		return syntax.Builtin(info, n) == "new" && len(n.Args) == 1 && c.isType(info.TypeOf(n.Args[0]))
	}
	return false
}

func (c *collector) isType(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Origin().Obj() == c.Type
}

// startedIn reports whether a declaration has a go statement that runs the collector.
func (c *collector) startedIn(info *types.Info, decl ast.Node) bool {
	return syntax.Any(decl, func(n ast.Node) bool {
		s, ok := n.(*ast.GoStmt)
		if !ok {
			return false
		}
		f := syntax.Callee(info, s.Call.Fun)
		return f != nil && f.Origin() == c.file.Package.Info.Defs[c.method.Name]
	})
}

// uses reports whether a function uses one of some fields behind a statement in its list.
func uses(fn *mutate.Function, st mutate.Statement, fields map[*types.Var]bool) bool {
	for _, a := range fn.Accesses(st.List[st.Index+1:]...) {
		if fields[a.Var] {
			return true
		}
	}
	return false
}

// endings lists the edits of form ended.
func endings(fn *mutate.Function) (out []mutate.Edit) {
	for _, c := range closings(fn) {
		e := fn.NewEdit("join", c.stmt, c.stmt)
		e.Form = ended
		e.Expr = types.ExprString(c.value) + "." + c.by.Name
		e.Note = c.by.method.Name.Name + " may still be at what it has received"
		for _, a := range fn.Changing(fn.Body) { // as near to the evidence as what is waited for
			if c.by.writes[a.Var] && a.Expr.Pos() > c.stmt.End() {
				at := fn.Program.Fset.PositionFor(a.Expr.Pos(), false)
				e.Heat = max(e.Heat, fn.Narrowing.Heat(fn.File.Name, at.Line))
			}
		}
		out = append(out, e)
	}
	return out
}

// end makes the edit: the goroutine closes a channel of the value as it ends.
func end(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no such function")
	}
	for _, c := range closings(fn) {
		if fn.ID(c.stmt) != e.Node {
			continue
		}
		stmt := m.Stmt(e.File, e.Node)
		if stmt == nil {
			return mutate.Refuse(e, "another edit removed the close")
		}
		added, err := c.by.Add(m, e, "closed when "+c.by.method.Name.Name+" returns")
		if err != nil {
			return err
		}
		if added {
			decl, ok := m.Of(c.by.file.Rel, c.by.method).(*dst.FuncDecl)
			if !ok || decl.Body == nil || len(decl.Body.List) == 0 {
				return mutate.Refuse(e, "another edit removed %s", c.by.method.Name.Name)
			}
			if err := m.InsertSnippet(c.by.file.Rel, decl.Body.List[0], false, "defer close("+c.by.value+"."+c.by.Name+")"); err != nil {
				return err
			}
		}
		return m.InsertSnippet(e.File, stmt, true, "// "+e.Note+"\n<-"+e.Expr)
	}
	return mutate.Refuse(e, "nothing is used here that a goroutine of the value writes")
}
