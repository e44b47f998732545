package putlater

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/lending"
)

// A plan is one edit.
type plan struct {
	fn   *mutate.Function
	form string
	note string
	gift gift
	near []lending.Span

	last     ast.Stmt         // behind: after which it goes; nil: it is deferred
	to       *mutate.Function // goroutine: the literal
	loop     *ast.RangeStmt   // receiver
	receiver *mutate.Function
	from     string // the memory's name
	name     string // the receiver's
}

// A gift is a call that gives memory back, and is a statement or deferred.
type gift struct {
	lending.Given
	call     *ast.CallExpr
	stmt     ast.Stmt
	list     []ast.Stmt // that the statement is in
	deferred bool
}

// plansFor lists the edits of a declared function, by what is given back and form.
func plansFor(fn *mutate.Function) (plans []*plan) {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	owners := mutate.Once(fn, lending.Surveyed{}, func() *lending.Owners { return lending.Survey(fn.Program) })
	f := &finder{Finder: lending.Find(owners, fn.File, decl), fn: fn}
	lenders := slices.Collect(maps.Values(f.Lenders))
	slices.SortFunc(lenders, func(a, b *lending.Lender) int { return cmp.Compare(a.Var.Pos(), b.Var.Pos()) })
	for _, l := range lenders {
		if l.Owner == l.Var {
			continue
		}
		for _, g := range l.Given {
			if g, ok := f.gift(g); ok {
				for _, find := range []func(*lending.Lender, gift) *plan{f.behind, f.goroutine, f.receiver} {
					if p := find(l, g); p != nil {
						p.fn, p.gift, p.near, p.from = fn, g, append(p.near, f.Near(l)...), l.Var.Name()
						plans = append(plans, p)
					}
				}
			}
		}
	}
	return plans
}

// A finder plans edits of a function.
type finder struct {
	*lending.Finder
	fn *mutate.Function
}

// gift is where memory is given back, if that is a call and a statement.
func (f *finder) gift(g lending.Given) (out gift, ok bool) {
	out = gift{Given: g}
	if out.call, ok = g.At.(*ast.CallExpr); !ok || len(g.Path) < 2 {
		return out, false
	}
	around := g.Path[len(g.Path)-1]
	switch s := around.(type) {
	case *ast.ExprStmt:
		out.stmt = s
	case *ast.DeferStmt:
		out.stmt, out.deferred = s, true
	default:
		return out, false
	}
	out.list = lending.ListOf(g.Path[len(g.Path)-2])
	return out, slices.Contains(out.list, out.stmt) && out.deferred == g.Deferred
}

// uses lists the names of what has a lender's memory, but for those in calls that give it back.
func (f *finder) uses(l *lending.Lender) (all []use) {
	syntax.Walk(f.Decl.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok {
			return
		}
		v, _ := f.Info.Uses[id].(*types.Var)
		if v == nil || f.Has(v) != l || slices.ContainsFunc(l.Given, func(g lending.Given) bool { return syntax.Within(ast.Node(id), g.At) }) {
			return
		}
		all = append(all, use{id, literal(path)})
	})
	return all
}

// A use is a name of the memory, in a literal or in the function itself.
type use struct {
	id  *ast.Ident
	lit *ast.FuncLit
}

func literal(path []ast.Node) (lit *ast.FuncLit) {
	for _, n := range path {
		if l, ok := n.(*ast.FuncLit); ok {
			lit = l
		}
	}
	return lit
}

// behind plans to give memory back behind what uses it in the same function.
func (f *finder) behind(l *lending.Lender, g gift) *plan {
	if g.deferred {
		return nil
	}
	own, at, last := literal(g.Path), slices.Index(g.list, g.stmt), -1
	for _, u := range f.uses(l) {
		if u.id.Pos() < g.stmt.End() || u.lit == nil && own != nil {
			continue
		}
		if !lending.Reaches(g.At, g.Path, u.id) {
			continue
		}
		i := slices.IndexFunc(g.list, func(s ast.Stmt) bool { return syntax.Within(ast.Node(u.id), ast.Node(s)) })
		if i < 0 || u.lit != own {
			return nil
		}
		last = max(last, i)
	}
	if last < 0 {
		return nil
	}
	between := g.list[at+1 : last+1]
	if slices.ContainsFunc(between, func(s ast.Stmt) bool { return f.handsOver(l, s) }) {
		return nil
	}
	p := &plan{form: behind, note: l.Var.Name() + " goes back to " + l.Owner.Name() + " when it has been used", last: g.list[last]}
	if slices.ContainsFunc(between, leaves) {
		if f.fn.Loops(g.stmt) || own != nil {
			return nil
		}
		p.last = nil
	}
	return p
}

// handsOver reports whether a statement returns, sends or starts something with a lender's
// memory.
func (f *finder) handsOver(l *lending.Lender, s ast.Stmt) bool {
	memory := func(e ast.Expr) bool { return f.Memory(e) == l }
	return syntax.Any(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			return slices.ContainsFunc(n.Results, memory)
		case *ast.SendStmt:
			return memory(n.Value)
		case *ast.GoStmt:
			return true
		}
		return false
	})
}

