package diagnosis

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/guards"
	"mendel/analysis/locks/splits"
	"mendel/analysis/syntax"
)

// A side is one of the two accesses of a race.
type side struct {
	Place
	file  *analysis.File
	test  bool
	write bool
	uses  []access.Use // of variables on its line
	stack evidence.Stack
}

// A racing is a race that is looked at.
type racing struct {
	looking
	sides [2]side
}

// ofRace finds what is wrong where two goroutines race, the likeliest first; nothing if the
// failure has no places in the program.
func ofRace(l looking, f evidence.Failure) []Finding {
	if len(f.Stacks) < 2 {
		return nil
	}
	r := &racing{looking: l}
	for i := range r.sides {
		s, ok := r.side(f.Stacks[i])
		if !ok {
			return nil
		}
		r.sides[i] = s
	}
	if r.waitGroup() || r.closing() {
		return r.found
	}
	r.copied()
	r.endNotWaited()
	switch key := r.common(); {
	case key != "":
		r.shared(key)
	case !r.looped():
		r.underCallers()
		r.order("", false, false)
		r.aliased()
	}
	return r.found
}

// side is where a goroutine was in the module.
func (r *racing) side(stack evidence.Stack) (s side, ok bool) {
	stack.Frames = slices.DeleteFunc(slices.Clone(stack.Frames), func(f evidence.Frame) bool { return wrapper.MatchString(f.Func) })
	frame, file := r.innermost(stack.Frames)
	if file == nil {
		return side{}, false
	}
	s = side{Place: r.place(file, frame.Line), file: file, test: file.Test, write: strings.Contains(stack.Role, "write"), stack: stack}
	for _, u := range access.All(r.model) {
		if u.In.File == file && r.line(u.At.Pos()) == frame.Line {
			s.uses = append(s.uses, u)
		}
	}
	return s, true
}

// wrapper names the function that the compiler makes of a go statement with arguments: it
// stands for the statement, and is no call of the goroutine.
var wrapper = regexp.MustCompile(`\.gowrap\d+$`)

// innermost is the first frame of a stack in the module.
func (l *looking) innermost(frames []evidence.Frame) (evidence.Frame, *analysis.File) {
	for _, f := range frames {
		if file := l.program.File(f.File); file != nil {
			return f, file
		}
	}
	return evidence.Frame{}, nil
}

func (l *looking) line(pos token.Pos) int { return l.program.Fset.Position(pos).Line }

// place is a line with the declared function around it.
func (l *looking) place(f *analysis.File, line int) Place {
	p := Place{File: f.Rel, Line: line}
	for _, d := range f.AST.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && l.line(fn.Pos()) <= line && line <= l.line(fn.End()) {
			p.Func = analysis.FuncName(fn)
		}
	}
	return p
}

// of is the place of a use.
func (l *looking) of(u access.Use) Place { return l.place(u.In.File, l.line(u.At.Pos())) }

func (p Place) String() string { return p.File + ":" + strconv.Itoa(p.Line) }

// common is the key of the variable that both lines use, and that a line which writes
// changes, if any does.
func (r *racing) common() (key string) {
	for _, u := range r.sides[0].uses {
		for _, o := range r.sides[1].uses {
			if u.Key != o.Key {
				continue
			}
			if key == "" || r.sides[0].write && u.Write || r.sides[1].write && o.Write {
				key = u.Key
			}
			if r.sides[0].write && u.Write || r.sides[1].write && o.Write {
				return key
			}
		}
	}
	return key
}

// waitGroup explains a race of a wait group's own memory: it is counted up when somebody
// waits already.
func (r *racing) waitGroup() bool {
	inGroup := func(s side) bool {
		return r.waitGroupAt(s) || slices.ContainsFunc(s.stack.Frames, func(f evidence.Frame) bool { return strings.HasPrefix(f.Func, "sync.(*WaitGroup).") })
	}
	a, b := r.sides[0], r.sides[1]
	if !inGroup(a) || !inGroup(b) {
		return false
	}
	for _, s := range [][2]side{{a, b}, {b, a}} {
		r.askedBefore(s[0], s[1])
	}
	r.add(Finding{
		Fault: evidence.WaitNotForAll, Places: []Place{a.Place, b.Place}, Certainty: Likely,
		Says: fmt.Sprintf("the wait group is used at %v while it is used at %v: what is to be waited for is not counted in time", a.Place, b.Place),
	})
	return true
}

