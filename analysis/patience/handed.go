package patience

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"time"

	"mendel/analysis"
)

// Handed are the durations that a test hands to the product: what is given to functions, and
// put into fields and elements, but for what package time itself gets. Functions, variables
// and methods of types of test files that the test mentions belong to it.
func Handed(pkgs []*analysis.Package, test string) []time.Duration {
	test, _, _ = strings.Cut(test, "/")
	h := &handed{declared: map[types.Object][]ast.Node{}}
	for _, pkg := range pkgs {
		h.declare(pkg)
	}
	for _, pkg := range pkgs {
		if o := pkg.Types.Scope().Lookup(test); o != nil && len(h.declared[o]) > 0 {
			h.look(o)
		}
	}
	slices.Sort(h.found)
	return slices.Compact(h.found)
}

// handed looks for durations.
type handed struct {
	declared map[types.Object][]ast.Node // in test files; with a type, its methods
	of       []typed
	seen     map[types.Object]bool
	found    []time.Duration
}

// A typed is a test file with its types.
type typed struct {
	file *ast.File
	info *types.Info
}

// declare notes what the test files of a package declare.
func (h *handed) declare(pkg *analysis.Package) {
	for _, file := range pkg.Files {
		if !file.Test {
			continue
		}
		h.of = append(h.of, typed{file.AST, pkg.Info})
		for _, d := range file.AST.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				o := pkg.Info.Defs[d.Name]
				if d.Recv != nil && o != nil {
					o = receiver(o)
				}
				h.add(o, d)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						h.add(pkg.Info.Defs[spec.Name], spec)
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							h.add(pkg.Info.Defs[name], spec)
						}
					}
				}
			}
		}
	}
}

func (h *handed) add(o types.Object, n ast.Node) {
	if o != nil {
		h.declared[o] = append(h.declared[o], n)
	}
}

// receiver is the type of a method.
func receiver(method types.Object) types.Object {
	t := method.Type().(*types.Signature).Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

// infoOf is that of the file that a node is in.
func (h *handed) infoOf(n ast.Node) *types.Info {
	for _, f := range h.of {
		if f.file.FileStart <= n.Pos() && n.Pos() < f.file.FileEnd {
			return f.info
		}
	}
	return nil
}

// look looks at a declaration, and at those that it mentions.
func (h *handed) look(first types.Object) {
	h.seen = map[types.Object]bool{first: true}
	for todo := []types.Object{first}; len(todo) > 0; {
		o := todo[0]
		todo = todo[1:]
		for _, n := range h.declared[o] {
			r := &reading{handed: h, info: h.infoOf(n), within: n}
			ast.Inspect(n, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if to := r.info.Uses[id]; to != nil && len(h.declared[to]) > 0 && !h.seen[to] {
						h.seen[to] = true
						todo = append(todo, to)
					}
				}
				for _, e := range r.given(n) {
					for _, d := range r.durations(e) {
						if d > 0 {
							h.found = append(h.found, d)
						}
					}
				}
				return true
			})
		}
	}
}

// A reading is of one declaration.
type reading struct {
	*handed
	info   *types.Info
	within ast.Node
}

// given are the expressions that a node gives to somebody.
func (r *reading) given(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		if r.info.Types[n.Fun].IsType() || r.ofTime(n) {
			return nil
		}
		return n.Args
	case *ast.CompositeLit:
		var values []ast.Expr
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			values = append(values, e)
		}
		return values
	case *ast.AssignStmt:
		if _, field := n.Lhs[0].(*ast.SelectorExpr); field {
			return n.Rhs
		}
	}
	return nil
}

// ofTime reports whether a call is one of packages time and context, or of a test's method.
func (r *reading) ofTime(call *ast.CallExpr) bool {
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	o := r.info.Uses[s.Sel]
	return o != nil && o.Pkg() != nil && slices.Contains([]string{"time", "context", "testing", "testing/synctest"}, o.Pkg().Path())
}

// durations are the values that an expression of type time.Duration may have, as far as they
// are known.
func (r *reading) durations(e ast.Expr) (all []time.Duration) {
	if t := r.info.TypeOf(e); t == nil || !isDuration(t) {
		return nil
	}
	for _, n := range r.values(e, 0) {
		all = append(all, time.Duration(n))
	}
	return all
}

func isDuration(t types.Type) bool {
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Duration"
}

