package guard

import (
	"go/ast"
	"go/types"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/inplace"
	"mendel/mutate/internal/locking"
)

// hot is the heat from which evidence is taken to name a variable: an access
// stands on a line that a failure names, or in the function that one ends in.
const hot = 0.8

// warm is the heat that a lock's variables need to have once the evidence names
// others: those are what it is about.
const warm = 0.25

// A survey is what a program accesses, and under which locks.
type survey struct {
	whole    *mutate.Whole
	names    map[types.Object]string // of shared variables: "Account.amount"
	accesses []*sharedAccess         // by function, in source order
	by       map[*mutate.Function][]*sharedAccess
	users    map[*types.Var][]*mutate.Function // that access a variable
	edits    map[id]mutate.Edit                // of moves
	tried    map[id]bool                       // whether an edit gives a mutant alone
	locks    map[ast.Stmt][]analysis.Lock      // see locksAt
	calls    map[*mutate.Function][]callAt     // see callsIn
	copies   map[types.Object]copied           // local copies of what has a lock
}

// A copied is a local variable that can be used in place, by an edit, instead of a copy.
type copied struct {
	inplace.Copy
	edit mutate.Edit
}

// A callAt is a call with what is held there.
type callAt struct {
	mutate.Call
	stmt ast.Stmt // innermost one of a statement list around it; nil: none
	held map[string]bool
}

// A sharedAccess is an access of a shared variable that somebody else may make at the same time.
type sharedAccess struct {
	analysis.Access
	fn   *mutate.Function
	stmt ast.Stmt // innermost one of a statement list
	base mutate.Path
	held []analysis.Lock
	heat float64

	copied bool // of a local copy, or to make it
}

func newSurvey(w *mutate.Whole) *survey {
	sv := &survey{
		whole: w, names: make(map[types.Object]string),
		by: make(map[*mutate.Function][]*sharedAccess), users: make(map[*types.Var][]*mutate.Function),
		edits: make(map[id]mutate.Edit), tried: make(map[id]bool),
		locks: make(map[ast.Stmt][]analysis.Lock), calls: make(map[*mutate.Function][]callAt),
		copies: make(map[types.Object]copied),
	}
	for _, v := range w.Narrowing.Findings() {
		if v.Object != nil {
			sv.names[v.Object] = v.Name
		}
	}
	for _, op := range moves {
		for _, e := range w.EditsOf(op.Name) {
			sv.edits[idOf(e)] = e
		}
	}
	inPlace := w.EditsOf(inplace.Operator.Name)
	for _, fn := range w.Functions {
		stmts := fn.Statements()
		for _, c := range inplace.Copies(fn) {
			if e, ok := c.Edit(inPlace); ok && c.Of != nil {
				sv.copies[c.Var] = copied{c, e}
			}
		}
		for _, a := range fn.Changing(fn.Body) {
			if sv.names[a.Var] == "" {
				continue
			}
			base := fn.Base(a.Expr)
			_, isCopied := ast.Unparen(a.Expr).(*ast.StarExpr)
			if fn.Fresh(a.Expr) {
				c, ok := sv.copies[base.Root]
				if !ok || base.Rest != "" {
					continue
				}
				base, isCopied = fn.Path(c.Of), true // once it is no copy
			}
			p := &sharedAccess{Access: a, fn: fn, stmt: mutate.Innermost(stmts, a.Expr).Stmt, base: base, copied: isCopied && !a.Write}
			if p.stmt == nil {
				continue
			}
			p.held = fn.HeldAt(p.stmt)
			p.heat = w.Narrowing.Heat(fn.File.Name, w.Program.Fset.PositionFor(a.Expr.Pos(), false).Line)
			sv.accesses = append(sv.accesses, p)
			sv.by[fn] = append(sv.by[fn], p)
			if users := sv.users[p.Var]; len(users) == 0 || users[len(users)-1] != fn {
				sv.users[p.Var] = append(users, fn)
			}
		}
	}
	return sv
}

// inPlace are the edits of the copies that a function reads variables from.
func (sv *survey) inPlace(fn *mutate.Function, uses []use) (edits []mutate.Edit) {
	seen := make(map[types.Object]bool)
	for _, u := range uses {
		root := fn.Base(u.Expr).Root
		if c, ok := sv.copies[root]; ok && !seen[root] {
			seen[root] = true
			edits = append(edits, c.edit)
		}
	}
	return edits
}

// callsIn lists the calls, by name, in a function's text. The list must not be changed.
func (sv *survey) callsIn(fn *mutate.Function) []callAt {
	calls, known := sv.calls[fn]
	if !known {
		stmts := fn.Statements()
		for _, c := range fn.Calls(fn.Body) {
			at := callAt{Call: c, stmt: mutate.Innermost(stmts, c.Expr).Stmt}
			if at.stmt != nil {
				at.held = make(map[string]bool)
				for _, l := range fn.HeldAt(at.stmt) {
					at.held[l.Key] = true
				}
			}
			calls = append(calls, at)
		}
		sv.calls[fn] = calls
	}
	return calls
}

// locksAt lists the existing locks in scope at a statement of a function.
func (sv *survey) locksAt(fn *mutate.Function, s ast.Stmt) []analysis.Lock {
	found, known := sv.locks[s]
	if !known {
		found = fn.Program.Locks(fn.File, s)
		sv.locks[s] = found
	}
	return found
}

// An id tells the edits of single operators apart.
type id struct {
	operator, file, lock, key string
	node, count               int
	read                      bool
}

func idOf(e mutate.Edit) id {
	i := id{operator: e.Operator, file: e.File, node: e.Node, count: e.Count, read: e.Read}
	if e.Lock != nil {
		i.lock, i.key = e.Lock.Expr, e.Lock.Key
	}
	return i
}

// fits reports whether an edit of sections gives a mutant by itself.
func (sv *survey) fits(fn *mutate.Function, e mutate.Edit) bool {
	i := idOf(e)
	ok, known := sv.tried[i]
	if !known {
		ok = locking.Fits(fn, e)
		sv.tried[i] = ok
	}
	return ok
}
