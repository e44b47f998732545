package join

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/internal/waitgroups"
)

// A use is a statement that uses what goroutines of its function have written,
// the first behind the statement that starts them.
type use struct {
	fn     *mutate.Function
	starts []waitgroups.Goroutine
	first  ast.Stmt // what starts the first of them, in the list of the use: a go statement or what is around it
	at     ast.Stmt // the use; of one at the end the function's last statement
	end    bool     // the function itself uses nothing of it
	behind bool     // the Wait goes behind at
	vars   []*types.Var

	collects bool // the goroutine receives until a channel is closed
}

// unjoined lists the uses of what a function's goroutines write.
func unjoined(fn *mutate.Function, goroutines []waitgroups.Goroutine) []use {
	var out []use
	for _, g := range goroutines {
		vars := writes(g.To)
		if len(vars) == 0 {
			continue
		}
		u, ok := useOf(fn, g, vars)
		if !ok || !u.willEnd(g.To) || handsOver(g.To) && receives(fn, u.starts[0].Go, u.at) {
			continue
		}
		i := slices.IndexFunc(out, func(other use) bool { return other.at == u.at && other.behind == u.behind })
		if i < 0 {
			out = append(out, u)
			continue
		}
		out[i].starts = append(out[i].starts, g)
		out[i].collects = out[i].collects || u.collects
		for _, v := range vars {
			if !slices.Contains(out[i].vars, v) {
				out[i].vars = append(out[i].vars, v)
			}
		}
	}
	return out
}

// writes are the shared variables that a goroutine writes, itself or in a
// function that it calls, those of its own left out.
func writes(to *mutate.Function) []*types.Var {
	var vars []*types.Var
	add := func(fn *mutate.Function) {
		for _, a := range fn.Accesses(fn.Body) {
			own := to.Node.Pos() <= a.Var.Pos() && a.Var.Pos() < to.Node.End()
			if a.Write && !own && !slices.Contains(vars, a.Var) {
				vars = append(vars, a.Var)
			}
		}
	}
	add(to)
	for _, c := range to.Calls(to.Body) {
		add(c.To)
	}
	return vars
}

// willEnd reports whether a goroutine ends whatever its starter does from the
// use on: it has no endless loop and receives only from channels that are closed
// before the use or by other goroutines, which it notes.
func (u *use) willEnd(to *mutate.Function) bool {
	endless := false
	ast.Inspect(to.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			endless = endless || n.Cond == nil
		case *ast.RangeStmt:
			if _, channel := to.File.Package.Info.TypeOf(n.X).Underlying().(*types.Chan); channel {
				u.collects = true
				endless = endless || !u.closed(to, n.X)
			}
		}
		return !endless
	})
	return !endless
}

// closed reports whether a channel that a goroutine receives from is closed
// before the use, or by others than the starter and the goroutine.
func (u *use) closed(to *mutate.Function, ch ast.Expr) bool {
	c := to.Channel(ch)
	return c != nil && slices.ContainsFunc(c.Closes, func(cl mutate.ChannelUse) bool {
		switch {
		case cl.Fn == nil || cl.Fn.Node == to.Node:
			return false
		case cl.Fn.Node != u.fn.Node:
			return cl.Fn.Started()
		}
		_, deferred := cl.Stmt.(*ast.DeferStmt)
		return !deferred && u.starts[0].Go.End() <= cl.Node.Pos() && cl.Node.End() <= u.at.Pos()
	})
}

// handsOver reports whether a goroutine sends on a channel or closes one, which
// may be how it says that it is done.
func handsOver(to *mutate.Function) bool {
	return syntax.Any(to.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			return true
		case *ast.CallExpr:
			return syntax.Builtin(to.File.Package.Info, n) == "close"
		}
		return false
	})
}

// receives reports whether a function receives from a channel between a go
// statement and a use, that included.
func receives(fn *mutate.Function, start, at ast.Stmt) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if n == nil || found || n.End() <= start.Pos() || n.Pos() >= at.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = n.Op == token.ARROW && n.Pos() >= start.End()
		case *ast.RangeStmt:
			_, channel := fn.File.Package.Info.TypeOf(n.X).Underlying().(*types.Chan)
			found = channel && n.Pos() >= start.End()
		}
		return !found
	})
	return found
}

