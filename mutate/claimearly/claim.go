package claimearly

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A claim is a flag that is tested in one section and set in a later one.
type claim struct {
	fn    *mutate.Function // with both sections, or the literals that have them
	info  *types.Info
	first first
	later

	value    constant.Value // of the flag then; nil: not known as a constant
	present  bool           // the flag is an entry of a map, or a pointer, that is there then
	tests    []ast.Stmt     // behind the first section, which leave by a copy of the flag
	exact    bool           // they leave for the assigned value alone: it may be assigned before them
	movable  bool           // the one test stands right behind the section, and can be made in it
	anywhere bool           // the flag is that of any value
	between  []ast.Stmt     // what runs from the first section to the assignment
	goes     []ast.Stmt     // the later assignment with what is only there for it
}

// A later is an assignment in a section behind the first.
type later struct {
	set      ast.Stmt
	flag     ast.Expr
	at       int        // index in the list of the first section of what the assignment is in
	before   []ast.Stmt // in its section
	after    []ast.Stmt // in its section
	found    ast.Expr   // the condition under which it is done; nil: none
	removes  bool       // it takes the flag out: an entry of a map, or what a variable points to
	alone    []ast.Stmt // what takes and releases the lock for it; nil: others need that
	deferred bool       // it is made when the function returns
}

// claims lists the flags of a function that can be set where they are tested.
func claims(fn *mutate.Function) []claim {
	var out []claim
	for _, f := range firsts(fn) {
		for _, l := range latersOf(fn, &f) {
			c := claim{fn: fn, info: fn.File.Package.Info, first: f, later: l}
			if c.plan() {
				out = append(out, c)
			}
		}
	}
	return out
}

// plan fills in how the flag can be set earlier; false if it cannot.
func (c *claim) plan() bool {
	if c.removes {
		return c.planRemoval()
	}
	if !c.known() || !c.tested() {
		return false
	}
	c.collect()
	return !c.disturbed()
}

// collect notes what runs between the first section and the assignment, and what goes.
func (c *claim) collect() {
	for _, s := range c.first.list[c.first.end+1 : c.at] {
		if _, _, isLock := lockCall(c.fn, s); !isLock && !slices.Contains(c.tests, s) {
			c.between = append(c.between, s)
		}
	}
	if c.deferred {
		c.between = append(c.between, c.first.list[c.at+1:]...)
	}
	c.between = append(c.between, c.before...)
	c.goes = slices.Clone(c.alone)
	if !syntax.Within(c.set, c.goes...) {
		c.goes = append(c.goes, c.set)
	}
}

// latersOf lists the assignments in sections of the same lock behind a first one.
func latersOf(fn *mutate.Function, f *first) []later {
	var out []later
	for i := f.end + 1; i < len(f.list); i++ {
		s := f.list[i]
		switch {
		case f.acquires(fn, s):
			found, end := f.inSection(fn, f.list, i)
			for _, l := range found {
				l.at = i
				out = append(out, l)
			}
			i = end
		default:
			for _, l := range f.removalsIn(fn, s) {
				l.at = i
				out = append(out, l)
			}
			body, deferred := literalOf(s)
			if len(body) < 2 || !f.acquires(fn, body[0]) {
				continue
			}
			end := len(body)
			if f.releases(fn, body[end-1]) {
				end--
			}
			for _, l := range f.assignments(fn, body[1:end]) {
				l.at, l.deferred, l.alone = i, deferred, []ast.Stmt{s}
				out = append(out, l.only())
			}
		}
	}
	return out
}

// inSection lists the assignments of the section that begins at an index of a list, and
// finds the index of its end.
func (f *first) inSection(fn *mutate.Function, list []ast.Stmt, from int) (out []later, end int) {
	end = f.endOf(fn, list, from)
	for _, l := range f.assignments(fn, list[from+1:end]) {
		if end < len(list) {
			l.alone = append(l.alone, list[end])
		}
		if len(l.alone) > 0 { // else what was deferred before releases
			l.alone = append(l.alone, list[from])
		}
		out = append(out, l.only())
	}
	return out, end
}

