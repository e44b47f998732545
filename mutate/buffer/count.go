package buffer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"mendel/mutate"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/chanwait"
)

// A total is a number of sends: n and, where per has a path, one more for each
// element or iteration.
type total struct {
	n   int
	per span
}

// A span is what a loop goes over: the elements of what a path leads to, or as
// many iterations as it says.
type span struct {
	path  mutate.Path
	count bool // the path is the number itself
}

func (t total) String() string {
	per := t.per.path.String()
	if per == "" {
		return strconv.Itoa(t.n)
	}
	if !t.per.count {
		per = "len(" + per + ")"
	}
	if t.n > 0 {
		per += "+" + strconv.Itoa(t.n)
	}
	return per
}

// Bounds on what is followed, and on what is worth a buffer; chosen, not measured.
const (
	maxCalls = 4  // between make and send
	maxSends = 16 // places, as a number in the source
)

// count is how many sends there are at most for one make; known is false if
// that cannot be told.
func count(fn *mutate.Function, call *ast.CallExpr, c *mutate.Channel) (t total, known bool) {
	if len(c.Makes) != 1 || c.Escapes {
		return t, false
	}
	k := &counter{
		call: call, sends: make(map[ast.Node]bool), left: make(map[ast.Node]bool),
		sites: make(map[*mutate.Function]map[ast.Node]bool),
	}
	for _, u := range c.Sends {
		k.sends[u.Node], k.left[u.Node] = true, true
	}
	t = k.list(fn, fn.Body.List, 0)
	if k.failed || len(k.left) > 0 || t.n > maxSends || k.calledElsewhere(fn) {
		return t, false
	}
	return t, t.per.path.Root == nil || visible(fn, call, t.per.path)
}

// visible reports whether a path means at the make what it means at the loop.
func visible(fn *mutate.Function, call *ast.CallExpr, p mutate.Path) bool {
	inner := fn.File.Package.Types.Scope().Innermost(call.Pos())
	if inner == nil {
		return false
	}
	if _, obj := inner.LookupParent(p.Root.Name(), call.Pos()); obj != p.Root {
		return false
	}
	at := mutate.Innermost(fn.Statements(), call)
	return at.Stmt != nil && !fn.Reassigns(p.String(), at.List[at.Index+1:]...)
}

// A counter adds up sends.
type counter struct {
	call   *ast.CallExpr // the make
	sends  map[ast.Node]bool
	left   map[ast.Node]bool                      // sends not come across yet
	failed bool                                   // there are more than can be told
	sites  map[*mutate.Function]map[ast.Node]bool // where declared functions that send are called or started
}

// calledElsewhere reports whether a function that sends is named in other places
// of the program than those that were counted.
func (k *counter) calledElsewhere(fn *mutate.Function) bool {
	names := make(map[types.Object]int)
	for to, sites := range k.sites {
		names[to.File.Package.Info.Defs[to.Node.(*ast.FuncDecl).Name]] = len(sites)
	}
	if len(names) == 0 {
		return false
	}
	for _, pkg := range fn.Program.Packages {
		for _, obj := range pkg.Info.Uses {
			if f, ok := obj.(*types.Func); ok {
				if n, sends := names[f.Origin()]; sends {
					if n == 0 {
						return true
					}
					names[f.Origin()]--
				}
			}
		}
	}
	return false
}

func (k *counter) fail() total {
	k.failed = true
	return total{}
}

func (k *counter) add(a, b total) total {
	if a.per.path.Root != nil && b.per.path.Root != nil {
		return k.fail()
	}
	if a.per.path.Root == nil {
		a.per = b.per
	}
	a.n += b.n
	return a
}

// either is the total of two branches.
func (k *counter) either(a, b total) total {
	if a.per.path.Root != nil && b.per.path.Root != nil && a.per != b.per {
		return k.fail()
	}
	if a.per.path.Root == nil {
		a.per = b.per
	}
	a.n = max(a.n, b.n)
	return a
}

// list counts the sends of statements that run one after the other.
func (k *counter) list(fn *mutate.Function, list []ast.Stmt, depth int) total {
	var t total
	for i, s := range list {
		if k.failed {
			return t
		}
		switch s := s.(type) {
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return k.add(t, k.branches(fn, s, list[i+1:], depth))
		case *ast.ForStmt:
			t = k.add(t, k.loop(fn, s, s.Body, depth))
		case *ast.RangeStmt:
			t = k.add(t, k.loop(fn, s, s.Body, depth))
		case *ast.BlockStmt:
			t = k.add(t, k.list(fn, s.List, depth))
		case *ast.LabeledStmt:
			t = k.add(t, k.list(fn, []ast.Stmt{s.Stmt}, depth))
		default:
			t = k.add(t, k.simple(fn, s, depth))
		}
	}
	return t
}

// branches counts the sends of a branching statement and of what follows it,
// which a branch that returns does not come to.
func (k *counter) branches(fn *mutate.Function, s ast.Stmt, rest []ast.Stmt, depth int) total {
	behind := k.list(fn, rest, depth)
	t := behind // none of the branches is taken
	if sel, ok := s.(*ast.SelectStmt); ok {
		for _, c := range sel.Body.List {
			clause := c.(*ast.CommClause)
			own := k.list(fn, clause.Body, depth)
			if clause.Comm != nil {
				own = k.add(own, k.simple(fn, clause.Comm, depth))
			}
			t = k.either(t, k.continued(own, clause.Body, behind))
		}
		return t
	}
	for _, list := range mutate.Lists(s) {
		t = k.either(t, k.continued(k.list(fn, list, depth), list, behind))
	}
	return t
}

