package copyarg

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/starts"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/tree"
)

// handed is the form in which a method that a goroutine runs gets what the starter has just stored in fields, as
// parameters: Node is the go statement.
const handed = "handed"

// A handedField is a field that a function sets before it starts a method, which only reads it.
type handedField struct {
	set   *ast.AssignStmt
	field *ast.SelectorExpr // that is set
	name  string            // of the parameter, and of the variable where the starter needs one
	typ   string
	reads []*ast.SelectorExpr // in the method
}

// variable is the local variable that is stored in the field; "": there is none yet.
func (f handedField) variable() string {
	if id, ok := ast.Unparen(f.set.Rhs[0]).(*ast.Ident); ok && id.Name != "nil" {
		return id.Name
	}
	return ""
}

// A handover is a go statement of a method, with the fields that it could be given.
type handover struct {
	start  starts.Start
	to     *mutate.Function
	fields []handedField
}

// handovers lists those of a function.
func handovers(fn *mutate.Function) (all []handover) {
	info := fn.File.Package.Info
	for _, s := range starts.Of(fn) {
		if s.Go == nil || s.Lit != nil || s.To == nil || s.To == fn || !startedOnly(fn, s) {
			continue
		}
		decl := s.To.Node.(*ast.FuncDecl)
		called, ok := ast.Unparen(s.Go.Call.Fun).(*ast.SelectorExpr)
		if !ok || len(decl.Recv.List[0].Names) != 1 {
			continue
		}
		base := types.ExprString(called.X)
		recv := s.To.File.Package.Info.Defs[decl.Recv.List[0].Names[0]]
		h := handover{start: s, to: s.To}
		for i, stmt := range s.List[:s.Index] {
			set, ok := stmt.(*ast.AssignStmt)
			if !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || len(set.Rhs) != 1 {
				continue
			}
			field, ok := ast.Unparen(set.Lhs[0]).(*ast.SelectorExpr)
			v := syntax.Field(info, set.Lhs[0])
			if !ok || v == nil || types.ExprString(field.X) != base || !fn.Narrowing.Shared(v) || !handle(v.Type()) || assigns(s.List[i+1:s.Index], types.ExprString(field)) {
				continue
			}
			f := handedField{set: set, field: field}
			if f.reads = readsIn(s.To, recv, v); len(f.reads) == 0 {
				continue
			}
			if f.typ, ok = typetext.Of(s.To, v.Type(), s.To.Body.Pos()); !ok {
				continue
			}
			f.name = scope.FreeName(s.To, syntax.Uncapital(field.Sel.Name))
			if f.variable() == "" && scope.FreeName(fn, f.name) != f.name {
				continue
			}
			h.fields = append(h.fields, f)
		}
		if len(h.fields) > 0 {
			all = append(all, h)
		}
	}
	return all
}

// startedOnly reports whether what a go statement starts is an unexported method without more arguments than it names, and
// nobody else calls or names it.
func startedOnly(fn *mutate.Function, s starts.Start) bool {
	decl, ok := s.To.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) != 1 || ast.IsExported(decl.Name.Name) || decl.Type.TypeParams != nil {
		return false
	}
	for _, p := range decl.Type.Params.List {
		if _, variadic := p.Type.(*ast.Ellipsis); variadic || len(p.Names) == 0 {
			return false
		}
	}
	obj, ok := s.To.File.Package.Info.Defs[decl.Name].(*types.Func)
	return ok && len(fn.Mentions(obj)) == 1
}

// readsIn are the places of a method that read a field of its receiver; none if it is set there, or its address taken.
func readsIn(to *mutate.Function, recv types.Object, field *types.Var) (reads []*ast.SelectorExpr) {
	info := to.File.Package.Info
	is := func(e ast.Expr) bool {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		return ok && syntax.Field(info, sel) == field && recv != nil && syntax.Is(info, sel.X, recv)
	}
	only := true
	ast.Inspect(to.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case ast.Stmt:
			only = only && !slices.ContainsFunc(syntax.Assigned(n), func(e ast.Expr) bool { return is(e) || syntax.Is(info, e, recv) })
		case *ast.UnaryExpr:
			only = only && (n.Op != token.AND || !is(n.X))
		case *ast.SelectorExpr:
			if is(n) {
				reads = append(reads, n)
				return false
			}
		}
		return true
	})
	if !only {
		return nil
	}
	return reads
}

// handing lists the edits that give methods what was made for their goroutine.
func handing(fn *mutate.Function) (out []mutate.Edit) {
	for _, h := range handovers(fn) {
		e := fn.NewEdit("copyarg", h.start.Go)
		var names []string
		for _, f := range h.fields {
			names = append(names, types.ExprString(f.field))
			for _, r := range f.reads {
				heat, _ := h.to.Narrowing.HeatAt(r.Pos())
				e.Heat = max(e.Heat, heat)
			}
		}
		e.Form = handed
		e.Note = syntax.Enumerate(names) + " may be another one when the goroutine uses it"
		if len(names) > 1 {
			e.Note = syntax.Enumerate(names) + " may be others when the goroutine uses them"
		}
		out = append(out, e)
	}
	return out
}

// applyHanded makes the edit.
func applyHanded(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no such function")
	}
	for _, h := range handovers(fn) {
		if fn.ID(h.start.Go) == e.Node {
			return h.apply(m, e, fn)
		}
	}
	return mutate.Refuse(e, "nothing is made here for a goroutine")
}

func (h *handover) apply(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function) error {
	start, ok := m.StmtOf(e.File, h.start.Go).(*dst.GoStmt)
	decl, declared := m.Of(h.to.File.Rel, h.to.Node).(*dst.FuncDecl)
	if !ok || !declared {
		return mutate.Refuse(e, "another edit changed the start of the goroutine")
	}
	noted := false
	for _, f := range h.fields {
		arg := f.variable()
		if arg == "" {
			arg = f.name
			set, ok := m.StmtOf(e.File, f.set).(*dst.AssignStmt)
			if !ok {
				return mutate.Refuse(e, "another edit removed the assignment")
			}
			define := &dst.AssignStmt{Lhs: []dst.Expr{dst.NewIdent(arg)}, Tok: token.DEFINE, Rhs: []dst.Expr{set.Rhs[0]}}
			define.Decs.Before = dst.NewLine
			if !noted {
				noted = true
				define.Decs.Start.Append("// " + e.Note)
			}
			set.Rhs[0] = dst.NewIdent(arg)
			if err := m.Insert(e.File, set, false, define); err != nil {
				return err
			}
		}
		for _, r := range f.reads {
			now, ok := m.Of(h.to.File.Rel, r).(dst.Expr)
			if !ok {
				return mutate.Refuse(e, "another edit changed what the goroutine reads")
			}
			if err := m.Replace(h.to.File.Rel, now, dst.NewIdent(f.name)); err != nil {
				return err
			}
		}
		param := &dst.Field{Names: []*dst.Ident{dst.NewIdent(f.name)}, Type: tree.Expr(f.typ)}
		at, first := len(start.Call.Args), len(decl.Type.Params.List)
		if syntax.IsContext(fn.File.Package.Info.TypeOf(f.field)) {
			at, first = 0, 0 // as everywhere in Go
		}
		start.Call.Args = slices.Insert(start.Call.Args, at, dst.Expr(dst.NewIdent(arg)))
		decl.Type.Params.List = slices.Insert(decl.Type.Params.List, first, param)
	}
	return nil
}