// only forgets what takes and releases the lock, unless that is for the assignment alone.
func (l later) only() later {
	if len(l.before) > 0 || slices.ContainsFunc(l.after, func(s ast.Stmt) bool {
		ret, ok := s.(*ast.ReturnStmt)
		return !ok || !syntax.NamesOnly(ret.Results)
	}) {
		l.alone = nil
	}
	return l
}

func (f *first) acquires(fn *mutate.Function, s ast.Stmt) bool {
	lock, method, ok := lockCall(fn, s)
	return ok && method == "Lock" && lock.Key == f.lock.Key && lock.Expr == f.lock.Expr
}

func (f *first) releases(fn *mutate.Function, s ast.Stmt) bool {
	lock, method, ok := lockCall(fn, s)
	return ok && method == "Unlock" && lock.Key == f.lock.Key && lock.Expr == f.lock.Expr
}

// endOf is the index of what ends the section that begins at an index of a list; the
// length of the list if nothing in that does.
func (f *first) endOf(fn *mutate.Function, list []ast.Stmt, from int) int {
	for i := from + 1; i < len(list); i++ {
		if f.releases(fn, list[i]) {
			return i
		}
	}
	return len(list)
}

// assignments lists those of one variable each among the statements of a section.
func (f *first) assignments(fn *mutate.Function, section []ast.Stmt) []later {
	var deferred []ast.Stmt
	if len(section) > 0 {
		lock, method, ok := deferredCall(fn, section[0])
		if ok && method == "Unlock" && lock.Key == f.lock.Key && lock.Expr == f.lock.Expr {
			deferred, section = section[:1:1], section[1:]
		}
	}
	var out []later
	for i, s := range section {
		l := later{set: s, before: section[:i], after: section[i+1:], alone: deferred}
		switch s := s.(type) {
		case *ast.AssignStmt:
			if len(s.Lhs) != 1 || s.Tok == token.DEFINE {
				continue
			}
			l.flag = s.Lhs[0]
			l.removes = s.Tok == token.ASSIGN && fn.File.Package.Info.Types[s.Rhs[0]].IsNil()
		case *ast.ExprStmt:
			if l.flag = deleted(fn, s); l.flag == nil {
				continue
			}
			l.removes = true
		case *ast.IncDecStmt:
			l.flag = s.X
		default:
			continue
		}
		out = append(out, l)
	}
	return out
}

// literalOf is the body of a literal that a statement only calls, or defers.
func literalOf(s ast.Stmt) (body []ast.Stmt, deferred bool) {
	var call *ast.CallExpr
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ = ast.Unparen(s.X).(*ast.CallExpr)
	case *ast.DeferStmt:
		call, deferred = s.Call, true
	}
	if call == nil || len(call.Args) > 0 {
		return nil, false
	}
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return lit.Body.List, deferred
	}
	return nil, false
}

// variable is the field or variable that the flag is, or of which it is an entry.
func (c *claim) variable() *types.Var {
	e := ast.Unparen(c.flag)
	if index, ok := e.(*ast.IndexExpr); ok {
		e = index.X
	}
	if v := syntax.Variable(c.info, e); v != nil {
		return v.Origin()
	}
	return nil
}

// same reports whether an expression of the function is the flag.
func (c *claim) same(e ast.Expr) bool {
	if c.anywhere {
		v := syntax.Variable(c.info, ast.Unparen(e))
		return v != nil && v.Origin() == c.variable()
	}
	return same(c.fn, e, c.flag)
}

func same(fn *mutate.Function, a, b ast.Expr) bool {
	a, b = ast.Unparen(a), ast.Unparen(b)
	x, ok := a.(*ast.IndexExpr)
	y, both := b.(*ast.IndexExpr)
	if ok || both {
		return ok && both && same(fn, x.X, y.X) && sameKey(fn, x.Index, y.Index)
	}
	p := fn.Path(a)
	return p.Root != nil && p == fn.Path(b)
}

// sameKey reports whether two keys of a map are one: a constant, or a name.
func sameKey(fn *mutate.Function, a, b ast.Expr) bool {
	x, y := fn.File.Package.Info.Types[a].Value, fn.File.Package.Info.Types[b].Value
	if x != nil && y != nil {
		return syntax.Equal(x, y)
	}
	p := fn.Path(a)
	return p.Root != nil && p == fn.Path(b)
}
