package atomicrmw

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/internal/tree"
)

//go:embed doc.go
var doc string

// Operator makes one atomic step of a load and a store.
var Operator = &mutate.Operator{
	Name: "atomicrmw",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.TestFailure: 4, evidence.Panic: 4, evidence.Race: 2,
		evidence.Deadlock: 0.5, evidence.Blocked: 0.5,
	},
	Faults: []evidence.Fault{evidence.LostUpdate, evidence.CheckThenAct, evidence.OverwrittenValue, evidence.AtomicityViolation},
	Needs:  "atomic load whose value an atomic store of the same variable depends on, or Load and Store of a sync.Map",
	Edits:  edits,
	Apply:  apply,
}

// Forms of an edit.
const (
	assign  = "assign"  // the statement that loads becomes another one
	replace = "replace" // a store of what is loaded in the same statement
	check   = "check"   // the condition of an if
	loop    = "loop"    // an if and a change behind it become a loop
	orStore = "loadorstore"
)

// A pair is a load and the store that depends on it.
type pair struct {
	form        string
	load, store ast.Stmt // the same, if the form is replace
	now         string   // the expression that does both
	note        string
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, st := range fn.Statements() {
		p, ok := pairAt(fn, st)
		if !ok {
			out = append(out, windowsAt(fn, st)...)
			continue
		}
		e := fn.NewEdit("atomicrmw", p.load, p.load, p.store)
		e.Form, e.Other, e.Expr, e.Note = p.form, fn.ID(p.store), p.now, p.note
		out = append(out, e)
	}
	return out
}

func pairAt(fn *mutate.Function, st mutate.Statement) (p pair, ok bool) {
	switch s := st.Stmt.(type) {
	case *ast.ExprStmt:
		return increment(fn, s)
	case *ast.AssignStmt:
		return sequence(fn, st, s)
	case *ast.IfStmt:
		if p, ok := checked(fn, s); ok {
			return p, true
		}
		return refused(fn, st, s)
	}
	return p, false
}

// increment is a store of the loaded value and something.
func increment(fn *mutate.Function, s *ast.ExprStmt) (p pair, ok bool) {
	a, ok := stored(fn, s)
	if !ok || !a.number {
		return p, false
	}
	sum, ok := ast.Unparen(a.value).(*ast.BinaryExpr)
	if !ok {
		return p, false
	}
	l, ok := accessOf(fn, sum.X)
	other := sum.Y
	if !ok && sum.Op == token.ADD {
		l, ok = accessOf(fn, sum.Y)
		other = sum.X
	}
	delta, fits := deltaOf(a, sum.Op, other)
	if !ok || l.store || l.target != a.target || !fits || uses(other, a.target) {
		return p, false
	}
	return pair{form: replace, load: s, store: s, now: a.write("Add", delta)}, true
}

// deltaOf writes what is added; ok is false if that cannot be done.
func deltaOf(a access, op token.Token, operand ast.Expr) (text string, ok bool) {
	text = types.ExprString(operand)
	switch {
	case op == token.ADD:
		return text, true
	case op != token.SUB || a.unsigned:
		return "", false
	}
	switch operand.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr:
		text = "(" + text + ")"
	}
	return "-" + text, true
}

// sequence is x := load, and further down in the list a store of x and
// something, or of something else.
func sequence(fn *mutate.Function, st mutate.Statement, s *ast.AssignStmt) (p pair, ok bool) {
	if s.Tok != token.DEFINE || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return p, false
	}
	id, ok := s.Lhs[0].(*ast.Ident)
	l, isLoad := accessOf(fn, s.Rhs[0])
	if !ok || !isLoad || l.store {
		return p, false
	}
	v := fn.File.Package.Info.Defs[id]
	at, a, ok := next(fn, st, l.target)
	if !ok || v == nil {
		return p, false
	}
	between := st.List[st.Index+1 : at]
	if len(exits.Of(fn, between...)) > 0 || fn.Reassigns(id.Name, between...) {
		return p, false
	}
	p = pair{form: assign, load: s, store: st.List[at]}
	if !syntax.Names(fn.File.Package.Info, a.value, v) {
		if !knownAt(fn, a.value, st, at) {
			return p, false
		}
		p.now = l.write("Swap", types.ExprString(a.value))
		return p, true
	}
	sum, ok := ast.Unparen(a.value).(*ast.BinaryExpr)
	if !ok || !a.number || !syntax.Is(fn.File.Package.Info, sum.X, v) || syntax.Names(fn.File.Package.Info, sum.Y, v) || !knownAt(fn, sum.Y, st, at) {
		return p, false
	}
	delta, ok := deltaOf(a, sum.Op, sum.Y)
	if !ok {
		return p, false
	}
	p.now = l.write("Add", delta)
	if namedBesides(fn, v, a.value) {
		p.now += back(sum)
	} else {
		p.form = replace
	}
	return p, true
}

