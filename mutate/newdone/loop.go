package newdone

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/chanwait"
	"mendel/mutate/internal/donefield"
)

// A loop is a function that receives what others send to a value, until it returns; a
// channel of the value could say so.
type loop struct {
	donefield.Field
	run  *mutate.Function
	recv string   // what it calls the value
	base ast.Expr // what the sender calls it
}

// restarts is what an edit keeps of its belief where the loop is started by a method of
// the value, which might start it again. Chosen, not measured.
const restarts = 0.6

// loops lists the edits of a function's operations that send to a loop which may have ended.
func loops(fn *mutate.Function) (edits []mutate.Edit) {
	for _, op := range chanwait.Ops(fn) {
		l, ok := loopOf(fn, op)
		if !ok || !chanwait.Can(fn, op) || len(chanwait.Ways(fn, op, l.end())) == 0 {
			continue
		}
		heat, seen := op.Heat(fn)
		e := fn.NewEdit("newdone", op.At)
		e.Form, e.Expr, e.Heat, e.Group = ofLoop, l.end().Expr, heat, chanwait.Group(seen)
		e.Doubt(long)
		if chanwait.WorksOff(fn, op) {
			e.Flags = append(e.Flags, mutate.Discards)
		}
		if _, again := begun(l.run); again {
			e.Doubt(restarts)
		}
		edits = append(edits, e)
	}
	return edits
}

// loopOf is the loop that an operation sends to; ok is false if there is none, or it tells
// its end already.
func loopOf(fn *mutate.Function, op chanwait.Op) (l loop, ok bool) {
	for _, e := range op.Chan {
		sel, is := ast.Unparen(e).(*ast.SelectorExpr)
		if !is || !sends(op, e) || fn.Path(sel.X).Root == nil {
			continue
		}
		c := fn.Channel(e)
		if c == nil || c.Escapes || len(c.Closes) > 0 {
			continue
		}
		run := receiver(c)
		if run == nil || run == fn || !ends(run, c) {
			continue
		}
		if once, _ := begun(run); !once {
			continue
		}
		l = loop{run: run, base: sel.X}
		if l.Field, ok = donefield.Of(fn, sel.X, ""); !ok || !l.knows(c) || l.told(fn, op) {
			continue
		}
		return l, true
	}
	return l, false
}

// end is the channel that the loop closes.
func (l *loop) end() chanwait.End {
	return chanwait.NewEnd(types.ExprString(l.base)+"."+l.Name, l.run)
}

// receiver is the one function that receives from a channel, tests left out; nil if
// there are several or none.
func receiver(c *mutate.Channel) (run *mutate.Function) {
	for _, u := range slices.Concat(c.Receives, c.Ranges) {
		switch {
		case u.Test:
		case u.Fn == nil || run != nil && run != u.Fn:
			return nil
		default:
			run = u.Fn
		}
	}
	return run
}

// ends reports whether a function receives from a channel again and again, and may stop.
func ends(run *mutate.Function, c *mutate.Channel) bool {
	for _, st := range run.Statements() {
		at := st.Stmt
		if l, ok := at.(*ast.LabeledStmt); ok {
			at = l.Stmt
		}
		var body *ast.BlockStmt
		stops := false
		switch s := at.(type) {
		case *ast.ForStmt:
			body, stops = s.Body, s.Cond != nil
		case *ast.RangeStmt:
			body = s.Body
		default:
			continue
		}
		receives := slices.ContainsFunc(slices.Concat(c.Receives, c.Ranges), func(u mutate.ChannelUse) bool {
			return u.Fn == run && at.Pos() <= u.Node.Pos() && u.Node.End() <= at.End()
		})
		if receives {
			return stops || len(exits.Of(run, body.List...)) > 0
		}
	}
	return false
}