// waitGroupAt reports whether the line of a side calls a method of a wait group.
func (r *racing) waitGroupAt(s side) bool {
	f := s.file
	return syntax.Any(f.AST, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && r.line(call.Pos()) == s.Line && groupMethod(f, call) != ""
	})
}

// askedBefore explains an Add during a Wait by a flag: who waits has set it under a lock, and
// who adds has asked for it under that lock in a section that has ended since.
func (r *racing) askedBefore(adds, waits side) {
	for _, w := range access.All(r.model) {
		v := syntax.Variable(w.In.File.Package.Info, w.At)
		if !w.Write || v == nil || !isFlag(v.Type()) || r.of(w).Func != waits.Func || r.of(w).File != waits.File {
			continue
		}
		for _, p := range r.path(adds)[1:] {
			i := slices.IndexFunc(access.All(r.model), func(u access.Use) bool {
				return u.Key == w.Key && !u.Write && r.of(u).File == p.File && r.of(u).Func == p.Func
			})
			if i < 0 {
				continue
			}
			asks := r.of(access.All(r.model)[i])
			r.add(Finding{
				Fault: evidence.CheckThenAct, Places: []Place{adds.Place, asks}, Variable: w.Name, Certainty: Likely,
				Says: fmt.Sprintf("%v adds to the wait group after %s was asked at %v, and %v sets it meanwhile and waits at %v", adds.Place, w.Name, asks, r.of(w), waits.Place),
			})
			return
		}
	}
}

func isFlag(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// closing explains a race of a channel's own memory: one closes it, the other one sends.
func (r *racing) closing() bool {
	for i, s := range r.sides {
		o := r.sides[1-i]
		if r.closes(s) && r.sends(o) {
			r.add(Finding{
				Fault: evidence.CloseDuringSend, Places: []Place{o.Place, s.Place},
				Says: fmt.Sprintf("%v sends while the channel is closed at %v", o.Place, s.Place),
			})
			return true
		}
	}
	return false
}

// closes reports whether the line of a side closes a channel.
func (r *racing) closes(s side) bool {
	f := r.program.File(s.File)
	return syntax.Any(f.AST, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && r.line(call.Pos()) == s.Line && syntax.Builtin(f.Package.Info, call) == "close"
	})
}

// sends reports whether the line of a side sends to a channel, in a select that begins there
// for one.
func (r *racing) sends(s side) bool {
	return syntax.Any(r.program.File(s.File).AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			return r.line(n.Pos()) == s.Line
		case *ast.SelectStmt:
			return r.line(n.Pos()) == s.Line && slices.ContainsFunc(n.Body.List, func(c ast.Stmt) bool {
				_, ok := c.(*ast.CommClause).Comm.(*ast.SendStmt)
				return ok
			})
		}
		return false
	})
}

// shared explains a race of a variable that both lines use.
func (r *racing) shared(key string) {
	guard, guarded := guards.Of(r.model, key)
	guarded = guarded && (guard.Written || 2*len(guard.Held) >= len(guard.Held)+len(guard.Exceptions) || writtenUnder(guard))
	name, v := r.named(key)
	local := strings.Contains(key, ":")
	r.shallow(name, v)
	if guarded {
		r.unguarded(key, guard)
		r.order(name, true, local)
		return
	}
	r.underCallers()
	r.order(name, false, local)
	places := []Place{r.sides[0].Place, r.sides[1].Place}
	switch {
	case local:
		r.add(Finding{
			Fault: evidence.CapturedVariable, Places: places, Variable: name,
			Says: fmt.Sprintf("%s is a local variable that a goroutine shares: it is used at %s", name, both(places)),
		})
	case v != nil && emptyAtFirst(v.Type()) && r.asksForEmpty(v):
		r.add(Finding{
			Fault: evidence.Publication, Places: places, Variable: name,
			Says: fmt.Sprintf("%s gets to other goroutines at %v without what orders its use at %v", name, places[0], places[1]),
		})
	}
	r.notWaited(name)
	r.add(Finding{
		Fault: evidence.DataRace, Places: places, Variable: name, Lock: guard.Lock,
		Says: fmt.Sprintf("no lock guards %s, which is used at %s", name, both(places)),
	})
	r.split(key)
}

