package newdone

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/mutate"
	"mendel/mutate/internal/chanwait"
	"mendel/mutate/internal/donefield"
	"mendel/mutate/internal/syntax"
)

// A loop is a method that receives what others send to a value, until it returns; a
// channel of the value could say so.
type loop struct {
	donefield.Field
	run  *mutate.Function
	recv string // its receiver
	base ast.Expr
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
		if started, again := starts(l.run); started && again {
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
		if _, once := runsOnce(run); !once {
			continue
		}
		l = loop{run: run, base: sel.X}
		if l.Field, ok = donefield.Of(fn, sel.X, ""); !ok || !l.method() || l.told(fn, op) {
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
			return stops || len(run.Exits(body.List...)) > 0
		}
	}
	return false
}

// method finds the receiver of the loop, which is a method of the type that gets the field.
func (l *loop) method() bool {
	decl, ok := l.run.Node.(*ast.FuncDecl)
	if !ok || l.run.File.Test || l.run.File.Generated || decl.Recv == nil || len(decl.Recv.List) != 1 || len(decl.Recv.List[0].Names) != 1 {
		return false
	}
	name := decl.Recv.List[0].Names[0]
	v, ok := l.run.File.Package.Info.Defs[name].(*types.Var)
	if !ok || name.Name == "_" {
		return false
	}
	p, ok := types.Unalias(v.Type()).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	l.recv = name.Name
	return ok && named.Obj() == l.Type
}

// told reports whether the loop closes a channel of the value already.
func (l *loop) told(fn *mutate.Function, op chanwait.Op) bool {
	return slices.ContainsFunc(chanwait.Ends(fn, op), func(s chanwait.End) bool { return s.ClosedBy(l.run) })
}

// runsOnce reports whether a function is called in one place at most, tests left out, and
// not in a loop: a second run would close the channel again. from is the function that
// calls it, if any.
func runsOnce(run *mutate.Function) (from ast.Node, once bool) {
	decl, ok := run.Node.(*ast.FuncDecl)
	if !ok {
		return nil, false
	}
	f := run.File.Package.Info.Defs[decl.Name]
	uses, looped := 0, false
	for _, pkg := range run.Program.Packages {
		for _, file := range pkg.Files {
			if file.Test {
				continue
			}
			syntax.Walk(file.AST, func(n ast.Node, path []ast.Node) {
				id, ok := n.(*ast.Ident)
				if used, is := pkg.Info.Uses[id].(*types.Func); !ok || !is || types.Object(used.Origin()) != f {
					return
				}
				uses++
				looped = looped || syntax.InLoop(n, path)
				if i := slices.IndexFunc(path, func(n ast.Node) bool { _, ok := n.(*ast.FuncDecl); return ok }); i >= 0 {
					from = path[i]
				}
			})
		}
	}
	return from, uses <= 1 && !looped
}

// starts reports whether a function of the program calls the loop, and whether that is a
// method of the loop's value, which may be called again.
func starts(run *mutate.Function) (started, again bool) {
	from, _ := runsOnce(run)
	decl, ok := from.(*ast.FuncDecl)
	return ok, ok && decl.Recv != nil
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
		decl := l.run.Node.(*ast.FuncDecl)
		added, err := l.Add(m, e, "closed when "+decl.Name.Name+" returns")
		if err != nil {
			return err
		}
		if added {
			if err := m.Prepend(l.run.File.Rel, l.run.ID(decl), "defer close("+l.recv+"."+l.Name+")"); err != nil {
				return err
			}
		}
		return chanwait.Wrap(m, e, l.end(), ways[0])
	}
	return mutate.Refuse(e, "there is no operation that sends to a loop")
}
