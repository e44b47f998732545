package callafter

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/callback"
	"mendel/mutate/internal/sectionedit"
)

// A loop makes a call in a critical section for each of several values. What the calls are given is copied,
// and they are made in a loop behind the release. They may have results, which end the loop.
type loop struct {
	fn    *mutate.Function
	s     *mutate.Section
	stmt  *ast.RangeStmt
	call  *ast.CallExpr
	exits []ast.Stmt // before the loop, where a deferred release has to be written out
	flags []mutate.Flag

	whole bool   // the loop moves behind the release, over a copy
	pkg   string // of the standard library that copies: slices or maps

	tail []ast.Stmt // what moves, from the call to the end of its list
	arg  ast.Expr   // what the call is given
	text string     // the type of that
}

// loops lists the loops of a section whose calls can be made behind it.
func loops(fn *mutate.Function, s *mutate.Section) (out []*loop) {
	if s.Again || s.InLiteral != nil || s.Deferred && !s.DefersAtOnce() || !s.Deferred && s.Final == nil {
		return nil
	}
	if slices.ContainsFunc(fn.Sections(), func(t *mutate.Section) bool { return t.Encloses(s) }) {
		return nil // the calls would be made under its lock
	}
	for i, stmt := range s.Body {
		over, ok := stmt.(*ast.RangeStmt)
		if !ok {
			continue
		}
		l := &loop{fn: fn, s: s, stmt: over}
		if l.calls() && l.canEnd(s.Body[:i], s.Body[i+1:]) && (l.copyAll() || l.collect()) {
			out = append(out, l)
		}
	}
	return out
}

// inLoops reports whether a call is made in one of some loops.
func inLoops(list []*loop, c call) bool {
	return slices.ContainsFunc(list, func(l *loop) bool { return syntax.Within[ast.Node](c.stmt, l.stmt) })
}

// calls finds the one call of the loop that runs what others have given.
func (l *loop) calls() bool {
	n := 0
	ast.Inspect(l.stmt.Body, func(node ast.Node) bool {
		if _, literal := node.(*ast.FuncLit); literal {
			n = 2
		}
		if x, ok := node.(*ast.CallExpr); ok && callback.Foreign(l.fn, x) {
			l.call = x
			n++
		}
		return true
	})
	return n == 1
}

// canEnd reports whether the section can end with the loop: nothing behind that needs the lock,
// and the release can be written where it is deferred.
func (l *loop) canEnd(before, behind []ast.Stmt) bool {
	for _, s := range behind {
		if l.needs(s) {
			return false
		}
	}
	if !l.s.Deferred {
		return true
	}
	l.exits = exits.Of(l.fn, before...)
	if slices.ContainsFunc(l.exits, func(exit ast.Stmt) bool { return !exits.Plain(l.fn, exit) || !l.s.NamedIn(exit) }) {
		return false
	}
	return !slices.ContainsFunc(before, func(s ast.Stmt) bool {
		_, deferred := s.(*ast.DeferStmt)
		return deferred && s != l.s.Releases[0] || l.s.Hides(s)
	})
}

// copyAll reports whether the loop is over a map or slice that can be copied, and needs nothing else
// that the lock guards.
func (l *loop) copyAll() bool {
	switch l.fn.File.Package.Info.TypeOf(l.stmt.X).Underlying().(type) {
	case *types.Map:
		l.pkg = "maps"
	case *types.Slice:
		l.pkg = "slices"
	default:
		return false
	}
	sel, field := ast.Unparen(l.stmt.X).(*ast.SelectorExpr)
	if !field || !l.needs(sel) || l.stmt.Tok != token.DEFINE || l.needs(l.stmt.Body) {
		return false
	}
	l.whole, l.flags = true, l.shares(l.call.Args...)
	return true
}

// collect reports whether the call is given one value, which can be collected under the lock, and
// needs nothing else that the lock guards.
func (l *loop) collect() bool {
	before, ok := l.tailOf(l.stmt.Body.List)
	if !ok || !l.onlyReads(before) || l.call.Ellipsis.IsValid() {
		return false
	}
	for _, arg := range l.call.Args {
		if !l.ofLoop(arg) && !l.needs(arg) {
			continue
		}
		if l.arg != nil {
			return false
		}
		l.arg = arg
	}
	if l.arg == nil || slices.ContainsFunc(l.tail, func(s ast.Stmt) bool { return l.needs(s, l.arg) || l.ofLoop(s, l.arg) }) {
		return false
	}
	l.text, ok = typetext.Of(l.fn, l.fn.File.Package.Info.TypeOf(l.arg), l.stmt.Pos())
	l.flags = l.shares(l.arg)
	return ok
}

