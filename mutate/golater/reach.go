package golater

import (
	"go/ast"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/blocking"
)

// An access is a use of a shared variable in a function.
type access struct {
	analysis.Access
	in *mutate.Function
}

// A reach follows code into what it calls, function values and interfaces too.
type reach struct {
	fn     *mutate.Function
	byNode map[ast.Node]*mutate.Function
	seen   map[*mutate.Function]bool
}

type functionsByNode struct{}

func newReach(fn *mutate.Function) *reach {
	byNode := mutate.Once(fn, functionsByNode{}, func() map[ast.Node]*mutate.Function {
		found := make(map[ast.Node]*mutate.Function)
		for _, f := range fn.OfProgram() {
			found[f.Node] = f
		}
		return found
	})
	return &reach{fn, byNode, make(map[*mutate.Function]bool)}
}

// follow visits some statements of a function, and the bodies of what they call.
func (r *reach) follow(in *mutate.Function, stmts []ast.Stmt, visit func(in *mutate.Function, s ast.Stmt)) {
	for _, s := range stmts {
		visit(in, s)
		syntax.Now(s, func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			for _, node := range r.fn.Program.Callees(call) {
				if to := r.byNode[node]; to != nil && !r.seen[to] {
					r.seen[to] = true
					r.follow(to, to.Body.List, visit)
				}
			}
		})
	}
}

// accesses are those that some statements come to.
func (r *reach) accesses(in *mutate.Function, stmts []ast.Stmt) (found []access) {
	r.follow(in, stmts, func(in *mutate.Function, s ast.Stmt) {
		for _, a := range in.Accesses(s) {
			found = append(found, access{a, in})
		}
	})
	return found
}

// conflicts are the uses by the goroutines, and between, of the variables that are set between
// and used by the goroutines, or the other way round.
func (p *plan) conflicts() (found []access) {
	between := newReach(p.fn).accesses(p.fn, p.between)
	var started []access
	r := newReach(p.fn)
	for _, to := range p.started() {
		if !r.seen[to] {
			r.seen[to] = true
			started = append(started, r.accesses(to, to.Body.List)...)
		}
	}
	for _, a := range between {
		for _, b := range started {
			if a.Write && a.Var.Origin() == b.Var.Origin() {
				found = append(found, a, b)
			}
		}
	}
	return found
}

// started are the functions that the starts run as goroutines.
func (p *plan) started() (list []*mutate.Function) {
	add := func(fn *mutate.Function, within func(ast.Stmt) bool) {
		for _, s := range starts.Of(fn) {
			if s.To != nil && within(s.Stmt) {
				list = append(list, s.To)
			}
		}
	}
	add(p.fn, func(s ast.Stmt) bool {
		return slices.ContainsFunc(p.starts, func(o ast.Stmt) bool { return syntax.Within[ast.Node](s, o) })
	})
	for _, c := range p.fn.Calls(p.starts...) {
		add(c.To, func(ast.Stmt) bool { return true })
	}
	return list
}

// waits reports whether a statement may wait for a goroutine, but for some that are left out.
func (p *plan) waits(s ast.Stmt, but []ast.Stmt) bool {
	found := false
	newReach(p.fn).follow(p.fn, p.without(s, but), func(in *mutate.Function, s ast.Stmt) {
		found = found || waitsAt(in, s)
	})
	return found
}

// without are the statements to look at: one itself if nothing in it is left out, else the
// others in it.
func (p *plan) without(s ast.Stmt, but []ast.Stmt) []ast.Stmt {
	if !slices.ContainsFunc(but, func(b ast.Stmt) bool { return syntax.Within[ast.Node](b, s) }) {
		return []ast.Stmt{s}
	}
	list := []ast.Stmt{}
	for _, st := range p.fn.Statements() {
		inside := syntax.Within[ast.Node](st.Stmt, s) && st.Stmt != s
		if inside && !slices.Contains(but, st.Stmt) {
			list = append(list, st.Stmt)
		}
	}
	if branch, ok := s.(*ast.IfStmt); ok {
		if branch.Init != nil {
			list = append(list, branch.Init)
		}
		list = append(list, &ast.ExprStmt{X: branch.Cond})
	}
	return list
}

// waitsAt reports whether a statement itself waits for another goroutine: at a channel, a wait
// group or a condition variable. A select with a default does not.
func waitsAt(fn *mutate.Function, s ast.Stmt) bool {
	info := fn.File.Package.Info
	polled := make(map[ast.Node]bool)
	found := false
	syntax.Now(s, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.SelectStmt:
			found = found || !syntax.HasDefault(n)
			syntax.Polls(n, polled)
		case *ast.CallExpr:
			f := syntax.Callee(info, n.Fun)
			found = found || f != nil && slices.Contains([]string{"(*sync.WaitGroup).Wait", "(*sync.Cond).Wait"}, f.FullName())
		default:
			found = found || !polled[n] && blocking.ChannelOperation(info, n) != ""
		}
	})
	return found
}
