package lending

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// Owners are what memory is given back to in a program.
type Owners struct {
	lists  map[*types.Var]bool // free lists: slices that are popped, channels that are asked without waiting
	lent   map[*types.Var]bool // channels that a function receives from, and sends the same variable to
	resets map[*types.Var]bool // buffers in fields and package variables that are emptied
	gives  map[*types.Func][]gives
	keeps  map[*types.Func]map[int]bool // parameters that a function puts into a field, an element or a package variable
	bodies map[*types.Func]Span         // of declared functions
}

// gives says that a function gives a parameter back.
type gives struct {
	param int // -1: the receiver
	owner *types.Var
}

// Survey finds the owners of a program.
func Survey(program *analysis.Program) *Owners {
	o := &Owners{
		lists: make(map[*types.Var]bool), lent: make(map[*types.Var]bool), resets: make(map[*types.Var]bool),
		gives: make(map[*types.Func][]gives), keeps: make(map[*types.Func]map[int]bool), bodies: make(map[*types.Func]Span),
	}
	var all []*declared
	for _, pkg := range program.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
					all = append(all, o.survey(f, decl))
				}
			}
		}
	}
	o.give(all)
	return o
}

// Surveyed is the key of what mutate.Once finds by Survey.
type Surveyed struct{}

// A declared function is asked what it gives back until that is known of all that it calls.
type declared struct {
	info  *types.Info
	decl  *ast.FuncDecl
	fn    *types.Func
	calls map[*types.Func]bool
	asked int // when, in turns; 0: not yet
}

// survey notes what one function says.
func (o *Owners) survey(f *analysis.File, decl *ast.FuncDecl) *declared {
	d := &declared{info: f.Package.Info, decl: decl, calls: make(map[*types.Func]bool)}
	if fn, ok := d.info.Defs[decl.Name].(*types.Func); ok {
		d.fn, o.bodies[fn] = fn, Span{f, decl.Body.Pos(), decl.Body.End()}
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		o.note(d.info, n)
		if call, ok := n.(*ast.CallExpr); ok {
			if callee := syntax.Callee(d.info, call.Fun); callee != nil {
				d.calls[callee] = true
			}
		}
		return true
	})
	o.lends(d.info, decl)
	o.keeping(d.info, decl)
	return d
}

// give finds what functions give back, who call each other: one is asked again when
// something new is known of what it calls.
func (o *Owners) give(all []*declared) {
	grown := make(map[*types.Func]int) // the turns in which there was something new
	turn := 0
	for again := true; again; {
		again = false
		for _, d := range all {
			if d.asked > 0 && !d.callsGrown(grown) {
				continue
			}
			turn++
			d.asked = turn
			if o.giving(d.info, d.decl) {
				grown[d.fn], again = turn, true
			}
		}
	}
}

// callsGrown reports whether a function calls one of which something new is known since it
// was asked.
func (d *declared) callsGrown(grown map[*types.Func]int) bool {
	for fn, turn := range grown {
		if turn >= d.asked && d.calls[fn] {
			return true
		}
	}
	return false
}

// note notes what a node says about lists and buffers.
func (o *Owners) note(info *types.Info, n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, lhs := range n.Lhs {
			if v := lasting(info, lhs); v != nil && len(n.Lhs) == len(n.Rhs) && pops(info, v, n.Rhs[i]) {
				o.lists[v] = true
			}
		}
	case *ast.SelectStmt:
		if !syntax.HasDefault(n) {
			return
		}
		for _, c := range n.Body.List {
			if ch := received(c.(*ast.CommClause).Comm); ch != nil {
				if v := lasting(info, ch); v != nil {
					o.lists[v] = true
				}
			}
		}
	case *ast.CallExpr:
		if x := resets(info, n); x != nil {
			if v := lasting(info, x); v != nil {
				o.resets[v] = true
			}
		}
	}
}

// lends notes the channels that a function gives back to what it has received from them.
func (o *Owners) lends(info *types.Info, decl *ast.FuncDecl) {
	from := make(map[*types.Var]*types.Var) // variable to channel
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			ch := received(n)
			id, ok := ast.Unparen(n.Lhs[0]).(*ast.Ident)
			if ch == nil || !ok {
				break
			}
			if v, ok := info.ObjectOf(id).(*types.Var); ok {
				from[v] = lasting(info, ch)
			}
		case *ast.SendStmt:
			v, ch := syntax.Variable(info, n.Value), lasting(info, n.Chan)
			if v != nil && ch != nil && from[v] == ch {
				o.lent[ch] = true
			}
		}
		return true
	})
}

// pops reports whether an expression is a slice variable without its last elements.
func pops(info *types.Info, v *types.Var, e ast.Expr) bool {
	s, ok := ast.Unparen(e).(*ast.SliceExpr)
	if !ok || s.Low != nil || s.High == nil || lasting(info, s.X) != v {
		return false
	}
	_, literal := s.High.(*ast.BasicLit)
	return !literal && reference(v.Type().Underlying().(*types.Slice).Elem())
}

// received is the channel that a communication receives from; nil: it does not.
func received(comm ast.Stmt) ast.Expr {
	var e ast.Expr
	switch s := comm.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return u.X
	}
	return nil
}

