package flow

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/mutate/internal/syntax"
)

// A Conflict is why a lock cannot be held around some statements.
type Conflict int

// Conflicts.
const (
	NoConflict   Conflict = iota
	HeldAlready           // it may be held there
	Handled               // the statements lock or release it, or call what leaves it otherwise than it was
	HeldByCaller          // it, or one with its key that is given to what is called
	Relocked              // the statements come to a function that takes it, or to this one again
)

// Conflict finds why a lock cannot be held around some consecutive statements
// of a function. It would be taken before those inside, the last of them; what
// they defer runs under it where its own release would be deferred.
func (m *Model) Conflict(fn *Func, l Lock, deferred bool, stmts, inside []ast.Stmt) Conflict {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(stmts) > 0 {
		for _, f := range m.flowsOf(fn) {
			if _, held := f.at(m.graph(fn).node(stmts[0])); held && f.lock.Path == l.Path {
				return HeldAlready
			}
		}
	}
	if m.handled(fn, l, stmts) {
		return Handled
	}
	named := func(_ *Func, o Lock) bool { return o.Key == l.Key }
	if m.heldByCaller(fn, l) || m.givenHeld(fn, "key "+l.Key, named) {
		return HeldByCaller
	}
	if m.relocked(fn, l, deferred, inside) {
		return Relocked
	}
	return NoConflict
}

// HeldByCaller reports whether a function that calls this one, directly or not,
// may hold a lock then, at a call that is given what the lock belongs to. The
// locks meant are those, by the function that holds them, which is says so of;
// by the name the answer is remembered.
func (m *Model) HeldByCaller(fn *Func, name string, is func(*Func, Lock) bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.givenHeld(fn, "named "+name, is)
}

// A question is whether callers of a function hold a lock, given by key or path.
type question struct {
	fn   *Func
	lock string
}

// An inquiry asks one thing about a function and all that call it. What was
// asked on the way to a no is answered by it, too.
type inquiry struct {
	m     *Model
	asked map[question]bool
}

// inquire answers a question by what ask finds, or remembers. m.mu is held.
func (m *Model) inquire(q question, ask func(*inquiry) bool) bool {
	if answer, known := m.above[q]; known {
		return answer
	}
	i := &inquiry{m, make(map[question]bool)}
	if ask(i) {
		return true
	}
	for q := range i.asked {
		m.above[q] = false
	}
	return false
}

// about answers one question of several, once.
func (i *inquiry) about(q question, ask func() bool) bool {
	if answer, known := i.m.above[q]; known || i.asked[q] {
		return answer
	}
	i.asked[q] = true
	yes := ask()
	if yes {
		i.m.above[q] = true
	}
	return yes
}

// givenHeld is HeldByCaller. m.mu is held.
func (m *Model) givenHeld(fn *Func, name string, is func(*Func, Lock) bool) bool {
	return m.inquire(question{fn, name}, func(i *inquiry) bool { return i.givenHeld(fn, name, is) })
}

func (i *inquiry) givenHeld(fn *Func, name string, is func(*Func, Lock) bool) bool {
	return i.about(question{fn, name}, func() bool { return i.findGivenHeld(fn, name, is) })
}

func (i *inquiry) findGivenHeld(fn *Func, name string, is func(*Func, Lock) bool) bool {
	m := i.m
	if m.startedAt(fn) {
		return false
	}
	for _, e := range m.entries(fn) {
		if is(fn.Up, e.lock) {
			return true
		}
	}
	if fn.Up != nil {
		return i.givenHeld(fn.Up, name, is)
	}
	for _, s := range m.sitesOf(fn) {
		for _, f := range m.flowsOf(s.in) {
			if !is(s.in, f.lock) {
				continue
			}
			if _, held := f.at(m.nodeOf(s.in, s.call)); held && m.passed(s, f.lock) {
				return true
			}
		}
		if i.givenHeld(s.in, name, is) {
			return true
		}
	}
	return false
}

// passed reports whether a call gives what it runs a lock, so that this has a name for it.
func (m *Model) passed(s site, l Lock) bool {
	fr := m.frame(s.in, l)
	for _, c := range fr.callables(s.call.Fun, maxAliases) {
		if c.fn == nil {
			continue
		}
		if in, _ := fr.inner(s.call, c); len(in.on.names) > 0 {
			return true
		}
	}
	return false
}

// handled reports whether statements call a method of a lock, function literals included.
func (m *Model) handled(fn *Func, l Lock, stmts []ast.Stmt) bool {
	fr := m.frame(fn, l)
	found := false
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && !found {
				op, ok := lockMethod(fn.info(), call.Fun)
				found = ok && fr.is(op) == same
			}
			return !found
		})
	}
	return found
}

