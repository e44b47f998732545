package diagnosis

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/splits"
	"mendel/analysis/syntax"
)

// enders are the names of methods that end a value.
var enders = []string{"Close", "Stop", "Shutdown"}

// ofTest finds what an assertion of a test may have met: the test has ended a value whose goroutines go on, or it
// has called what takes a lock twice.
func ofTest(l looking, f evidence.Failure) []Finding {
	test, _, _ := strings.Cut(f.Test, "/")
	l.tests(test, func(file *analysis.File, fn *ast.FuncDecl) {
		for _, e := range l.ends(file, fn.Body, l.line(fn.End())) {
			if start, ok := l.startedBy(e.owner); ok {
				l.add(Finding{
					Fault: evidence.WaitNotForAll, Places: []Place{e.Place, start},
					Says: fmt.Sprintf("%v ends a value, and does not wait for the goroutine that is started at %v", e.Place, start),
				})
			}
		}
		l.behind(fn)
	})
	return l.found
}

// behind adds the functions that a test runs which act under a lock on what a function has found that they call, and
// that takes the lock itself.
func (l *looking) behind(test *ast.FuncDecl) {
	var runs []*program.Func
	ast.Inspect(test, func(n ast.Node) bool {
		if fn := l.model.Of(n); fn != nil {
			runs = append(runs, fn)
		}
		return true
	})
	m := l.model.Lock()
	defer l.model.Unlock()
	reached := make(map[*program.Func]bool)
	for _, fn := range runs {
		maps.Copy(reached, m.Running(fn))
	}
	fns := slices.DeleteFunc(slices.Clone(m.Shipped()), func(fn *program.Func) bool { return !reached[fn] })
	for _, s := range splits.Behind(m, fns) {
		at := func(u access.Use) Place { return l.place(s.In.File, l.line(u.At.Pos())) }
		l.add(Finding{
			Fault: evidence.CheckThenAct, Places: []Place{at(s.Read), at(s.Written)}, Variable: s.Written.Name, Lock: s.Lock,
			Says: fmt.Sprintf("%s, which is read at %v under %s, decides on what is written to %s at %v under a later acquisition",
				s.Read.Name, at(s.Read), short(s.Lock), s.Written.Name, at(s.Written)),
		})
	}
}

// endNotWaited explains a race with a goroutine of a value that was ended before: the method that ends it does not
// wait for the goroutine.
func (r *racing) endNotWaited() {
	for i, s := range r.sides {
		o := r.sides[1-i]
		for _, at := range slices.Concat(o.stack.Frames, o.stack.Created) {
			file := r.program.File(at.File)
			if file == nil {
				continue
			}
			around := r.around(file, at.Line)
			if around == nil {
				continue
			}
			for _, e := range r.ends(file, around, at.Line) {
				if !r.runsMethodOf(s, e.owner) {
					continue
				}
				r.add(Finding{
					Fault: evidence.WaitNotForAll, Places: []Place{e.Place, s.Place, o.Place}, Certainty: Likely,
					Says: fmt.Sprintf("%v ends a value and does not wait for its goroutine: %v runs while %v goes on", e.Place, s.Place, o.Place),
				})
				return
			}
		}
	}
}

// An ending is a method that ends a value, and waits for nobody.
type ending struct {
	Place
	owner string // key of its type
}

// ends are the methods that code calls above a line to end values of the program, and that do not wait. What is deferred
// is left out.
func (l *looking) ends(f *analysis.File, code ast.Node, line int) (all []ending) {
	ast.Inspect(code, func(n ast.Node) bool {
		if _, deferred := n.(*ast.DeferStmt); deferred {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || l.line(call.Pos()) >= line {
			return true
		}
		fn := syntax.Callee(f.Package.Info, call.Fun)
		if fn == nil || !slices.Contains(enders, fn.Name()) || fn.Signature().Recv() == nil {
			return true
		}
		to := l.model.Named(fn.Origin().FullName())
		if to == nil || to.File.Test || l.waits(to) {
			return true
		}
		e := ending{l.place(to.File, l.line(to.Node.Pos())), program.TypeKey(fn.Signature().Recv().Type())}
		if !slices.Contains(all, e) {
			all = append(all, e)
		}
		return true
	})
	return all
}

// startedBy is where a method of a type starts a goroutine.
func (l *looking) startedBy(owner string) (at Place, ok bool) {
	l.functions(func(fn *program.Func) {
		if ok || !methodOf(fn, owner) {
			return
		}
		syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
			if g, isGo := n.(*ast.GoStmt); isGo && !ok {
				at, ok = l.place(fn.File, l.line(g.Pos())), true
			}
		})
	})
	return at, ok
}

// runsMethodOf reports whether the goroutine of a side runs a method of a type, or a literal in one.
func (r *racing) runsMethodOf(s side, owner string) (runs bool) {
	for _, at := range s.stack.Frames {
		file := r.program.File(at.File)
		if file == nil || file.Test {
			continue
		}
		for _, fn := range r.model.In(file) {
			runs = runs || methodOf(fn, owner) && r.line(fn.Node.Pos()) <= at.Line && at.Line <= r.line(fn.Node.End())
		}
	}
	return runs
}

// methodOf reports whether a function is a method of a type, or a literal in one.
func methodOf(fn *program.Func, owner string) bool {
	if fn.Decl == nil || fn.Decl.Object == nil {
		return false
	}
	recv := fn.Decl.Object.Signature().Recv()
	return recv != nil && program.TypeKey(recv.Type()) == owner
}

// waits reports whether a function, or what it calls in the program, waits for a group or receives.
func (l *looking) waits(fn *program.Func) bool {
	m := l.model.Lock()
	defer l.model.Unlock()
	for to := range m.Running(fn) {
		waits := syntax.Any(to.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.UnaryExpr:
				return n.Op == token.ARROW
			case *ast.CallExpr:
				f := syntax.Callee(to.Info(), n.Fun)
				return f != nil && f.Name() == "Wait"
			}
			return false
		})
		if waits {
			return true
		}
	}
	return false
}
