package skipstale

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/locked"
	"mendel/mutate/internal/receiver"
)

// A stale store puts into a value what was loaded before without the value's lock.
type stale struct {
	fn *mutate.Function // that stores
	of receiver.Receiver

	section *mutate.Section  // that stores; nil: a method does, which group[0] calls
	setter  *locked.Function // that method
	lock    analysis.Lock    // of the value, as the method writes it
	group   []ast.Stmt       // consecutive statements of a list that store
	fields  []*types.Var
	load    ast.Stmt // what is stored comes from it
	drops   []drop   // by others
	read    reading
	shares  []sharing // by which the function is called
	flight  *flight   // nil: who asks for the same shares nothing, or by shares
}

// stales lists the stores of a function that may be out of date, one for each section or call.
func stales(fn *mutate.Function) []*stale {
	type stalesOf struct{ fn *mutate.Function }
	return mutate.Once(fn, stalesOf{fn}, func() (out []*stale) {
		of, ok := receiver.Of(fn)
		if !ok || fn.File.Test {
			return nil
		}
		for _, s := range fn.Sections() {
			if s.Read || s.Again || fn.Path(s.Expr).Root != fn.File.Package.Info.Defs[of.Name] {
				continue
			}
			found := &stale{fn: fn, of: of, section: s, lock: s.Lock}
			if found.stores() && found.complete() {
				out = append(out, found)
			}
		}
		for _, st := range fn.Statements() {
			found := &stale{fn: fn, of: of, group: []ast.Stmt{st.Stmt}}
			if found.calls(st.Stmt) && found.complete() {
				out = append(out, found)
			}
		}
		return out
	})
}

// object is the receiver.
func (s *stale) object() types.Object { return s.fn.File.Package.Info.Defs[s.of.Name] }

// A put is a statement that stores in a field of a receiver.
type put struct {
	field *types.Var
	key   ast.Expr // of a map; nil: the field is set as a whole
	value ast.Expr
}

