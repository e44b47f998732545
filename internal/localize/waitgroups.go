package localize

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker/sched"
)

// A counted is one call of a wait group's Add, with the goroutine that its caller
// starts next.
type counted struct {
	at    site
	child int  // -1: none
	start site // where it is started
}

// miscounted explains a wait for a wait group by who was counted: a goroutine that
// ended without a Done, or an Add of more than there are goroutines.
func (x *examiner) miscounted(w waiter, own *execution) []suspect {
	if !strings.HasPrefix(w.what, "WaitGroup") || w.obj == 0 {
		return nil
	}
	done := map[int]bool{}
	var adds []counted
	dones := 0
	for i, e := range own.Events {
		switch {
		case e.Kind != sched.KindAdd || e.Object != w.obj:
		case e.Operation == "WaitGroup.Done":
			done[e.G] = true
			dones++
		default:
			child, start := own.startedAfter(i)
			adds = append(adds, counted{siteOf(e.Frame), child, start})
		}
	}
	base := suspect{variable: x.operand(w.at), fault: evidence.WaitWithoutDone, partner: w.at, partnerDoes: w.what}
	var list []suspect
	for _, a := range adds {
		if a.child < 0 || done[a.child] {
			continue
		}
		last, ended := x.lastSeen(own, a.child)
		if !ended {
			continue
		}
		left, start, count := base, base, base
		left.at, left.does, left.score = last, "end of a goroutine", endedUncounted
		left.says = fmt.Sprintf("is the last that is seen of a goroutine that was counted at %s and ends without a Done, for which %s waits", x.src.rel(a.at), x.src.rel(w.at))
		start.at, start.does, start.score = a.start, "go", startedCounted
		start.says = fmt.Sprintf("starts a goroutine that was counted at %s and ends without a Done, for which %s waits", x.src.rel(a.at), x.src.rel(w.at))
		if !x.src.asked(last) {
			left.score, start.score = endedInOther, startedForOther
		}
		count.at, count.does, count.score = a.at, "WaitGroup.Add", countedOne
		count.says = fmt.Sprintf("counts a goroutine that ends without a Done, after %s", x.src.rel(last))
		list = append(list, left, start, count)
	}
	if len(list) > 0 || dones < len(adds) {
		return list
	}
	for _, a := range adds {
		more := base
		more.at, more.does, more.score = a.at, "WaitGroup.Add", countedTooMany
		more.says = fmt.Sprintf("counts more than the Dones that follow: each Add has one, and %s waits all the same", x.src.rel(w.at))
		list = append(list, more)
	}
	return list
}

// startedAfter is the goroutine that is started next by the one that made an event,
// before it counts again, and where; -1: none is.
func (x *execution) startedAfter(event int) (g int, at site) {
	of := x.Events[event]
	for _, e := range x.Events[event+1:] {
		switch {
		case e.G != of.G:
		case e.Kind == sched.KindGo:
			return e.With, siteOf(e.Frame)
		case e.Kind == sched.KindAdd && e.Object == of.Object:
			return -1, site{}
		}
	}
	return -1, site{}
}

// lastSeen is where a goroutine that has ended was last seen, in the module's own code
// rather than in a test of it.
func (x *examiner) lastSeen(own *execution, g int) (last site, ended bool) {
	inTest := site{}
	for _, e := range own.Events {
		at := siteOf(e.Frame)
		switch {
		case e.G != g:
		case e.Kind == sched.KindExit:
			ended = true
		case !x.src.inside(at):
		case x.src.test(at):
			inTest = at
		default:
			last = at
		}
	}
	if last.file == "" {
		last = inTest
	}
	return last, ended && last.file != ""
}

// unawaited are the places that do not wait for a wait group, of which a failing
// execution counts goroutines and nobody waits for: the methods of the group's owner
// in the package that was asked about which do nothing with it. Those that neither
// start nor end anything for it are to wait for it, if any.
func (x *examiner) unawaited(own *execution) []suspect {
	var list []suspect
	for _, o := range objects(own.deeds) {
		var add site
		waited := false
		for _, d := range own.deeds[o] {
			waited = waited || d.kind == sched.KindWait
			if d.what == "WaitGroup.Add" {
				add = d.at
			}
		}
		if waited || add.file == "" {
			continue
		}
		for _, m := range x.src.idle(add) {
			list = append(list, suspect{
				at: m.at, does: "call", fault: evidence.WaitNotForAll, variable: x.operand(add), score: m.score, partner: add, partnerDoes: "WaitGroup.Add",
				says: fmt.Sprintf("nobody waits for the goroutines that are counted at %s, and this method of what has the wait group does not either", x.src.rel(add)),
			})
		}
	}
	return list
}

// An idleMethod does nothing with a wait group of its receiver.
type idleMethod struct {
	at    site // first statement
	score float64
}

// idle are the first statements of the methods that have the receiver type of the
// function around a place, where a field is counted up, and do not name that field.
func (s *sources) idle(add site) (methods []idleMethod) {
	f, stmt := s.statement(add)
	call, ok := callOf(stmt)
	if !ok {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	group, ok := ast.Unparen(sel.X).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	field, owner := f.Package.Info.Uses[group.Sel], f.Package.Info.TypeOf(group.X)
	for _, file := range f.Package.Files {
		for _, d := range file.AST.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || file.Test || fn.Recv == nil || fn.Body == nil || len(fn.Body.List) == 0 || !sameOwner(f.Package.Info.TypeOf(fn.Recv.List[0].Type), owner) {
				continue
			}
			named := false
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				named = named || ok && f.Package.Info.Uses[id] == field
				return !named
			})
			if !named {
				m := idleMethod{site{file.Name, s.line(fn.Body.List[0].Pos())}, waitsForNobody}
				if fn.Type.Params.NumFields() > 0 { // who only waits need not be told anything
					m.score = mustBeToldMore
				}
				methods = append(methods, m)
			}
		}
	}
	return methods
}

// callOf is the call that a statement is.
func callOf(s ast.Stmt) (*ast.CallExpr, bool) {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil, false
	}
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	return call, ok
}

// sameOwner reports whether two types are the same but for a pointer.
func sameOwner(a, b types.Type) bool {
	plain := func(t types.Type) types.Type {
		if p, ok := t.(*types.Pointer); ok {
			return p.Elem()
		}
		return t
	}
	return a != nil && b != nil && types.Identical(plain(a), plain(b))
}
