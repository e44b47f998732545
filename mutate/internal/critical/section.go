package critical

import (
	"cmp"
	"go/ast"
	"go/types"
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
type Section[F any] struct {
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

	Fn    F
	In    Text
	Expr  ast.Expr          // the lock as written in Acquire
	Under map[ast.Stmt]bool // statements reached only with the lock held, nested ones too; not to be changed
}

// Holds reports whether every way to a statement of the function passes through
// the section while its lock is held; statements of function literals are not counted.
func (s *Section[F]) Holds(stmt ast.Stmt) bool { return s.Under[stmt] }

// Covers reports whether what a statement of the function calls runs while the
// section's lock is held. A deferred call does when the release was deferred before.
func (s *Section[F]) Covers(stmt ast.Stmt) bool {
	if _, deferred := stmt.(*ast.DeferStmt); deferred && (!s.Deferred || stmt.Pos() < s.Releases[0].Pos()) {
		return false
	}
	return s.Holds(stmt)
}

// Encloses reports whether another section is acquired while this one is held.
func (s *Section[F]) Encloses(inner *Section[F]) bool { return s != inner && s.Under[inner.Acquire] }

// DeferAt is the index in List of the deferred release, -1 for other sections.
func (s *Section[F]) DeferAt() int {
	if !s.Deferred {
		return -1
	}
	return slices.Index(s.List, s.Releases[0])
}

// DefersAtOnce reports whether the section is released by a plain
// defer mu.Unlock() right after the acquisition, so that the two can be moved together.
func (s *Section[F]) DefersAtOnce() bool {
	return s.Deferred && s.InLiteral == nil && s.DeferAt() == s.At+1
}

// Early lists the releases other than the one that ends the section: those
// before early exits and in the branches of the last statement.
func (s *Section[F]) Early() []ast.Stmt {
	var early []ast.Stmt
	for _, r := range s.Releases {
		if r != s.Final && !s.Deferred {
			early = append(early, r)
		}
	}
	return early
}

// Methods are the names of the lock's methods that the section is made of.
func (s *Section[F]) Methods() (acquire, release string) {
	if s.Read {
		return "RLock", "RUnlock"
	}
	return "Lock", "Unlock"
}

// A Text is what is written of a function, with the file and the program it is in.
type Text struct {
	Program *analysis.Program
	File    *analysis.File
	Body    *ast.BlockStmt
}

func (t Text) info() *types.Info { return t.File.Package.Info }

// Sections recognises the critical sections of a function, outer before inner; fn is what the
// caller knows it by.
func Sections[F any](fn F, in Text) []*Section[F] {
	var sections []*Section[F]
	eachList(in.Body, func(list []ast.Stmt) {
		for at := range list {
			if s := sectionAt(fn, in, list, at); s != nil {
				sections = append(sections, s)
			}
		}
	})
	slices.SortFunc(sections, func(a, b *Section[F]) int { return cmp.Compare(a.Acquire.Pos(), b.Acquire.Pos()) })
	for i, s := range sections {
		s.Again = slices.ContainsFunc(sections[:i], func(outer *Section[F]) bool { return outer.Encloses(s) && outer.SameLock(s) })
	}
	return sections
}

// eachList is given the statement lists of a function's own text.
func eachList(body *ast.BlockStmt, each func(list []ast.Stmt)) {
	syntax.WalkOwn(body, func(n ast.Node, _ []ast.Node) {
		switch n := n.(type) {
		case *ast.BlockStmt:
			each(n.List)
		case *ast.CaseClause:
			each(n.Body)
		case *ast.CommClause:
			each(n.Body)
		}
	})
}

// sectionAt recognises the section that list[at] begins, if it does.
func sectionAt[F any](fn F, in Text, list []ast.Stmt, at int) *Section[F] {
	call, ok := lockcall.Of(in.Program, in.File, list[at])
	if !ok || call.Method != "Lock" && call.Method != "RLock" {
		return nil
	}
	s := &Section[F]{
		Lock: call.Lock, Read: call.Method == "RLock", Acquire: list[at],
		List: list, At: at, First: at + 1, Fn: fn, In: in, Expr: call.On,
	}
	t := newTracer(s)
	if !t.trace() {
		return nil
	}
	s.Releases, s.Under = t.releases, t.holds
	s.Body = list[s.First : s.Last+1]
	s.Whole = s.whole()
	return s
}

// whole reports whether the section covers the body of the function but for
// returning what needs no lock.
func (s *Section[F]) whole() bool {
	if s.At != 0 || len(s.In.Body.List) == 0 || s.In.Body.List[0] != s.Acquire {
		return false
	}
	end := s.Last + 1
	if s.Final != nil {
		end++
	}
	for _, after := range s.List[min(end, len(s.List)):] {
		ret, ok := after.(*ast.ReturnStmt)
		if !ok || !syntax.NamesOnly(ret.Results) {
			return false
		}
	}
	return true
}

// SameLock reports whether two sections of the function certainly hold the very same lock.
func (s *Section[F]) SameLock(other *Section[F]) bool {
	return s.Lock.Key == other.Lock.Key && (syntax.Same(s.In.info(), s.Expr, other.Expr) || syntax.OneInstance(s.In.info(), s.Expr) && syntax.OneInstance(s.In.info(), other.Expr))
}

// CanDefer reports whether the releases of a section that is to reach the end
// of the function body may become one deferred release: the section is not in
// a nested list, which could be a loop's, and each early release is followed
// at once by its exit, so that nothing more comes under the lock there.
func (s *Section[F]) CanDefer() bool {
	if s.Deferred || len(s.In.Body.List) == 0 || s.In.Body.List[0] != s.List[0] {
		return false
	}
	early, can := s.Early(), true
	eachList(s.In.Body, func(list []ast.Stmt) {
		for i, stmt := range list {
			if slices.Contains(early, stmt) {
				can = can && i+1 < len(list) && isReturn(list[i+1])
			}
		}
	})
	return can
}

// Prepares reports whether the section's acquisition must stay behind a
// statement: what the lock's expression is made of is declared, assigned to
// or compared with nil in it.
func (s *Section[F]) Prepares(stmt ast.Stmt) bool {
	found, info := false, s.In.info()
	syntax.WalkOwn(stmt, func(n ast.Node, _ []ast.Node) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || isNil(info, n.Y) && syntax.DependsOn(info, s.Expr, n.X) || isNil(info, n.X) && syntax.DependsOn(info, s.Expr, n.Y)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				found = found || syntax.DependsOn(info, s.Expr, id)
			}
		case ast.Stmt:
			for _, e := range syntax.Assigned(n) {
				found = found || syntax.DependsOn(info, s.Expr, e)
			}
		}
	})
	return found
}

func isReturn(s ast.Stmt) bool { _, is := s.(*ast.ReturnStmt); return is }

func isNil(info *types.Info, e ast.Expr) bool {
	tv, ok := info.Types[e]
	return ok && tv.IsNil()
}

// Hides reports whether a statement of the section's list declares a variable
// that hides the lock's, so that the lock cannot be named after it.
func (s *Section[F]) Hides(stmt ast.Stmt) bool {
	base := syntax.Root(s.Expr)
	if base == nil {
		return true
	}
	hidden := func(id *ast.Ident) bool {
		return id.Name == base.Name && s.In.info().Defs[id] != nil
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
func (s *Section[F]) NamedIn(stmt ast.Stmt) bool { return Means(s.In.File, s.Expr, stmt) }

// Means reports whether a lock as it is written in a file means the same at a statement.
func Means(f *analysis.File, lock ast.Expr, at ast.Stmt) bool {
	base := syntax.Root(lock)
	if base == nil || f.Package.Types == nil {
		return false
	}
	scope := f.Package.Types.Scope().Innermost(at.Pos())
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(base.Name, at.Pos())
	return obj == f.Package.Info.ObjectOf(base)
}