// both are two places in words.
func both(places []Place) string {
	if places[0] == places[1] {
		return places[0].String() + " by several goroutines"
	}
	return places[0].String() + " and " + places[1].String()
}

// copied finds the methods on the way to a race whose receiver is a copy with a lock in it:
// whatever they lock, they exclude nobody.
func (r *racing) copied() {
	var places []Place
	for _, s := range r.sides {
		for _, f := range s.stack.Frames {
			file := r.program.File(f.File)
			if file == nil {
				continue
			}
			i := slices.IndexFunc(file.AST.Decls, func(d ast.Decl) bool { return r.line(d.Pos()) <= f.Line && f.Line <= r.line(d.End()) })
			if i < 0 {
				continue
			}
			fn, ok := file.AST.Decls[i].(*ast.FuncDecl)
			if !ok || fn.Recv == nil || !analysis.HoldsLock(file.Package.Info.TypeOf(fn.Recv.List[0].Type)) {
				continue
			}
			if p := r.place(file, r.line(fn.Name.Pos())); !slices.Contains(places, p) {
				places = append(places, p)
			}
		}
	}
	if len(places) > 0 {
		r.add(Finding{
			Fault: evidence.CopiedLock, Places: places, Certainty: Likely,
			Says: fmt.Sprintf("%v and %v come through %v, whose receiver is a copy with a lock of its own", r.sides[0].Place, r.sides[1].Place, places[0]),
		})
	}
}

// looped explains a race of a loop's own variable, which the loop sets anew for each turn while
// a goroutine of an earlier turn uses it.
func (r *racing) looped() bool {
	for i, s := range r.sides {
		o := r.sides[1-i]
		for _, v := range r.setByLoop(s) {
			f := o.file
			uses := syntax.Any(f.AST, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				return ok && r.line(id.Pos()) == o.Line && f.Package.Info.Uses[id] == v
			})
			if uses {
				r.add(Finding{
					Fault: evidence.CapturedVariable, Places: []Place{o.Place, s.Place}, Variable: v.Name(),
					Says: fmt.Sprintf("%s, which the loop at %v sets for each turn, is used at %v by a goroutine that may run later", v.Name(), s.Place, o.Place),
				})
				return true
			}
		}
	}
	return false
}

// setByLoop are the variables that a loop which begins on the line of a side sets.
func (r *racing) setByLoop(s side) (all []types.Object) {
	f := s.file
	ast.Inspect(f.AST, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || r.line(loop.Pos()) != s.Line {
			return true
		}
		for _, e := range []ast.Expr{loop.Key, loop.Value} {
			if id, ok := e.(*ast.Ident); ok {
				if v := f.Package.Info.ObjectOf(id); v != nil {
					all = append(all, v)
				}
			}
		}
		return true
	})
	return all
}

// asksForEmpty reports whether the package of a variable asks whether it is nil.
func (r *racing) asksForEmpty(v *types.Var) bool {
	return slices.ContainsFunc(r.program.Packages, func(pkg *analysis.Package) bool {
		return slices.ContainsFunc(pkg.Files, func(f *analysis.File) bool {
			return !f.Test && syntax.Any(f.AST, func(n ast.Node) bool {
				cond, ok := n.(*ast.BinaryExpr)
				if !ok || !syntax.Compares(cond.Op) {
					return false
				}
				is := func(e ast.Expr) bool {
					x := syntax.Variable(pkg.Info, e)
					return x != nil && x.Origin() == v.Origin()
				}
				return is(cond.X) && pkg.Info.Types[cond.Y].IsNil() || is(cond.Y) && pkg.Info.Types[cond.X].IsNil()
			})
		})
	})
}

