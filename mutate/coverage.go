package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"github.com/dave/dst"

	"mendel/analysis/locks/callers"
	"mendel/analysis/locks/naming"
	"mendel/analysis/syntax"
	"mendel/mutate/internal/holding"
)

// A coverage knows which locks are held where, in the original or in a mutant
// of it. A lock that all callers of a function hold is held in the function.
type coverage struct {
	space    *Space
	mutation *Mutation                  // nil: the original
	files    map[string]*fileCoverage   // edited files, by module-relative name
	known    map[coveredUse]guardedness // answers for calls, which many accesses ask for
}

// A fileCoverage is what is held before each statement of the declarations of a file
// that edits have touched.
type fileCoverage struct {
	at   map[dst.Stmt][]holding.Lock
	decl map[dst.Stmt]int      // NodeID of the declaration that it stands in; -1: an inserted one
	in   map[dst.Node]dst.Stmt // innermost statement around an expression
}

// A coveredUse asks whether a lock with a key is held for a path when a
// statement is reached.
type coveredUse struct {
	stmt ast.Stmt
	path Path
	key  string
}

// A guardedness says whether a lock is held.
type guardedness int

const (
	unguarded guardedness = iota
	guarded
	unsettled // the source does not show it
)

func (s *Space) coverageOf(m *Mutation) *coverage {
	c := &coverage{space: s, mutation: m, files: make(map[string]*fileCoverage), known: make(map[coveredUse]guardedness)}
	if m == nil {
		return c
	}
	for name, f := range m.files {
		fc := &fileCoverage{at: make(map[dst.Stmt][]holding.Lock), decl: make(map[dst.Stmt]int)}
		s.holding.Edited(f, m.acquires).Before(func(s dst.Stmt, decl int, held []holding.Lock) {
			fc.at[s], fc.decl[s] = held, decl
		})
		fc.in = statementsAround(f.Root())
		c.files[name] = fc
	}
	return c
}

// waits counts what may block in the statements of the edited files before which a lock
// with a key is held.
func (c *coverage) waits(key string) (n int) {
	for name, fc := range c.files {
		f := c.mutation.files[name]
		lines := make(map[int]bool)
		note := func(id int, held []holding.Lock) {
			if slices.ContainsFunc(held, func(h holding.Lock) bool { return h.Key == key }) {
				lines[c.space.program.Fset.Position(f.Original.Node(id).Pos()).Line] = true
			}
		}
		for stmt, held := range fc.at {
			if id, original := f.ID(stmt); original {
				note(id, held)
			}
		}
		for id, held := range c.space.holding.File(f.Original).Before {
			if !f.Touched(id) {
				note(id, held)
			}
		}
		for _, b := range c.space.blockers(f.Original.File) {
			if lines[b.Line] {
				n++
			}
		}
	}
	return n
}

// statementsAround finds the innermost statement around each expression of a file.
func statementsAround(file *dst.File) map[dst.Node]dst.Stmt {
	around := make(map[dst.Node]dst.Stmt)
	var inside []dst.Stmt // nil where a node is none
	dst.Inspect(file, func(n dst.Node) bool {
		if n == nil {
			inside = inside[:len(inside)-1]
			return true
		}
		var innermost dst.Stmt
		if len(inside) > 0 {
			innermost = inside[len(inside)-1]
		}
		if s, ok := n.(dst.Stmt); ok {
			innermost = s
		} else {
			around[n] = innermost
		}
		inside = append(inside, innermost)
		return true
	})
	return around
}

// guardsUse reports whether a lock with a key is held at a use. An edit may have
// moved the expression to a statement of its own, or put a variable in its place.
func (c *coverage) guardsUse(u wholeUse, key string) guardedness {
	fc := c.files[u.fn.File.Rel]
	if fc == nil {
		return c.guards(u.fn, u.stmt, u.base, key)
	}
	f := c.mutation.files[u.fn.File.Rel]
	stmt, there := fc.in[f.At(u.fn.ID(u.at))]
	held, known := fc.at[stmt]
	_, original := f.ID(stmt)
	switch {
	case !there:
		return unsettled
	case original || !known:
		return c.guards(u.fn, u.stmt, u.base, key)
	}
	return c.among(held, u.fn, u.stmt, ownerPrefix(u.base, key), key, maxFrames)
}

// heldAt is what is held before a statement of the original; known is false
// for one that the mutant has no longer, has moved to another function, or that
// is never reached. What helpers have taken, and what runs a literal holds
// meanwhile, is held as in the original.
func (c *coverage) heldAt(fn *Function, stmt ast.Stmt) (held []holding.Lock, known bool) {
	id := fn.ID(stmt)
	before, known := c.space.holding.File(fn.original()).Before[id]
	hidden := hiddenAt(fn, stmt, before)
	fc := c.files[fn.File.Rel]
	if fc == nil || !c.mutation.files[fn.File.Rel].Touched(id) {
		return append(slices.Clip(before), hidden...), known
	}
	s, ok := c.mutation.files[fn.File.Rel].At(id).(dst.Stmt)
	if !ok {
		return nil, false
	}
	held, known = fc.at[s]
	if decl := fn.Decl(); decl != nil && fc.decl[s] != fn.ID(decl) {
		return nil, false
	}
	return append(slices.Clip(held), hidden...), known
}

