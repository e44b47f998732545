package lockread

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/locking"
)

//go:embed doc.go
var doc string

// Operator reads a variable under a lock and uses it without.
var Operator = &mutate.Operator{
	Name:   "lockread",
	Doc:    doc,
	Prior:  map[evidence.Kind]float64{evidence.Race: 4, evidence.Panic: 1.5, evidence.Deadlock: 0.3, evidence.Blocked: 0.3},
	Faults: []evidence.Fault{evidence.MissingLock},
	Needs:  "read of a shared variable in a statement that goes on to do more",
	Local:  true,
	Edits:  edits,
	Apply:  apply,
	Close:  closer,
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	used := make(map[string]int)
	copied := make(map[ast.Expr]bool) // by the edit of a statement around
	for _, st := range fn.Statements() {
		out = append(out, conditionEdits(fn, st.Stmt)...)
		for _, r := range reads(fn, st.Stmt) {
			if used[r.name]++; used[r.name] > 1 {
				r.name = scope.FreeName(fn, r.name+strconv.Itoa(used[r.name]))
			}
			for _, e := range r.edits(fn) {
				if copied[r.exprs[0]] {
					e.Group = ""
				}
				out = append(out, e)
			}
			for _, x := range r.exprs {
				copied[x] = true
			}
		}
	}
	return out
}

// edits are those of one read, with each lock.
func (r *read) edits(fn *mutate.Function) []mutate.Edit {
	if locking.Guarded(fn, []ast.Stmt{r.stmt}) {
		return nil
	}
	stmts := []ast.Stmt{&ast.ExprStmt{X: r.exprs[0]}}
	var out []mutate.Edit
	grouped := make(map[string]bool) // locks, which may have several names here
	for _, c := range nearest(r.exprs[0], locking.ReadCandidates(fn, r.stmt, r.exprs[0])) {
		e := fn.NewEdit("lockread", r.stmt, stmts...)
		e.Other, e.Expr = fn.ID(r.exprs[0]), r.name
		e.Lock, e.Read, e.Note = &c.Lock, c.Read, locking.Note(fn, fn.Accesses(stmts...))
		if len(e.Vars) > 0 && !grouped[c.Lock.Key] {
			grouped[c.Lock.Key] = true
			e.Group = e.Vars[len(e.Vars)-1] + " " + c.Lock.Key
		}
		out = append(out, e)
		if r.sectionBefore(fn, c.Lock) != nil {
			e.Form, e.Group = inSection, ""
			out = append(out, e)
		}
	}
	return out
}

// nearest are the locks beside a field, if there are such, else all but those
// that are reached through what is read.
func nearest(e ast.Expr, locks []locking.Candidate) []locking.Candidate {
	through := types.ExprString(e) + "."
	var beside, all []locking.Candidate
	for _, c := range locks {
		if strings.HasPrefix(c.Lock.Expr, through) {
			continue
		}
		all = append(all, c)
		if sel, ok := e.(*ast.SelectorExpr); ok {
			base := types.ExprString(sel.X)
			if field, ok := strings.CutPrefix(c.Lock.Expr, base+"."); c.Lock.Expr == base || ok && !strings.Contains(field, ".") {
				beside = append(beside, c)
			}
		}
	}
	if len(beside) > 0 {
		return beside
	}
	return all
}

// alreadyRead reports whether the read of an edit is also that of one of some
// others: a lock may have several names.
func alreadyRead(edits []mutate.Edit, e mutate.Edit) bool {
	return slices.ContainsFunc(edits, func(o mutate.Edit) bool { return o.File == e.File && o.Node == e.Node && o.Other == e.Other })
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	stmt, ok := m.Node(e.File, e.Node).(dst.Stmt)
	if fn == nil || e.Lock == nil || !ok {
		return mutate.Refuse(e, "another edit removed the statement")
	}
	if e.Form == condition {
		return applyCondition(m, fn, e)
	}
	var r *read
	for _, st := range fn.Statements() {
		if fn.ID(st.Stmt) == e.Node {
			r = find(fn, st.Stmt, e.Other)
		}
	}
	if r == nil {
		return mutate.Refuse(e, "there is no such read")
	}
	if e.Form == inSection {
		return r.readInSection(m, e, fn)
	}
	value, err := r.replace(m, e, fn)
	if err != nil {
		return err
	}
	acquire, release := locking.Methods(e.Read)
	define := &dst.AssignStmt{Lhs: []dst.Expr{dst.NewIdent(e.Expr)}, Tok: token.DEFINE, Rhs: []dst.Expr{value}}
	return m.Insert(e.File, stmt, false, m.Call(*e.Lock, acquire, e.Note), define, m.Call(*e.Lock, release, ""))
}

// replace puts the new variable where the statement reads, and returns what it has read there.
func (r *read) replace(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function) (value dst.Expr, err error) {
	for _, x := range r.exprs {
		operand, ok := m.Node(e.File, fn.ID(x)).(dst.Expr)
		if !ok {
			return nil, mutate.Refuse(e, "another edit removed what is read")
		}
		if err := m.Replace(e.File, operand, dst.NewIdent(e.Expr)); err != nil {
			return nil, err
		}
		if value == nil {
			value = operand
		}
	}
	return value, nil
}
