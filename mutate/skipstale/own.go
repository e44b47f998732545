package skipstale

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/receiver"
)

// An own is a container that is safe by itself, and in which methods of a value store what they have loaded while others
// drop it. A lock of the value, a new one where it has none, orders the two, and all its methods take part.
type own struct {
	field  *types.Var
	stores []*stale // in source order
	drops  []taken
	lock   analysis.Lock // as the method of the first store writes it
	name   string        // of the lock, behind the value and a dot
}

// A taken is a statement that takes something out of the container, or stores what is new.
type taken struct {
	fn   *mutate.Function
	recv *ast.Ident
	stmt ast.Stmt
	gone bool // it takes something out
}

// owns lists the containers of which a function has the first store.
func owns(fn *mutate.Function) []*own {
	type ownsOf struct{ pkg *analysis.Package }
	all := mutate.Once(fn, ownsOf{fn.File.Package}, func() (all []*own) {
		byField := map[*types.Var]*own{}
		for _, of := range fn.OfPackage() {
			collect(of, byField, &all)
		}
		return slices.DeleteFunc(all, func(o *own) bool { return !o.complete() })
	})
	var of []*own
	for _, o := range all {
		if o.stores[0].fn == fn {
			of = append(of, o)
		}
	}
	return of
}

// collect adds the stores and drops of a function.
func collect(fn *mutate.Function, byField map[*types.Var]*own, all *[]*own) {
	of, ok := receiver.Of(fn)
	if !ok || fn.File.Test {
		return
	}
	info := fn.File.Package.Info
	recv := info.Defs[of.Name]
	if _, pointer := types.Unalias(recv.Type()).(*types.Pointer); !pointer {
		return
	}
	for _, st := range fn.Statements() {
		v, method, call := contained(info, recv, st.Stmt)
		if v == nil {
			continue
		}
		o := byField[v]
		if o == nil {
			o = &own{field: v}
			byField[v] = o
			*all = append(*all, o)
		}
		switch {
		case syntax.Adds(method) && len(call.Args) == 2:
			from := sources(fn, call.Args[1], st.Stmt.Pos())
			if len(from) == 0 {
				o.drops = append(o.drops, taken{fn, of.Name, st.Stmt, false})
				continue
			}
			o.stores = append(o.stores, &stale{fn: fn, of: of, group: []ast.Stmt{st.Stmt}, fields: []*types.Var{v}, load: from[len(from)-1]})
		case syntax.Removes(method) && len(call.Args) > 0, syntax.Empties(method):
			if !sweeps(fn, st.Stmt, []*types.Var{v}) {
				o.drops = append(o.drops, taken{fn, of.Name, st.Stmt, true})
			}
		}
	}
}

// complete finds the lock, which is nowhere held there, and where the counter is read; ok is false if nobody takes out what is stored, if a part of it
// is under a lock already, or if who shares a load is not told that something was taken out.
func (o *own) complete() (ok bool) {
	if len(o.stores) == 0 || !slices.ContainsFunc(o.drops, func(d taken) bool { return d.gone }) {
		return false
	}
	first := o.stores[0]
	field := ast.Unparen(callOf(first.group[0]).Fun).(*ast.SelectorExpr).X
	for _, l := range first.fn.Program.NewLocks(first.fn.File, first.group[0], []analysis.Access{{Var: o.field, Expr: ast.Unparen(field)}}) {
		if l.New != nil && l.New.Kind == analysis.FieldLock && l.New.Type == "" {
			o.lock, o.name = l, l.New.Name
			break
		}
	}
	for _, l := range first.fn.Program.Locks(first.fn.File, first.group[0]) {
		if name, ok := strings.CutPrefix(l.Expr, first.of.Name.Name+"."); ok && o.name == "" && !strings.Contains(name, ".") {
			o.lock, o.name = l, name
		}
	}
	if o.name == "" || first.declaration() == nil {
		return false
	}
	for _, s := range o.stores {
		s.lock = o.lock
		s.lock.Expr = s.of.Name.Name + "." + o.name
		st := mutate.Innermost(s.fn.Statements(), s.load)
		if len(s.fn.HeldAt(s.group[0])) > 0 || st.Stmt == nil || !inList(s.group[0], st.List) {
			return false
		}
		s.read = reading{fn: s.fn, recv: s.of.Name, lock: s.lock.Expr, at: st.Stmt}
		shares := shared(s.fn) != nil || slices.ContainsFunc(s.fn.Callers(), func(c *mutate.Function) bool { return shared(c) != nil })
		if shares && slices.ContainsFunc(o.drops, func(d taken) bool { return !forgets(d.fn) }) {
			return false
		}
	}
	return !slices.ContainsFunc(o.drops, func(d taken) bool { return len(d.fn.HeldAt(d.stmt)) > 0 })
}

// callOf is the call that a statement makes, see [contained].
func callOf(stmt ast.Stmt) *ast.CallExpr {
	e := ast.Expr(nil)
	switch stmt := stmt.(type) {
	case *ast.ExprStmt:
		e = stmt.X
	case *ast.AssignStmt:
		e = stmt.Rhs[0]
	}
	return ast.Unparen(e).(*ast.CallExpr)
}

// forgets reports whether a function calls Forget of a singleflight.Group, so that nobody is given an older load.
func forgets(fn *mutate.Function) bool {
	info := fn.File.Package.Info
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		f := syntax.Callee(info, call.Fun)
		return f != nil && f.Name() == "Forget" && f.Pkg() != nil && f.Pkg().Name() == "singleflight"
	})
}

func (o *own) edit() mutate.Edit {
	s := o.stores[0]
	e := s.fn.NewEdit("skipstale", s.group[0], s.group...)
	e.Form, e.Lock, e.Note = formOwn, &o.lock, note
	e.Reach = 0 // nothing races
	for _, d := range o.drops {
		e.Heat = max(e.Heat, nearby*s.fn.Narrowing.HottestIn(d.fn))
	}
	for _, other := range o.stores {
		e.Heat = max(e.Heat, nearby*s.fn.Narrowing.HottestIn(other.fn))
	}
	return e
}

func (o *own) apply(m *mutate.Mutation, e mutate.Edit) error {
	d := o.stores[0].declaration()
	if err := d.add(m, e); err != nil {
		return err
	}
	read := map[ast.Stmt]string{} // by what comes behind it
	for _, s := range o.stores {
		local, known := read[s.read.at]
		if !known {
			var err error
			if local, err = s.readings(m, e, d); err != nil {
				return err
			}
			read[s.read.at] = local
		}
		choice, err := s.around(m, e, s.of.Name.Name+"."+d.name+" == "+local)
		if err != nil {
			return err
		}
		if err := m.InsertSnippet(s.fn.File.Rel, choice, false, s.lock.Expr+".Lock()"); err != nil {
			return err
		}
		if err := m.InsertSnippet(s.fn.File.Rel, choice, true, s.lock.Expr+".Unlock()"); err != nil {
			return err
		}
	}
	for _, t := range o.drops {
		stmt := m.StmtOf(t.fn.File.Rel, t.stmt)
		if stmt == nil {
			return mutate.Refuse(e, "another edit changed %s", t.fn.Name)
		}
		lock := t.recv.Name + "." + o.name
		if err := m.InsertSnippet(t.fn.File.Rel, stmt, false, lock+".Lock()\n"+t.recv.Name+"."+d.name+"++"); err != nil {
			return err
		}
		if err := m.InsertSnippet(t.fn.File.Rel, stmt, true, lock+".Unlock()"); err != nil {
			return err
		}
	}
	return nil
}