// hiddenAt are the locks that are held at a statement of the original, and that do not
// show in the function's own text: seen lacks them.
func hiddenAt(fn *Function, stmt ast.Stmt, seen []holding.Lock) []holding.Lock {
	var hidden []holding.Lock
	for _, l := range fn.HeldAt(stmt) {
		if !slices.ContainsFunc(seen, func(h holding.Lock) bool { return h.Key == l.Key && h.Expr == l.Expr }) {
			hidden = append(hidden, holding.Lock{Lock: l})
		}
	}
	return hidden
}

// maxFrames is over how many calls the locks that callers hold are followed. Guessed.
const maxFrames = 4

// guards reports whether a lock with a key is held when a statement uses what is
// selected from a path: that of the very value if the lock is a field of one that
// the path leads through.
func (c *coverage) guards(fn *Function, stmt ast.Stmt, base Path, key string) guardedness {
	return c.holds(fn, stmt, ownerPrefix(base, key), key, maxFrames)
}

// holds reports whether a lock is held for the value that a path leads to, or
// for whatever value if that is the zero path.
func (c *coverage) holds(fn *Function, stmt ast.Stmt, base Path, key string, frames int) guardedness {
	use := coveredUse{stmt, base, key}
	if answer, ok := c.known[use]; ok {
		return answer
	}
	c.known[use] = guarded // of a recursion: the other calls decide
	answer := c.decide(fn, stmt, base, key, frames)
	c.known[use] = answer
	return answer
}

func (c *coverage) decide(fn *Function, stmt ast.Stmt, base Path, key string, frames int) guardedness {
	held, known := c.heldAt(fn, stmt)
	if !known {
		return unsettled
	}
	return c.among(held, fn, stmt, base, key, frames)
}

// among reports whether a lock for the value that a path leads to is among those
// that are held at a statement of a function, or held by all its callers.
func (c *coverage) among(held []holding.Lock, fn *Function, stmt ast.Stmt, base Path, key string, frames int) guardedness {
	for _, h := range held {
		if h.Key == key && (base.Root == nil || fn.Unaliased(base.String()) == fn.Unaliased(syntax.LockOwner(h.Lock))) {
			return guarded
		}
	}
	return c.callersHold(fn, stmt, base, key, frames)
}

// callersHold reports whether all that call a function hold a lock when they come to a
// statement of it.
func (c *coverage) callersHold(fn *Function, stmt ast.Stmt, base Path, key string, frames int) guardedness {
	if _, literal := fn.Node.(*ast.FuncLit); literal {
		if fn.Started() {
			return unguarded
		}
		return unsettled // whoever calls it may hold the lock
	}
	sites, ok := c.space.callSites(fn)
	answer := guarded
	if !ok {
		// Where all calls by name hold it, those of a value of the function may, too.
		sites, answer = c.space.namedCalls(fn), unsettled
	}
	if len(sites) == 0 || frames == 0 {
		return unguarded
	}
	for _, site := range sites {
		switch c.siteHolds(site, base, key, frames-1) {
		case unguarded:
			if !site.leadsTo(stmt, base, key) {
				return unguarded
			}
		case unsettled:
			answer = unsettled
		}
	}
	return answer
}

// siteHolds reports whether a lock is held at a call. A value that the caller
// has just made needs none.
func (c *coverage) siteHolds(site callSite, base Path, key string, frames int) guardedness {
	if site.started {
		return unguarded
	}
	path := Path{}
	if base.Root != nil {
		if path = site.Name(base); path.Root == nil {
			return unguarded
		}
		if unpublished(site.from, path.Root, site.Expr.Pos()) {
			return guarded
		}
	}
	at := Innermost(site.from.Statements(), site.Expr).Stmt
	if at == nil {
		return unsettled
	}
	if held, moved := c.movedTo(site.from, site.Expr); moved {
		return c.among(held, site.from, at, path, key, frames)
	}
	return c.holds(site.from, at, path, key, frames)
}

// movedTo is what is held where an edit has moved an expression to, a statement of its own.
func (c *coverage) movedTo(fn *Function, e ast.Expr) (held []holding.Lock, moved bool) {
	fc := c.files[fn.File.Rel]
	if fc == nil {
		return nil, false
	}
	f := c.mutation.files[fn.File.Rel]
	stmt, there := fc.in[f.At(fn.ID(e))]
	if !there {
		return nil, false
	}
	held, known := fc.at[stmt]
	_, original := f.ID(stmt)
	return held, known && !original
}

