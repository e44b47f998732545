package waits

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A wait is what may keep a goroutine waiting for others, in the text of a function.
type wait struct {
	node     ast.Node
	text     string // "receive done": the same in a program and its mutants
	deferred bool
}

// A heldWait is a wait, by its text, that is made with a lock held, by its path.
type heldWait struct{ lock, text string }

// WaitsMore reports whether a mutant waits under a lock where the original does not: something
// that waits in the original has come under it, or more waits under it than did. What is put in
// the place of a wait, as a select with another way out is, waits no more than that did. Only
// what a function's own text does counts.
func WaitsMore(of *locks.Model) bool {
	m := of.Lock()
	defer of.Unlock()
	if m.Base == nil {
		return false
	}
	for _, decl := range m.Changed() {
		now, _ := waitsIn(m, decl)
		var before map[heldWait]int
		var all map[string]int
		m.AskOriginal(func(base *locks.View) {
			if was := base.Named(decl.Name); was != nil && len(now) > 0 {
				before, all = waitsIn(base, was)
			}
		})
		if waitMore(now, before, all) {
			return true
		}
	}
	return false
}

// waitMore compares what waits under locks now to what did before, where all is all that waited.
func waitMore(now, before map[heldWait]int, all map[string]int) bool {
	more := make(map[string]int) // by lock, what is new
	for w, n := range now {
		added := n - before[w]
		if added > 0 && all[w.text] > before[w] {
			return true
		}
		more[w.lock] += max(added, 0)
	}
	for w, n := range before {
		more[w.lock] -= max(n-now[w], 0)
	}
	for _, n := range more {
		if n > 0 {
			return true
		}
	}
	return false
}

// waitsIn counts the waits of a declared function and its literals: those with a lock held
// for certain, and all.
func waitsIn(m *locks.View, decl *program.Func) (held map[heldWait]int, all map[string]int) {
	held, all = make(map[heldWait]int), make(map[string]int)
	for _, fn := range decl.WithLiterals() {
		for _, w := range waitsOf(fn) {
			all[w.text]++
			locks := heldThroughWait(m, fn, w)
			if call, ok := w.node.(*ast.CallExpr); ok && !syntax.MayWait(syntax.Callee(fn.Info(), call.Fun), len(locks)) {
				continue // the one lock is given up meanwhile
			}
			for _, l := range locks {
				held[heldWait{l.Path.String(), w.text}]++
			}
		}
	}
	return held, all
}

// heldThroughWait are the locks that a function certainly holds at a wait; at a deferred one
// those that it releases by a call deferred before.
func heldThroughWait(m *locks.View, fn *program.Func, w wait) []naming.Lock {
	at := ast.Node(nil)
	if s, ok := w.node.(ast.Stmt); ok {
		at = m.Graph(fn).Node(s)
	}
	if _, simple := w.node.(*ast.SendStmt); simple || at == nil {
		at = m.NodeOf(fn, w.node)
	}
	choice, _ := w.node.(*ast.SelectStmt)
	var held []naming.Lock
	for _, f := range m.Flows(fn) {
		if h, _ := f.At(at); h.Always && !(choice != nil && h.Read && LetsGo(m, fn, choice, f.Lock.Key)) && (!w.deferred || releasedLater(m, fn, f.Lock, w.node.Pos())) {
			held = append(held, f.Lock)
		}
	}
	return held
}

// releasedLater reports whether a function defers a lock's release in the text before a place.
func releasedLater(m *locks.View, fn *program.Func, l naming.Lock, before token.Pos) bool {
	return slices.ContainsFunc(m.Calls(fn), func(s program.Site) bool {
		op, ok := program.LockMethod(fn.Info(), s.Call.Fun)
		return ok && s.Call.Pos() < before && strings.HasSuffix(op.Method, "Unlock") && m.Deferred(s) && m.LockOf(fn, op).Path == l.Path
	})
}

// waitsOf lists what may wait in a function's own text. A select waits as a whole, if it does.
func waitsOf(fn *program.Func) []wait {
	var list []wait
	polled := make(map[ast.Node]bool)
	later := make(map[ast.Node]bool)                // the calls of defer statements
	labelled := make(map[ast.Stmt]*ast.LabeledStmt) // by what has a label
	add := func(n ast.Node, text string) { list = append(list, wait{n, text, later[n]}) }
	at := func(s ast.Stmt) ast.Node {
		if l := labelled[s]; l != nil {
			return l
		}
		return s
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if polled[n] {
			return true
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.LabeledStmt:
			labelled[n.Stmt] = n
		case *ast.GoStmt:
			polled[n.Call] = true
		case *ast.DeferStmt:
			later[n.Call] = true
		case *ast.SelectStmt:
			syntax.Polls(n, polled)
			if !syntax.HasDefault(n) {
				add(at(n), selectText(n))
			}
		case *ast.SendStmt:
			add(n, "send "+types.ExprString(n.Chan))
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				add(n, "receive "+types.ExprString(n.X))
			}
		case *ast.RangeStmt:
			if t := fn.Info().TypeOf(n.X); t != nil && IsChan(t) {
				add(at(n), "receive all of "+types.ExprString(n.X))
			}
		case *ast.CallExpr:
			if syntax.MayWait(syntax.Callee(fn.Info(), n.Fun), 2) {
				add(n, "call "+types.ExprString(n.Fun))
			}
		}
		return true
	})
	return list
}

// IsChan reports whether a type is that of channels.
func IsChan(t types.Type) bool { _, ok := t.Underlying().(*types.Chan); return ok }

// selectText is what a select waits for.
func selectText(s *ast.SelectStmt) string {
	var b strings.Builder
	b.WriteString("select")
	for _, c := range s.Body.List {
		switch comm := c.(*ast.CommClause).Comm.(type) {
		case *ast.SendStmt:
			b.WriteString(" send " + types.ExprString(comm.Chan))
		case *ast.ExprStmt:
			b.WriteString(" " + types.ExprString(comm.X))
		case *ast.AssignStmt:
			b.WriteString(" " + types.ExprString(comm.Rhs[0]))
		}
	}
	return b.String()
}
