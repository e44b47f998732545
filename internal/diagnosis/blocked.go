package diagnosis

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/locks"
	"mendel/analysis/locks/handed"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A waiting is a blocked goroutine of a dump.
type waiting struct {
	Place
	file  *analysis.File
	stack evidence.Stack
	lock  naming.Lock      // that it waits for; no key: it waits for something else
	holds map[string]Place // by the key of a lock that it may hold: where, of its calls, the innermost first
	other bool             // what it holds with the key of the lock that it waits for is another value's
}

// A waitings is a dump that is looked at: goroutines that wait, and cannot go on.
type waitings struct {
	looking
	all []*waiting
}

// ofBlocked finds out why the goroutines of a dump are blocked, by their stacks and the
// source: who may hold the lock that one waits for, and where the other ends of what the
// others wait for are. A goroutine that holds what another one waits for comes first.
func ofBlocked(l looking, f evidence.Failure) []Finding {
	w := &waitings{looking: l}
	for _, s := range f.Stacks {
		if !strings.HasPrefix(s.Role, "blocked: ") {
			continue
		}
		if one := w.waiting(s); one != nil {
			w.all = append(w.all, one)
		}
	}
	explained := map[*waiting]bool{}
	for _, one := range w.all {
		if one.lock.Key != "" {
			w.forLock(one, explained)
		}
	}
	// Who waits for all others may just wait for one that is blocked itself: that comes last.
	for _, last := range []bool{false, true} {
		for _, one := range w.all {
			if one.lock.Key == "" && !explained[one] && strings.Contains(one.stack.Role, "WaitGroup") == last {
				w.forOther(one)
			}
		}
	}
	return w.found
}

// waiting is a blocked goroutine; nil if it is nowhere in the program.
func (w *waitings) waiting(s evidence.Stack) *waiting {
	frame, file := w.innermost(s.Frames)
	if file == nil {
		return nil
	}
	one := &waiting{Place: w.place(file, frame.Line), file: file, stack: s, holds: map[string]Place{}}
	for _, f := range s.Frames {
		file := w.program.File(f.File)
		if file == nil {
			continue
		}
		fn := w.model.Of(w.around(file, f.Line))
		stmt := w.statement(file, f.Line)
		if fn == nil || stmt == nil {
			continue
		}
		at := w.place(file, f.Line)
		if f == frame && lockState(s.Role) {
			one.lock = w.lockAt(fn, file, f.Line)
		}
		for _, h := range w.model.HeldAt(fn, stmt) {
			if _, known := one.holds[h.Key]; !known && h.Key != "" {
				one.holds[h.Key] = at
				one.other = one.other || f == frame && h.Key == one.lock.Key && h.Path != one.lock.Path
			}
		}
	}
	return one
}

// lockState reports whether a goroutine of a dump waits for a mutex.
func lockState(role string) bool {
	return strings.Contains(role, "Mutex") || strings.HasSuffix(role, "semacquire")
}

// statement is the innermost statement that a line is in.
func (l *looking) statement(f *analysis.File, line int) (found ast.Stmt) {
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if n == nil || line < l.line(n.Pos()) || line > l.line(n.End()) {
			return false
		}
		if s, ok := n.(ast.Stmt); ok && !syntax.IsClause(s) {
			if _, block := s.(*ast.BlockStmt); !block && (found == nil || l.line(s.Pos()) <= line) {
				found = s
			}
		}
		return true
	})
	return found
}

// lockAt is the lock that a line takes; without a key if it takes none.
func (w *waitings) lockAt(fn *program.Func, f *analysis.File, line int) (lock naming.Lock) {
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && w.line(call.Pos()) == line && lock.Key == "" {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && (sel.Sel.Name == "Lock" || sel.Sel.Name == "RLock") {
				lock, _ = w.model.LockOf(fn, call)
			}
		}
		return true
	})
	return lock
}

