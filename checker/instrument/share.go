package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"mendel/analysis"
	"mendel/analysis/patience"
	"mendel/internal/rewrite"
)

// facts are what the syntax of a package shows about its variables. A local
// variable can be shared when its address is taken. It can also be shared when it
// is written after its declaration and used by a function literal in which it was
// not declared.
type facts struct {
	captured  map[*types.Var]bool
	written   map[*types.Var]bool
	addressed map[*types.Var]bool
	globals   map[string]bool // package-level variables, of any package, that are written or whose address is taken
	escaped   map[string]bool // package-level slices and maps that are used for more than reading their elements
	functions map[*types.Func]*ast.FuncDecl
	guards    map[*ast.CallExpr]patience.Guard
}

// global names a package-level variable the same in every type-check.
func global(v *types.Var) string { return v.Pkg().Path() + "." + v.Name() }

func isGlobal(v *types.Var) bool {
	return v.Pkg() != nil && !v.IsField() && v.Parent() == v.Pkg().Scope()
}

func factsOf(pkg *analysis.Package) *facts {
	f := &facts{
		captured:  map[*types.Var]bool{},
		written:   map[*types.Var]bool{},
		addressed: map[*types.Var]bool{},
		globals:   map[string]bool{},
		escaped:   map[string]bool{},
		functions: map[*types.Func]*ast.FuncDecl{},
		guards:    patience.Of(pkg),
	}
	for _, file := range pkg.Files {
		c := collector{facts: f, info: pkg.Info, loopvar: loopvar(pkg.Info, file.AST)}
		ast.Inspect(file.AST, c.visit)
	}
	return f
}

// loopvar reports whether each iteration of a loop has its own variables.
func loopvar(info *types.Info, file *ast.File) bool { return rewrite.Since(info, file, "go1.22") }

// with adds what other packages do to package-level variables.
func (f *facts) with(others []*facts) *facts {
	g := *f
	g.globals, g.escaped = map[string]bool{}, map[string]bool{}
	for _, o := range append(others, f) {
		maps.Copy(g.globals, o.globals)
		maps.Copy(g.escaped, o.escaped)
	}
	return &g
}

// A collector walks one file.
type collector struct {
	facts   *facts
	info    *types.Info
	loopvar bool
	nodes   []ast.Node // on the way to the current one
}

func (c *collector) visit(n ast.Node) bool {
	if n == nil {
		c.nodes = c.nodes[:len(c.nodes)-1]
		return true
	}
	c.nodes = append(c.nodes, n)
	switch n := n.(type) {
	case *ast.FuncDecl:
		if fn, ok := c.info.Defs[n.Name].(*types.Func); ok {
			c.facts.functions[fn] = n
		}
	case *ast.Ident:
		c.use(n)
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if id, ok := l.(*ast.Ident); !ok || n.Tok != token.DEFINE || c.info.Defs[id] == nil {
				c.write(l)
			}
		}
	case *ast.IncDecStmt:
		c.write(n.X)
	case *ast.RangeStmt:
		c.rangeVars(n)
	case *ast.ReturnStmt:
		c.returned(n)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			c.address(n.X)
		}
	case *ast.SliceExpr:
		if _, ok := kind(c.typeOf(n.X)).(*types.Array); ok {
			c.address(n.X)
		}
	case *ast.SelectorExpr:
		c.method(n)
	}
	return true
}

