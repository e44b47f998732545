package access

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// Verb is what a use does, for people.
func Verb(u Use) string {
	if u.Write {
		return "written"
	}
	return "read"
}

// A Variable is a field, a package variable or a local variable that a function literal
// shares with the function around it, whoever uses it.
type Variable struct {
	Key  string // "example.com/bank.Account.amount"; the same in a program and its mutants
	Name string // for people: "Account.amount"
}

// A Use is a read or a write of a variable in a function.
type Use struct {
	Variable
	In     *program.Func
	At     ast.Expr
	Write  bool
	Atomic bool // the variable is of package sync/atomic
	// Alone: nobody else can have the value yet, or any more: it has just been made, or
	// the goroutines that share it have not begun or are waited for.
	Alone bool
	// Leads: it is a pointer that is only read to come to a field of what it points to.
	Leads bool

	Base naming.Path // what the field is selected from
	Obj  *types.Var
}

// All lists the uses of the variables of the program's packages in source order, those of
// tests, and of what synchronises by itself, left out.
func All(of *locks.Model) []Use {
	m := of.Lock()
	defer of.Unlock()
	return List(m)
}

// List lists all uses.
func List(m *locks.View) []Use {
	if tables.Of(m).allUses != nil {
		return tables.Of(m).allUses
	}
	uses := []Use{}
	for _, fn := range m.Shipped() {
		uses = append(uses, In(m, fn)...)
	}
	tables.Of(m).allUses = uses
	return uses
}

// In lists the uses in a function's own text.
func In(m *locks.View, fn *program.Func) []Use {
	c := &collector{m: m, fn: fn, writes: make(map[ast.Expr]bool), prefix: make(map[ast.Expr]bool), leads: make(map[ast.Expr]bool), atomic: make(map[ast.Expr]string)}
	ast.Inspect(fn.Body, c.visit)
	slices.SortStableFunc(c.uses, func(a, b Use) int { return cmp.Compare(a.At.Pos(), b.At.Pos()) })
	return c.uses
}

// A collector finds the uses in a function's text, outside in.
type collector struct {
	m      *locks.View
	fn     *program.Func
	uses   []Use
	writes map[ast.Expr]bool   // what is assigned to
	atomic map[ast.Expr]string // the method that is called of what is atomic
	prefix map[ast.Expr]bool   // what a field is selected from is not used as a whole
	leads  map[ast.Expr]bool   // pointers that a field is selected through
}

func (c *collector) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		return false
	case ast.Stmt:
		for _, e := range syntax.Assigned(n) {
			c.write(e)
		}
	case *ast.CallExpr:
		if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
			if t := c.fn.Info().TypeOf(sel.X); t != nil && isAtomic(t) {
				c.atomic[ast.Unparen(sel.X)] = sel.Sel.Name
			}
		}
		if name := syntax.Builtin(c.fn.Info(), n); slices.Contains([]string{"delete", "clear", "copy"}, name) && len(n.Args) > 0 {
			c.write(n.Args[0])
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			c.prefix[ast.Unparen(n.X)] = true // what is done by the pointer is not seen
		}
	case *ast.SelectorExpr:
		c.selector(n)
	case *ast.Ident:
		c.ident(n)
	}
	return true
}

// write notes what is assigned to: the variable whose memory an element or a field is part of.
func (c *collector) write(e ast.Expr) {
	e = ast.Unparen(e)
	c.writes[e] = true
	switch e := e.(type) {
	case *ast.IndexExpr:
		c.write(e.X)
	case *ast.SliceExpr:
		c.write(e.X)
	}
}

func (c *collector) selector(e *ast.SelectorExpr) {
	info := c.fn.Info()
	s := info.Selections[e]
	if s == nil {
		if v, ok := info.Uses[e.Sel].(*types.Var); ok {
			c.add(e, v, naming.Path{})
		}
		return
	}
	if t := info.TypeOf(e.X); s.Kind() == types.FieldVal && t != nil {
		if program.Deref(t) == t {
			c.prefix[ast.Unparen(e.X)] = true
		} else {
			c.leads[ast.Unparen(e.X)] = true
		}
	}
	if s.Kind() == types.FieldVal {
		c.add(e, s.Obj().(*types.Var), c.m.PathOf(c.fn, e.X))
	}
}

