package mutate

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A Gap is a use of a variable without the lock that a mutant guards it with
// elsewhere, and where the original has none.
type Gap struct {
	File  string // module-relative
	Line  int    // of the original
	Func  string
	Var   string // "Account.amount"
	Lock  string // key
	Write bool
	// Apart: the function has nothing by which it could name the lock, as a method of an
	// element has not that of its container. Its callers have to know.
	Apart bool

	fn *Function
}

// String words it: "Cron.running is read without cron.Cron.mu in (*Cron).Remove (cron.go:185)".
func (g Gap) String() string {
	verb := "read"
	if g.Write {
		verb = "written"
	}
	_, lock := syntax.CutLast(g.Lock)
	return fmt.Sprintf("%s is %s without %s in %s (%s:%d)", g.Var, verb, lock, g.Func, g.File, g.Line)
}

// A wholeUse is a use of a shared variable that another goroutine may get in
// the way of, wherever in the program: in a function's own text or, of what the
// function gives to another one, in that.
type wholeUse struct {
	analysis.Access
	fn   *Function
	at   ast.Node // the access, or the call
	stmt ast.Stmt // innermost one of a statement list
	base Path     // what the variable is selected from
	via  bool     // at is a call
	from Path     // base, as what is called sees it, if via
}

// A Guarding is what a mutant guards with locks that are not held there in the original.
type Guarding struct {
	space  *Space
	after  *coverage
	before *coverage
	uses   []wholeUse
	vars   map[string]map[*types.Var]guardKind // by key of the lock
}

// A guardKind says where a lock is held for a variable. Only uses of the same
// kind can be gaps: a queue's methods need no lock of their own if whoever has
// the queue holds one around the calls.
type guardKind int

const (
	atUses  guardKind = iota + 1 // in the function with the access, or by all its callers
	atCalls                      // by the value that has the variable's owner, around calls with it
)

// Guarding finds what a set of edits guards.
func (s *Space) Guarding(edits []Edit) (*Guarding, error) {
	edits = s.canonical(flatten(edits))
	m, err := s.apply(newMutation(s), edits)
	if err != nil {
		return nil, err
	}
	g := &Guarding{
		space: s, after: s.coverageOf(m), before: s.coverageOf(nil),
		uses: s.changedUses(), vars: make(map[string]map[*types.Var]guardKind),
	}
	for _, key := range m.keys(edits) {
		fresh := slices.ContainsFunc(edits, func(e Edit) bool { return e.Lock != nil && e.Lock.Key == key && e.Lock.New != nil })
		found := make(map[*types.Var]guardKind)
		for _, u := range g.uses { // those in functions' own texts come first
			if kind := u.kind(key); kind != 0 && found[u.Var] == 0 && g.newly(u, key) && !(fresh && g.guardedBy(u) != "") {
				found[u.Var] = kind
			}
		}
		if len(found) > 0 {
			g.vars[key] = found
		}
	}
	return g, nil
}

// kind is how a lock may guard a use; 0 if it cannot be the use's lock: what is
// given to the call does not belong to the value that has the lock.
func (u wholeUse) kind(key string) guardKind {
	switch {
	case !u.via:
		return atUses
	case ownerPrefix(u.base, key) != (Path{}) && ownerPrefix(u.from, key) == (Path{}):
		return atCalls // further up the value that has the lock takes it itself, or does not
	}
	return 0
}

// newly reports whether a use is under a lock that was not held there.
func (g *Guarding) newly(u wholeUse, key string) bool {
	return g.after.guardsUse(u, key) == guarded &&
		g.before.guards(u.fn, u.stmt, u.base, key) == unguarded
}

// guardedBy is another lock that guards a use in the original and in the end: a new lock around it is there for
// something else than for the variable. "": there is none.
func (g *Guarding) guardedBy(u wholeUse) string {
	held, _ := g.before.heldAt(u.fn, u.stmt)
	for _, h := range held {
		if g.before.guards(u.fn, u.stmt, u.base, h.Key) == guarded && g.after.guardsUse(u, h.Key) == guarded {
			return h.Key
		}
	}
	return ""
}

