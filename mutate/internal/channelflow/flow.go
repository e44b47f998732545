package channelflow

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis"
)

// A flow says between which expressions of a program channels may flow. It
// unifies what is assigned, in the manner of Steensgaard ("Points-to Analysis in
// Almost Linear Time", POPL 1996), fields by their declaration: flow- and
// context-insensitive, so that a function's parameter stands for what any
// caller gives. Values that cannot lead to a channel, structs among them because
// their fields are nodes of their own, have no node.
type flow struct {
	program *analysis.Program
	owned   map[*types.Package]bool
	objects map[types.Object]*node
	exprs   map[ast.Expr]*node
	chans   map[ast.Expr]bool // those that are channels
	carries map[types.Type]bool
	methods map[*types.Func]bool // of interfaces: unified with what implements them
	listed  map[string]*node     // what elements of container/list hold, by its type
	named   []*types.TypeName    // see types
	info    *types.Info          // of the file being walked
}

// A node is a set of values. What they lead to are its targets.
type node struct {
	parent  *node // nil: the root of its set
	targets map[edge]*node
	escapes bool // known to code outside the program
	foreign bool // made by code outside the program
}

// An edge is a way from a value to others.
type edge struct {
	kind rune // one of the constants below
	at   int  // of parameters and results
}

const (
	edgeElem   = 'e' // of pointers, slices, arrays, maps, channels
	edgeKey    = 'k' // of maps
	edgeParam  = 'p'
	edgeResult = 'r'
)

func newFlow(p *analysis.Program) *flow {
	f := &flow{
		program: p,
		owned:   make(map[*types.Package]bool),
		objects: make(map[types.Object]*node),
		exprs:   make(map[ast.Expr]*node),
		chans:   make(map[ast.Expr]bool),
		carries: make(map[types.Type]bool),
		methods: make(map[*types.Func]bool),
		listed:  make(map[string]*node),
	}
	for _, pkg := range p.Packages {
		f.owned[pkg.Types] = true
	}
	for _, pkg := range p.Packages {
		f.info = pkg.Info
		for _, file := range pkg.Files {
			f.walk(file.AST, nil)
		}
	}
	f.spread()
	f.flatten()
	return f
}

// flatten leaves only what lookups need, which are of channels, and lets them change
// nothing. A name is looked up where it is declared, too, as that of a parameter which
// its function never uses.
func (f *flow) flatten() {
	exprs, objects := make(map[ast.Expr]*node), make(map[types.Object]*node)
	for e := range f.chans {
		exprs[e] = f.exprs[e].root()
	}
	for obj, n := range f.objects {
		// Where a field's type is a parameter, that of an instance may be a channel.
		if _, generic := types.Unalias(obj.Type()).(*types.TypeParam); generic || isChan(obj.Type()) {
			objects[obj] = n.root()
		}
	}
	for _, pkg := range f.program.Packages {
		for id, obj := range pkg.Info.Defs {
			if n := objects[obj]; obj != nil && n != nil && exprs[id] == nil {
				exprs[id] = n
			}
		}
	}
	for _, n := range exprs {
		n.targets = nil
	}
	for _, n := range objects {
		n.targets = nil
	}
	f.exprs, f.objects = exprs, objects
	f.chans, f.carries, f.methods, f.listed, f.named, f.info = nil, nil, nil, nil, nil, nil
}

// isChan reports whether values of a type are channels.
func isChan(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// known is the node of a channel of the program; nil if it has none.
func (f *flow) known(e ast.Expr) *node { return f.exprs[ast.Unparen(e)] }

// root is what stands for the node's set.
func (n *node) root() *node {
	for n.parent != nil {
		if n.parent.parent != nil {
			n.parent = n.parent.parent
		}
		n = n.parent
	}
	return n
}

// target is what a node leads to; nil for nil.
func (n *node) target(kind rune, at int) *node {
	if n == nil {
		return nil
	}
	n = n.root()
	k := edge{kind, at}
	if n.targets[k] == nil {
		if n.targets == nil {
			n.targets = make(map[edge]*node)
		}
		n.targets[k] = new(node)
	}
	return n.targets[k]
}

// unify makes two sets one, and what they lead to. Nil stands for nothing.
func unify(a, b *node) {
	type pair struct{ a, b *node }
	for work := []pair{{a, b}}; len(work) > 0; {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if p.a == nil || p.b == nil {
			continue
		}
		a, b := p.a.root(), p.b.root()
		if a == b {
			continue
		}
		if len(a.targets) < len(b.targets) {
			a, b = b, a
		}
		b.parent = a
		a.escapes, a.foreign = a.escapes || b.escapes, a.foreign || b.foreign
		for k, target := range b.targets {
			if own := a.targets[k]; own != nil {
				work = append(work, pair{own, target})
			} else {
				a.targets[k] = target
			}
		}
		b.targets = nil
	}
}

// spread lets what code outside the program knows lead on to what it can reach.
func (f *flow) spread() {
	seen := make(map[*node]bool)
	var visit func(n *node)
	visit = func(n *node) {
		n = n.root()
		if seen[n] {
			return
		}
		seen[n] = true
		n.escapes = true
		for _, target := range n.targets {
			visit(target)
		}
	}
	for _, n := range f.objects {
		if n.root().escapes {
			visit(n)
		}
	}
	for _, n := range f.exprs {
		if n != nil && n.root().escapes {
			visit(n)
		}
	}
}

// leads reports whether a value of a type may lead to a channel.
func (f *flow) leads(t types.Type) bool {
	if t == nil {
		return false
	}
	if known, ok := f.carries[t]; ok {
		return known
	}
	f.carries[t] = false // of a type that contains itself
	found := false
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Interface:
		found = true
	case *types.Pointer:
		found = f.leads(u.Elem())
	case *types.Slice:
		found = f.leads(u.Elem())
	case *types.Array:
		found = f.leads(u.Elem())
	case *types.Map:
		found = f.leads(u.Key()) || f.leads(u.Elem())
	case *types.Tuple:
		for v := range u.Variables() {
			found = found || f.leads(v.Type())
		}
	case *types.Signature:
		found = f.leads(u.Params()) || f.leads(u.Results())
	}
	f.carries[t] = found
	return found
}

