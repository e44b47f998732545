package closeguard

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/locking"
)

// A passage is a part of a function in which a channel is sent to or closed, from the question whether it
// is closed on.
type passage struct {
	use  mutate.ChannelUse
	sel  *ast.SelectorExpr // the channel
	at   mutate.Statement  // the statement that has the send or close, in the list that has the question
	asks []*types.Var      // the fields that are asked, or set, before it in that list
}

// waitingParts are the edits that hold a new lock from each question whether a channel is closed to the send,
// for reading, and from the question, or from where the answer is set, to the close; nil if some use has no
// question, or all are under one lock.
func waitingParts(c *mutate.Channel) (parts []mutate.Edit) {
	all := passagesOf(c)
	flag := common(all)
	if flag == nil {
		return nil
	}
	for _, p := range all {
		e, ok := p.edit(flag)
		if !ok {
			return nil
		}
		parts = append(parts, e)
	}
	return parts
}

// passagesOf are the passages of all sends, and then closes, of a channel; nil if one has no question, or is of
// another field.
func passagesOf(c *mutate.Channel) (all []passage) {
	if c.Escapes || len(c.Sends) == 0 || len(c.Closes) == 0 {
		return nil
	}
	for _, u := range slices.Concat(c.Sends, c.Closes) {
		p, ok := passageOf(u)
		if !ok || len(all) > 0 && fieldOf(p) != fieldOf(all[0]) {
			return nil
		}
		all = append(all, p)
	}
	return all
}

// passageOf is the passage of a use; ok is false if its function asks nothing before.
func passageOf(u mutate.ChannelUse) (p passage, ok bool) {
	if u.Test || u.Fn == nil {
		return p, false
	}
	sel, _, ok := channelField(u)
	if !ok {
		return p, false
	}
	var inner ast.Stmt = u.Stmt
	if u.Select != nil {
		inner = u.Select
	}
	all := u.Fn.Statements()
	for {
		i := slices.IndexFunc(all, func(st mutate.Statement) bool { return st.Stmt == inner })
		if i < 0 {
			return p, false
		}
		p = passage{use: u, sel: sel, at: all[i]}
		if p.asks = p.asked(); len(p.asks) > 0 {
			return p, true
		}
		around, isStmt := all[i].Owner.(ast.Stmt)
		if !isStmt || ast.Stmt(u.Fn.Body) == around {
			return p, false
		}
		if inner = enclosing(all, around); inner == nil {
			return p, false
		}
	}
}

// enclosing is the statement of a list that another one is, or is in.
func enclosing(all []mutate.Statement, of ast.Stmt) (innermost ast.Stmt) {
	for _, st := range all {
		if st.Stmt.Pos() <= of.Pos() && of.End() <= st.Stmt.End() && (innermost == nil || innermost.Pos() <= st.Stmt.Pos()) {
			innermost = st.Stmt
		}
	}
	return innermost
}

// channelField is the field of a use's channel.
func channelField(u mutate.ChannelUse) (sel *ast.SelectorExpr, owner *types.TypeName, ok bool) {
	sel, ok = ast.Unparen(u.Expr).(*ast.SelectorExpr)
	if !ok || u.Fn.Path(sel.X).Root == nil {
		return nil, nil, false
	}
	s := u.Fn.File.Package.Info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || len(s.Index()) != 1 {
		return nil, nil, false
	}
	owner = ownerOf(s.Recv())
	return sel, owner, owner != nil && owner.Pkg() == u.Fn.File.Package.Types && !u.Fn.Program.Copied(owner)
}

func fieldOf(p passage) types.Object { return p.use.Fn.File.Package.Info.Uses[p.sel.Sel] }

// asked are the fields beside the channel, flags by their types, that statements before it ask or set.
func (p passage) asked() (fields []*types.Var) {
	for _, s := range p.at.List[:p.at.Index] {
		for _, v := range p.flagsIn(s) {
			if !slices.Contains(fields, v) {
				fields = append(fields, v)
			}
		}
	}
	return fields
}

