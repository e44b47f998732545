package expandafter

import (
	"go/ast"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locking"
	"mendel/mutate/internal/sectionedit"
)

// formBranch is the form of an edit that moves the release of one branch.
const formBranch = "branch"

// A branch is a statement list that releases a lock on its way out of the function.
type branch struct {
	release ast.Stmt
	lock    analysis.Lock
	read    bool
	after   []ast.Stmt // what follows the release
}

// branches lists the early releases of a function: those in lists which leave
// the function behind them, while another path goes on with the lock.
func branches(fn *mutate.Function) []branch {
	finals := make(map[ast.Stmt]bool) // the other form's
	for _, s := range fn.Sections() {
		finals[s.Final] = true
	}
	var out []branch
	for _, st := range fn.Statements() {
		x, ok := st.Stmt.(*ast.ExprStmt)
		if !ok || finals[x] || st.Owner == fn.Body || !fn.IsLockCall(x) {
			continue
		}
		l, method, ok := fn.Program.LockCall(fn.File, x.X.(*ast.CallExpr))
		if !ok || method != "Unlock" && method != "RUnlock" || !exits.Terminates(fn, st.List[len(st.List)-1]) {
			continue
		}
		held := slices.ContainsFunc(fn.HeldAt(x), func(h analysis.Lock) bool { return h.Key == l.Key && h.Expr == l.Expr })
		if held {
			out = append(out, branch{x, l, method == "RUnlock", st.List[st.Index+1:]})
		}
	}
	return out
}

// covers reports whether the release may move down over k statements: none of
// them leaves, takes a lock, or changes what the lock is reached through.
func (b *branch) covers(fn *mutate.Function, k int) bool {
	if k >= len(b.after) {
		return false
	}
	stmts := b.after[:k]
	if len(exits.Of(fn, stmts...)) > 0 || exits.HasGotoTarget(fn, stmts...) || locking.Reassigned(b.lock.Expr, stmts) || locking.StartsAcquirer(fn, b.lock.Key, stmts) {
		return false
	}
	free := true
	for _, s := range stmts {
		if _, deferred := s.(*ast.DeferStmt); deferred {
			return false
		}
		syntax.Now(s, func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			_, _, isLock := fn.Program.LockCall(fn.File, call)
			free = free && !isLock && !slices.Contains(fn.Program.Acquires(fn.File, call), b.lock.Key)
		})
	}
	return free
}

func branchEdits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, b := range branches(fn) {
		for k := 1; k <= sectionedit.MaxMoves && b.covers(fn, k); k++ {
			if !effects.Matters(fn, b.after[k-1]) {
				continue
			}
			e := fn.NewEdit("expandafter", b.release, b.after[:k]...)
			e.Form, e.Count, e.Lock, e.Read = formBranch, k, &b.lock, b.read
			e.Note = locking.HeldNote(fn, b.lock.Expr, b.after[k-1])
			if held.Waits(fn, b.lock, b.after[:k]...) {
				e.Flags = []mutate.Flag{mutate.Blocks}
			}
			out = append(out, e)
		}
	}
	return out
}

// applyBranch moves the release of a branch.
func applyBranch(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no such release")
	}
	all := branches(fn)
	i := slices.IndexFunc(all, func(b branch) bool { return fn.ID(b.release) == e.Node })
	if i < 0 || !all[i].covers(fn, e.Count) {
		return mutate.Refuse(e, "the release cannot be moved")
	}
	release, ok := m.Node(e.File, e.Node).(dst.Stmt)
	last, there := m.Node(e.File, fn.ID(all[i].after[e.Count-1])).(dst.Stmt)
	if !ok || !there {
		return mutate.Refuse(e, "another edit removed the release or a statement behind it")
	}
	from, at, ok := m.ListOf(e.File, release)
	to, end, there := m.ListOf(e.File, last)
	if !ok || !there || from != to || end < at {
		return mutate.Refuse(e, "another edit moved the release or a statement behind it")
	}
	if slices.ContainsFunc((*from)[at+1:end], m.IsLockCall) {
		return mutate.Refuse(e, "another section begins or ends behind the release")
	}
	return m.Carry(e.File, release, last, true, e.Note)
}