// keys are those of the locks that edits are about, and that they acquire.
func (m *Mutation) keys(edits []Edit) []string {
	keys := make(map[string]bool)
	for _, e := range edits {
		if e.Lock != nil {
			keys[e.Lock.Key] = true
		}
	}
	for _, c := range m.acquires {
		keys[c.Lock.Key] = true
	}
	return slices.Sorted(maps.Keys(keys))
}

// Locks are the keys of the locks that guard something anew.
func (g *Guarding) Locks() []string { return slices.Sorted(maps.Keys(g.vars)) }

// Vars are the variables that a lock guards anew, by position.
func (g *Guarding) Vars(key string) []*types.Var {
	return slices.SortedFunc(maps.Keys(g.vars[key]), func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) })
}

// Name is what the narrowing calls a variable, "Account.amount".
func (g *Guarding) Name(v *types.Var) string { return g.space.index.name(v) }

// Named reports whether the evidence names a variable: a race is about it or, where that is
// not known of any, a failure stands on a line that uses it.
func (g *Guarding) Named(v *types.Var) bool {
	if races, known := g.space.narrowing.Races(v); known {
		return races
	}
	return slices.ContainsFunc(g.uses, func(u wholeUse) bool { return !u.via && u.Var == v && g.space.heatOf(u) == 1 })
}

func (s *Space) heatOf(u wholeUse) float64 {
	return s.narrowing.Heat(u.fn.File.Name, u.fn.line(u.Expr.Pos()))
}

// Gaps lists the uses of some variables without a lock, in source order. Uses
// of which the source does not show whether the lock is held are not among
// them, nor those that nobody can get in the way of: before a value is known to
// other goroutines, and after a wait for them; nor those for which another lock is meant.
func (g *Guarding) Gaps(key string, vars ...*types.Var) []Gap {
	var gaps []Gap
	for _, u := range g.uses {
		if !slices.Contains(vars, u.Var) || u.kind(key) != max(g.vars[key][u.Var], atUses) || u.settled() {
			continue
		}
		if g.after.guardsUse(u, key) != unguarded || g.readsOwn(u) || g.foreign(u, key) {
			continue
		}
		gap := Gap{
			File: u.fn.File.Rel, Line: u.fn.line(u.at.Pos()), Func: u.fn.Name, Var: u.fn.VarName(u.Var),
			Lock: key, Write: u.Write, Apart: !knows(u.fn, key), fn: u.fn,
		}
		if !slices.Contains(gaps, gap) {
			gaps = append(gaps, gap)
		}
	}
	return gaps
}

// knows reports whether a function may name a lock: one of a type that its receiver or a
// parameter has, or a field of these, or one that is no field.
func knows(fn *Function, key string) bool {
	owner, _ := syntax.CutLast(key)
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || !strings.Contains(owner[strings.LastIndex(owner, "/")+1:], ".") {
		return true
	}
	f, ok := fn.File.Package.Info.Defs[decl.Name].(*types.Func)
	if !ok {
		return true
	}
	known := func(v *types.Var) bool {
		if v == nil {
			return false
		}
		t := v.Type()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if qualifiedName(t) == owner {
			return true
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return false
		}
		for field := range st.Fields() {
			if qualifiedName(field.Type()) == owner {
				return true
			}
		}
		return false
	}
	if known(f.Signature().Recv()) {
		return true
	}
	for v := range f.Signature().Params().Variables() {
		if known(v) {
			return true
		}
	}
	return false
}

// readsOwn reports whether a use reads what only its own goroutine writes, of
// which there is one: it needs a lock to write, and none to read.
func (g *Guarding) readsOwn(u wholeUse) bool {
	if u.Write || u.via {
		return false
	}
	own := g.space.goroutineOf(u.fn, maxFrames)
	return own != nil && !slices.ContainsFunc(g.uses, func(o wholeUse) bool {
		return o.Var == u.Var && o.Write && !o.via && !o.settled() && g.space.goroutineOf(o.fn, maxFrames) != own
	})
}