// resets is the bytes.Buffer that a call empties; nil: none.
func resets(info *types.Info, call *ast.CallExpr) ast.Expr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if ok && (sel.Sel.Name == "Reset" || sel.Sel.Name == "Truncate") && isNamed(info.TypeOf(sel.X), "bytes.Buffer") {
		return sel.X
	}
	return nil
}

// keeping notes which parameters a function keeps beyond the call.
func (o *Owners) keeping(info *types.Info, decl *ast.FuncDecl) {
	fn, _ := info.Defs[decl.Name].(*types.Func)
	if fn == nil {
		return
	}
	params := fn.Signature().Params()
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, e := range a.Lhs {
			to := ast.Unparen(e)
			if x, element := to.(*ast.IndexExpr); element {
				to = x.X
			}
			for at := range params.Len() {
				if lasting(info, to) != nil && syntax.Variable(info, a.Rhs[i]) == params.At(at) {
					if o.keeps[fn] == nil {
						o.keeps[fn] = make(map[int]bool)
					}
					o.keeps[fn][at] = true
				}
			}
		}
		return true
	})
}

// Keeps reports whether a call keeps an argument beyond it.
func (o *Owners) Keeps(info *types.Info, call *ast.CallExpr, arg int) bool {
	fn := syntax.Callee(info, call.Fun)
	return fn != nil && o.keeps[fn.Origin()][arg]
}

// giving notes which parameters a function gives back. It reports whether there are new ones.
func (o *Owners) giving(info *types.Info, decl *ast.FuncDecl) (grown bool) {
	fn, _ := info.Defs[decl.Name].(*types.Func)
	if fn == nil {
		return false
	}
	params := map[types.Object]int{}
	if recv := fn.Signature().Recv(); recv != nil {
		params[recv] = -1
	}
	for i := range fn.Signature().Params().Len() {
		params[fn.Signature().Params().At(i)] = i
	}
	syntax.Walk(decl.Body, func(n ast.Node, path []ast.Node) {
		for _, g := range o.Gifts(info, n, path) {
			i, is := params[info.Uses[g.Name]]
			if is && !o.gave(fn, i) {
				o.gives[fn] = append(o.gives[fn], gives{i, g.Owner})
				grown = true
			}
		}
	})
	return grown
}

func (o *Owners) gave(fn *types.Func, param int) bool {
	for _, g := range o.gives[fn] {
		if g.param == param {
			return true
		}
	}
	return false
}

// A Gift is the name of a variable that is given back.
type Gift struct {
	Name  *ast.Ident
	Owner *types.Var
	At    ast.Node // the call, assignment or send
}

// Gifts are those that a node, with others around it, is.
func (o *Owners) Gifts(info *types.Info, n ast.Node, path []ast.Node) (all []Gift) {
	add := func(e ast.Expr, owner *types.Var) {
		e = ast.Unparen(e)
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
			e = u.X
		}
		if s, ok := e.(*ast.SliceExpr); ok {
			e = s.X
		}
		if id, ok := e.(*ast.Ident); ok && owner != nil {
			all = append(all, Gift{id, owner.Origin(), n})
		}
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		sel, method := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if method && sel.Sel.Name == "Put" && len(n.Args) == 1 && isNamed(info.TypeOf(sel.X), "sync.Pool") {
			add(n.Args[0], syntax.Variable(info, sel.X))
			break
		}
		fn := syntax.Callee(info, n.Fun)
		if fn == nil {
			break
		}
		for _, g := range o.gives[fn.Origin()] {
			switch {
			case g.param >= 0 && g.param < len(n.Args):
				add(n.Args[g.param], g.owner)
			case g.param < 0 && method:
				add(sel.X, g.owner)
			}
		}
	case *ast.AssignStmt:
		if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
			break
		}
		v, call := lasting(info, n.Lhs[0]), callOf(n.Rhs[0])
		if o.lists[v] && call != nil && len(call.Args) == 2 && syntax.Builtin(info, call) == "append" && lasting(info, call.Args[0]) == v {
			add(call.Args[1], v)
		}
	case *ast.SendStmt:
		if v := lasting(info, n.Chan); o.lent[v] || o.lists[v] && tried(path) {
			add(n.Value, v)
		}
	}
	return all
}

// tried reports whether a path ends at a communication of a select statement with a default.
func tried(path []ast.Node) bool {
	if len(path) < 3 {
		return false
	}
	s, ok := path[len(path)-3].(*ast.SelectStmt)
	return ok && syntax.HasDefault(s)
}

func callOf(e ast.Expr) *ast.CallExpr {
	call, _ := ast.Unparen(e).(*ast.CallExpr)
	return call
}

// lasting is the field or package variable that an expression names; nil: none.
func lasting(info *types.Info, e ast.Expr) *types.Var {
	v := syntax.Variable(info, e)
	if v == nil || v.Pkg() == nil || !v.IsField() && v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v.Origin()
}

// isNamed reports whether a type, or what it points to, has a name: "bytes.Buffer".
func isNamed(t types.Type, name string) bool {
	if t == nil {
		return false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path()+"."+n.Obj().Name() == name
}

// reference reports whether values of a type refer to memory that copies of them share.
func reference(t types.Type) bool {
	if t == nil {
		return false
	}
	if _, parameter := types.Unalias(t).(*types.TypeParam); parameter {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer:
		return true
	}
	return false
}
