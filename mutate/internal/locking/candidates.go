package locking

import (
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/held"
)

// maxExisting bounds the existing locks tried at one place. They come nearest
// first, and those of a far-off owner are hardly ever the right ones. Guessed.
const maxExisting = 4

// A Candidate is a lock to try around some statements.
type Candidate struct {
	Lock analysis.Lock
	Read bool // take the read side
	// Spare says that the read side, which is listed too, seems to be enough.
	Spare bool
	// Second says that the lock is a new one, though some of what is accessed has a
	// lock of its own.
	Second bool
}

// second is what is left of the belief in a lock beside another. Guessed: it is right
// where values of several owners have to change together, which is rare.
const second = 0.4

// Doubt lowers the belief in an edit with the lock, if another would do: of the two
// the one that lets readers go on is tried first.
func (c Candidate) Doubt(e *mutate.Edit) {
	if c.Spare {
		e.Doubt(0.98)
	}
	if c.Second {
		e.Doubt(second)
	}
}

// Candidates lists the locks to try around some statements, best first: those
// in scope that can be held there, at most four, and new ones to guard what
// the statements access. Of an RWMutex the read side is enough where the
// statements only read; where they also call functions of the module, which
// may write, both sides are listed.
func Candidates(fn *mutate.Function, at ast.Node, stmts []ast.Stmt) []Candidate {
	accesses := fn.Changing(stmts...)
	calls := callsModule(fn, stmts)
	calleesWrite := calls && writes(fn, stmts, make(map[*mutate.Function]bool))
	assigned := assignedIn(stmts)
	var out []Candidate
	locks := inScope(fn, at, accesses)
	owned := owned(accesses, locks)
	for _, l := range locks {
		if leadsThrough(l.Expr, assigned) || held.Conflict(fn, l, stmts...) != "" || StartsAcquirer(fn, l.Key, stmts) {
			continue
		}
		reads := l.RW && !slices.ContainsFunc(accesses, func(a analysis.Access) bool { return a.Write })
		if reads && (len(accesses) > 0 || calls) && !calleesWrite {
			out = append(out, Candidate{Lock: l, Read: true})
		}
		if !reads || len(accesses) == 0 || calls {
			out = append(out, Candidate{Lock: l, Spare: reads && !calleesWrite, Second: owned && l.New != nil})
		}
	}
	return out
}

// ReadCandidates lists the locks to try around nothing but a read, in front of a
// statement, best first.
func ReadCandidates(fn *mutate.Function, at ast.Stmt, read ast.Expr) []Candidate {
	holding := fn.HeldAt(at)
	var out []Candidate
	for _, l := range inScope(fn, at, fn.Accesses(&ast.ExprStmt{X: read})) {
		if slices.ContainsFunc(holding, func(h analysis.Lock) bool { return h.Key == l.Key }) || held.Conflict(fn, l) != "" {
			continue
		}
		out = append(out, Candidate{Lock: l, Read: l.RW})
	}
	return out
}

// inScope lists the locks to try for some accesses: existing ones, then new ones.
func inScope(fn *mutate.Function, at ast.Node, accesses []analysis.Access) []analysis.Lock {
	existing := fn.Program.Locks(fn.File, at)
	return slices.Concat(existing[:min(len(existing), maxExisting)], newLocks(fn, at, accesses, existing))
}

// Guarded reports whether all that some statements access are fields of values
// whose own lock is held: no other lock is worth trying there.
func Guarded(fn *mutate.Function, stmts []ast.Stmt) bool {
	held := make(map[string]bool) // what the held locks belong to
	for _, l := range fn.HeldAt(stmts[0]) {
		held[l.Expr] = true // an embedded lock
		if i := strings.LastIndex(l.Expr, "."); i >= 0 {
			held[l.Expr[:i]] = true
		}
	}
	for _, a := range fn.Accesses(stmts...) {
		owner := a.Owner()
		if owner == nil || !held[types.ExprString(owner)] {
			return false
		}
	}
	return true
}

// newLocks are the best new lock, unless what is accessed has a lock of its
// own, and, where the fields of more than one value are, the one of the
// package, which needs no order of locking.
func newLocks(fn *mutate.Function, at ast.Node, accesses []analysis.Access, existing []analysis.Lock) []analysis.Lock {
	offered := fn.Program.NewLocks(fn.File, at, accesses)
	owners, owned := bases(accesses), owned(accesses, existing)
	var out []analysis.Lock
	for _, l := range offered {
		switch {
		case len(out) == 0 && !owned:
			out = append(out, l)
		case len(owners) > 1 && l.New.Kind == analysis.PackageLock:
			return append(out, l)
		}
	}
	return out
}

