package hoist

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/locked"
	"mendel/mutate/internal/sectionedit"
)

// A group is all that a function does with one value whose methods lock it.
type group struct {
	lock  mutate.Path // as the function writes it: other.mu
	uses  []use       // in source order
	first *locked.Function
}

// A use is a call of a method that locks its receiver, an access to a
// shared field beside the lock, or a call through what such a method gave.
type use struct {
	node   ast.Node
	name   string // "other.Len"
	call   *ast.CallExpr
	method *locked.Function // of call
	access analysis.Access
}

// reads reports whether the read side of the lock is enough.
func (u use) reads() bool {
	if u.call != nil {
		return u.method.Section.Read
	}
	return !u.access.Write
}

// groupsOf groups what the function does itself, function literals, go and
// defer statements left out, by value.
func groupsOf(fn *mutate.Function) []*group {
	var groups []*group
	for _, c := range fn.Calls(fn.Body.List...) {
		method, ok := hoistable(fn, c)
		if !ok {
			continue
		}
		lock := c.Name(method.Lock)
		if lock.Root == nil {
			continue
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return g.lock == lock && g.first.Section.Lock.Key == method.Section.Lock.Key })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &group{lock: lock, first: method})
		}
		groups[i].uses = append(groups[i].uses, use{
			node: c.Expr, name: types.ExprString(c.Expr.Fun), call: c.Expr, method: method,
		})
	}
	for _, g := range groups {
		g.addAccesses(fn)
		g.addGiven(fn)
		slices.SortStableFunc(g.uses, func(a, b use) int { return cmp.Compare(a.node.Pos(), b.node.Pos()) })
	}
	return groups
}

// hoistable reports whether a call names a method, of this package and of the
// value's own type, that can do without its lock.
func hoistable(fn *mutate.Function, c mutate.Call) (*locked.Function, bool) {
	sel, ok := c.Expr.Fun.(*ast.SelectorExpr)
	if !ok || c.To.File.Package != fn.File.Package {
		return nil, false
	}
	s := fn.File.Package.Info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
		return nil, false
	}
	method, ok := locked.Whole(c.To)
	return method, ok && locked.ByReceiver(c.To, method.Section)
}

// addAccesses adds the accesses to shared fields of the struct that the lock is a field of.
func (g *group) addAccesses(fn *mutate.Function) {
	owner := g.lock
	if g.first.Lock.Rest != "" { // the mutex is not embedded
		owner.Rest = owner.Rest[:strings.LastIndex(owner.Rest, ".")]
	}
	for _, a := range fn.Accesses(fn.Body.List...) {
		if a.Var.IsField() && fn.Base(a.Expr) == owner && !fn.Fresh(a.Expr) {
			g.uses = append(g.uses, use{node: a.Expr, name: types.ExprString(a.Expr), access: a})
		}
	}
}

// spans lists how many statements from st on are worth a section: up to
// another one with a use of the value, with a call among the uses, and with
// two uses of which both can be made.
func (g *group) spans(st mutate.Statement) []int {
	var counts []int
	sum, called := 0, false
	for i, stmt := range st.List[st.Index:min(st.Index+sectionedit.MaxMoves, len(st.List))] {
		weight := g.weight(stmt)
		if i == 0 && weight == 0 {
			break
		}
		sum += weight
		called = called || slices.ContainsFunc(g.uses, func(u use) bool { return u.call != nil && syntax.Within(u.node, stmt) })
		if weight > 0 && sum > 1 && called {
			counts = append(counts, i+1)
		}
	}
	return counts
}

// weight counts the uses that can be made one after the other when a statement
// runs: in one of the branches only, in loops twice.
func (g *group) weight(n ast.Node) int {
	switch n := n.(type) {
	case nil:
		return 0
	case *ast.IfStmt:
		return g.weight(n.Init) + g.weight(n.Cond) + max(g.weight(n.Body), g.weight(n.Else))
	case *ast.ForStmt:
		return g.weight(n.Init) + 2*(g.weight(n.Cond)+g.weight(n.Post)+g.weight(n.Body))
	case *ast.RangeStmt:
		return g.weight(n.X) + 2*g.weight(n.Body)
	case *ast.SwitchStmt:
		return g.weight(n.Init) + g.weight(n.Tag) + g.clauses(n.Body)
	case *ast.TypeSwitchStmt:
		return g.weight(n.Init) + g.weight(n.Assign) + g.clauses(n.Body)
	case *ast.SelectStmt:
		return g.clauses(n.Body)
	case *ast.FuncLit:
		return 0
	}
	sum := 0
	ast.Inspect(n, func(c ast.Node) bool {
		if c == nil {
			return false
		}
		if c != n && branches(c) {
			sum += g.weight(c)
			return false
		}
		if slices.ContainsFunc(g.uses, func(u use) bool { return u.node == c }) {
			sum++
		}
		return true
	})
	return sum
}

// branches reports whether a node has a weight of its own way.
func branches(n ast.Node) bool {
	switch n.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit:
		return true
	}
	return false
}

// clauses is the weight of the heaviest clause.
func (g *group) clauses(body *ast.BlockStmt) int {
	heaviest := 0
	for _, c := range body.List {
		heaviest = max(heaviest, g.weight(c))
	}
	return heaviest
}