// forLock explains a wait for a lock by who may hold it.
func (w *waitings) forLock(one *waiting, explained map[*waiting]bool) {
	name := short(one.lock.Key)
	if at, own := one.holds[one.lock.Key]; own && !one.other {
		w.add(Finding{
			Fault: evidence.SelfDeadlock, Places: []Place{one.Place, at}, Lock: one.lock.Key,
			Says: fmt.Sprintf("%v locks %s, which the same goroutine may hold since it came through %v", one.Place, name, at),
		})
		return
	}
	for _, o := range w.all {
		at, holds := o.holds[one.lock.Key]
		if !holds || o == one {
			continue
		}
		mine, both := one.holds[o.lock.Key]
		switch {
		case o.lock.Key != "" && both:
			w.add(Finding{
				Fault: evidence.LockOrderInversion, Places: []Place{mine, at, one.Place, o.Place}, Lock: one.lock.Key,
				Says: fmt.Sprintf("%v waits for %s with %s, and %v for %s with %s", one.Place, name, short(o.lock.Key), o.Place, short(o.lock.Key), name),
			})
		case o.lock.Key == "":
			explained[o] = true
			w.add(Finding{
				Fault: evidence.BlockedHoldingLock, Places: []Place{at, o.Place, one.Place}, Lock: one.lock.Key,
				Says: fmt.Sprintf("%v waits, and the goroutine may hold %s since it came through %v; %v waits for that", o.Place, name, at, one.Place),
			})
		default:
			continue // who waits for a lock is looked at by itself
		}
		return
	}
	if !slices.ContainsFunc(w.all, func(o *waiting) bool { _, holds := o.holds[one.lock.Key]; return holds }) {
		w.leftLocked(one, name)
	}
}

// leftLocked finds the exits at which functions may leave a lock held that nobody who is
// there holds.
func (w *waitings) leftLocked(one *waiting, name string) {
	w.functions(func(fn *program.Func) {
		seen := map[naming.Path]bool{}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if _, inner := n.(*ast.FuncLit); inner {
				return false
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			l, ok := w.model.LockOf(fn, call)
			if !ok || l.Key != one.lock.Key || seen[l.Path] {
				return true
			}
			seen[l.Path] = true
			taken, changes := given(w.model, fn, l, call)
			took := w.place(fn.File, w.line(taken))
			if b := w.model.Balance(fn, l, false); b != nil {
				faults, _ := b.Try(changes...)
				on := handed.By(w.model, fn, l)
				for _, f := range faults {
					ret, _ := f.Node.(*ast.ReturnStmt)
					if f.Kind != locks.LeftHeld && f.Kind != locks.IterationHeld || slices.Contains(on, ret) {
						continue
					}
					at := w.place(fn.File, w.line(f.Node.Pos()))
					w.add(Finding{
						Fault: evidence.LockNotReleased, Places: []Place{at, took, one.Place}, Lock: one.lock.Key,
						Says: fmt.Sprintf("%v leaves with %s, which is taken at %v and waited for at %v", at, name, took, one.Place),
					})
				}
			}
			return true
		})
	})
}

// given is where a function gets a lock from a helper, and what stands for its acquisition; where it does not get it,
// it is the first call of the lock.
func given(m *locks.Model, fn *program.Func, l naming.Lock, first *ast.CallExpr) (at token.Pos, taken []locks.Change) {
	at = first.Pos()
	for _, got := range handed.To(m, fn) {
		if got.Path == l.Path {
			at, taken = got.At.Pos(), append(taken, got.Taken)
		}
	}
	return at, taken
}

// functions visits the functions of the program that are in no test.
func (l *looking) functions(visit func(*program.Func)) {
	for _, pkg := range l.program.Packages {
		for _, f := range pkg.Files {
			if f.Test {
				continue
			}
			for _, fn := range l.model.In(f) {
				visit(fn)
			}
		}
	}
}

// An end is an operation on what goroutines meet at.
type end struct {
	Place
	of   *types.Var
	does string // "send", "receive", "close", "Add", "Done", "Wait", "Signal", "Broadcast"
	exit Place  // of a Done that is not deferred: a return of its function before it; zero: there is none
}

// forOther explains a wait for anything but a lock by the operations on the same channel,
// wait group or condition that would end it, and that are not there.
func (w *waitings) forOther(one *waiting) {
	waits := w.endsAt(one.file, one.Line)
	for _, e := range waits {
		fault, ending := endedBy(e.does)
		if fault == "" {
			continue
		}
		f := Finding{Fault: fault, Places: []Place{one.Place}, Variable: e.of.Name()}
		var others []string
		w.ends(func(o end) {
			if o.of != e.of || !slices.Contains(ending, o.does) {
				return
			}
			for _, p := range []Place{o.exit, o.Place} {
				if p != (Place{}) && p != one.Place && !slices.Contains(f.Places, p) {
					f.Places = append(f.Places, p)
					others = append(others, p.String())
				}
			}
		})
		f.Says = fmt.Sprintf("%v waits at %s, and nothing in the program ends that", one.Place, e.of.Name())
		if len(others) > 0 {
			f.Says = fmt.Sprintf("%v waits at %s, and what could end that, at %s, does not come", one.Place, e.of.Name(), strings.Join(others, ", "))
		}
		if fault == evidence.WaitWithoutDone {
			// The wait is where it shows; who forgets the Done is where it is mended.
			f.Places = append(f.Places[1:], one.Place)
		}
		w.add(f)
		if fault == evidence.SenderAlone { // the sends of a select are what finds nobody
			return
		}
	}
}

