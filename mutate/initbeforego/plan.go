package initbeforego

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A plan is what moves from the beginning of a function to where goroutines are
// started that run it.
type plan struct {
	fn     *mutate.Function
	info   *types.Info
	starts []start
	moved  []*ast.AssignStmt
	rest   []ast.Stmt // of the body, behind the last that moves
}

// planFor plans the edit of a function; ok is false if there is none.
func planFor(fn *mutate.Function) (p *plan, ok bool) {
	if !fn.Started() {
		return nil, false
	}
	p = &plan{fn: fn, info: fn.File.Package.Info}
	if p.begin(); len(p.moved) == 0 || len(p.rest) == 0 {
		return nil, false
	}
	if p.starts, ok = startsOf(fn); !ok {
		return nil, false
	}
	for _, s := range p.starts {
		if !slices.ContainsFunc(p.moved, func(a *ast.AssignStmt) bool { return !p.fits(s, a) }) {
			continue
		}
		return nil, false
	}
	return p, true
}

// begin finds the assignments that the function begins with, up to the last one of
// what others use.
func (p *plan) begin() {
	list, end := p.fn.Body.List, 0
	var stay []ast.Stmt
	var all []*ast.AssignStmt
	for i, s := range list {
		if p.stays(s) {
			stay = append(stay, s)
			continue
		}
		a, ok := s.(*ast.AssignStmt)
		if !ok || !p.movable(a) || slices.ContainsFunc(stay, func(s ast.Stmt) bool { return p.evaluates(s, a) }) {
			break
		}
		all = append(all, a)
		if len(p.sharedIn(a)) > 0 {
			p.moved, end = slices.Clone(all), i+1
		}
	}
	p.rest = list[end:]
}

// stays reports whether a statement stays, and what is behind it may move all the same: a
// deferred call, or a variable of the goroutine's own that is only given a value.
func (p *plan) stays(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.DeferStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok == token.DEFINE && p.all(s.Rhs)
	}
	return false
}

// movable reports whether an assignment may be made by who starts the goroutine.
func (p *plan) movable(a *ast.AssignStmt) bool {
	if a.Tok != token.ASSIGN {
		return false
	}
	for _, e := range a.Lhs {
		if !p.outside(e) {
			return false
		}
	}
	for _, e := range a.Rhs {
		if !p.effectless(e) || p.names(a, e) {
			return false
		}
	}
	return true
}

// outside reports whether what is assigned to lies outside of the goroutine: it is
// no variable of the function, and no part of one.
func (p *plan) outside(e ast.Expr) bool {
	path := p.fn.Path(e)
	if path.Root == nil {
		return false
	}
	if _, star := ast.Unparen(e).(*ast.StarExpr); star {
		return false
	}
	if !p.inside(path.Root) {
		return true
	}
	return path.Rest != "" && syntax.Pointer(path.Root.Type())
}

// names reports whether an expression names one of the variables assigned to.
func (p *plan) names(a *ast.AssignStmt, code ast.Node) bool {
	return slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
		v := syntax.Variable(p.info, e)
		return v != nil && syntax.Names(p.info, code, v)
	})
}

// evaluates reports whether a statement that stays needs what was there before an assignment
// behind it.
func (p *plan) evaluates(s ast.Stmt, a *ast.AssignStmt) bool {
	if d, ok := s.(*ast.DeferStmt); ok {
		return p.needs(d.Call, a)
	}
	return p.names(a, s)
}

// needs reports whether a call that is made later already needs what an assignment sets.
func (p *plan) needs(call *ast.CallExpr, a *ast.AssignStmt) bool {
	return slices.ContainsFunc(append([]ast.Expr{call.Fun}, call.Args...), func(e ast.Expr) bool {
		_, lit := ast.Unparen(e).(*ast.FuncLit)
		return !lit && p.names(a, e)
	})
}

// sharedIn are the variables that an assignment sets and that are used elsewhere.
func (p *plan) sharedIn(a *ast.AssignStmt) (vars []*types.Var) {
	for _, access := range p.fn.Accesses(a) {
		if !access.Write {
			continue
		}
		v := access.Var.Origin()
		if _, used := p.elsewhere(v); used {
			vars = append(vars, v)
		}
	}
	return vars
}

// elsewhere says whether other functions of the program, tests included, use a variable,
// and what heat they use it with. Who does so may well be called by one test only, one
// call after the other: the goroutine is what makes it concurrent.
func (p *plan) elsewhere(v *types.Var) (heat float64, used bool) {
	for _, pkg := range p.fn.Program.Packages {
		for _, f := range pkg.Files {
			syntax.Functions(f, func(node ast.Node, _ *ast.FuncType, _ *ast.BlockStmt, _ string) {
				for _, a := range p.fn.Program.Uses(f, node) {
					if node != p.fn.Node && a.Var.Origin() == v {
						h, _ := p.fn.Narrowing.HeatAt(a.Expr.Pos())
						heat, used = max(heat, h), true
					}
				}
			})
		}
	}
	return heat, used
}

// shared are those of all that moves.
func (p *plan) shared() (vars []*types.Var) {
	for _, a := range p.moved {
		vars = append(vars, p.sharedIn(a)...)
	}
	return vars
}

func (p *plan) stmts() (stmts []ast.Stmt) {
	for _, a := range p.moved {
		stmts = append(stmts, a)
	}
	return stmts
}

// fits reports whether an assignment can be made at a start: what it names means
// the same there, or is given there under a name, and the start itself does not
// need the value that was there before.
func (p *plan) fits(s start, a *ast.AssignStmt) bool {
	if p.needs(s.call, a) {
		return false
	}
	ok := true
	syntax.Walk(a, func(n ast.Node, path []ast.Node) {
		id, is := n.(*ast.Ident)
		if !is || !ok || selected(id, path) {
			return
		}
		obj := p.info.Uses[id]
		switch {
		case obj == nil || isField(obj): // the key of a literal
		case p.isParameter(obj):
			_, ok = s.given(p, obj)
		default:
			ok = s.means(id, obj) && (s.file == p.fn.File.Rel || !p.lastUse(obj))
		}
	})
	return ok
}

// lastUse reports whether an object is an import that only what moves uses: the file
// would no longer compile.
func (p *plan) lastUse(obj types.Object) bool {
	if _, imported := obj.(*types.PkgName); !imported {
		return false
	}
	for id, used := range p.info.Uses {
		if used == obj && !syntax.Within(ast.Stmt(&ast.ExprStmt{X: id}), p.stmts()...) {
			return false
		}
	}
	return true
}

// selected reports whether a name is one of a selector behind its dot.
func selected(id *ast.Ident, path []ast.Node) bool {
	sel, ok := path[len(path)-1].(*ast.SelectorExpr)
	return ok && sel.Sel == id
}

func isField(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.IsField()
}

// isParameter reports whether an object is the function's receiver or a parameter.
func (p *plan) isParameter(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && (v.Kind() == types.ParamVar || v.Kind() == types.RecvVar) &&
		p.inside(v) && v.Pos() < p.fn.Body.Pos()
}

// inside reports whether an object is declared in the function.
func (p *plan) inside(obj types.Object) bool {
	return p.fn.Node.Pos() <= obj.Pos() && obj.Pos() < p.fn.Node.End()
}