// leaves reports whether a statement may leave its list.
func leaves(s ast.Stmt) bool {
	return syntax.Any(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			return true
		}
		return false
	})
}

// goroutine plans to give memory back in the goroutine that uses it.
func (f *finder) goroutine(l *lending.Lender, g gift) *plan {
	if literal(g.Path) != nil {
		return nil
	}
	var start *starts.Start
	for _, s := range starts.Of(f.fn) {
		if s.Lit == nil || s.To == nil || !slices.ContainsFunc(f.uses(l), func(u use) bool { return syntax.Within(ast.Node(u.id), ast.Node(s.Lit)) }) {
			continue
		}
		if start != nil {
			return nil
		}
		start = &s
	}
	if start == nil || !f.last(l, g, start.Stmt) || f.Waits(l, start.Lit) {
		return nil
	}
	return &plan{
		form: goroutine, to: start.To,
		note: "the goroutine gives " + l.Var.Name() + " back to " + l.Owner.Name() + " when it has used it",
	}
}

// last reports whether a lender's memory is used for the last time by a statement before it is given
// back, once, whichever way the function takes from there.
func (f *finder) last(l *lending.Lender, g gift, s ast.Stmt) bool {
	if slices.ContainsFunc(l.Given, func(g lending.Given) bool { return syntax.Within(g.At, ast.Node(s)) }) {
		return false
	}
	if slices.ContainsFunc(f.uses(l), func(u use) bool { return u.id.Pos() > s.End() }) {
		return false
	}
	if f.fn.Loops(s) && !f.sameTurn(l, s) {
		return false
	}
	if !g.deferred {
		at := slices.Index(g.list, s)
		return at >= 0 && at < slices.Index(g.list, g.stmt)
	}
	between := func(n ast.Node) bool {
		ret, ok := n.(*ast.ReturnStmt)
		return ok && ret.Pos() > g.stmt.Pos() && ret.Pos() < s.Pos()
	}
	return slices.Contains(g.list, s) && g.stmt.Pos() < s.Pos() && !syntax.Any(f.Decl.Body, between)
}

// sameTurn reports whether a lender is a variable of the turn of the loop that a statement is in.
func (f *finder) sameTurn(l *lending.Lender, s ast.Stmt) bool {
	return !syntax.Any(f.Decl.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return syntax.Within(ast.Node(s), n) && !(n.Pos() < l.Var.Pos() && l.Var.Pos() < n.End())
		}
		return false
	})
}

// receiver plans to give memory back where it is received.
func (f *finder) receiver(l *lending.Lender, g gift) *plan {
	for _, st := range f.fn.Statements() {
		send, ok := st.Stmt.(*ast.SendStmt)
		if !ok || !syntax.Is(f.Info, send.Value, l.Var) || !f.last(l, g, send) {
			continue
		}
		loop := f.ranges(send.Chan)
		if loop == nil || !f.portable(g.call, l.Var) {
			return nil
		}
		r := loop.Node.(*ast.RangeStmt)
		return &plan{
			form: receiver, loop: r, receiver: loop.Fn, name: r.Key.(*ast.Ident).Name,
			note: "it goes back to " + l.Owner.Name() + " when it has been used",
			near: []lending.Span{{File: loop.Fn.File, From: loop.Fn.Node.Pos(), To: loop.Fn.Node.End()}},
		}
	}
	return nil
}

// ranges is the loop over a channel that nobody else sends to or receives from, if it comes to
// its end in each turn; nil: there is none.
func (f *finder) ranges(ch ast.Expr) *mutate.ChannelUse {
	c := f.fn.Channel(ch)
	if c == nil || c.Escapes || len(c.Sends) != 1 || len(c.Receives) != 0 || len(c.Ranges) != 1 {
		return nil
	}
	loop := &c.Ranges[0]
	r, ok := loop.Node.(*ast.RangeStmt)
	if !ok || loop.Fn == nil || loop.Test || loop.Fn.File.Package != f.File.Package || len(r.Body.List) == 0 || slices.ContainsFunc(r.Body.List, leaves) {
		return nil
	}
	id, ok := r.Key.(*ast.Ident)
	if !ok || id.Name == "_" || loop.Fn.Reassigns(id.Name, r.Body.List...) || f.givesBack(loop.Fn.File, r) {
		return nil
	}
	return loop
}

// givesBack reports whether a loop gives back what it receives already.
func (f *finder) givesBack(file *analysis.File, r *ast.RangeStmt) (gives bool) {
	info := file.Package.Info
	syntax.Walk(r.Body, func(n ast.Node, path []ast.Node) {
		gives = gives || len(f.Gifts(info, n, path)) > 0
	})
	return gives
}

// portable reports whether a call means the same elsewhere in the package, but for a
// variable.
func (f *finder) portable(call *ast.CallExpr, but *types.Var) bool {
	return !syntax.Any(call, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		obj := f.Info.Uses[id]
		v, ok := obj.(*types.Var)
		return ok && v != but && !v.IsField() && v.Parent() != v.Pkg().Scope()
	})
}