// object is the node of a variable or field, or of a function.
func (f *flow) object(obj types.Object) *node {
	switch o := obj.(type) {
	case *types.Var:
		obj = o.Origin()
	case *types.Func:
		obj = o.Origin()
	default:
		return nil
	}
	if n := f.objects[obj]; n != nil {
		return n
	}
	if !f.leads(obj.Type()) {
		return nil
	}
	n := &node{}
	if obj.Pkg() != nil && !f.owned[obj.Pkg()] {
		n.escapes, n.foreign = true, true
	}
	f.objects[obj] = n
	if fn, ok := obj.(*types.Func); ok {
		f.signature(n, fn.Signature())
	}
	return n
}

// signature makes the parameters and results of a function its node's targets.
func (f *flow) signature(n *node, sig *types.Signature) {
	for i := range sig.Params().Len() {
		f.join(n, edgeParam, i, f.object(sig.Params().At(i)))
	}
	for i := range sig.Results().Len() {
		f.join(n, edgeResult, i, f.object(sig.Results().At(i)))
	}
}

// join unifies a target with a node unless that is nil.
func (f *flow) join(n *node, kind rune, at int, to *node) {
	if n != nil && to != nil {
		unify(n.target(kind, at), to)
	}
}

// walk looks at all a node does. The signature is that of the function around it.
func (f *flow) walk(n ast.Node, sig *types.Signature) {
	ast.Inspect(n, func(c ast.Node) bool {
		switch c := c.(type) {
		case *ast.FuncDecl:
			if obj, ok := f.info.Defs[c.Name].(*types.Func); ok && c != n && c.Body != nil {
				f.walk(c.Body, obj.Signature())
			}
			return false
		case *ast.FuncLit:
			f.value(c)
			if own, ok := f.info.TypeOf(c).(*types.Signature); ok {
				f.walk(c.Body, own)
			}
			return false
		case *ast.ReturnStmt:
			f.returns(c, sig)
		case ast.Stmt:
			f.statement(c)
		case *ast.ValueSpec:
			lhs := make([]ast.Expr, len(c.Names))
			for i, id := range c.Names {
				lhs[i] = id
			}
			f.assign(lhs, c.Values)
		case ast.Expr:
			if tv := f.info.Types[c]; tv.IsValue() || tv.IsVoid() {
				f.value(c)
			}
		}
		return true
	})
}

// statement unifies what a statement assigns, sends or iterates over.
func (f *flow) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.ASSIGN || s.Tok == token.DEFINE {
			f.assign(s.Lhs, s.Rhs)
		}
	case *ast.SendStmt:
		f.join(f.value(s.Chan), edgeElem, 0, f.value(s.Value))
	case *ast.RangeStmt:
		f.ranges(s)
	case *ast.TypeSwitchStmt:
		a, ok := s.Assign.(*ast.AssignStmt)
		if !ok {
			break
		}
		if x, ok := ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr); ok {
			for _, clause := range s.Body.List {
				if v := f.info.Implicits[clause]; v != nil {
					unify(f.object(v), f.value(x.X))
				}
			}
		}
	}
}

// assign unifies both sides of an assignment.
func (f *flow) assign(lhs, rhs []ast.Expr) {
	if len(lhs) > 1 && len(rhs) == 1 {
		if call, ok := ast.Unparen(rhs[0]).(*ast.CallExpr); ok {
			n := f.call(call)
			for i, l := range lhs {
				f.join(n, edgeResult, i, f.value(l))
			}
			return
		}
		unify(f.value(lhs[0]), f.value(rhs[0])) // v, ok :=
		return
	}
	for i := range min(len(lhs), len(rhs)) {
		unify(f.value(lhs[i]), f.value(rhs[i]))
	}
}

func (f *flow) returns(s *ast.ReturnStmt, sig *types.Signature) {
	if sig == nil {
		return
	}
	if len(s.Results) == 1 && sig.Results().Len() > 1 {
		if call, ok := ast.Unparen(s.Results[0]).(*ast.CallExpr); ok {
			n := f.call(call)
			for i := range sig.Results().Len() {
				f.join(n, edgeResult, i, f.object(sig.Results().At(i)))
			}
		}
		return
	}
	for i, r := range s.Results {
		if i < sig.Results().Len() {
			unify(f.object(sig.Results().At(i)), f.value(r))
		}
	}
}

func (f *flow) ranges(s *ast.RangeStmt) {
	x := f.value(s.X)
	key, value := f.maybe(s.Key), f.maybe(s.Value)
	t := f.info.TypeOf(s.X)
	if t == nil || x == nil {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Chan:
		f.join(x, edgeElem, 0, key)
	case *types.Map:
		f.join(x, edgeKey, 0, key)
		f.join(x, edgeElem, 0, value)
	case *types.Slice, *types.Array:
		f.join(x, edgeElem, 0, value)
	case *types.Pointer:
		f.join(x.target(edgeElem, 0), edgeElem, 0, value)
	case *types.Signature:
		if u.Params().Len() == 1 {
			yield := x.target(edgeParam, 0)
			f.join(yield, edgeParam, 0, key)
			f.join(yield, edgeParam, 1, value)
		}
	}
}

func (f *flow) maybe(e ast.Expr) *node {
	if e == nil {
		return nil
	}
	return f.value(e)
}