// mostHops bounds how many variables are looked up one after the other, and mostValues how many
// values an expression has.
const (
	mostHops   = 8
	mostValues = 100
)

// values are those that a whole number may have that is computed from constants, from variables
// that are given a value once, and from parameters, which have those of the calls in test files.
func (r *reading) values(e ast.Expr, hops int) (all []int64) {
	if v := r.info.Types[e].Value; v != nil {
		if n, ok := constant.Int64Val(constant.ToInt(v)); ok {
			return []int64{n}
		}
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr: // a conversion
		if r.info.Types[e.Fun].IsType() && len(e.Args) == 1 {
			return r.values(e.Args[0], hops)
		}
	case *ast.BinaryExpr:
		ys := r.values(e.Y, hops)
		for _, x := range r.values(e.X, hops) {
			for _, y := range ys {
				if n, ok := compute(e.Op, x, y); ok && len(all) < mostValues {
					all = append(all, n)
				}
			}
		}
	case *ast.Ident:
		o := r.info.Uses[e]
		if hops == mostHops || o == nil {
			return nil
		}
		if of := r.only(o); of != nil {
			return r.values(of, hops+1)
		}
		for _, a := range r.arguments(o) {
			all = append(all, a.values(a.expr, hops+1)...)
		}
	}
	return all[:min(len(all), mostValues)]
}

// compute is x op y.
func compute(op token.Token, x, y int64) (n int64, ok bool) {
	switch {
	case op == token.ADD:
		return x + y, true
	case op == token.SUB:
		return x - y, true
	case op == token.MUL:
		return x * y, true
	case op == token.QUO && y != 0:
		return x / y, true
	}
	return 0, false
}

// An argument is what a call gives for a parameter.
type argument struct {
	*reading
	expr ast.Expr
}

// arguments are what the calls in test files give for o, a parameter of the declared function
// that is being read and is not assigned to.
func (r *reading) arguments(o types.Object) (all []argument) {
	fd, ok := r.within.(*ast.FuncDecl)
	if _, times := r.assigned(o); !ok || times > 0 {
		return nil
	}
	f, ok := r.info.Defs[fd.Name].(*types.Func)
	if !ok {
		return nil
	}
	at := -1
	for i := range f.Signature().Params().Len() {
		if f.Signature().Params().At(i) == o {
			at = i
		}
	}
	if at < 0 || f.Signature().Variadic() && at == f.Signature().Params().Len()-1 {
		return nil
	}
	for _, of := range r.of {
		for _, d := range of.file.Decls {
			from := &reading{handed: r.handed, info: of.info, within: d}
			ast.Inspect(d, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && at < len(call.Args) && from.calls(call, f) {
					all = append(all, argument{from, call.Args[at]})
				}
				return true
			})
		}
	}
	return all
}

// calls reports whether a call names a function.
func (r *reading) calls(call *ast.CallExpr, f *types.Func) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && r.info.Uses[id] == f
}

// only is the one expression whose value a variable has; nil: it is not known.
func (r *reading) only(o types.Object) ast.Expr {
	if of, times := r.assigned(o); times == 1 {
		return of
	}
	return nil
}

// assigned says how often a variable is assigned to, and what, if that is known.
func (r *reading) assigned(o types.Object) (of ast.Expr, times int) {
	if _, ok := o.(*types.Var); !ok {
		return nil, 0
	}
	give := func(names []ast.Expr, values []ast.Expr) {
		for i, name := range names {
			id, ok := name.(*ast.Ident)
			if !ok || r.info.Defs[id] != o && r.info.Uses[id] != o {
				continue
			}
			times++
			if len(values) == len(names) {
				of = values[i]
			}
		}
	}
	ast.Inspect(r.within, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE && n.Tok != token.ASSIGN {
				give(n.Lhs, nil)
			} else {
				give(n.Lhs, n.Rhs)
			}
		case *ast.ValueSpec:
			var names []ast.Expr
			for _, id := range n.Names {
				names = append(names, id)
			}
			give(names, n.Values)
		case *ast.RangeStmt:
			give([]ast.Expr{n.Key, n.Value}, nil)
		case *ast.IncDecStmt:
			give([]ast.Expr{n.X}, nil)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				give([]ast.Expr{n.X}, nil)
			}
		}
		return true
	})
	return of, times
}