// endedBy is the fault of a wait that does not end, and what would end it; "": it is none.
func endedBy(does string) (evidence.Fault, []string) {
	switch does {
	case "send":
		return evidence.SenderAlone, []string{"receive"}
	case "receive":
		return evidence.ReceiverAlone, []string{"send", "close"}
	case "Wait":
		return evidence.WaitWithoutDone, []string{"Done"}
	case "cond Wait":
		return evidence.MissedSignal, []string{"Signal", "Broadcast"}
	}
	return "", nil
}

// endsAt are the operations of a line, with those of the cases of a select that begins there:
// sends first.
func (w *waitings) endsAt(f *analysis.File, line int) (list []end) {
	from, to := line, line
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectStmt); ok && w.line(s.Pos()) == line {
			to = w.line(s.End())
			for _, c := range s.Body.List {
				if comm := c.(*ast.CommClause).Comm; comm != nil {
					w.endsIn(f, comm, func(e end) { list = append(list, e) })
				}
			}
		}
		return true
	})
	if to == from {
		w.endsIn(f, f.AST, func(e end) {
			if e.Line == line {
				list = append(list, e)
			}
		})
	}
	slices.SortStableFunc(list, func(a, b end) int { return strings.Compare(b.does, a.does) })
	return list
}

// ends visits the operations of the program.
func (w *waitings) ends(visit func(end)) {
	for _, pkg := range w.program.Packages {
		for _, f := range pkg.Files {
			if !f.Test {
				w.endsIn(f, f.AST, visit)
			}
		}
	}
}

// endsIn visits the operations of some code.
func (w *waitings) endsIn(f *analysis.File, code ast.Node, visit func(end)) {
	info := f.Package.Info
	syntax.Walk(code, func(n ast.Node, path []ast.Node) {
		e := end{}
		switch n := n.(type) {
		case *ast.SendStmt:
			e.does, e.of = "send", syntax.Variable(info, n.Chan)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				e.does, e.of = "receive", syntax.Variable(info, n.X)
			}
		case *ast.RangeStmt:
			if _, ok := info.TypeOf(n.X).Underlying().(*types.Chan); ok {
				e.does, e.of = "receive", syntax.Variable(info, n.X)
			}
		case *ast.CallExpr:
			w.called(f, n, path, &e)
		}
		if e.of != nil && e.does != "" {
			e.of, e.Place = e.of.Origin(), w.place(f, w.line(n.Pos()))
			visit(e)
		}
	})
}

// called is the operation of a call.
func (w *waitings) called(f *analysis.File, call *ast.CallExpr, path []ast.Node, e *end) {
	info := f.Package.Info
	if syntax.Builtin(info, call) == "close" {
		e.does, e.of = "close", syntax.Variable(info, call.Args[0])
		return
	}
	fn := syntax.Callee(info, call.Fun)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if fn == nil || !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
		return
	}
	switch of := syntax.Receiver(fn); {
	case of == "WaitGroup" && fn.Name() == "Go":
		e.does, e.of = "Done", syntax.Variable(info, sel.X)
	case of == "WaitGroup":
		e.does, e.of = fn.Name(), syntax.Variable(info, sel.X)
		if _, deferred := path[len(path)-1].(*ast.DeferStmt); e.does == "Done" && !deferred {
			e.exit = w.exitBefore(f, call)
		}
	case of == "Cond" && fn.Name() == "Wait":
		e.does, e.of = "cond Wait", syntax.Variable(info, sel.X)
	case of == "Cond":
		e.does, e.of = fn.Name(), syntax.Variable(info, sel.X)
	}
}

// exitBefore is the first return of the function around a call that comes before it.
func (w *waitings) exitBefore(f *analysis.File, call *ast.CallExpr) (exit Place) {
	around := w.around(f, w.line(call.Pos()))
	if around == nil {
		return Place{}
	}
	ast.Inspect(around, func(n ast.Node) bool {
		if lit, inner := n.(*ast.FuncLit); inner && ast.Node(lit) != around {
			return false
		}
		if r, ok := n.(*ast.ReturnStmt); ok && r.Pos() < call.Pos() && exit == (Place{}) {
			exit = w.place(f, w.line(r.Pos()))
		}
		return true
	})
	return exit
}
