package refuselate

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/chanwait"
	"mendel/mutate/internal/donefield"
)

// refuse finds how the function is left where the value has ended, at the beginning of the section or, if
// what it returns is only made there, behind that; it is false if nothing says how.
func (l *late) refuse() bool {
	if l.leave() {
		return true
	}
	l.within = l.section != nil && slices.Contains(l.section.Body, l.store.Stmt)
	return l.within && l.leave()
}

func (l *late) leave() bool {
	results := resultTypes(l.fn)
	if len(results) == 0 {
		l.leaves = "return"
		return true
	}
	for _, find := range []func([]types.Type) (string, bool){l.asOthers, l.byName, l.ended, l.plainly} {
		if text, ok := find(results); ok {
			l.leaves = "return " + text
			return true
		}
	}
	return false
}

// belief is how likely the edit is to be what is missing, by what it has to do for it. Chosen, not measured.
func (l *late) belief() float64 {
	belief := 1.0
	if l.end.flag == nil {
		belief *= 0.7
	}
	if l.section == nil {
		belief *= 0.9
	}
	return belief
}

// resultTypes are those of a function.
func resultTypes(fn *mutate.Function) (list []types.Type) {
	if fn.Type.Results == nil {
		return nil
	}
	for _, f := range fn.Type.Results.List {
		for range max(len(f.Names), 1) {
			list = append(list, fn.File.Package.Info.TypeOf(f.Type))
		}
	}
	return list
}

// A leaving is a return of a function by the answer that a value has ended.
type leaving struct {
	fn   *mutate.Function
	recv types.Object // nil: it is no method
	ret  *ast.ReturnStmt
}

// leavings are those of the package by a flag, in source order.
func leavings(fn *mutate.Function, flag *types.Var) []leaving {
	type leavingsOf struct{ pkg *analysis.Package }
	return mutate.Once(fn, leavingsOf{fn.File.Package}, func() map[*types.Var][]leaving {
		found := make(map[*types.Var][]leaving)
		for _, of := range fn.OfPackage() {
			_, recv, _ := method(of)
			l := leaving{fn: of}
			if recv != nil {
				l.recv = recv
			}
			for _, st := range of.Statements() {
				flag, list := asksFor(of, st.Stmt)
				if flag == nil || len(list) == 0 {
					continue
				}
				var returns bool
				if l.ret, returns = list[len(list)-1].(*ast.ReturnStmt); returns {
					found[flag] = append(found[flag], l)
				}
			}
		}
		return found
	})[flag]
}

// asksFor is the flag that a statement asks for, and what it does where that is set; nil: it asks for none.
func asksFor(fn *mutate.Function, s ast.Stmt) (flag *types.Var, list []ast.Stmt) {
	info := fn.File.Package.Info
	switch s := s.(type) {
	case *ast.IfStmt:
		cond := ast.Unparen(s.Cond)
		if b, ok := cond.(*ast.BinaryExpr); ok && b.Op == token.NEQ && info.Types[b.Y].IsNil() {
			cond = ast.Unparen(b.X)
		}
		if call, ok := cond.(*ast.CallExpr); ok {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "Load" {
				cond = sel.X
			}
		}
		return syntax.Field(info, cond), s.Body.List
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			clause := c.(*ast.CommClause)
			receive, ok := clause.Comm.(*ast.ExprStmt)
			if !ok {
				continue
			}
			if u, ok := ast.Unparen(receive.X).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
				if v := syntax.Field(info, u.X); v != nil {
					return v, clause.Body
				}
			}
		}
	}
	return nil, nil
}

// asOthers is how the function itself, or another one, leaves for the same end: with the same results, or with the
// same error.
func (l *late) asOthers(results []types.Type) (string, bool) {
	if l.end.flag == nil {
		return "", false
	}
	others := leavings(l.fn, l.end.flag)
	own := func(o leaving) int {
		if o.fn == l.fn {
			return 0
		}
		return 1
	}
	others = slices.Clone(others)
	slices.SortStableFunc(others, func(a, b leaving) int { return own(a) - own(b) })
	for _, o := range others {
		if text, ok := l.same(o, results); ok {
			return text, true
		}
	}
	for _, o := range others {
		if n := len(o.ret.Results); n > 0 {
			e := o.ret.Results[n-1]
			info := o.fn.File.Package.Info
			if t := info.TypeOf(e); t != nil && !info.Types[e].IsNil() && syntax.IsError(resultTypes(o.fn)[min(n, len(resultTypes(o.fn)))-1]) && l.repeatable(o, e) {
				if text, ok := l.withError(results, l.written(o, e)); ok {
					return text, true
				}
			}
		}
	}
	if l.end.asked == isNotNil {
		return l.withError(results, l.value+"."+l.end.name)
	}
	return "", false
}

