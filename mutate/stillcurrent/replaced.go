package stillcurrent

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/tree"
)

// A replacement compares the pointer that is there with the one that was put there.
type replacement struct {
	all    []*arming
	own    []string // the pointer's name at each arming
	place  string   // "c.sessions[id]", in the section
	param  string
	typ    string
	resets []rearming
}

// A rearming is a Reset, in the place of which a function is called that makes a new timer.
type rearming struct {
	timerCall
	call string
}

func (r *replacement) functions() (fns []*mutate.Function) {
	for _, a := range r.all {
		fns = append(fns, a.fn, a.act)
	}
	for _, reset := range r.resets {
		fns = append(fns, reset.fn)
	}
	return fns
}

func planReplaced(a *arming) (w way, doubt float64, ok bool) {
	all, alone := a.siblings()
	r := &replacement{all: all}
	for _, c := range a.candidates() {
		if r.param = r.given(c.elem); r.param != "" {
			r.place = c.text
			return r, r.rearm(), true
		}
		own, typ := r.registered(c.v)
		if own == nil || !alone {
			continue
		}
		r.own, r.place, r.param = own, c.text, own[0]
		if _, declared := a.act.Node.(*ast.FuncDecl); declared {
			r.param = scope.FreeName(a.act, "due")
			if r.typ, ok = typetext.Of(a.act, typ, a.act.Body.Pos()); !ok || a.act.Type.Params.NumFields() > 0 && variadic(a.act.Type) {
				return nil, 0, false
			}
		}
		return r, r.rearm(), true
	}
	return nil, 0, false
}

// given is the name of what a declared callback gets already at each arming, as its receiver or a
// parameter, that is of the type of the pointers; "": nothing.
func (r *replacement) given(typ types.Type) (name string) {
	decl, ok := r.all[0].act.Node.(*ast.FuncDecl)
	if !ok {
		return ""
	}
	for _, a := range r.all {
		got := ""
		gets := func(value ast.Expr, param *ast.Ident) {
			if id, ok := ast.Unparen(value).(*ast.Ident); ok && syntax.SameGeneric(a.info.TypeOf(id), typ) && !a.act.Reassigns(param.Name, a.act.Body.List...) {
				got = param.Name
			}
		}
		fun := a.value
		if a.call != nil {
			fun = a.call.Fun
			for i, param := range parameters(decl) {
				if i < len(a.call.Args) {
					gets(a.call.Args[i], param)
				}
			}
		}
		if sel, method := ast.Unparen(fun).(*ast.SelectorExpr); method && decl.Recv != nil && len(decl.Recv.List[0].Names) > 0 {
			gets(sel.X, decl.Recv.List[0].Names[0])
		}
		if got == "" || name != "" && got != name {
			return ""
		}
		name = got
	}
	return name
}

func variadic(t *ast.FuncType) bool {
	_, is := t.Params.List[len(t.Params.List)-1].Type.(*ast.Ellipsis)
	return is
}

// A candidate is a map or field that the section uses, with the expression that says which
// of its pointers.
type candidate struct {
	v    *types.Var
	elem types.Type
	text string
}

// candidates lists those of a section: elements of maps, deleted ones first, and fields.
func (a *arming) candidates() (all []candidate) {
	info := a.act.File.Package.Info
	add := func(v *types.Var, e ast.Expr, elem types.Type) {
		if v != nil && syntax.Pointer(elem) && a.known(e) && !slices.ContainsFunc(all, func(c candidate) bool { return c.v == v.Origin() }) {
			all = append(all, candidate{v.Origin(), elem, types.ExprString(e)})
		}
	}
	for _, s := range a.section.Body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				if syntax.Builtin(info, n) == "delete" {
					if m, ok := info.TypeOf(n.Args[0]).Underlying().(*types.Map); ok {
						add(syntax.Variable(info, n.Args[0]), &ast.IndexExpr{X: n.Args[0], Index: n.Args[1]}, m.Elem())
					}
				}
			case *ast.IndexExpr:
				if m, ok := info.TypeOf(n.X).Underlying().(*types.Map); ok {
					add(syntax.Variable(info, n.X), n, m.Elem())
				}
			case *ast.AssignStmt:
				for _, lhs := range n.Lhs {
					if sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr); ok {
						add(syntax.Variable(info, sel), sel, info.TypeOf(sel))
					}
				}
			}
			return true
		})
	}
	return all
}

// registered finds, at each arming, the variable that is put into a map or field there.
func (r *replacement) registered(into *types.Var) (names []string, typ types.Type) {
	for _, a := range r.all {
		v := a.registers(into)
		if v == nil || typ != nil && !syntax.SameGeneric(typ, v.Type()) {
			return nil, nil
		}
		names, typ = append(names, v.Name()), v.Type()
	}
	return names, typ
}