// leadsTo reports whether a lock of the value that a path leads to is held when the
// call comes to a statement of what it calls, which takes it unless a flag says that
// the caller has.
func (site callSite) leadsTo(stmt ast.Stmt, base Path, key string) bool {
	to, from := site.To, site.from
	if site.started {
		return false
	}
	return callers.HeldInCall(to.Locks(), from.Locks().Of(from.Node), site.Expr, to.Locks().Of(to.Node), stmt, func(l naming.Lock) bool {
		if l.Key != key {
			return false
		}
		return base.Root == nil || base.String() == syntax.LockOwner(to.AnalysisLock(l))
	})
}

// A callSite is a call of a declared function.
type callSite struct {
	Call
	from    *Function
	started bool // by a go statement
}

// A siteIndex has the calls of each declared function in the functions that may
// be edited.
type siteIndex struct {
	once  sync.Once
	sites map[*Function][]callSite
	open  map[*Function]bool // called otherwise, too: as a value, or by a method's name
}

// callSites lists the calls of a function; ok is false if it may be called in
// other ways: it is exported, used as a value or may be meant by an interface's method.
func (s *Space) callSites(fn *Function) (sites []callSite, ok bool) {
	s.sites.once.Do(func() { s.sites.fill(s) })
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Name.IsExported() || s.sites.open[fn] {
		return nil, false
	}
	return s.sites.sites[fn], true
}

// namedCalls lists the calls of a function by its name; none of one that is
// exported or that an interface's method may mean.
func (s *Space) namedCalls(fn *Function) []callSite {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Name.IsExported() || decl.Recv != nil && s.index.methods[decl.Name.Name] {
		return nil
	}
	return s.sites.sites[fn]
}

func (ix *siteIndex) fill(s *Space) {
	ix.sites, ix.open = make(map[*Function][]callSite), make(map[*Function]bool)
	for f, fn := range s.declared {
		ix.open[fn] = f.Signature().Recv() != nil && s.index.methods[f.Name()]
	}
	for _, name := range s.fileNames {
		for _, from := range s.functions[name] {
			ix.add(s, from)
		}
	}
}

// add notes the calls in a function's text and the functions that it names otherwise.
func (ix *siteIndex) add(s *Space, from *Function) {
	info := from.File.Package.Info
	called := make(map[*ast.Ident]bool)
	syntax.WalkOwn(from.Body, func(n ast.Node, path []ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			started := false
			if len(path) > 0 {
				_, started = path[len(path)-1].(*ast.GoStmt)
			}
			ix.call(from, n, n, started, called)
			if fun := syntax.Started(info, n); fun != nil { // wg.Go(s.work) calls s.work()
				ix.call(from, n, &ast.CallExpr{Fun: fun}, true, called)
			}
		case *ast.Ident:
			if f, ok := info.Uses[n].(*types.Func); ok && !called[n] && s.declared[f.Origin()] != nil {
				ix.open[s.declared[f.Origin()]] = true
			}
		}
	})
}

// call notes a call of a declared function, which stands at a call of the source.
func (ix *siteIndex) call(from *Function, at, call *ast.CallExpr, started bool, called map[*ast.Ident]bool) {
	to := from.space.declared[syntax.Callee(from.File.Package.Info, call.Fun)]
	id := syntax.CalledName(call.Fun)
	if to == nil || id == nil {
		return
	}
	called[id] = true
	ix.sites[to] = append(ix.sites[to], callSite{Call{Expr: at, To: to, From: from, Made: call}, from, started})
}

// unpublished reports whether a local variable holds, at a place, what the
// function has made or got from a constructor, and nothing could have made it
// known to another goroutine: only fields were selected from it and methods
// called. It is more lenient than [Function.Fresh], which minds methods.
func unpublished(fn *Function, obj types.Object, at token.Pos) bool {
	if obj.Pos() < fn.Body.Pos() || obj.Pos() > fn.Body.End() {
		return false
	}
	made, known := false, false
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			made = made || n.Tok == token.DEFINE && (makes(fn, obj, n) || constructs(fn, obj, n))
		case *ast.Ident:
			if n.Pos() < at && fn.File.Package.Info.Uses[n] == obj && !selected(path) {
				known = true
			}
		}
	})
	return made && !known
}

// selected reports whether the name below path is only selected from, and not
// in a function literal or a go statement.
func selected(path []ast.Node) bool {
	if len(path) == 0 {
		return false
	}
	if _, ok := path[len(path)-1].(*ast.SelectorExpr); !ok {
		return false
	}
	return !slices.ContainsFunc(path, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.GoStmt, *ast.FuncLit:
			return true
		}
		return false
	})
}

// constructs reports whether a definition gives a variable what a function of
// the module called new... returns.
func constructs(fn *Function, obj types.Object, s *ast.AssignStmt) bool {
	if len(s.Rhs) != 1 || len(s.Lhs) == 0 {
		return false
	}
	id, ok := s.Lhs[0].(*ast.Ident)
	call, isCall := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok || !isCall || fn.File.Package.Info.Defs[id] != obj {
		return false
	}
	f := syntax.Callee(fn.File.Package.Info, call.Fun)
	return f != nil && fn.space.declared[f.Origin()] != nil && strings.HasPrefix(strings.ToLower(f.Name()), "new")
}