// relocked reports whether statements, run with a lock held, come to take it, or
// to the function itself, which would.
func (m *Model) relocked(fn *Func, l Lock, deferred bool, stmts []ast.Stmt) bool {
	fr := m.frame(fn, l)
	fr.faults = make(map[fault]bool)
	held := state{{write: 1}}
	found := false
	visit := func(n ast.Node) {
		if found {
			return
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			yes, no := fr.call(n, held)
			found = fr.relocks() || !only(yes, held) || !only(no, held) || m.comesTo(fr, n, fn, l, make(map[string]bool))
		case *ast.RangeStmt:
			if t := fn.info().TypeOf(n.X); t != nil && isFunc(t) {
				fr.iterate(n, held)
				found = fr.relocks()
			}
		}
	}
	for _, s := range stmts {
		if d, ok := s.(*ast.DeferStmt); ok && deferred {
			visit(d.Call)
			continue
		}
		syntax.Now(s, visit)
	}
	return found
}

// only reports whether a state is no other than one with the lock held.
func only(s, held state) bool {
	for _, h := range s {
		if !held.covers(h) {
			return false
		}
	}
	return true
}

// comesTo reports whether a call leads to a function that is given a lock.
func (m *Model) comesTo(fr *frame, call *ast.CallExpr, target *Func, l Lock, asked map[string]bool) bool {
	for _, c := range fr.callables(call.Fun, maxAliases) {
		if c.fn == nil || !m.leads(c.fn, target) {
			continue
		}
		in, _ := fr.inner(call, c)
		if c.fn == target && slices.Contains(in.on.names, l.Path) {
			return true
		}
		if key := in.identity(); asked[key] || len(in.on.names) == 0 {
			continue
		} else {
			asked[key] = true
		}
		for _, s := range m.callsOf(c.fn) {
			if m.comesTo(in, s.call, target, l, asked) {
				return true
			}
		}
	}
	return false
}

// leads reports whether a function is on a cycle of calls with another.
func (m *Model) leads(from, to *Func) bool {
	root := m
	if m.base != nil {
		root = m.base
	}
	a, b := root.Named(from.Name), root.Named(to.Name)
	if a == nil || b == nil {
		return false
	}
	reach := root.ready().reach
	return reach[a] == reach[b] || from.Decl == to.Decl
}

// heldByCaller is HeldByCaller for the very lock. m.mu is held.
func (m *Model) heldByCaller(fn *Func, l Lock) bool {
	return m.inquire(question{fn, "path " + l.Path.id()}, func(i *inquiry) bool { return i.heldByCaller(fn, l) })
}

func (i *inquiry) heldByCaller(fn *Func, l Lock) bool {
	return i.about(question{fn, "path " + l.Path.id()}, func() bool { return i.findHeldByCaller(fn, l) })
}

func (i *inquiry) findHeldByCaller(fn *Func, l Lock) bool {
	m := i.m
	if m.startedAt(fn) {
		return false
	}
	if fn.Up != nil {
		return i.heldAround(fn, l)
	}
	for _, s := range m.sitesOf(fn) {
		for _, named := range m.inCaller(s.in, s.call, fn, l) {
			if m.mayHold(s, named) || i.heldByCaller(s.in, named) {
				return true
			}
		}
	}
	return false
}

// heldAround is heldByCaller for a literal: what it has captured may be held
// around it, or by the callers of the function around it.
func (i *inquiry) heldAround(fn *Func, l Lock) bool {
	for _, e := range i.m.entries(fn) {
		if e.lock.Path == l.Path {
			return true
		}
	}
	return i.heldByCaller(fn.Up, l)
}

// mayHold reports whether a lock may be held at a call.
func (m *Model) mayHold(s site, l Lock) bool {
	for _, f := range m.flowsOf(s.in) {
		if f.lock.Path == l.Path {
			_, held := f.at(m.nodeOf(s.in, s.call))
			return held
		}
	}
	return false
}

// sitesOf are the calls of a declared function by name or by the method of an interface.
func (m *Model) sitesOf(fn *Func) []site {
	if fn.object == nil {
		return nil
	}
	return m.ready().callers[fn.Name]
}

// LockAt is the lock that an expression of names, selectors and indexes means
// at a place of a function; ok is false where it means none. Of a type of the
// program's own that has a method Lock, it is the mutex which that locks.
func (m *Model) LockAt(fn *Func, expr string, pos token.Pos) (Lock, bool) {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return Lock{}, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r := &resolver{m: m, fn: fn, pos: pos}
	p, t := r.resolve(e)
	if !p.known() || t == nil {
		return Lock{}, false
	}
	obj, index, _ := types.LookupFieldOrMethod(t, true, fn.File.Package.Types, "Lock")
	method, ok := obj.(*types.Func)
	if !ok {
		return Lock{}, false
	}
	embedded := fieldNames(t, index[:len(index)-1])
	if own := m.byName(method.Origin().FullName()); own != nil && own.recv != nil {
		for _, l := range m.locksOf(own) {
			if rest, ok := l.Path.below(Path{Root: own.recv}); ok {
				return Lock{Path: p.with(embedded + rest), Key: l.Key, Expr: expr}, true
			}
		}
	}
	key := lastField(t, index[:len(index)-1])
	if key == "" {
		key = r.key
	}
	return Lock{Path: p.with(embedded), Key: key, Expr: expr}, true
}

