package mutate

import (
	"cmp"
	"go/ast"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate/internal/lockcall"
)

// A Section is a critical section of one function in the original source: the
// statements between an acquisition and the releases that every path from it
// reaches. Acquisition and the end of the section stand in one statement list.
//
// Recognised are: a release in the same list; releases before early exits
// inside the section; releases in every branch of the last statement (an
// if/else, switch or select); a deferred release, also as
//
//	defer func() { ...; mu.Unlock() }()
//
// or, for a local function that does only this and is called only there,
//
//	unlock := func() { mu.Unlock() }
//	defer unlock()
//
// and the read side, which is a section of its own kind. A second acquisition
// of the lock inside is a nested section. A lock that is tried, whose methods
// are passed about as values, that some path leaves locked or releases twice,
// or whose expression is assigned to in between gives no section: nothing is
// known for certain there.
type Section struct {
	Lock        analysis.Lock
	Read        bool       // RLock/RUnlock
	Acquire     ast.Stmt   // the statement lock.Lock()
	Releases    []ast.Stmt // every release: unlock statements on all paths, or the one deferred
	Deferred    bool       // released by defer: it ends with the function
	List        []ast.Stmt // the statement list that holds Acquire
	First, Last int        // the statements List[First..Last] are inside; Last < First: an empty section
	Body        []ast.Stmt // List[First:Last+1]
	Whole       bool       // covers the whole function body

	// At is the index of Acquire in List.
	At int
	// Final is the release in List that ends the section; nil when it is
	// deferred or when all branches of the last statement of Body release.
	Final ast.Stmt
	// Again says that a section around it holds the same lock: a goroutine that
	// comes here waits for itself.
	Again bool
	// InLiteral is the unlock statement inside a deferred function literal; nil for any other release.
	InLiteral ast.Stmt
	// Named says that the literal with the release has a name, which is deferred.
	Named bool

	Fn    *Function
	Expr  ast.Expr          // the lock as written in Acquire
	Under map[ast.Stmt]bool // statements reached only with the lock held, nested ones too; not to be changed
}

// Holds reports whether every way to a statement of the function passes through
// the section while its lock is held; statements of function literals are not counted.
func (s *Section) Holds(stmt ast.Stmt) bool { return s.Under[stmt] }

// Covers reports whether what a statement of the function calls runs while the
// section's lock is held. A deferred call does when the release was deferred before.
func (s *Section) Covers(stmt ast.Stmt) bool {
	if _, deferred := stmt.(*ast.DeferStmt); deferred && (!s.Deferred || stmt.Pos() < s.Releases[0].Pos()) {
		return false
	}
	return s.Holds(stmt)
}

// Encloses reports whether another section is acquired while this one is held.
func (s *Section) Encloses(inner *Section) bool { return s != inner && s.Under[inner.Acquire] }

// DeferAt is the index in List of the deferred release, -1 for other sections.
func (s *Section) DeferAt() int {
	if !s.Deferred {
		return -1
	}
	return slices.Index(s.List, s.Releases[0])
}

// DefersAtOnce reports whether the section is released by a plain
// defer mu.Unlock() right after the acquisition, so that the two can be moved together.
func (s *Section) DefersAtOnce() bool {
	return s.Deferred && s.InLiteral == nil && s.DeferAt() == s.At+1
}

// Early lists the releases other than the one that ends the section: those
// before early exits and in the branches of the last statement.
func (s *Section) Early() []ast.Stmt {
	var early []ast.Stmt
	for _, r := range s.Releases {
		if r != s.Final && !s.Deferred {
			early = append(early, r)
		}
	}
	return early
}

// Methods are the names of the lock's methods that the section is made of.
func (s *Section) Methods() (acquire, release string) {
	if s.Read {
		return "RLock", "RUnlock"
	}
	return "Lock", "Unlock"
}

// Sections recognises the function's critical sections, outer before inner.
func (fn *Function) Sections() []*Section { return slices.Clone(sections.Of(fn)) }

var sections = NewFact((*Function).findSections)

func (fn *Function) findSections() []*Section {
	var sections []*Section
	syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for at := range list {
			if s := fn.section(list, at); s != nil {
				sections = append(sections, s)
			}
		}
	})
	slices.SortFunc(sections, func(a, b *Section) int { return cmp.Compare(a.Acquire.Pos(), b.Acquire.Pos()) })
	for i, s := range sections {
		s.Again = slices.ContainsFunc(sections[:i], func(outer *Section) bool { return outer.Encloses(s) && outer.SameLock(s) })
	}
	return sections
}

// section recognises the section that List[at] begins, if it does.
func (fn *Function) section(list []ast.Stmt, at int) *Section {
	call, ok := lockcall.Of(fn.Program, fn.File, list[at])
	if !ok || call.Method != "Lock" && call.Method != "RLock" {
		return nil
	}
	s := &Section{
		Lock: call.Lock, Read: call.Method == "RLock", Acquire: list[at],
		List: list, At: at, First: at + 1, Fn: fn, Expr: call.On,
	}
	t := newTracer(fn, s)
	if !t.trace() {
		return nil
	}
	s.Releases, s.Under = t.releases, t.holds
	s.Body = list[s.First : s.Last+1]
	s.Whole = fn.whole(s)
	return s
}

