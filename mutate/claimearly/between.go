package claimearly

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/methodcalls"
)

// disturbed reports whether the assignment cannot be made before what is between: some of
// it leaves, so that the assignment is not always made, changes what the assignment names,
// or uses the flag, itself or in what it calls, starts or waits for.
func (c *claim) disturbed() bool {
	if !c.deferred && len(exits.Of(c.fn, c.between...)) > 0 {
		return true
	}
	for _, s := range c.between {
		if exits.HasGotoTarget(c.fn, s) || !c.deferred && exits.Terminates(c.fn, s) || c.changes(s) {
			return true
		}
	}
	run := &run{fn: c.fn, variable: c.variable(), seen: map[*mutate.Function]bool{}}
	return slices.ContainsFunc(c.between, func(s ast.Stmt) bool { return run.uses(c.fn, s) })
}

// changes reports whether a statement assigns to what the assignment names, or uses what
// it publishes, which may not be ready before.
func (c *claim) changes(s ast.Stmt) bool {
	found := false
	ast.Inspect(c.set, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := c.info.ObjectOf(id).(*types.Var)
		if !ok || v.IsField() {
			return true
		}
		found = found || c.fn.Reassigns(id.Name, s) || !c.inFlag(id) && !isBasic(v.Type()) && syntax.Names(c.info, s, v)
		return true
	})
	return found
}

// inFlag reports whether a name is one of those that lead to the flag.
func (c *claim) inFlag(id *ast.Ident) bool { return syntax.Within[ast.Node](id, c.flag) }

func isBasic(t types.Type) bool {
	_, basic := t.Underlying().(*types.Basic)
	return basic
}

// A run is what statements run, and what they wait for.
type run struct {
	fn       *mutate.Function
	variable *types.Var
	apart    bool // what other goroutines do, which it meets, does not count
	seen     map[*mutate.Function]bool
}

// uses reports whether code of a function, or what it leads to, uses the variable.
func (r *run) uses(fn *mutate.Function, code ast.Node) bool {
	info := fn.File.Package.Info
	return syntax.Any(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			v, ok := info.Uses[n].(*types.Var)
			return ok && v.Origin() == r.variable
		case *ast.CallExpr:
			if r.inside(fn.Declared(syntax.Callee(info, n.Fun))) {
				return true
			}
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			f := syntax.Callee(info, n.Fun)
			return ok && !r.apart && f != nil && f.FullName() == "(*sync.WaitGroup).Wait" && r.counted(fn, sel.X)
		case *ast.UnaryExpr:
			return n.Op == token.ARROW && r.otherEnd(fn, n.X)
		case *ast.SendStmt:
			return r.otherEnd(fn, n.Chan)
		case *ast.RangeStmt:
			_, channel := info.TypeOf(n.X).Underlying().(*types.Chan)
			return channel && r.otherEnd(fn, n.X)
		}
		return false
	})
}

// inside reports whether a function uses the variable; nil does not.
func (r *run) inside(fn *mutate.Function) bool {
	if fn == nil || fn.Node == r.fn.Node || r.seen[fn] {
		return false
	}
	r.seen[fn] = true
	return r.uses(fn, fn.Body)
}

// otherEnd reports whether a goroutine at the other end of a channel uses the variable.
func (r *run) otherEnd(fn *mutate.Function, ch ast.Expr) bool {
	channel := fn.Channel(ch)
	return !r.apart && channel != nil && slices.ContainsFunc(channel.Uses(), func(u mutate.ChannelUse) bool {
		return u.Fn != nil && u.Fn.Started() && r.inside(u.Fn)
	})
}

// counted reports whether a goroutine that a wait group counts uses the variable.
func (r *run) counted(fn *mutate.Function, group ast.Expr) bool {
	v := syntax.Variable(fn.File.Package.Info, group)
	return v != nil && slices.ContainsFunc(fn.OfPackage(), func(g *mutate.Function) bool {
		if !g.Started() {
			return false
		}
		for call, sel := range methodcalls.Of(g, "*sync.WaitGroup") {
			if sel.Sel.Name == "Done" && syntax.Variable(g.File.Package.Info, call.Fun.(*ast.SelectorExpr).X) == v {
				return r.inside(g)
			}
		}
		return false
	})
}