// notWaited explains a race of a goroutine with a function that has waited at a wait group: the
// goroutine itself is not counted there.
func (r *racing) notWaited(name string) {
	for i, s := range r.sides {
		o := r.sides[1-i]
		waited := r.waitsBefore(o)
		runs := r.outermost(s)
		if waited == (Place{}) || runs == nil || r.counted(runs) {
			continue
		}
		r.add(Finding{
			Fault: evidence.WaitNotForAll, Places: []Place{waited, s.Place, o.Place}, Variable: name, Certainty: Likely,
			Says: fmt.Sprintf("%v waits before %s is used at %v, and not for the goroutine that uses it at %v", waited, name, o.Place, s.Place),
		})
		return
	}
}

// waitsBefore is the wait at a wait group that the function around a side makes before it;
// zero: it makes none.
func (r *racing) waitsBefore(s side) (at Place) {
	f := s.file
	around := r.around(f, s.Line)
	if around == nil || s.test {
		return Place{}
	}
	ast.Inspect(around, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && r.line(call.Pos()) < s.Line && groupMethod(f, call) == "Wait" {
			at = r.place(f, r.line(call.Pos()))
		}
		return true
	})
	return at
}

// outermost is the function or literal that the goroutine of a side runs; nil: it is not known.
func (r *racing) outermost(s side) (runs ast.Node) {
	for _, f := range slices.Backward(s.stack.Frames) {
		if file := r.program.File(f.File); file != nil {
			if file.Test {
				return nil
			}
			return r.around(file, f.Line)
		}
	}
	return nil
}

// counted reports whether a function calls Done of a wait group, or what starts it does so.
func (r *racing) counted(runs ast.Node) bool {
	fn := r.model.Of(runs)
	return fn == nil || syntax.Any(runs, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && groupMethod(fn.File, call) == "Done"
	}) || syntax.Any(fn.File.AST, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && groupMethod(fn.File, call) == "Go" && len(call.Args) == 1 && syntax.Within(runs, ast.Node(call))
	})
}

// groupMethod is the method of a wait group that a call calls; "": it calls none.
func groupMethod(f *analysis.File, call *ast.CallExpr) string {
	fn := syntax.Callee(f.Package.Info, call.Fun)
	if fn == nil || syntax.Receiver(fn) != "WaitGroup" || fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
		return ""
	}
	return fn.Name()
}

// writtenUnder reports whether a lock is held at all writes of a variable: it is there for who
// reads, however many forget it.
func writtenUnder(g guards.Guard) bool {
	writes := func(u access.Use) bool { return u.Write }
	return slices.ContainsFunc(g.Held, writes) && !slices.ContainsFunc(g.Exceptions, writes)
}

// named is the name of a variable that both lines use, and the variable.
func (r *racing) named(key string) (string, *types.Var) {
	for _, u := range r.sides[0].uses {
		if u.Key == key {
			return u.Name, syntax.Variable(u.In.File.Package.Info, u.At)
		}
	}
	return "", nil
}

// emptyAtFirst reports whether values of a type may be missing.
func emptyAtFirst(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Interface:
		return true
	}
	return false
}

