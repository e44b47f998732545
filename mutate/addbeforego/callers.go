package addbeforego

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/waitgroups"
)

// A place is a call of a function by a statement of its own, at once or in a new goroutine.
type place struct {
	from  *mutate.Function
	stmt  ast.Stmt
	group string // the wait group, as it is written there
}

// called lists the edits of a declared function that begins with an Add for itself, and that go statements
// start: whoever calls it counts it, at each call.
func called(fn *mutate.Function) (edits []mutate.Edit) {
	if _, declared := fn.Node.(*ast.FuncDecl); !declared {
		return nil
	}
	for _, c := range waitgroups.Calls(fn) {
		if places, ok := placesOf(fn, c); ok {
			e := fn.NewEdit("addbeforego", c.At.Stmt, c.At.Stmt)
			e.Form, e.Expr, e.Note = callers, c.Text+".Add("+types.ExprString(c.Expr.Args[0])+")", "count the goroutine before it starts: Wait may be first"
			waitgroups.Warm(fn, &e, c.Group)
			for _, p := range places {
				h, _ := p.from.Narrowing.HeatAt(p.stmt.Pos())
				e.Heat = max(e.Heat, h)
			}
			edits = append(edits, e)
		}
	}
	return edits
}

// placesOf are all calls of a function whose Add its callers can make as well; ok is false where not all
// are known, there is one only (the other forms do that), or none is a go statement.
func placesOf(fn *mutate.Function, c waitgroups.Call) (places []place, ok bool) {
	if c.Method != "Add" || !c.Alone() || c.Deferred() || len(c.Expr.Args) != 1 {
		return nil, false
	}
	if _, constant := c.Expr.Args[0].(*ast.BasicLit); !constant {
		return nil, false
	}
	_, ok = doneAtTop(fn, c)
	decl := fn.Node.(*ast.FuncDecl)
	obj, _ := fn.File.Package.Info.Defs[decl.Name].(*types.Func)
	if !ok || obj == nil {
		return nil, false
	}
	begun := false
	for _, p := range plainCalls(fn)[obj] {
		if p.from.File.Package != fn.File.Package {
			continue
		}
		call, goes := plainCall(p.stmt)
		group, named := groupAt(p.from, call, decl, c)
		_, literal := p.from.Node.(*ast.FuncLit)
		if !named || literal || p.from.File.Test {
			return nil, false
		}
		begun = begun || goes
		places = append(places, place{p.from, p.stmt, group})
	}
	return places, begun && len(places) > 1 && len(places) == uses(fn, waitgroups.Goroutine{Start: starts.Start{To: fn}})
}

// plainCalls lists the statements of the program that are nothing but a call of a function, at once or
// in a new goroutine, by file and in source order.
func plainCalls(fn *mutate.Function) map[*types.Func][]place {
	type calls struct{}
	return mutate.Once(fn, calls{}, func() map[*types.Func][]place {
		found := make(map[*types.Func][]place)
		for _, from := range fn.OfProgram() {
			for _, st := range from.Statements() {
				if call, _ := plainCall(st.Stmt); call != nil {
					if f := syntax.Callee(from.File.Package.Info, call.Fun); f != nil {
						found[f] = append(found[f], place{from: from, stmt: st.Stmt})
					}
				}
			}
		}
		return found
	})
}

// plainCall is the call that is all that a statement does, and whether it starts a goroutine.
func plainCall(s ast.Stmt) (call *ast.CallExpr, goes bool) {
	switch s := s.(type) {
	case *ast.GoStmt:
		return s.Call, true
	case *ast.ExprStmt:
		call, _ = ast.Unparen(s.X).(*ast.CallExpr)
	}
	return call, false
}

// groupAt is the wait group of a method, or one that a function is given, as it is written at a call.
func groupAt(from *mutate.Function, call *ast.CallExpr, decl *ast.FuncDecl, c waitgroups.Call) (string, bool) {
	if decl.Recv != nil && len(decl.Recv.List[0].Names) == 1 && from.File.Package.Info.Defs[decl.Recv.List[0].Names[0]] == c.Group.Root {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || from.Path(sel.X).Root == nil {
			return "", false
		}
		return types.ExprString(sel.X) + c.Group.Rest, true
	}
	i := 0
	for _, field := range decl.Type.Params.List {
		for _, name := range field.Names {
			if i < len(call.Args) && from.File.Package.Info.Defs[name] == c.Group.Root {
				p := from.Path(call.Args[i])
				return p.String() + c.Group.Rest, p.Root != nil
			}
			i++
		}
	}
	return c.Text, c.Group.Root.Parent() == from.File.Package.Types.Scope()
}

// applyCalled takes the Add out of a function and puts one before each call.
func applyCalled(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no such Add")
	}
	for _, c := range waitgroups.Calls(fn) {
		if fn.ID(c.At.Stmt) != e.Node {
			continue
		}
		places, ok := placesOf(fn, c)
		if !ok {
			break
		}
		if err := moveDone(m, e, fn, e.Node); err != nil {
			return err
		}
		if err := m.Remove(e.File, m.Stmt(e.File, e.Node)); err != nil {
			return err
		}
		for _, p := range places {
			text := p.group + ".Add(" + types.ExprString(c.Expr.Args[0]) + ")"
			if _, goes := p.stmt.(*ast.GoStmt); goes {
				text = "// " + e.Note + "\n" + text
			}
			file := p.from.File.Rel
			if err := m.InsertSnippet(file, m.Stmt(file, p.from.ID(p.stmt)), false, text); err != nil {
				return err
			}
		}
		return nil
	}
	return mutate.Refuse(e, "not all who call the function are known")
}