// owned reports whether something that is accessed has one of some locks for its own.
func owned(accesses []analysis.Access, locks []analysis.Lock) bool {
	owners := bases(accesses)
	return slices.ContainsFunc(locks, func(l analysis.Lock) bool {
		i := strings.LastIndex(l.Expr, ".")
		return l.New == nil && (owners[l.Expr] || i >= 0 && owners[l.Expr[:i]])
	})
}

// bases are the expressions that the accessed fields are selected from.
func bases(accesses []analysis.Access) map[string]bool {
	found := make(map[string]bool)
	for _, a := range accesses {
		if owner := a.Owner(); owner != nil {
			found[types.ExprString(owner)] = true
		}
	}
	return found
}

// Reassigned reports whether statements assign to or declare anew something that
// a lock is reached through: what is unlocked would not be what was locked.
func Reassigned(lock string, stmts []ast.Stmt) bool { return leadsThrough(lock, assignedIn(stmts)) }

// assignedIn are the texts of what statements assign to or declare anew.
func assignedIn(stmts []ast.Stmt) map[string]bool {
	found := make(map[string]bool)
	add := func(e ast.Expr) {
		e = ast.Unparen(e)
		if star, ok := e.(*ast.StarExpr); ok {
			e = star.X
		}
		found[types.ExprString(e)] = true
	}
	for _, s := range stmts {
		decl, _ := s.(*ast.DeclStmt)
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case ast.Stmt:
				for _, e := range syntax.Assigned(n) {
					add(e)
				}
			case *ast.ValueSpec:
				// A declaration inside of a nested block ends with it.
				if decl != nil && decl.Pos() <= n.Pos() && n.End() <= decl.End() {
					for _, name := range n.Names {
						add(name)
					}
				}
			}
			return true
		})
	}
	return found
}

// leadsThrough reports whether a lock is reached through something of those texts.
func leadsThrough(lock string, texts map[string]bool) bool {
	if len(texts) == 0 {
		return false
	}
	if ofNames(lock) {
		return leadsThroughNames(lock, texts)
	}
	e, err := parser.ParseExpr(lock)
	if err != nil {
		return true
	}
	return syntax.Any(e, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		return ok && texts[types.ExprString(e)]
	})
}

// ofNames reports whether a lock is written as names with dots between, as most are.
func ofNames(lock string) bool {
	return !strings.ContainsFunc(lock, func(r rune) bool { return r != '.' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// leadsThroughNames is leadsThrough for a lock of names: its names are expressions, and
// so are those up to each.
func leadsThroughNames(lock string, texts map[string]bool) bool {
	first := 0
	for i := 0; i <= len(lock); i++ {
		if i < len(lock) && lock[i] != '.' {
			continue
		}
		if texts[lock[:i]] || texts[lock[first:i]] {
			return true
		}
		first = i + 1
	}
	return false
}

// ReadsOnly reports whether statements write nothing shared, nor do the functions that they
// call by name.
func ReadsOnly(fn *mutate.Function, stmts []ast.Stmt) bool {
	own := slices.ContainsFunc(fn.Changing(stmts...), func(a analysis.Access) bool { return a.Write })
	return !own && !writes(fn, stmts, make(map[*mutate.Function]bool))
}

// writes reports whether functions that statements call by name, and those that
// these call, write shared variables.
func writes(fn *mutate.Function, stmts []ast.Stmt, seen map[*mutate.Function]bool) bool {
	return slices.ContainsFunc(fn.Calls(stmts...), func(c mutate.Call) bool {
		if seen[c.To] {
			return false
		}
		seen[c.To] = true
		body := c.To.Body.List
		return slices.ContainsFunc(c.To.Accesses(body...), func(a analysis.Access) bool { return a.Write }) || writes(c.To, body, seen)
	})
}

// callsModule reports whether statements call functions of the module, whose
// accesses are not counted.
func callsModule(fn *mutate.Function, stmts []ast.Stmt) bool {
	found := false
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return !found
			}
			var id *ast.Ident
			switch f := ast.Unparen(call.Fun).(type) {
			case *ast.Ident:
				id = f
			case *ast.SelectorExpr:
				id = f.Sel
			}
			obj := fn.File.Package.Info.Uses[id]
			_, isFunc := obj.(*types.Func)
			_, isVar := obj.(*types.Var) // a function value may be anything
			found = found || isVar || isFunc && slices.ContainsFunc(fn.Program.Packages, func(p *analysis.Package) bool { return p.Types == obj.Pkg() })
			return !found
		})
	}
	return found
}