// flagsIn are the flags of the channel's owner that a statement mentions.
func (p passage) flagsIn(s ast.Stmt) (fields []*types.Var) {
	info := p.use.Fn.File.Package.Info
	owner := p.use.Fn.Path(p.sel.X).String()
	ast.Inspect(s, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		v := syntax.Field(info, sel)
		if v != nil && isFlag(v.Type()) && p.use.Fn.Path(sel.X).String() == owner {
			fields = append(fields, v)
		}
		return true
	})
	return fields
}

// isFlag reports whether a variable of a type can say whether something is closed.
func isFlag(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "bool", "int32", "uint32", "sync/atomic.Bool", "sync/atomic.Int32", "sync/atomic.Uint32":
		return true
	}
	return false
}

// common is the first field that all passages ask, and that those set which close the channel.
func common(all []passage) *types.Var {
	if len(all) == 0 {
		return nil
	}
	for _, v := range all[len(all)-1].asks {
		if !slices.ContainsFunc(all, func(p passage) bool { return !slices.Contains(p.asks, v) || p.closes() && !p.sets(v) }) {
			return v
		}
	}
	return nil
}

// closes reports whether a passage ends with a close.
func (p passage) closes() bool {
	_, send := p.use.Node.(*ast.SendStmt)
	return !send
}

// sets reports whether what stands before the close changes a flag: it is assigned to, or a method of it is
// called that stores. A count that the functions change as well is no flag.
func (p passage) sets(flag *types.Var) bool {
	info := p.use.Fn.File.Package.Info
	is := func(e ast.Expr) bool {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		return ok && syntax.Declared(info.Uses[sel.Sel]) == types.Object(flag)
	}
	return slices.ContainsFunc(p.at.List[:p.at.Index], func(s ast.Stmt) bool {
		return syntax.Any(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				return slices.ContainsFunc(n.Lhs, is)
			case *ast.CallExpr:
				sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
				if ok && is(sel.X) {
					return sel.Sel.Name == "Store" || sel.Sel.Name == "Swap" || sel.Sel.Name == "CompareAndSwap"
				}
				return slices.ContainsFunc(n.Args, func(e ast.Expr) bool { // atomic.StoreInt32(&s.closed, 1)
					u, ok := e.(*ast.UnaryExpr)
					f := syntax.Callee(info, n.Fun)
					return ok && is(u.X) && f != nil && (strings.HasPrefix(f.Name(), "Store") || strings.HasPrefix(f.Name(), "Swap") || strings.HasPrefix(f.Name(), "CompareAndSwap"))
				})
			}
			return false
		})
	})
}

// edit puts the passage under the new lock, from the first statement that mentions a flag on, with the section
// that this is in.
func (p passage) edit(flag *types.Var) (e mutate.Edit, ok bool) {
	fn, list := p.use.Fn, p.at.List
	from := slices.IndexFunc(list[:p.at.Index], func(s ast.Stmt) bool { return slices.Contains(p.flagsIn(s), flag) })
	send := !p.closes()
	for _, s := range fn.Sections() {
		if !s.Covers(list[from]) && !s.Covers(p.at.Stmt) {
			continue
		}
		if s.Covers(p.at.Stmt) {
			return e, false // a lock is held from the question to the send: this is no such fault
		}
		if at := slices.Index(list[:from], s.Acquire); at >= 0 {
			from = at
		}
	}
	stmts := list[from : p.at.Index+1]
	start := p.at
	start.Stmt, start.Index = list[from], from
	span, ok := locking.Plan(fn, start, len(stmts))
	if !ok {
		return e, false
	}
	field := fieldOf(p).(*types.Var)
	l, ok := fn.Program.NewValue(fn.File, list[from], analysis.Access{Var: field, Expr: p.sel}, "sync.RWMutex", field.Name()+"Mu", "Mu")
	if !ok {
		return e, false
	}
	note := types.ExprString(p.sel) + " is not closed between the question and the send"
	if !send {
		note = "nobody is between the question and a send to " + types.ExprString(p.sel)
	}
	e = locking.Around(fn, locking.Candidate{Lock: l, Read: send}, note, span.Stmts...)
	e.Sure = true
	return e, true
}

// mayWait reports whether a send of a channel may wait.
func mayWait(c *mutate.Channel) bool {
	return slices.ContainsFunc(c.Sends, func(u mutate.ChannelUse) bool {
		return u.Select == nil || !syntax.HasDefault(u.Select)
	})
}