// FieldAt is the lock that would be a new field of a struct, known by its type's
// full name, which an expression at a place of a function leads to: the value's
// own or that of one embedded in it.
func (m *Model) FieldAt(fn *Func, expr, owner, field string, pos token.Pos) (Lock, bool) {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return Lock{}, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	p, t := (&resolver{m: m, fn: fn, pos: pos}).resolve(e)
	if !p.known() || t == nil {
		return Lock{}, false
	}
	return Lock{Path: p.with(embeddedIn(t, owner, 3) + "." + field), Key: owner + "." + field, Expr: expr + "." + field}, true
}

// embeddedIn are the embedded fields from a type to the one of a name; "" if it is that itself, or has none.
func embeddedIn(t types.Type, name string, depth int) string {
	t = deref(t)
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path()+"."+n.Obj().Name() == name {
		return ""
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || depth == 0 {
		return ""
	}
	for f := range st.Fields() {
		if !f.Embedded() {
			continue
		}
		if n, ok := types.Unalias(deref(f.Type())).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path()+"."+n.Obj().Name() == name {
			return "." + f.Name()
		}
		if rest := embeddedIn(f.Type(), name, depth-1); rest != "" {
			return "." + f.Name() + rest
		}
	}
	return ""
}

// A resolver gives names that stand in no source a meaning.
type resolver struct {
	m   *Model
	fn  *Func
	pos token.Pos
	key string // of what was resolved last
}

func (r *resolver) resolve(e ast.Expr) (Path, types.Type) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return r.name(e)
	case *ast.StarExpr:
		p, t := r.resolve(e.X)
		if t != nil {
			t = deref(t)
		}
		return p, t
	case *ast.SelectorExpr:
		return r.selected(e)
	case *ast.IndexExpr:
		p, t := r.resolve(e.X)
		if t == nil {
			return Path{}, nil
		}
		r.key += "[]"
		text := anyElement
		if lit, ok := e.Index.(*ast.BasicLit); ok {
			text = "[" + lit.Value + "]"
		} else if index, _ := (&resolver{m: r.m, fn: r.fn, pos: r.pos}).resolve(e.Index); index.known() {
			text = "[" + index.id() + "]"
		}
		switch t := deref(t).Underlying().(type) {
		case *types.Map:
			return p.with(text), t.Elem()
		case *types.Slice:
			return p.with(text), t.Elem()
		case *types.Array:
			return p.with(text), t.Elem()
		}
	}
	return Path{}, nil
}

func (r *resolver) name(id *ast.Ident) (Path, types.Type) {
	scope := r.fn.File.Package.Types.Scope().Innermost(r.pos)
	if scope == nil {
		return Path{}, nil
	}
	_, obj := scope.LookupParent(id.Name, r.pos)
	v, ok := obj.(*types.Var)
	if !ok {
		return Path{}, nil
	}
	r.key = variableKey(v)
	if value := r.m.localsOf(r.fn).alias[v]; value != nil {
		if p := r.m.pathOf(r.fn, value, maxAliases-1); p.known() {
			return p, v.Type()
		}
	}
	return variablePath(v), v.Type()
}

func (r *resolver) selected(e *ast.SelectorExpr) (Path, types.Type) {
	if id, ok := e.X.(*ast.Ident); ok {
		if scope := r.fn.File.Package.Types.Scope().Innermost(r.pos); scope != nil {
			_, obj := scope.LookupParent(id.Name, r.pos)
			if pkg, ok := obj.(*types.PkgName); ok {
				v, _ := pkg.Imported().Scope().Lookup(e.Sel.Name).(*types.Var)
				if v == nil {
					return Path{}, nil
				}
				r.key = variableKey(v)
				return variablePath(v), v.Type()
			}
		}
	}
	p, t := r.resolve(e.X)
	if t == nil {
		return Path{}, nil
	}
	obj, index, _ := types.LookupFieldOrMethod(t, true, r.fn.File.Package.Types, e.Sel.Name)
	v, ok := obj.(*types.Var)
	if !ok {
		return Path{}, nil
	}
	if lock, ok := r.cond(e, p, t); ok {
		return lock, v.Type()
	}
	r.key = lastField(t, index)
	return p.with(fieldNames(t, index)), v.Type()
}

// cond is the lock that L of a condition variable stands for.
func (r *resolver) cond(e *ast.SelectorExpr, cond Path, t types.Type) (Path, bool) {
	x, ok := ast.Unparen(e.X).(*ast.SelectorExpr)
	if !ok || e.Sel.Name != "L" || types.TypeString(deref(t), nil) != "sync.Cond" {
		return Path{}, false
	}
	key := r.fn.File.Package.Path + ".field." + x.Sel.Name
	p, ok := r.m.condField(cond, key, x.Sel.Name, maxAliases)
	if ok {
		r.key = r.key[:strings.LastIndex(r.key, ".")+1] + p.Text[strings.LastIndex(p.Text, ".")+1:]
	}
	return p, ok
}