// registers is the local variable, given a value once, that the function of the arming puts
// into a map or field; nil: none.
func (a *arming) registers(into *types.Var) (found *types.Var) {
	decl := a.decl()
	if decl == nil {
		return nil
	}
	assigned := make(map[*types.Var]int)
	ast.Inspect(decl, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, lhs := range s.Lhs {
			if id, ok := lhs.(*ast.Ident); ok {
				if v, ok := a.info.ObjectOf(id).(*types.Var); ok {
					assigned[v]++
				}
				continue
			}
			to := ast.Unparen(lhs)
			if x, ok := to.(*ast.IndexExpr); ok {
				to = x.X
			}
			if v := syntax.Variable(a.info, to); v == nil || v.Origin() != into || len(s.Lhs) != len(s.Rhs) || s.Tok != token.ASSIGN {
				continue
			}
			if id, ok := ast.Unparen(s.Rhs[i]).(*ast.Ident); ok {
				if v, ok := a.info.Uses[id].(*types.Var); ok && syntax.Pointer(v.Type()) && v.Pos() < a.st.Stmt.Pos() && !v.IsField() && v.Parent() != v.Pkg().Scope() {
					found = v
				}
			}
		}
		return true
	})
	if found == nil || assigned[found] > 1 {
		return nil
	}
	return found
}

// rearm plans what becomes of Resets of the timer. It returns the belief that is left: little,
// if one stays, which does not make the pointer another one.
func (r *replacement) rearm() (left float64) {
	const stays = 0.4 // guessed
	field := r.all[0].timerField()
	if field == nil {
		return 1
	}
	for _, reset := range r.all[0].timerCalls(field, "Reset") {
		call, ok := r.all[0].installs(reset)
		if !ok || len(r.all) > 1 {
			r.resets = nil
			return stays
		}
		r.resets = append(r.resets, rearming{reset, call})
	}
	return 1
}

// installs is the call of the function of the arming with what a Reset has to give it.
func (a *arming) installs(reset timerCall) (call string, ok bool) {
	decl, is := a.fn.Node.(*ast.FuncDecl)
	if !is || !reset.bare || decl.Type.Results != nil || len(a.fn.Sections()) > 0 || reset.fn.Node == a.fn.Node || usedAfter(reset) {
		return "", false
	}
	scope := reset.fn.File.Package.Types.Scope().Innermost(reset.call.Pos())
	if scope == nil {
		return "", false
	}
	means := func(id *ast.Ident) bool {
		_, found := scope.LookupParent(id.Name, reset.call.Pos())
		v, ok := found.(*types.Var)
		return ok && syntax.SameGeneric(v.Type(), a.info.Defs[id].Type()) && v.Parent() != v.Pkg().Scope()
	}
	delay, _ := ast.Unparen(a.delay).(*ast.Ident)
	if delay == nil {
		return "", false
	}
	if decl.Recv != nil {
		if len(decl.Recv.List[0].Names) == 0 || !means(decl.Recv.List[0].Names[0]) {
			return "", false
		}
		call = decl.Recv.List[0].Names[0].Name + "."
	}
	call += decl.Name.Name + "("
	given := false
	for i, id := range parameters(decl) {
		if i > 0 {
			call += ", "
		}
		switch {
		case a.info.Defs[id] == a.info.Uses[delay]:
			call, given = call+types.ExprString(reset.call.Args[0]), true
		case means(id):
			call += id.Name
		default:
			return "", false
		}
	}
	return call + ")", given
}

func parameters(decl *ast.FuncDecl) (names []*ast.Ident) {
	for _, p := range decl.Type.Params.List {
		names = append(names, p.Names...)
	}
	return names
}

// usedAfter reports whether what has the timer is used behind a Reset: it is another one then.
func usedAfter(reset timerCall) bool {
	info := reset.fn.File.Package.Info
	id, ok := ast.Unparen(reset.of).(*ast.Ident)
	return !ok || syntax.Any(reset.fn.Body, func(n ast.Node) bool {
		other, ok := n.(*ast.Ident)
		return ok && other.Pos() > reset.call.End() && info.Uses[other] == info.Uses[id]
	})
}

func (r *replacement) make(m *mutate.Mutation, e mutate.Edit) error {
	a := r.all[0]
	if err := a.guard(m, e, "", r.place+" != "+r.param); err != nil {
		return err
	}
	if r.typ != "" {
		if err := pass(m, e, r.all, r.own, r.param, r.typ); err != nil {
			return err
		}
	}
	for _, reset := range r.resets {
		old := m.StmtOf(reset.fn.File.Rel, reset.st.Stmt)
		if old == nil {
			return mutate.Refuse(e, "another edit removed a Reset")
		}
		stmts, err := tree.Snippet("// a timer that has fired is not taken back: make another one\n" + types.ExprString(reset.of) + "." + a.timerField().Name() + ".Stop()\n" + reset.call)
		if err != nil {
			return err
		}
		if err := m.Insert(reset.fn.File.Rel, old, false, stmts...); err != nil {
			return err
		}
		if err := m.Remove(reset.fn.File.Rel, old); err != nil {
			return err
		}
	}
	return nil
}