func (c *collector) ident(id *ast.Ident) {
	v, ok := c.fn.Info().Uses[id].(*types.Var)
	if !ok || v.IsField() {
		return
	}
	c.add(id, v, naming.Path{})
}

func (c *collector) add(e ast.Expr, v *types.Var, base naming.Path) {
	if c.writes[e] && synchronises(v.Type()) && !isAtomic(v.Type()) {
		c.remade(e, v, base)
		return
	}
	if c.prefix[e] && !c.writes[e] && c.atomic[e] == "" || synchronises(v.Type()) && !isAtomic(v.Type()) {
		return
	}
	of, ok := VariableOf(c.m, c.fn, e, v)
	if !ok {
		return
	}
	u := Use{Variable: of, In: c.fn, At: e, Write: c.writes[e] || changesAtomic(c.atomic[e]), Atomic: isAtomic(v.Type()), Base: base, Obj: v, Leads: c.leads[e]}
	u.Alone = alone(c.m, u)
	c.uses = append(c.uses, u)
}

// remade notes that what synchronises is replaced.
func (c *collector) remade(e ast.Expr, v *types.Var, base naming.Path) {
	n, ok := types.Unalias(program.Deref(v.Type())).(*types.Named)
	if !ok || n.Obj().Pkg().Path() != "sync" {
		return
	}
	of, ok := VariableOf(c.m, c.fn, e, v)
	if !ok {
		return
	}
	u := Use{Variable: of, In: c.fn, At: e, Write: true, Base: base, Obj: v}
	if !unpublished(c.m, u) {
		tables.Of(c.m).remade = append(tables.Of(c.m).remade, u)
	}
}

// Replaced are the writes that replace what synchronises, as far as uses have been asked for.
func Replaced(m *locks.View) []Use { return tables.Of(m).remade }

// VariableOf identifies a variable that others than the function may use.
func VariableOf(m *locks.View, fn *program.Func, e ast.Expr, v *types.Var) (Variable, bool) {
	if v.Pkg() == nil || !m.Index().Own[v.Pkg().Path()] {
		return Variable{}, false
	}
	switch {
	case v.IsField():
		key := program.ExprKey(fn.Info(), e)
		if key == "" || key == program.AnyKey || strings.HasPrefix(key, ".") {
			return Variable{}, false
		}
		return Variable{key, key[strings.LastIndexAny(key[:strings.LastIndex(key, ".")], "./")+1:]}, true
	case v.Parent() == v.Pkg().Scope():
		return Variable{v.Pkg().Path() + "." + v.Name(), v.Name()}, true
	}
	if sharedLocals(m, fn)[v] {
		return Variable{fn.Decl.Name + ":" + v.Name(), v.Name()}, true
	}
	return Variable{}, false
}

// sharedLocals are the local variables of the declaration around a function that a
// goroutine's literal has in common with what is around it.
func sharedLocals(m *locks.View, fn *program.Func) map[*types.Var]bool {
	root := fn.Decl
	if root == nil {
		return nil
	}
	if shared, known := tables.Of(m).captured[root]; known {
		return shared
	}
	shared := make(map[*types.Var]bool)
	for _, lit := range root.Literals() {
		if !m.Started(lit) {
			continue
		}
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			v, ok := lit.Info().Uses[id].(*types.Var)
			if ok && !v.IsField() && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() && (v.Pos() < lit.Node.Pos() || v.Pos() > lit.Node.End()) {
				shared[v] = true
			}
			return true
		})
	}
	tables.Of(m).captured[root] = shared
	return shared
}

// synchronises reports whether what a variable holds is made to be used by several
// goroutines at once: what package sync or sync/atomic declares, and contexts.
func synchronises(t types.Type) bool {
	n, ok := types.Unalias(program.Deref(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	switch n.Obj().Pkg().Path() {
	case "sync", "sync/atomic", "context", "testing":
		return true
	}
	return false
}

// isAtomic reports whether a type is one of package sync/atomic.
func isAtomic(t types.Type) bool {
	n, ok := types.Unalias(program.Deref(t)).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync/atomic"
}

// changesAtomic reports whether a method of an atomic value changes it.
func changesAtomic(method string) bool { return method != "" && method != "Load" }