// goroutineOf is the function of the one go statement, in no loop, that leads to
// a function by calls each of which is the only one; nil if there is more than
// that.
func (s *Space) goroutineOf(fn *Function, frames int) *Function {
	sites, ok := s.callSites(fn)
	if !ok || len(sites) != 1 || frames == 0 {
		return nil
	}
	site := sites[0]
	switch {
	case !site.started:
		return s.goroutineOf(site.from, frames-1)
	case site.from.Loops(site.Expr):
		return nil
	}
	return fn
}

// changedUses are the uses of variables that may change. What keeps the value that
// it was made with needs no lock, and often leads to the lock's owner: then it is
// read before the lock can be held.
func (s *Space) changedUses() []wholeUse {
	return slices.DeleteFunc(s.wholeUses(), func(u wholeUse) bool { return s.index.immutable(u.Var) })
}

// wholeUses lists the uses of shared variables in the functions that may be
// edited, tests left out, by file and in source order, and then those by way of
// calls.
func (s *Space) wholeUses() []wholeUse {
	var uses []wholeUse
	for _, name := range s.fileNames {
		for _, fn := range s.functions[name] {
			if fn.File.Test {
				continue
			}
			accesses := fn.Accesses(fn.Body.List...)
			if len(accesses) == 0 {
				continue
			}
			stmts := fn.Statements()
			for _, a := range accesses {
				if at := Innermost(stmts, a.Expr).Stmt; at != nil {
					a.Var = a.Var.Origin()
					uses = append(uses, wholeUse{a, fn, a.Expr, at, fn.Base(a.Expr), false, Path{}})
				}
			}
		}
	}
	type given struct {
		v    *types.Var
		call ast.Node
		path Path
	}
	seen := make(map[given]bool)
	for i, depth := 0, 0; depth < maxFrames; depth++ {
		for last := len(uses); i < last; i++ {
			for _, u := range s.callUses(uses[i]) {
				if g := (given{u.Var, u.at, u.base}); !seen[g] {
					seen[g] = true
					uses = append(uses, u)
				}
			}
		}
	}
	return uses
}

// callUses are the uses that the calls of a function make by a use in it of what
// it is given.
func (s *Space) callUses(u wholeUse) []wholeUse {
	decl, ok := u.fn.Node.(*ast.FuncDecl)
	if !ok || u.base.Root == nil || u.base.Root.Pos() < decl.Pos() || u.base.Root.Pos() > u.fn.Body.Pos() {
		return nil // not its receiver's or a parameter's
	}
	s.sites.once.Do(func() { s.sites.fill(s) })
	var uses []wholeUse
	for _, site := range s.sites.sites[u.fn] {
		path := site.Name(u.base)
		at := Innermost(site.from.Statements(), site.Expr).Stmt
		if path.Root != nil && at != nil && !site.started {
			uses = append(uses, wholeUse{u.Access, site.from, site.Expr, at, path, true, u.base})
		}
	}
	return uses
}

// ownerPrefix is the part of a path that leads to the value which has a lock
// with a key as a field; the zero Path if there is none.
func ownerPrefix(p Path, key string) Path {
	owner, _ := syntax.CutLast(key)
	if p.Root == nil || owner == "" {
		return Path{}
	}
	at, t := Path{Root: p.Root}, p.Root.Type()
	for rest := p.Rest; ; {
		if qualifiedName(t) == owner {
			return at
		}
		name, more, _ := strings.Cut(strings.TrimPrefix(rest, "."), ".")
		obj, _, _ := types.LookupFieldOrMethod(t, true, p.Root.Pkg(), name)
		field, ok := obj.(*types.Var)
		if name == "" || !ok {
			return Path{}
		}
		at.Rest, t = at.Rest+"."+name, field.Type()
		if rest = more; more != "" {
			rest = "." + more
		}
	}
}