// unguarded finds the sides that do not hold the guard, and what they hold instead.
func (r *racing) unguarded(key string, guard guards.Guard) {
	says := func(s side, what string) string {
		return fmt.Sprintf("%v uses %s %s, which is held at %d of its %d uses", s.Place, guard.Name, what, len(guard.Held), len(guard.Held)+len(guard.Exceptions))
	}
	lock := short(guard.Lock)
	missing := len(r.found)
	for _, s := range r.sides {
		if i := slices.IndexFunc(s.uses, func(u access.Use) bool { return u.Key == key && guards.Guards(r.model, u, guard.Lock) != guards.Always }); i >= 0 {
			f := Finding{Places: []Place{s.Place}, Variable: guard.Name, Lock: guard.Lock}
			switch u := s.uses[i]; {
			case guards.ForReading(r.model, u, guard.Lock):
				f.Fault, f.Says = evidence.ReadLockForWrite, says(s, "under the read side of "+lock)
				f.Places = r.path(s)
			case len(r.others(u, guard.Lock)) > 0:
				f.Fault, f.Says = evidence.WrongLock, says(s, "under "+short(r.others(u, guard.Lock)[0])+", not "+lock)
			default:
				f.Fault, f.Says = evidence.MissingLock, says(s, "without "+lock)
				f.Places = r.path(s)
			}
			r.add(f)
		}
	}
	if len(r.found) == missing { // both hold it, of different values perhaps
		if _, v := r.named(key); v != nil && leadsOn(v.Type()) {
			r.add(Finding{
				Fault: evidence.HandedOut, Places: r.givers(key, r.sides[0].Place), Variable: guard.Name, Lock: guard.Lock,
				Says: fmt.Sprintf("two values have one %s: %v and %v hold %s, each its own", guard.Name, r.sides[0].Place, r.sides[1].Place, lock),
			})
		}
		r.add(Finding{
			Fault: evidence.WrongLock, Places: []Place{r.sides[0].Place, r.sides[1].Place}, Variable: guard.Name, Lock: guard.Lock,
			Says: fmt.Sprintf("%v and %v hold %s, but not of the same value", r.sides[0].Place, r.sides[1].Place, lock),
		})
	}
	r.split(key)
}

// path are the places by which a side was reached, its own first: a caller may be the one who
// takes the lock, or who should. Tests should not.
func (r *racing) path(s side) []Place {
	list := []Place{s.Place}
	for _, f := range s.stack.Frames {
		file := r.program.File(f.File)
		if file == nil || file.Test {
			continue
		}
		p := r.place(file, f.Line)
		if !slices.ContainsFunc(list, func(o Place) bool { return o.File == p.File && o.Func == p.Func }) {
			list = append(list, p)
		}
	}
	return list
}

// others are the keys of the locks that may be held at a use, the guard left out.
func (r *racing) others(u access.Use, guard string) []string {
	return slices.DeleteFunc(slices.Clone(guards.LocksAt(r.model, u)), func(key string) bool { return key == guard })
}

// split adds the functions that read the variable under a lock, let the lock go, and write
// back what follows: with the race mended, theirs is left.
func (r *racing) split(key string) {
	for _, s := range splits.All(r.model) {
		if s.Written.Key != key {
			continue
		}
		at := r.of(s.Read)
		r.add(Finding{
			Fault: evidence.CheckThenAct, Places: []Place{at, r.of(s.Written)}, Variable: s.Written.Name, Lock: s.Lock,
			Says: fmt.Sprintf("%s, which is read at %v under %s, is written at %v under a later acquisition", s.Read.Name, at, short(s.Lock), r.of(s.Written)),
		})
	}
}

// order explains a race of a goroutine with the function that has started it, or with those
// that this function has given its value to. Where a lock guards the variable, the order is
// only wrong if the lock does not mend the race. A local variable is not given to others.
func (r *racing) order(name string, guarded, local bool) {
	for i, s := range r.sides {
		o := r.sides[1-i]
		start, around := r.start(s)
		if around == nil || r.inTest(start) && !s.test && !o.test { // a test calls what it calls side by side
			continue
		}
		f := Finding{Fault: evidence.OrderViolation, Places: []Place{start, s.Place, o.Place}, Variable: name}
		at, ok := r.within(o, around)
		switch {
		case ok && at.Line > start.Line && o.write:
			f.Says = fmt.Sprintf("%v writes after the goroutine has been started at %v, which uses it at %v", at, start, s.Place)
		case guarded:
			continue
		case ok && at.Line > start.Line:
			f.Fault = evidence.WaitNotForAll
			f.Says = fmt.Sprintf("%v reads what the goroutine that is started at %v writes at %v, and does not wait for it", at, start, s.Place)
		case s.write && !ok && !local && r.itself(s):
			f.Says = fmt.Sprintf("the goroutine that is started at %v writes itself, at %v, what others use at %v as soon as it is started", start, s.Place, o.Place)
		default:
			continue
		}
		r.add(f)
	}
}

func (l *looking) inTest(p Place) bool {
	return slices.ContainsFunc(l.program.Packages, func(pkg *analysis.Package) bool {
		return slices.ContainsFunc(pkg.Files, func(f *analysis.File) bool { return f.Rel == p.File && f.Test })
	})
}

