package locks

import (
	"go/ast"
	"go/types"
	"strings"

	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A sight is whether a function comes to use a lock by the names that it knows
// the lock by: whether it, or what it gives these names, takes or releases the
// lock, or assigns to what a name starts with. What is not in sight need not be
// followed, however much the functions that are called may do with other locks
// of the same key.
type sight struct {
	number, low int // see lookout
	done, yes   bool
}

// A lookout finds the sights of functions that may call each other, by Tarjan's
// algorithm: those of a cycle share one answer.
type lookout struct {
	m     *View
	stack []*sight
}

// sees is the sight of a function that is called.
func (fr *frame) sees() bool {
	if len(fr.on.names) == 0 && len(fr.bind) == 0 {
		return false
	}
	s := (&lookout{m: fr.m}).visit(fr)
	if !s.done {
		fr.m.following.undone++
	}
	return s.yes
}

// visit finds the sight of a frame. When it returns, that is done, or belongs to
// a cycle with one on the stack.
func (l *lookout) visit(fr *frame) *sight {
	s := l.m.sights[fr.identity()]
	if s != nil {
		return s
	}
	s = &sight{number: len(l.stack) + 1}
	s.low = s.number
	l.m.sights[fr.identity()] = s
	if len(fr.bind) == 0 && l.m.Unaffected(fr.fn) {
		base := l.m.Original.Lock()
		defer l.m.Original.Unlock()
		s.done, s.yes = true, fr.in(base).sees()
		return s
	}
	if l.uses(fr) {
		s.done, s.yes = true, true
		return s
	}
	l.stack = append(l.stack, s)
	l.eachCallee(fr, func(in *frame) bool {
		switch {
		case len(in.on.names) == 0 && len(in.bind) == 0:
		default:
			to := l.visit(in)
			if !to.done {
				s.low = min(s.low, to.low)
			}
			s.yes = to.yes
		}
		return !s.yes
	})
	if s.low < s.number {
		return s
	}
	members := l.stack[s.number-1:]
	for _, member := range members {
		s.yes = s.yes || member.yes
	}
	for _, member := range members {
		member.done, member.yes = true, s.yes
	}
	l.stack = l.stack[:s.number-1]
	return s
}

// parts are what in a function's text, its literals left out, may have to do
// with a lock.
type parts struct {
	calls    []*ast.CallExpr // those of go statements left out
	values   []ast.Expr      // functions and variables that hold some, where they are not called
	assigned []ast.Expr
}

// partsOf lists the parts of a function.
func (m *View) partsOf(fn *program.Func) *parts {
	if p := m.parts[fn]; p != nil {
		return p
	}
	p := new(parts)
	info := fn.Info()
	named := make(map[ast.Expr]bool) // what calls name, and selectors' names
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.GoStmt:
			named[n.Call] = true
		case *ast.CallExpr:
			if !named[n] {
				p.calls = append(p.calls, n)
			}
			named[ast.Unparen(n.Fun)] = true
		case *ast.SelectorExpr:
			named[n.Sel] = true
			p.addValue(info, n, named)
		case *ast.Ident:
			p.addValue(info, n, named)
		case ast.Stmt:
			p.assigned = append(p.assigned, syntax.Assigned(n)...)
		case *ast.ValueSpec:
			for _, name := range n.Names {
				p.assigned = append(p.assigned, name)
			}
		}
		return true
	})
	m.parts[fn] = p
	return p
}

func (p *parts) addValue(info *types.Info, e ast.Expr, named map[ast.Expr]bool) {
	if named[e] {
		return
	}
	if t := info.TypeOf(e); t != nil && program.IsFunc(t) {
		p.values = append(p.values, e)
	}
}

// uses reports whether the function of a frame itself uses the subject.
func (l *lookout) uses(fr *frame) bool {
	p := l.m.partsOf(fr.fn)
	for _, call := range p.calls {
		if op, ok := program.LockMethod(fr.fn.Info(), call.Fun); ok && fr.is(op) != other {
			return true
		}
	}
	for _, e := range p.values {
		if op, ok := program.LockMethod(fr.fn.Info(), e); ok && fr.is(op) != other {
			return true
		}
	}
	for _, e := range p.assigned {
		if fr.renames(e) {
			return true
		}
	}
	return false
}

// eachCallee visits the frames of what the text of a frame's function calls or names, until
// one says no.
func (l *lookout) eachCallee(fr *frame, visit func(*frame) bool) {
	p := l.m.partsOf(fr.fn)
	more := func(call *ast.CallExpr, list []callable) bool {
		for _, c := range list {
			if c.fn == nil || !fr.concerns(c.fn) {
				continue
			}
			in, bound := fr.inner(call, c)
			if (bound || fr.m.Touches(c.fn, fr.on.key)) && !visit(in) {
				return false
			}
		}
		return true
	}
	for _, call := range p.calls {
		if !more(call, fr.callables(call.Fun, naming.MaxAliases)) {
			return
		}
	}
	for _, e := range p.values {
		if !more(&ast.CallExpr{Fun: e}, fr.callables(e, naming.MaxAliases)) {
			return
		}
	}
	for _, lit := range fr.fn.Lits {
		if !visit(&frame{m: fr.m, fn: lit, on: fr.on, bind: fr.bind, consts: fr.consts}) {
			return
		}
	}
}

// renames reports whether an assignment is to something that a name of the
// subject starts with or is indexed by: that is another lock from now on.
func (fr *frame) renames(to ast.Expr) bool {
	p := assignedPath(fr, to)
	if !p.Known() {
		return false
	}
	for _, name := range fr.on.names {
		if _, ok := name.Below(p); ok {
			return true
		}
		if strings.IndexByte(name.Text, '[') >= 0 && (strings.Contains(name.Text, "["+p.ID()+"]") || strings.Contains(name.Text, "["+p.ID()+".")) {
			return true
		}
	}
	return false
}

// assignedPath is the path of what is assigned to; a local name is not seen through.
func assignedPath(fr *frame, to ast.Expr) naming.Path {
	if id, ok := ast.Unparen(to).(*ast.Ident); ok {
		return naming.VariablePath(fr.fn.Info().ObjectOf(id))
	}
	return fr.m.PathOf(fr.fn, to)
}