// putsOf lists what a statement stores in fields of a receiver.
func putsOf(info *types.Info, recv types.Object, stmt ast.Stmt) (out []put) {
	if v, method, call := contained(info, recv, stmt); v != nil {
		if syntax.Adds(method) && len(call.Args) == 2 {
			out = append(out, put{v, call.Args[0], call.Args[1]})
		}
		return out
	}
	assign, ok := stmt.(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != len(assign.Rhs) {
		return nil
	}
	for i, l := range assign.Lhs {
		p := put{value: assign.Rhs[i]}
		if index, ok := ast.Unparen(l).(*ast.IndexExpr); ok {
			if _, isMap := info.TypeOf(index.X).Underlying().(*types.Map); !isMap {
				continue
			}
			l, p.key = index.X, index.Index
		}
		if p.field = fieldOf(info, recv, l); p.field != nil {
			out = append(out, p)
		}
	}
	return out
}

// contained is the field of a receiver a method of which a statement calls, as those of a foreign container; nil: it
// calls none.
func contained(info *types.Info, recv types.Object, stmt ast.Stmt) (v *types.Var, method string, call *ast.CallExpr) {
	var e ast.Expr
	switch stmt := stmt.(type) {
	case *ast.ExprStmt:
		e = stmt.X
	case *ast.AssignStmt:
		e = stmt.Rhs[0]
	default:
		return nil, "", nil
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil, "", nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, "", nil
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == recv.Pkg() {
		return nil, "", nil
	}
	return fieldOf(info, recv, sel.X), f.Name(), call
}

// fieldOf is the field of a receiver that an expression is; nil: it is none.
func fieldOf(info *types.Info, recv types.Object, e ast.Expr) *types.Var {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || !syntax.Is(info, sel.X, recv) {
		return nil
	}
	v := syntax.Field(info, sel)
	if v == nil {
		return nil
	}
	return v.Origin()
}

// stores finds the statements of the section that store what was loaded before it; ok is false if there are none.
func (s *stale) stores() (ok bool) {
	info := s.fn.File.Package.Info
	var list []ast.Stmt
	first, last := -1, -1
	at := func(stmt ast.Stmt) int {
		return slices.IndexFunc(list, func(in ast.Stmt) bool { return syntax.Within(stmt, in) })
	}
	for _, st := range s.fn.Statements() {
		if !s.section.Holds(st.Stmt) {
			continue
		}
		for _, p := range putsOf(info, s.object(), st.Stmt) {
			load := loaded(s.fn, p.value, st.Stmt.Pos(), s.section.Acquire.Pos())
			if load == nil || s.unlocked(load) {
				continue
			}
			if list == nil {
				list, first = st.List, st.Index
			}
			if &list[0] != &st.List[0] { // in branches: all of it
				begun := list[first]
				list = s.section.List
				first = at(begun)
			}
			s.load, last = load, at(st.Stmt)
			if first < 0 || last < 0 {
				return false
			}
			s.fields = append(s.fields, p.field)
		}
	}
	if list == nil || s.compares(list[first].Pos()) {
		return false
	}
	s.group = list[first : last+1]
	return s.widen(list, first, last)
}

// unlocked reports whether what is loaded is loaded under the lock all the same.
func (s *stale) unlocked(load ast.Stmt) bool {
	return slices.ContainsFunc(s.fn.Sections(), func(o *mutate.Section) bool { return o.Lock.Key == s.section.Lock.Key && o.Holds(load) })
}

// widen takes into the group what belongs to it: the entry of a shared load that is taken out, and what declares what
// only the group uses.
func (s *stale) widen(list []ast.Stmt, first, last int) (ok bool) {
	if s.flight = s.takesFlight(); s.flight != nil {
		stores := list[last]
		list = s.section.List
		first = slices.IndexFunc(list, func(stmt ast.Stmt) bool { return syntax.Within(stores, stmt) })
		first, last = min(first, s.flight.index), max(first, s.flight.index)
		if first < 0 {
			return false
		}
	}
	for first > 0 && list[first-1].Pos() > s.section.Acquire.Pos() && s.declaresFor(list[first-1], list[first:last+1]) {
		first--
	}
	s.group = list[first : last+1]
	for _, stmt := range s.group {
		if slices.ContainsFunc(s.section.Releases, func(r ast.Stmt) bool { return syntax.Within(r, stmt) }) {
			return false
		}
		if syntax.Any(stmt, func(n ast.Node) bool { _, leaves := n.(*ast.ReturnStmt); return leaves }) {
			return false
		}
	}
	return !s.usedBehind()
}

// declaresFor reports whether a statement declares variables that others use.
func (s *stale) declaresFor(stmt ast.Stmt, users []ast.Stmt) bool {
	info := s.fn.File.Package.Info
	return slices.ContainsFunc(declared(info, stmt), func(v types.Object) bool {
		return slices.ContainsFunc(users, func(u ast.Stmt) bool { return syntax.Names(info, u, v) })
	})
}

// declared lists the variables that a statement declares for those behind it.
func declared(info *types.Info, stmt ast.Stmt) (out []types.Object) {
	if assign, ok := stmt.(*ast.AssignStmt); ok && assign.Tok == token.DEFINE {
		for _, l := range assign.Lhs {
			if id, ok := l.(*ast.Ident); ok && info.Defs[id] != nil {
				out = append(out, info.Defs[id])
			}
		}
	}
	return out
}

// usedBehind reports whether something behind the group uses what it declares.
func (s *stale) usedBehind() bool {
	info := s.fn.File.Package.Info
	end := s.group[len(s.group)-1].End()
	for _, stmt := range s.group {
		for _, v := range declared(info, stmt) {
			for id, obj := range info.Uses {
				if obj == v && id.Pos() > end {
					return true
				}
			}
		}
	}
	return false
}

// compares reports whether the section asks, before a place, whether something of the value is what it was: it
// compares a field, or an element, with a variable of the function.
func (s *stale) compares(before token.Pos) bool {
	info := s.fn.File.Package.Info
	local := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		v, isVar := info.Uses[id].(*types.Var)
		return ok && isVar && !v.IsField() && !syntax.PackageLevel(v)
	}
	ofValue := func(e ast.Expr) bool { return syntax.Names(info, e, s.object()) }
	return slices.ContainsFunc(s.section.Body, func(stmt ast.Stmt) bool {
		return syntax.Any(stmt, func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			return ok && b.Pos() < before && (b.Op == token.EQL || b.Op == token.NEQ) &&
				(local(b.X) && ofValue(b.Y) || local(b.Y) && ofValue(b.X))
		})
	})
}

// calls finds the method that a statement calls and that stores, under a lock of the value, what was loaded before.
func (s *stale) calls(stmt ast.Stmt) (ok bool) {
	expr, isExpr := stmt.(*ast.ExprStmt)
	if !isExpr {
		return false
	}
	call, isCall := ast.Unparen(expr.X).(*ast.CallExpr)
	if !isCall {
		return false
	}
	sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !isSel || !syntax.Is(s.fn.File.Package.Info, sel.X, s.object()) {
		return false
	}
	for _, c := range s.fn.Calls(stmt) {
		if c.Expr != call || c.To.Node == s.of.Method.Node {
			continue
		}
		setter, whole := locked.Whole(c.To)
		if !whole || setter.Section == nil || setter.Read || !s.sets(c.To, setter.Section) {
			continue
		}
		for _, arg := range call.Args {
			if load := loaded(s.fn, arg, stmt.Pos(), stmt.Pos()); load != nil {
				s.load = load
			}
		}
		if s.load == nil || slices.ContainsFunc(s.fn.Sections(), func(o *mutate.Section) bool { return o.Holds(stmt) || o.Holds(s.load) }) {
			return false
		}
		s.setter = setter
		s.lock = setter.Section.Lock
		of, _ := receiver.Of(c.To)
		s.lock.Expr = s.of.Name.Name + strings.TrimPrefix(s.lock.Expr, of.Name.Name)
		return true
	}
	return false
}