// itself reports whether the function that a goroutine runs has the line of a side, and no
// function that it calls.
func (r *racing) itself(s side) bool {
	n := 0
	for _, f := range s.stack.Frames {
		if r.program.File(f.File) != nil {
			n++
		}
	}
	return n == 1
}

// start is where the goroutine of a side was started, and the function, or literal, around
// that: as the failure has it, or else the only go statement of what the goroutine runs.
// around is nil if it is not known.
func (r *racing) start(s side) (at Place, around ast.Node) {
	if created, file := r.innermost(s.stack.Created); file != nil {
		return r.place(file, created.Line), r.around(file, created.Line)
	}
	for i := len(s.stack.Frames) - 1; i >= 0; i-- {
		f := s.stack.Frames[i]
		if file := r.program.File(f.File); file != nil {
			return r.startOf(file, r.around(file, f.Line))
		}
	}
	return Place{}, nil
}

// startOf is the only go statement of a function or literal.
func (l *looking) startOf(f *analysis.File, runs ast.Node) (at Place, around ast.Node) {
	found := 0
	for _, pkg := range l.program.Packages {
		for _, file := range pkg.Files {
			ast.Inspect(file.AST, func(n ast.Node) bool {
				if stmt, ok := n.(*ast.GoStmt); ok && starts(file, stmt, f, runs) {
					found++
					line := l.line(stmt.Pos())
					at, around = l.place(file, line), l.around(file, line)
				}
				return true
			})
		}
	}
	if found != 1 {
		return Place{}, nil
	}
	return at, around
}

// starts reports whether a go statement runs a function or literal of a file.
func starts(in *analysis.File, stmt *ast.GoStmt, f *analysis.File, runs ast.Node) bool {
	switch runs := runs.(type) {
	case *ast.FuncLit:
		return ast.Unparen(stmt.Call.Fun) == runs
	case *ast.FuncDecl:
		fn := syntax.Callee(in.Package.Info, stmt.Call.Fun)
		return fn != nil && f.Package.Info.Defs[runs.Name] == fn.Origin()
	}
	return false
}

// around is the innermost function or literal around a line; a literal that begins on it is
// what the line is about.
func (l *looking) around(f *analysis.File, line int) (found ast.Node) {
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if l.line(n.Pos()) <= line && line <= l.line(n.End()) {
				found = n
			}
		case *ast.FuncLit:
			if l.line(n.Pos()) < line && line <= l.line(n.End()) {
				found = n
			}
		}
		return true
	})
	return found
}

// within is where a side is in a function or literal.
func (r *racing) within(s side, around ast.Node) (Place, bool) {
	for _, f := range s.stack.Frames {
		if file := r.program.File(f.File); file != nil && r.around(file, f.Line) == around {
			return r.place(file, f.Line), true
		}
	}
	return Place{}, false
}

// aliased explains a race of two lines that use no variable in common: the memory has two
// names, since one of the two has it from somebody else.
func (r *racing) aliased() {
	reused := Finding{
		Fault: evidence.ReusedMemory, Places: []Place{r.sides[0].Place, r.sides[1].Place},
		Says: fmt.Sprintf("%v and %v use memory that one of them has from the other", r.sides[0].Place, r.sides[1].Place),
	}
	if pools := append(r.pooled(r.sides[0]), r.pooled(r.sides[1])...); len(pools) > 0 {
		reused.Certainty = Likely
		reused.Places = append(pools, reused.Places...)
		reused.Says = fmt.Sprintf("%v and %v use memory that is given back to a pool, at %v", r.sides[0].Place, r.sides[1].Place, pools[0])
		r.add(reused)
		return
	}
	var seen []string
	for _, s := range r.sides {
		for _, u := range append(slices.Clip(s.uses), r.behind(s)...) {
			v := syntax.Variable(u.In.File.Package.Info, u.At)
			if v == nil || !u.Write && !leadsOn(v.Type()) && !r.keeps(v.Type()) || slices.Contains(seen, u.Key) {
				continue
			}
			seen = append(seen, u.Key)
			guard, _ := guards.Of(r.model, u.Key)
			if strings.Contains(u.Key, ":") && r.sides[0].Func == r.sides[1].Func {
				r.add(Finding{
					Fault: evidence.CapturedVariable, Places: []Place{r.sides[0].Place, r.sides[1].Place}, Variable: u.Name,
					Says: fmt.Sprintf("%s is a local variable whose memory a goroutine shares: it is used at %v and %v", u.Name, r.sides[0].Place, r.sides[1].Place),
				})
				continue
			}
			places := r.givers(u.Key, s.Place)
			if at := r.of(u); !slices.Contains(places, at) {
				places = append([]Place{at}, places...)
			}
			r.add(Finding{
				Fault: evidence.HandedOut, Places: places, Variable: u.Name, Lock: guard.Lock,
				Says: fmt.Sprintf("what %s leads to is used at %v, and by another name at %v", u.Name, r.sides[0].Place, r.sides[1].Place),
			})
		}
	}
	r.add(reused)
}