// tailOf finds the statements from the call to the end of its list, in ifs without else that end
// their lists, and returns what comes before them.
func (l *loop) tailOf(list []ast.Stmt) (before []ast.Stmt, ok bool) {
	at := slices.IndexFunc(list, func(s ast.Stmt) bool { return syntax.Within[ast.Node](l.call, s) })
	if at < 0 {
		return nil, false
	}
	switch s := list[at].(type) {
	case *ast.IfStmt:
		if !syntax.Within[ast.Node](l.call, s.Body) {
			break
		}
		inner, ok := l.tailOf(s.Body.List)
		return slices.Concat(list[:at], inner), ok && s.Else == nil && s.Init == nil && at == len(list)-1
	case *ast.ExprStmt, *ast.AssignStmt:
	default:
		return nil, false
	}
	l.tail = list[at:]
	return list[:at], true
}

// onlyReads reports whether statements of the loop before the call change nothing but variables, and
// leave the iteration at most.
func (l *loop) onlyReads(before []ast.Stmt) bool {
	return !slices.ContainsFunc(before, func(s ast.Stmt) bool {
		return syntax.Any(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ReturnStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt:
				return true
			case *ast.BranchStmt:
				return n.Tok != token.CONTINUE || n.Label != nil
			case *ast.CallExpr:
				return syntax.Builtin(l.fn.File.Package.Info, n) == "delete"
			case ast.Stmt:
				return slices.ContainsFunc(syntax.Assigned(n), func(e ast.Expr) bool {
					_, name := ast.Unparen(e).(*ast.Ident)
					return !name
				})
			}
			return false
		})
	})
}

// ofLoop reports whether code, but for an expression, names what the loop declares before the call.
func (l *loop) ofLoop(code ast.Node, except ...ast.Expr) bool {
	return syntax.Any(code, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || len(except) > 0 && syntax.Within[ast.Node](id, except[0]) {
			return false
		}
		v, ok := l.fn.File.Package.Info.ObjectOf(id).(*types.Var)
		return ok && !v.IsField() && l.stmt.Pos() <= v.Pos() && v.Pos() < l.tail[0].Pos()
	})
}

// needs reports whether code, but for some expressions, may use what the lock guards: what is
// changed somewhere, by a path that leads out of the function, or in what it calls.
func (l *loop) needs(code ast.Node, except ...ast.Expr) bool {
	info := l.fn.File.Package.Info
	found := false
	ast.Inspect(code, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && slices.Contains(except, e) {
			return false
		}
		if s, ok := n.(ast.Stmt); ok && slices.Contains(l.s.Releases, s) {
			return false
		}
		switch n := n.(type) {
		case *ast.SelectorExpr:
			v, ok := info.ObjectOf(n.Sel).(*types.Var)
			found = found || ok && v.IsField() && !l.fn.Immutable(v) && !l.ownCopy(n)
		case *ast.Ident:
			v, ok := info.ObjectOf(n).(*types.Var)
			found = found || ok && syntax.PackageLevel(v) && !l.fn.Immutable(v)
		case *ast.StarExpr:
			found = found || info.Types[n].IsValue()
		case *ast.IndexExpr:
			found = found || info.Types[n].IsValue()
		case *ast.RangeStmt, *ast.DeferStmt, *ast.GoStmt, *ast.FuncLit:
			found = true
		case *ast.CallExpr:
			found = found || n != l.call && l.fn.Declared(syntax.Callee(info, n.Fun)) != nil
		}
		return !found
	})
	return found
}

// ownCopy reports whether a field is one of a value that a local variable has.
func (l *loop) ownCopy(e ast.Expr) bool {
	info := l.fn.File.Package.Info
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if t := info.TypeOf(x.X); t == nil || syntax.Pointer(t) {
				return false
			}
			e = x.X
		case *ast.Ident:
			v, ok := info.ObjectOf(x).(*types.Var)
			return ok && !v.IsField() && !syntax.PackageLevel(v)
		default:
			return false
		}
	}
}

// shares are the flags of giving others some values without the lock: what they lead to may be changed
// meanwhile.
func (l *loop) shares(values ...ast.Expr) []mutate.Flag {
	for _, e := range values {
		t := l.fn.File.Package.Info.TypeOf(e)
		if p, ok := t.Underlying().(*types.Pointer); ok {
			s, ok := p.Elem().Underlying().(*types.Struct)
			if ok && !slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return !l.fn.Immutable(f) }) {
				continue
			}
			return []mutate.Flag{mutate.DropsGuard}
		}
		switch t.Underlying().(type) {
		case *types.Slice, *types.Map:
			return []mutate.Flag{mutate.DropsGuard}
		}
	}
	return nil
}

// edit is the edit of a loop.
func (l *loop) edit() mutate.Edit {
	e := l.fn.NewEdit("callafter", l.s.Acquire, l.stmt)
	e.Form, e.Other, e.Lock, e.Read, e.Flags = formLoop, l.fn.ID(l.stmt), &l.s.Lock, l.s.Read, l.flags
	e.Note = types.ExprString(l.call.Fun) + " may lock " + l.s.Lock.Expr
	return e
}