// sets reports whether a method stores parameters in fields of its receiver, and notes these.
func (s *stale) sets(to *mutate.Function, section *mutate.Section) bool {
	of, ok := receiver.Of(to)
	if !ok || of.Method != to || to.Path(section.Expr).Root != to.File.Package.Info.Defs[of.Name] {
		return false
	}
	for _, stmt := range section.Body {
		for _, p := range putsOf(to.File.Package.Info, to.File.Package.Info.Defs[of.Name], stmt) {
			s.fields = append(s.fields, p.field)
		}
	}
	return len(s.fields) > 0
}

// loaded is the statement that loads what the value of an expression is made of, and that ends before a limit; nil:
// nothing loads it.
func loaded(fn *mutate.Function, value ast.Expr, at, limit token.Pos) ast.Stmt {
	if from := sources(fn, value, at); len(from) > 0 && from[0].End() <= limit {
		return from[0]
	}
	return nil
}

// sources are the statements that load what the value of an expression is made of, the last one first. Behind one that
// asks code of others, or has a context, nothing is looked for: what it is given has only said what to load.
func sources(fn *mutate.Function, value ast.Expr, at token.Pos) (from []*ast.AssignStmt) {
	info := fn.File.Package.Info
	of, _ := receiver.Of(fn)
	need := map[types.Object]bool{}
	add := func(e ast.Node) {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := info.Uses[id].(*types.Var); ok && !v.IsField() && !syntax.PackageLevel(v) && v != info.Defs[of.Name] {
					need[v] = true
				}
			}
			return true
		})
	}
	needed := func(e ast.Expr) bool {
		id := syntax.Root(e)
		return id != nil && need[info.ObjectOf(id)]
	}
	add(value)
	for _, st := range slices.Backward(fn.Statements()) {
		if st.Stmt.Pos() >= at {
			continue
		}
		if s, ok := st.Stmt.(*ast.RangeStmt); ok && (s.Key != nil && needed(s.Key) || s.Value != nil && needed(s.Value)) {
			add(s.X)
		}
		s := assignment(st.Stmt)
		if s == nil || !slices.ContainsFunc(s.Lhs, needed) {
			continue
		}
		if call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr); ok && len(s.Rhs) == 1 && loads(info, call) {
			from = append(from, s)
			if asks(info, call) {
				return from
			}
		}
		for _, r := range s.Rhs {
			add(r)
		}
	}
	return from
}

// assignment is the assignment that a statement is, or begins with; nil: there is none.
func assignment(stmt ast.Stmt) *ast.AssignStmt {
	switch s := stmt.(type) {
	case *ast.AssignStmt:
		return s
	case *ast.IfStmt:
		if s.Init != nil {
			return assignment(s.Init)
		}
	}
	return nil
}

// asks reports whether a call is of code of others, or is given a context.
func asks(info *types.Info, call *ast.CallExpr) bool {
	f := syntax.Callee(info, call.Fun)
	if f == nil || syntax.InterfaceMethod(f) {
		return true
	}
	params := f.Signature().Params()
	return params.Len() > 0 && syntax.IsContext(params.At(0).Type())
}

// loads reports whether a call may take long and depend on what is kept elsewhere: it calls code of others, may fail,
// or has a context.
func loads(info *types.Info, call *ast.CallExpr) bool {
	if info.Types[call.Fun].IsType() || syntax.Builtin(info, call) != "" {
		return false
	}
	sig, ok := info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok {
		return false
	}
	if f := syntax.Callee(info, call.Fun); f == nil || syntax.InterfaceMethod(f) {
		// time.Now where tests bring a clock of their own is no load.
		return sig.Params().Len() > 0 || fails(sig)
	}
	return fails(sig) || sig.Params().Len() > 0 && syntax.IsContext(sig.Params().At(0).Type())
}

// fails reports whether the last result of a function is an error.
func fails(sig *types.Signature) bool {
	last := sig.Results().Len() - 1
	return last >= 0 && syntax.IsError(sig.Results().At(last).Type())
}