// pooled are the places on the way to a side that use a sync.Pool, or call what does.
func (r *racing) pooled(s side) (list []Place) {
	for _, f := range s.stack.Frames {
		file := r.program.File(f.File)
		if file == nil || file.Test {
			continue
		}
		around := r.around(file, f.Line)
		if around == nil {
			continue
		}
		ast.Inspect(around, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if ok && r.usesPool(file, call, 1) {
				if p := r.place(file, r.line(call.Pos())); !slices.Contains(list, p) {
					list = append(list, p)
				}
			}
			return true
		})
	}
	return list
}

// usesPool reports whether a call is of a sync.Pool's Put or Get, or of a function of the program
// that makes such a call, over so many calls.
func (r *racing) usesPool(f *analysis.File, call *ast.CallExpr, calls int) bool {
	fn := syntax.Callee(f.Package.Info, call.Fun)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	if fn.Pkg().Path() == "sync" {
		return syntax.Receiver(fn) == "Pool"
	}
	of := r.model.Named(fn.FullName())
	return calls > 0 && of != nil && syntax.Any(of.Body, func(n ast.Node) bool {
		inner, ok := n.(*ast.CallExpr)
		return ok && r.usesPool(of.File, inner, calls-1)
	})
}

// givers are the places that read a variable, those that give it away first: in a return, or
// to what others have.
func (r *racing) givers(key string, last Place) (list []Place) {
	var others []Place
	for _, u := range access.All(r.model) {
		switch {
		case u.Key != key || u.Write:
		case returns(u) || handsOn(u):
			list = append(list, r.of(u))
		default:
			others = append(others, r.of(u))
		}
	}
	return append(append(list, others...), last)
}

// handsOn reports whether a use gives what it reads, as it is, to a field, an element or a
// channel.
func handsOn(u access.Use) bool {
	is := func(e ast.Expr) bool { return ast.Unparen(e) == u.At }
	return syntax.Any(u.In.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			i := slices.IndexFunc(n.Rhs, is)
			if i < 0 || len(n.Lhs) != len(n.Rhs) {
				return false
			}
			_, name := ast.Unparen(n.Lhs[i]).(*ast.Ident)
			return !name
		case *ast.CompositeLit:
			return slices.ContainsFunc(n.Elts, is)
		case *ast.KeyValueExpr:
			return is(n.Value)
		case *ast.SendStmt:
			return is(n.Value)
		}
		return false
	})
}

// returns reports whether a use is in what its function returns.
func returns(u access.Use) bool {
	return syntax.Any(u.In.Body, func(n ast.Node) bool {
		ret, ok := n.(*ast.ReturnStmt)
		return ok && ret.Pos() <= u.At.Pos() && u.At.End() <= ret.End()
	})
}

// leadsOn reports whether who has a value of a type has what others have.
func leadsOn(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice:
		return true
	}
	return false
}

// short is the key of a lock without the path of its package.
func short(key string) string {
	key = key[strings.LastIndexByte(key, '/')+1:]
	if _, name, ok := strings.Cut(key, "."); ok {
		return name
	}
	return key
}