// knows finds what the loop calls the value from the start: its receiver, a parameter, or
// a variable from around it.
func (l *loop) knows(c *mutate.Channel) bool {
	if l.run.File.Test || l.run.File.Generated {
		return false
	}
	for _, u := range slices.Concat(c.Receives, c.Ranges) {
		sel, ok := ast.Unparen(u.Expr).(*ast.SelectorExpr)
		if !ok || u.Fn != l.run {
			continue
		}
		p, ok := types.Unalias(l.run.File.Package.Info.TypeOf(sel.X)).(*types.Pointer)
		if !ok {
			continue
		}
		named, ok := types.Unalias(p.Elem()).(*types.Named)
		if !ok || named.Obj() != l.Type || !scope.Means(l.run, sel.X, l.run.Body.Lbrace+1) || l.run.Reassigns(types.ExprString(sel.X), l.run.Body.List...) {
			continue
		}
		l.recv = types.ExprString(sel.X)
		return true
	}
	return false
}

// comment says when the channel is closed.
func (l *loop) comment() string {
	if decl, ok := l.run.Node.(*ast.FuncDecl); ok {
		return "closed when " + decl.Name.Name + " returns"
	}
	return "closed when the goroutine returns that receives"
}

// told reports whether the loop closes a channel of the value already.
func (l *loop) told(fn *mutate.Function, op chanwait.Op) bool {
	return slices.ContainsFunc(chanwait.Ends(fn, op), func(s chanwait.End) bool { return s.ClosedBy(l.run) })
}

// starts says how often a loop may run for one value, tests left out. It runs once if it,
// and each method that starts it, is named in one place at most, and not in a loop. Such a
// method might still be called again, by the package's users. A second run would close the
// channel again.
func begun(run *mutate.Function) (once, again bool) {
	type startsOf struct{ run *mutate.Function }
	found := mutate.Once(run, startsOf{run}, func() [2]bool {
		once, again := findStarts(run)
		return [2]bool{once, again}
	})
	return found[0], found[1]
}

func findStarts(run *mutate.Function) (once, again bool) {
	node, obj := run.Node, types.Object(nil)
	for range maxStarters {
		if decl, ok := node.(*ast.FuncDecl); ok {
			obj = run.File.Package.Info.Defs[decl.Name]
		}
		from, once := namedOnce(run, node, obj)
		switch {
		case !once:
			return false, false
		case from == nil || from.Recv == nil || from == node:
			return true, again
		}
		node, again = from, true
	}
	return false, false
}

// maxStarters is how many functions are looked at that start one another. Guessed.
const maxStarters = 4

// namedOnce reports whether a function of the package, a literal if it has no object, is
// named in one place at most, and not in a loop. from is the declaration around that place.
func namedOnce(run *mutate.Function, node ast.Node, obj types.Object) (from *ast.FuncDecl, once bool) {
	type place struct {
		n    ast.Node
		path []ast.Node
	}
	var places []place
	if f, ok := obj.(*types.Func); ok {
		for _, m := range run.Mentions(f) {
			if !m.File.Test {
				places = append(places, place{m.Name, m.Path()})
			}
		}
	} else if !run.File.Test {
		places = []place{{node, syntax.Path(run.File.AST, node)}}
	}
	looped := false
	for _, p := range places {
		looped = looped || syntax.InLoop(p.n, p.path)
		if i := slices.IndexFunc(p.path, func(n ast.Node) bool { _, ok := n.(*ast.FuncDecl); return ok }); i >= 0 {
			from = p.path[i].(*ast.FuncDecl)
		}
	}
	return from, len(places) <= 1 && !looped
}

// giveUp adds the channel, closes it when the loop returns, and lets the operation be given
// up then.
func giveUp(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "another edit removed the operation")
	}
	for _, op := range chanwait.Ops(fn) {
		if fn.ID(op.At) != e.Node {
			continue
		}
		l, ok := loopOf(fn, op)
		if !ok {
			break
		}
		ways := chanwait.Ways(fn, op, l.end())
		if len(ways) == 0 {
			break
		}
		added, err := l.Add(m, e, l.comment())
		if err != nil {
			return err
		}
		if added {
			if err := m.Prepend(l.run.File.Rel, l.run.ID(l.run.Node), "defer close("+l.recv+"."+l.Name+")"); err != nil {
				return err
			}
		}
		return chanwait.Wrap(m, e, l.end(), ways[0])
	}
	return mutate.Refuse(e, "there is no operation that sends to a loop")
}