// back takes what was added off again: the value before.
func back(sum *ast.BinaryExpr) string {
	text := types.ExprString(sum.Y)
	switch sum.Y.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr:
		text = "(" + text + ")"
	}
	if sum.Op == token.ADD {
		return " - " + text
	}
	return " + " + text
}

// next is the place, behind a statement of a list, of a store to a variable
// that nothing in between names.
func next(fn *mutate.Function, st mutate.Statement, target string) (at int, a access, ok bool) {
	for i, s := range st.List[st.Index+1:] {
		if a, ok := stored(fn, s); ok && a.target == target && !uses(a.value, target) {
			return st.Index + 1 + i, a, true
		}
		if uses(s, target) {
			break
		}
	}
	return 0, a, false
}

// knownAt reports whether a value is known already at an earlier statement of the
// list: it calls nothing, and what it names is neither declared nor assigned in between.
func knownAt(fn *mutate.Function, value ast.Expr, st mutate.Statement, at int) bool {
	ok := true
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && fn.File.Package.Info.Types[n.Fun].IsType()
		case *ast.FuncLit:
			ok = false
		case *ast.Ident:
			v, variable := fn.File.Package.Info.Uses[n].(*types.Var)
			ok = ok && (!variable || v.IsField() || v.Pos() < st.Stmt.Pos()) && !fn.Reassigns(n.Name, st.List[st.Index+1:at]...)
		}
		return ok
	})
	return ok
}

// namedBesides reports whether the function names a variable elsewhere than in a value.
func namedBesides(fn *mutate.Function, v types.Object, value ast.Expr) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if n == ast.Node(value) || found {
			return false
		}
		id, ok := n.(*ast.Ident)
		found = ok && fn.File.Package.Info.Uses[id] == v
		return !found
	})
	return found
}

// windowsAt is a window at a statement that the forms loop and loadorstore close. The source
// alone shows it, and a maintainer closes all of a package.
func windowsAt(fn *mutate.Function, st mutate.Statement) []mutate.Edit {
	var e mutate.Edit
	if w, ok := windowAt(fn, st); ok {
		e = fn.NewEdit("atomicrmw", w.asks, w.asks, w.change)
		e.Form, e.Other, e.Expr, e.Note = loop, fn.ID(w.change), w.name, "until nobody has come in between"
	} else if k, ok := keepingAt(fn, st); ok {
		e = fn.NewEdit("atomicrmw", k.store, k.store)
		e.Form, e.Other, e.Expr, e.Note = orStore, fn.ID(k.asks), k.now, "the one that came first stays"
	} else {
		return nil
	}
	if !locked(fn, st.Stmt) {
		e.Sure, e.Group = true, fn.File.Package.Path
	}
	return []mutate.Edit{e}
}

// locked reports whether a critical section of the function covers a statement.
func locked(fn *mutate.Function, s ast.Stmt) bool {
	return slices.ContainsFunc(fn.Sections(), func(section *mutate.Section) bool { return section.Holds(s) })
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	switch e.Form {
	case loop:
		return applyLoop(m, e)
	case orStore:
		return applyKeeping(m, e)
	}
	load := m.Stmt(e.File, e.Node)
	store := m.Stmt(e.File, e.Other)
	if store != load {
		if err := m.Remove(e.File, store); err != nil {
			return err
		}
	}
	now := tree.Expr(e.Expr)
	switch s := load.(type) {
	case *dst.IfStmt:
		s.Cond = now
		s.Decs.Start.Append("// " + e.Note)
		return nil
	case *dst.AssignStmt:
		if e.Form == assign {
			s.Rhs = []dst.Expr{now}
			return nil
		}
	}
	return m.Replace(e.File, load, &dst.ExprStmt{X: now})
}