// useOf finds the first statement behind a goroutine's start, in the list of
// that or one around it, that uses one of some variables; or the function's end.
func useOf(fn *mutate.Function, g waitgroups.Goroutine, vars []*types.Var) (u use, ok bool) {
	u = use{fn: fn, starts: []waitgroups.Goroutine{g}, vars: vars}
	around := enclosing(fn, g.Go)
	outermost := 0 // of around, which has inner statements first
	for i, st := range around {
		if isLoop(st.Stmt) {
			outermost = i
		}
	}
	for _, st := range around[outermost:] {
		for _, s := range st.List[st.Index+1:] {
			if slices.ContainsFunc(used(fn, s), func(v *types.Var) bool { return slices.Contains(vars, v) }) {
				u.first, u.at = st.Stmt, s
				return u, true
			}
		}
	}
	last := fn.Body.List[len(fn.Body.List)-1]
	_, returns := last.(*ast.ReturnStmt)
	u.first, u.at, u.end, u.behind = around[len(around)-1].Stmt, last, true, !returns
	if exits.Terminates(fn, last) && !returns || slices.ContainsFunc(exits.Of(fn, fn.Body.List[:len(fn.Body.List)-1]...), func(exit ast.Stmt) bool {
		return exit.Pos() > g.Go.Pos() // it would be left unjoined
	}) {
		return u, false
	}
	// What the function leaves to others must outlive it.
	return u, slices.ContainsFunc(vars, func(v *types.Var) bool { return v.IsField() || v.Parent() == v.Pkg().Scope() })
}

// isLoop reports whether a statement is a loop, with or without a label.
func isLoop(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	case *ast.LabeledStmt:
		return isLoop(s.Stmt)
	}
	return false
}

// enclosing lists the statements around one, itself first.
func enclosing(fn *mutate.Function, s ast.Stmt) []mutate.Statement {
	var out []mutate.Statement
	for _, st := range fn.Statements() {
		if waitgroups.Contains(st.Stmt, s) {
			out = append(out, st)
		}
	}
	slices.Reverse(out)
	return out
}

// used are the shared variables that a statement uses, itself or in a function it calls.
func used(fn *mutate.Function, s ast.Stmt) []*types.Var {
	var vars []*types.Var
	for _, a := range fn.Accesses(s) {
		vars = append(vars, a.Var)
	}
	for _, c := range fn.Calls(s) {
		for _, a := range c.To.Accesses(c.To.Body) {
			vars = append(vars, a.Var)
		}
	}
	return vars
}

// groups are the wait groups on which all of the goroutines call Done.
func (u use) groups() []mutate.Path {
	var out []mutate.Path
	for _, g := range u.starts {
		for _, c := range g.Calls {
			if c.Method == "Done" && !slices.Contains(out, c.Group) {
				out = append(out, c.Group)
			}
		}
	}
	return out
}

// names are what the narrowing calls the variables.
func (u use) names() []string {
	var names []string
	for _, v := range u.vars {
		names = append(names, u.fn.VarName(v))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// note says why there is a Wait.
func (u use) note() string {
	names := u.names()
	for i, n := range names {
		names[i] = n[strings.LastIndex(n, ".")+1:]
	}
	switch {
	case u.collects && len(names) == 1:
		return names[0] + " is complete when the goroutine has ended"
	case len(names) > maxNamed:
		return "what is used here is the goroutines'"
	case len(u.starts) == 1 && !u.fn.Loops(u.starts[0].Go):
		return "the goroutine writes " + strings.Join(names, " and ")
	}
	return "the goroutines write " + strings.Join(names, " and ")
}

// maxNamed is how many variables a note names.
const maxNamed = 2

// receiverOf is an expression for a group that one of the goroutines' functions uses.
func receiverOf(u use, group mutate.Path) ast.Expr {
	for _, c := range waitgroups.Calls(u.fn) {
		if c.Group == group {
			return c.Receiver()
		}
	}
	for _, g := range u.starts {
		for _, c := range g.Calls {
			if c.Group == group && g.Lit != nil {
				return c.Receiver()
			}
		}
	}
	return &ast.BadExpr{}
}

// waitsElsewhere reports whether a Wait for a local group is called in a function
// literal: there are more calls than the function's own.
func waitsElsewhere(fn *mutate.Function, group mutate.Path, own int) bool {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Wait" && fn.Path(sel.X) == group {
			own--
		}
		return true
	})
	return own < 0
}