// qualifiedName is the name of a type, or of what a pointer leads to, with the path
// of its package; "" for types without a name.
func qualifiedName(t types.Type) string {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	return named.Obj().Pkg().Path() + "." + named.Obj().Name()
}

// settled reports whether nobody can get in the way of a use: the value is not
// known to others yet, the function runs before others do or behind a wait for
// them, or it cannot be called by any but the goroutine of a test. A condition
// under which the program only panics says that the caller owns the value.
func (u wholeUse) settled() bool {
	fn := u.fn
	decl, declared := fn.Node.(*ast.FuncDecl)
	switch {
	case asserted(u):
		return true
	case !u.via && fn.Fresh(u.Expr), u.base.Root != nil && unpublished(fn, u.base.Root, u.at.Pos()):
		return true
	case declared && decl.Recv == nil && decl.Name.Name == "init":
		return true
	case fn.Quiet() && !importable(fn):
		return true
	}
	local := !u.Var.IsField() && !syntax.PackageLevel(u.Var)
	starts, waits := concurrency(fn)
	switch {
	case local:
		return !fn.Started() && (!starts.IsValid() || u.at.Pos() < starts || waited(fn, starts, u.at.Pos()))
	case declared && decl.Recv == nil && decl.Name.Name == "main":
		return u.at.Pos() < starts || waits.IsValid() && u.at.Pos() > waits
	}
	return starts.IsValid() && waits.IsValid() && u.at.Pos() > waits
}

// waited reports whether the function's own text waits for somebody between two places: then
// it may know that the goroutines are gone which it has started. A select with another way
// out gives up waiting.
func waited(fn *Function, from, to token.Pos) (found bool) {
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		if n.Pos() <= from || to <= n.Pos() || found || !waitsAt(fn, n) {
			return
		}
		given := slices.ContainsFunc(path, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectStmt)
			return ok && len(s.Body.List) > 1
		})
		literal := slices.ContainsFunc(path, func(n ast.Node) bool {
			lit, ok := n.(*ast.FuncLit)
			return ok && lit != fn.Node
		})
		found = !given && !literal
	})
	return found
}

// waitsAt reports whether a node by itself may wait for others: a receive, a loop over a
// channel, or such a call.
func waitsAt(fn *Function, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.RangeStmt:
		t := fn.File.Package.Info.TypeOf(n.X)
		if t == nil {
			return false
		}
		_, channel := t.Underlying().(*types.Chan)
		return channel
	case *ast.CallExpr:
		return fn.MayWait(n)
	}
	return false
}

// asserted reports whether a use is a read in the condition of an if that does
// nothing but panic.
func asserted(u wholeUse) bool {
	s, ok := u.stmt.(*ast.IfStmt)
	if !ok || u.via || u.Write || s.Init != nil || s.Else != nil || len(s.Body.List) != 1 || u.at.End() > s.Cond.End() {
		return false
	}
	x, ok := s.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && u.fn.File.Package.Info.Uses[id] == types.Universe.Lookup("panic")
}

// importable reports whether code of other packages may call the function.
func importable(fn *Function) bool {
	decl, ok := fn.Node.(*ast.FuncDecl)
	return ok && decl.Name.IsExported() && fn.File.Package.Types.Name() != "main"
}

// groupWaits are the methods that wait until the goroutines of a group have ended.
var groupWaits = []string{"(*sync.WaitGroup).Wait", "(*golang.org/x/sync/errgroup.Group).Wait"}

// concurrency is where the function first starts a goroutine and where it waits
// for a wait group, or no position. Without a start everything is before it.
func concurrency(fn *Function) (starts, waits token.Pos) {
	syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
		if !starts.IsValid() && syntax.Started(fn.File.Package.Info, n) != nil {
			starts = n.Pos()
		}
		if call, ok := n.(*ast.CallExpr); ok {
			f := syntax.Callee(fn.File.Package.Info, call.Fun)
			if f != nil && slices.Contains(groupWaits, f.FullName()) {
				waits = n.Pos()
			}
		}
	})
	return starts, waits
}