func (c *collector) typeOf(e ast.Expr) types.Type {
	if t := c.info.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

// use notes whether a function literal uses a variable from outside it.
func (c *collector) use(id *ast.Ident) {
	v, ok := c.info.Uses[id].(*types.Var)
	if !ok || v.IsField() {
		return
	}
	if isGlobal(v) {
		if !c.read() {
			c.facts.escaped[global(v)] = true
		}
		return
	}
	for i := len(c.nodes) - 1; i >= 0; i-- {
		if lit, ok := c.nodes[i].(*ast.FuncLit); ok {
			if v.Pos() < lit.Pos() || v.Pos() >= lit.End() {
				c.facts.captured[v] = true
			}
			return
		}
	}
}

// read reports whether only the value of an element, or the length, of the variable
// that the walk has reached is used.
func (c *collector) read() bool {
	i := len(c.nodes) - 1
	e, _ := c.nodes[i].(ast.Expr)
	parent := func() ast.Node { i--; return c.nodes[i] }
	p := parent()
	if s, ok := p.(*ast.SelectorExpr); ok && s.Sel == e {
		e, p = s, parent() // pkg.Var
	}
	switch p := p.(type) {
	case *ast.RangeStmt:
		return p.X == e
	case *ast.CallExpr:
		b, ok := c.info.Uses[identOf(p.Fun)].(*types.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap")
	case *ast.IndexExpr:
		if p.X != e {
			return true // an index or a key
		}
		e = p
	default:
		return false
	}
	for p = parent(); ; p = parent() {
		switch outer := p.(type) {
		case *ast.ParenExpr:
			e = outer
		case *ast.SelectorExpr:
			if s := c.info.Selections[outer]; s == nil || s.Kind() != types.FieldVal {
				return false
			}
			e = outer
		case *ast.IndexExpr:
			if outer.X != e {
				return true
			}
			e = outer
		case *ast.AssignStmt:
			return !slices.Contains(outer.Lhs, e)
		case *ast.RangeStmt:
			return outer.X == e
		case *ast.IncDecStmt, *ast.SliceExpr:
			return false
		case *ast.UnaryExpr:
			return outer.Op != token.AND
		default:
			return true
		}
	}
}

func identOf(e ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id
}

// rangeVars notes the writes of a loop to its variables. Where all iterations share
// the variables, each iteration writes them.
func (c *collector) rangeVars(n *ast.RangeStmt) {
	if n.Tok == token.DEFINE && c.loopvar {
		return
	}
	for _, e := range []ast.Expr{n.Key, n.Value} {
		if e != nil {
			c.write(e)
		}
	}
}

// returned notes the writes of a return statement to results that have names.
func (c *collector) returned(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		return
	}
	for i := len(c.nodes) - 1; i >= 0; i-- {
		var t *ast.FuncType
		switch f := c.nodes[i].(type) {
		case *ast.FuncLit:
			t = f.Type
		case *ast.FuncDecl:
			t = f.Type
		default:
			continue
		}
		for _, id := range namedResults(t.Results) {
			c.write(id)
		}
		return
	}
}

func (c *collector) write(e ast.Expr) {
	if v := c.root(e); v != nil {
		c.facts.written[v] = true
		if isGlobal(v) {
			c.facts.globals[global(v)] = true
		}
	}
}

func (c *collector) address(e ast.Expr) {
	if v := c.root(e); v != nil {
		c.facts.addressed[v] = true
		if isGlobal(v) {
			c.facts.globals[global(v)] = true
		}
	}
}

// method notes the address that a method with a pointer receiver takes of a variable.
func (c *collector) method(n *ast.SelectorExpr) {
	s := c.info.Selections[n]
	if s == nil || s.Kind() != types.MethodVal || types.IsInterface(s.Recv()) {
		return
	}
	sig, ok := s.Obj().Type().(*types.Signature)
	if !ok || sig.Recv() == nil {
		return
	}
	if _, ok := pointer(c.typeOf(n.X)); ok {
		return
	}
	if _, byPointer := pointer(sig.Recv().Type()); byPointer {
		c.address(n.X)
	}
}

// root is the variable that a location is part of; nil when it lies behind a pointer.
func (c *collector) root(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := c.info.ObjectOf(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		if v, ok := c.info.Uses[e.Sel].(*types.Var); ok && !v.IsField() {
			return v // pkg.Var
		}
		if _, ok := pointer(c.typeOf(e.X)); !ok {
			return c.root(e.X)
		}
	case *ast.IndexExpr:
		if _, ok := kind(c.typeOf(e.X)).(*types.Array); ok {
			return c.root(e.X)
		}
	}
	return nil
}

// touches reports whether an expression is a location that may be shared.
func (r *rewriter) touches(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := r.info.Uses[e].(*types.Var)
		return ok && e.Name != "_" && r.variable(v)
	case *ast.StarExpr:
		return r.wanted(e.X)
	case *ast.SelectorExpr:
		v, ok := r.info.Uses[e.Sel].(*types.Var)
		if !ok {
			return false
		}
		if !v.IsField() {
			return r.variable(v)
		}
		if s := r.info.Selections[e]; s != nil && s.Indirect() {
			return r.among(v)
		}
		return r.touches(e.X) && r.among(v)
	case *ast.IndexExpr:
		switch kind(r.typeOf(e.X)).(type) {
		case *types.Slice, *types.Pointer:
			return r.wanted(e.X)
		case *types.Array:
			return r.touches(e.X)
		}
	}
	return false
}

// variable reports whether a declared variable may be shared.
func (r *rewriter) variable(v *types.Var) bool {
	switch {
	case v.IsField() || !r.among(v):
		return false
	case isGlobal(v):
		return r.facts.globals[global(v)]
	}
	return r.facts.addressed[v] || r.facts.captured[v] && r.facts.written[v]
}

// wanted reports whether the memory that the value of an expression refers to may be
// shared: elements of a slice, a map, the target of a pointer.
func (r *rewriter) wanted(e ast.Expr) bool {
	if r.silent {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := r.info.Uses[e].(*types.Var); ok {
			return r.among(v)
		}
	case *ast.SelectorExpr:
		if v, ok := r.info.Uses[e.Sel].(*types.Var); ok {
			return r.among(v)
		}
	case *ast.IndexExpr:
		return r.wanted(e.X)
	case *ast.StarExpr:
		return r.wanted(e.X)
	}
	return true
}

// among reports whether a variable is one that the narrowing keeps. Without a
// narrowing all are.
func (r *rewriter) among(v *types.Var) bool {
	return !r.silent && (r.ns == nil || r.ns.Shared(v) || v.Pkg() != nil && v.Pkg() != r.pkg)
}