// same is what another function returns, where this one can return it, too.
func (l *late) same(o leaving, results []types.Type) (string, bool) {
	theirs := resultTypes(o.fn)
	if len(o.ret.Results) != len(results) || len(theirs) != len(results) {
		return "", false
	}
	var parts []string
	for i, e := range o.ret.Results {
		if !syntax.SameGeneric(theirs[i], results[i]) || !l.repeatable(o, e) {
			return "", false
		}
		parts = append(parts, l.written(o, e))
	}
	return strings.Join(parts, ", "), true
}

// repeatable reports whether what another function returns means the same at the question: what the package
// declares, literals, and fields of the value.
func (l *late) repeatable(o leaving, e ast.Expr) bool {
	info := o.fn.File.Package.Info
	if !syntax.Effectless(info, e) {
		return false
	}
	return !syntax.Any(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			_, literal := n.(*ast.FuncLit)
			return literal
		}
		obj := info.Uses[id]
		if v, isVar := obj.(*types.Var); isVar && !v.IsField() && v.Parent() != v.Pkg().Scope() {
			return o.recv == nil || obj != o.recv
		}
		if _, pkg := obj.(*types.PkgName); pkg {
			return o.fn.File != l.fn.File
		}
		return false
	})
}

// written is an expression of another function as this one writes it.
func (l *late) written(o leaving, e ast.Expr) string {
	text := types.ExprString(e)
	if o.recv != nil {
		text = renamed(text, o.recv.Name(), l.value)
	}
	return text
}

// renamed is code in which another expression stands for a name.
func renamed(code, name, by string) string {
	return regexp.MustCompile(`(^|[^.\w])`+regexp.QuoteMeta(name)+`\b`).ReplaceAllString(code, "${1}"+strings.ReplaceAll(by, "$", "$$"))
}

// withError are zero results and an error; ok is false for functions that return none.
func (l *late) withError(results []types.Type, text string) (string, bool) {
	last := len(results) - 1
	if !syntax.IsError(results[last]) {
		return "", false
	}
	var parts []string
	for _, t := range results[:last] {
		zero, ok := typetext.Zero(l.fn, t, l.at().Pos())
		if !ok {
			return "", false
		}
		parts = append(parts, zero)
	}
	return strings.Join(append(parts, text), ", "), true
}

// byName is the error variable of the package that says by its name that something has ended.
func (l *late) byName(results []types.Type) (string, bool) {
	scope := l.fn.File.Package.Types.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if ok && syntax.IsError(v.Type()) && chanwait.SaysEnd(name) {
			return l.withError(results, name)
		}
	}
	return "", false
}

// ended is what the function returns at its end, where that is known at the question and has been ended there.
func (l *late) ended(results []types.Type) (string, bool) {
	body := l.fn.Body.List
	ret, ok := body[len(body)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != len(results) {
		return "", false
	}
	ends := l.cleanup()
	var parts []string
	for _, e := range ret.Results {
		root := l.fn.Path(e).Root
		given := root != nil && l.known(e)
		if !given && !l.fn.File.Package.Info.Types[e].IsNil() {
			return "", false
		}
		if given && !slices.ContainsFunc(ends, func(code string) bool { return renamed(code, root.Name(), "") != code }) {
			return "", false
		}
		parts = append(parts, types.ExprString(e))
	}
	return strings.Join(parts, ", "), len(ends) > 0
}

// plainly are the results of a function that says no, or gives something to be called that does nothing.
func (l *late) plainly(results []types.Type) (string, bool) {
	if len(results) != 1 {
		return "", false
	}
	switch t := results[0].Underlying().(type) {
	case *types.Basic:
		if t.Kind() == types.Bool {
			return "false", true
		}
	case *types.Signature:
		text, ok := typetext.Of(l.fn, t, l.at().Pos())
		return text + " {}", ok && t.Params().Len() == 0 && t.Results().Len() == 0
	}
	return "", false
}

// addField adds a flag to a struct; it is false if another edit of the set has done so already.
func addField(m *mutate.Mutation, e mutate.Edit, file *analysis.File, fields *ast.StructType, name, typ, comment string) (added bool, err error) {
	st, ok := m.Of(file.Rel, fields).(*dst.StructType)
	if !ok {
		return false, mutate.Refuse(e, "another edit removed the type")
	}
	if slices.ContainsFunc(st.Fields.List, func(f *dst.Field) bool {
		return slices.ContainsFunc(f.Names, func(id *dst.Ident) bool { return id.Name == name })
	}) {
		return false, nil
	}
	f := donefield.New(name, typ)
	f.Decs.End.Append("// " + comment)
	st.Fields.List = append(st.Fields.List, f)
	return true, nil
}