// whole reports whether a section covers the body of the function but for
// returning what needs no lock.
func (fn *Function) whole(s *Section) bool {
	if s.At != 0 || len(fn.Body.List) == 0 || fn.Body.List[0] != s.Acquire {
		return false
	}
	end := s.Last + 1
	if s.Final != nil {
		end++
	}
	for _, after := range s.List[min(end, len(s.List)):] {
		ret, ok := after.(*ast.ReturnStmt)
		if !ok || !Plain(ret.Results) {
			return false
		}
	}
	return true
}

// Plain reports whether expressions are names and literals only.
func Plain(exprs []ast.Expr) bool {
	for _, e := range exprs {
		switch ast.Unparen(e).(type) {
		case *ast.Ident, *ast.BasicLit:
		default:
			return false
		}
	}
	return true
}

// IsLockCall reports whether a statement is only a call of a lock's method, at once or deferred.
func (fn *Function) IsLockCall(s ast.Stmt) bool {
	if d, ok := s.(*ast.DeferStmt); ok {
		_, ok := lockcall.OfExpr(fn.Program, fn.File, d.Call)
		return ok
	}
	_, ok := lockcall.Of(fn.Program, fn.File, s)
	return ok
}

// SameLock reports whether two sections of the function certainly hold the very same lock.
func (s *Section) SameLock(other *Section) bool {
	return s.Lock.Key == other.Lock.Key && (syntax.Same(s.Fn.File.Package.Info, s.Expr, other.Expr) || syntax.OneInstance(s.Fn.File.Package.Info, s.Expr) && syntax.OneInstance(s.Fn.File.Package.Info, other.Expr))
}

// CanDefer reports whether the releases of a section that is to reach the end
// of the function body may become one deferred release: the section is not in
// a nested list, which could be a loop's, and each early release is followed
// at once by its exit, so that nothing more comes under the lock there.
func (s *Section) CanDefer() bool {
	fn := s.Fn
	if s.Deferred || len(fn.Body.List) == 0 || fn.Body.List[0] != s.List[0] {
		return false
	}
	early := map[ast.Stmt]bool{}
	for _, r := range s.Early() {
		early[r] = true
	}
	for _, st := range fn.Statements() {
		if !early[st.Stmt] {
			continue
		}
		if st.Index+1 == len(st.List) {
			return false
		}
		if _, ok := st.List[st.Index+1].(*ast.ReturnStmt); !ok {
			return false
		}
	}
	return true
}

// Prepares reports whether the section's acquisition must stay behind a
// statement: what the lock's expression is made of is declared, assigned to
// or compared with nil in it.
func (s *Section) Prepares(stmt ast.Stmt) bool {
	fn, found := s.Fn, false
	syntax.WalkOwn(stmt, func(n ast.Node, _ []ast.Node) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || isNil(fn, n.Y) && syntax.DependsOn(fn.File.Package.Info, s.Expr, n.X) || isNil(fn, n.X) && syntax.DependsOn(fn.File.Package.Info, s.Expr, n.Y)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				found = found || syntax.DependsOn(fn.File.Package.Info, s.Expr, id)
			}
		case ast.Stmt:
			for _, e := range syntax.Assigned(n) {
				found = found || syntax.DependsOn(fn.File.Package.Info, s.Expr, e)
			}
		}
	})
	return found
}

func isNil(fn *Function, e ast.Expr) bool {
	tv, ok := fn.File.Package.Info.Types[e]
	return ok && tv.IsNil()
}

// Hides reports whether a statement of the section's list declares a variable
// that hides the lock's, so that the lock cannot be named after it.
func (s *Section) Hides(stmt ast.Stmt) bool {
	base := syntax.Root(s.Expr)
	if base == nil {
		return true
	}
	hidden := func(id *ast.Ident) bool {
		return id.Name == base.Name && s.Fn.File.Package.Info.Defs[id] != nil
	}
	switch stmt := stmt.(type) {
	case *ast.AssignStmt:
		for _, e := range stmt.Lhs {
			if id, ok := e.(*ast.Ident); ok && hidden(id) {
				return true
			}
		}
	case *ast.DeclStmt:
		found := false
		syntax.WalkOwn(stmt, func(n ast.Node, _ []ast.Node) {
			id, ok := n.(*ast.Ident)
			found = found || ok && hidden(id)
		})
		return found
	}
	return false
}

// NamedIn reports whether the lock as written in the acquisition means the same
// at a statement further in: no block in between hides its variable.
func (s *Section) NamedIn(stmt ast.Stmt) bool {
	base := syntax.Root(s.Expr)
	if base == nil || s.Fn.File.Package.Types == nil {
		return false
	}
	scope := s.Fn.File.Package.Types.Scope().Innermost(stmt.Pos())
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(base.Name, stmt.Pos())
	return obj == s.Fn.File.Package.Info.ObjectOf(base)
}