// applyLoop makes the calls of a loop behind the section.
func applyLoop(m *mutate.Mutation, e mutate.Edit) error {
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	for _, l := range loops(s.Fn, s.Section) {
		if s.Fn.ID(l.stmt) != e.Other {
			continue
		}
		if err := s.Intact(); err != nil {
			return err
		}
		if err := s.Drop(sectionedit.Inside(l.s.Releases, l.stmt)...); err != nil {
			return err
		}
		if l.whole {
			return l.applyWhole(m, e, s)
		}
		return l.applyCollect(m, e, s)
	}
	return mutate.Refuse(e, "there is no loop to make the calls behind the section")
}

// applyWhole moves the release before the loop, which goes over a copy.
func (l *loop) applyWhole(m *mutate.Mutation, e mutate.Edit, s *sectionedit.Section) error {
	over, ok := m.Of(e.File, l.stmt.X).(dst.Expr)
	if !ok {
		return mutate.Refuse(e, "another edit changed what the loop goes over")
	}
	pkg, err := m.Import(e.File, l.pkg)
	if err != nil {
		return mutate.Refuse(e, "%v", err)
	}
	name := scope.FreeName(l.fn, ast.Unparen(l.stmt.X).(*ast.SelectorExpr).Sel.Name)
	if err := m.InsertSnippet(e.File, m.StmtOf(e.File, l.stmt), false, name+" := "+pkg+".Clone("+types.ExprString(l.stmt.X)+")"); err != nil {
		return err
	}
	if err := m.Replace(e.File, over, dst.NewIdent(name)); err != nil {
		return mutate.Refuse(e, "%v", err)
	}
	if err := l.release(s); err != nil {
		return err
	}
	if !l.s.Deferred {
		return s.Move(l.s.Final, l.stmt, false, e.Note)
	}
	return s.Released(l.stmt, false, e.Note)
}

// release writes a deferred release out before the exits of the section.
func (l *loop) release(s *sectionedit.Section) error {
	if !l.s.Deferred {
		return nil
	}
	for _, exit := range l.exits {
		if err := s.Released(exit, false, ""); err != nil {
			return err
		}
	}
	return s.Drop(l.s.Releases...)
}

// applyCollect lets the loop collect what the calls are given, and makes them in another one.
func (l *loop) applyCollect(m *mutate.Mutation, e mutate.Edit, s *sectionedit.Section) error {
	given, ok := m.Of(e.File, l.arg).(dst.Expr)
	first := m.StmtOf(e.File, l.stmt)
	if !ok || first == nil {
		return mutate.Refuse(e, "another edit changed the loop")
	}
	if err := l.release(s); err != nil {
		return err
	}
	one, all := l.names()
	tail, err := l.takeTail(m, e, given, one, all)
	if err != nil {
		return err
	}
	if err := m.InsertSnippet(e.File, first, false, "var "+all+" []"+l.text); err != nil {
		return err
	}
	calls := &dst.RangeStmt{Key: dst.NewIdent("_"), Value: dst.NewIdent(one), Tok: token.DEFINE, X: dst.NewIdent(all), Body: &dst.BlockStmt{List: tail}}
	calls.Decs.Before, calls.Decs.After = dst.NewLine, dst.NewLine
	if l.s.Deferred {
		_, method := l.s.Methods()
		return m.Insert(e.File, first, true, m.Call(l.s.Lock, method, e.Note), calls)
	}
	if err := m.Insert(e.File, first, true, calls); err != nil {
		return err
	}
	return s.Move(l.s.Final, l.stmt, true, e.Note)
}

// takeTail puts what collects a value in the place of what is done with it, and returns that.
func (l *loop) takeTail(m *mutate.Mutation, e mutate.Edit, given dst.Expr, one, all string) (tail []dst.Stmt, err error) {
	if err := m.Replace(e.File, given, dst.NewIdent(one)); err != nil {
		return nil, mutate.Refuse(e, "%v", err)
	}
	for _, s := range l.tail {
		if stmt := m.StmtOf(e.File, s); stmt != nil { // a release has gone
			tail = append(tail, stmt)
		}
	}
	collects := &dst.AssignStmt{
		Lhs: []dst.Expr{dst.NewIdent(all)}, Tok: token.ASSIGN,
		Rhs: []dst.Expr{&dst.CallExpr{Fun: dst.NewIdent("append"), Args: []dst.Expr{dst.NewIdent(all), given}}},
	}
	collects.Decs.Before, collects.Decs.After = dst.NewLine, dst.NewLine
	if err := m.Insert(e.File, tail[0], false, collects); err != nil {
		return nil, err
	}
	for _, stmt := range tail {
		if err := m.Remove(e.File, stmt); err != nil {
			return nil, err
		}
	}
	return tail, nil
}

// names are those of a value that is collected, and of all of them.
func (l *loop) names() (one, all string) {
	t := l.fn.File.Package.Info.TypeOf(l.arg)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	one = "item"
	if named, ok := types.Unalias(t).(*types.Named); ok {
		one = strings.ToLower(named.Obj().Name()[:1]) + named.Obj().Name()[1:]
	}
	if token.IsKeyword(one) || strings.HasSuffix(one, "s") {
		one = "item"
	}
	return scope.FreeName(l.fn, one), scope.FreeName(l.fn, one+"s")
}
