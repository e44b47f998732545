package deferdone

import (
	"go/ast"
	"go/types"

	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/waitgroups"
)

// uncounted are edits that count out what an Add on a group in a field counts, where
// nobody in the program does: in the goroutines that are started next, and otherwise
// in the functions that are given the group's owner.
func uncounted(fn *mutate.Function, add waitgroups.Call) (edits []mutate.Edit) {
	field := add.Field(fn)
	if add.Method != "Add" || !add.Alone() || field == nil || !nobodyCounts(fn, field) {
		return nil
	}
	owner := ownerOf(fn, add.Receiver())
	to := func(target *mutate.Function, text string) {
		if target == nil || text == "" || target.Node == fn.Node {
			return
		}
		e := target.NewEdit("deferdone", target.Node)
		e.Form, e.Expr, e.Vars = nobody, text, []string{owner + "." + field.Name()}
		e.Note, e.Group = "nobody else counts down", mutate.GroupOf(field)
		e.Heat = max(e.Heat, waitHeat(fn, add.Group))
		edits = append(edits, e)
	}
	behind := func(n ast.Node) bool { return add.Expr.End() < n.Pos() && n.End() <= add.At.Owner.End() }
	for _, s := range starts.Of(fn) {
		switch {
		case s.Go == nil || !behind(s.Go):
		case s.Lit == nil:
			to(s.To, given(s.To, add.Group, s.Name))
		case scope.Means(fn, add.Receiver(), s.Lit.Body.Lbrace+1):
			to(s.To, add.Text)
		}
	}
	if len(edits) > 0 {
		return edits[:1]
	}
	for _, c := range fn.Calls(fn.Body.List...) {
		if behind(c.Expr) {
			to(c.To, given(c.To, add.Group, c.Name))
		}
	}
	return edits
}

// given is how a function that is given the owner of a group names the group; "": it
// is not given it. name is what the caller calls a path of the function.
func given(to *mutate.Function, group mutate.Path, name func(mutate.Path) mutate.Path) string {
	if to == nil {
		return ""
	}
	decl, ok := to.Node.(*ast.FuncDecl)
	if !ok {
		return ""
	}
	fields := decl.Type.Params.List
	if decl.Recv != nil {
		fields = append(decl.Recv.List[:len(decl.Recv.List):len(decl.Recv.List)], fields...)
	}
	for _, f := range fields {
		for _, id := range f.Names {
			p := mutate.Path{Root: to.File.Package.Info.Defs[id], Rest: group.Rest}
			if p.Root != nil && name(p) == group {
				return p.String()
			}
		}
	}
	return ""
}

// ownerOf is the name of the type of what has a field that an expression selects.
func ownerOf(fn *mutate.Function, e ast.Expr) string {
	t := fn.File.Package.Info.TypeOf(ast.Unparen(e).(*ast.SelectorExpr).X)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.TypeString(t, func(*types.Package) string { return "" })
}

// nobodyCounts reports whether the program does nothing with a group in a field but
// add to it and wait for it.
func nobodyCounts(fn *mutate.Function, field *types.Var) bool {
	type uncounted struct{ field *types.Var }
	return mutate.Once(fn, uncounted{field}, func() bool { return findNobody(fn, field) })
}

func findNobody(fn *mutate.Function, field *types.Var) bool {
	counts := false
	for _, pkg := range fn.Program.Packages {
		for _, f := range pkg.Files {
			known := map[*ast.Ident]bool{} // the group's name in a call of Add or Wait
			ast.Inspect(f.AST, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if n.Sel.Name == "Add" || n.Sel.Name == "Wait" {
						if x, ok := ast.Unparen(n.X).(*ast.SelectorExpr); ok {
							known[x.Sel] = true
						}
					}
				case *ast.Ident:
					counts = counts || pkg.Info.Uses[n] == field && !known[n]
				}
				return !counts
			})
		}
	}
	return !counts
}

// goesOn is the call of Done of a function that goes on after it, and what it does
// then; ok is false if there is no such call, or there are others.
func goesOn(fn *mutate.Function, done []waitgroups.Call) (rest []ast.Stmt, ok bool) {
	if len(done) != 1 || !done[0].Alone() || done[0].Deferred() || done[0].At.Owner != ast.Node(fn.Body) {
		return nil, false
	}
	rest = done[0].At.List[done[0].At.Index+1:]
	return rest, len(rest) > 0
}