func (k *counter) continued(own total, list []ast.Stmt, behind total) total {
	if len(list) > 0 {
		if _, ok := list[len(list)-1].(*ast.ReturnStmt); ok {
			return own
		}
	}
	return k.add(own, behind)
}

// loop counts the sends of a loop. One around the make is over for each channel
// after one iteration.
func (k *counter) loop(fn *mutate.Function, s ast.Stmt, body *ast.BlockStmt, depth int) total {
	t := k.list(fn, body.List, depth)
	if s.Pos() <= k.call.Pos() && k.call.End() <= s.End() || t == (total{}) {
		return t
	}
	if t.per.path.Root != nil {
		return k.fail()
	}
	over, turns, ok := iterations(fn, s)
	switch {
	case !ok:
		return k.fail()
	case over.path.Root == nil:
		return total{n: t.n * turns}
	case t.n == 1:
		return total{per: over}
	}
	return k.fail()
}

// simple counts the sends of any other statement, those of functions that it
// calls, starts or writes down included.
func (k *counter) simple(fn *mutate.Function, s ast.Stmt, depth int) total {
	var t total
	into := func(site ast.Node, to *mutate.Function, name func(mutate.Path) mutate.Path) {
		if depth >= maxCalls {
			return // sends below are left over
		}
		inner := k.list(to, to.Body.List, depth+1)
		if _, declared := to.Node.(*ast.FuncDecl); declared && inner != (total{}) {
			if k.sites[to] == nil {
				k.sites[to] = make(map[ast.Node]bool)
			}
			k.sites[to][site] = true
		}
		if inner.per.path.Root != nil {
			if inner.per.path = name(inner.per.path); inner.per.path.Root == nil {
				k.failed = true
			}
		}
		t = k.add(t, inner)
	}
	ast.Inspect(s, func(n ast.Node) bool {
		if k.sends[n] {
			delete(k.left, n)
			t.n++
		}
		if lit, ok := n.(*ast.FuncLit); ok {
			if to := fn.OfNode(lit); to != nil && !started(fn, s, lit) {
				into(lit, to, func(p mutate.Path) mutate.Path { return p })
			}
			return false
		}
		return true
	})
	for _, c := range fn.Calls(s) {
		into(c.Expr, c.To, c.Name)
	}
	for _, start := range starts.Of(fn) {
		if start.Stmt == s && start.To != nil {
			into(s, start.To, start.Name)
		}
	}
	return t
}

// started reports whether a statement starts a literal.
func started(fn *mutate.Function, s ast.Stmt, lit *ast.FuncLit) bool {
	return slices.ContainsFunc(starts.Of(fn), func(start starts.Start) bool { return start.Stmt == s && start.Lit == lit })
}

// iterations is how often a loop runs its body: as a number, or by what it goes over.
func iterations(fn *mutate.Function, s ast.Stmt) (over span, n int, ok bool) {
	switch s := s.(type) {
	case *ast.RangeStmt:
		t := fn.File.Package.Info.TypeOf(s.X)
		if t == nil {
			return over, 0, false
		}
		switch t.Underlying().(type) {
		case *types.Slice, *types.Array, *types.Map:
			over.path = fn.Path(s.X)
			return over, 0, over.path.Root != nil
		case *types.Basic:
			return bound(fn, s.X)
		}
	case *ast.ForStmt:
		if from, ok := s.Init.(*ast.AssignStmt); !ok || len(from.Rhs) != 1 || types.ExprString(from.Rhs[0]) != "0" {
			return over, 0, false
		}
		if step, ok := s.Post.(*ast.IncDecStmt); !ok || step.Tok != token.INC {
			return over, 0, false
		}
		if cond, ok := s.Cond.(*ast.BinaryExpr); ok && cond.Op == token.LSS {
			return bound(fn, cond.Y)
		}
	}
	return over, 0, false
}

// bound is the number of iterations of a loop that counts up to an expression.
func bound(fn *mutate.Function, e ast.Expr) (over span, n int, ok bool) {
	tv := fn.File.Package.Info.Types[e]
	if tv.Value != nil {
		v, exact := constant.Int64Val(constant.ToInt(tv.Value))
		return over, int(min(v, maxSends+1)), exact && v >= 0
	}
	if call, isCall := ast.Unparen(e).(*ast.CallExpr); isCall {
		if id, ok := call.Fun.(*ast.Ident); !ok || id.Name != "len" || len(call.Args) != 1 {
			return over, 0, false
		}
		over.path = fn.Path(call.Args[0])
		return over, 0, over.path.Root != nil
	}
	if t, isBasic := types.Unalias(tv.Type).(*types.Basic); !isBasic || t.Kind() != types.Int {
		return over, 0, false
	}
	over = span{path: fn.Path(e), count: true}
	return over, 0, over.path.Root != nil
}

// added is the text of a make's capacity with some places more.
func added(fn *mutate.Function, call *ast.CallExpr, more int64) string {
	if lit, ok := ast.Unparen(call.Args[1]).(*ast.BasicLit); ok && lit.Kind == token.INT {
		if n := chanwait.Capacity(fn, call); n >= 0 {
			return strconv.FormatInt(n+more, 10)
		}
	}
	return operand(call.Args[1]) + "+" + strconv.FormatInt(more, 10)
}

// operand is the text of an expression that something can be added to.
func operand(e ast.Expr) string {
	text := types.ExprString(e)
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op.Precedence() < token.ADD.Precedence() {
		return "(" + text + ")"
	}
	return text
}
