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

// info is that of the file that a node is in.
func (h *handed) info(n ast.Node) *types.Info {
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
			r := &reading{info: h.info(n), within: n}
			ast.Inspect(n, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if to := r.info.Uses[id]; to != nil && len(h.declared[to]) > 0 && !h.seen[to] {
						h.seen[to] = true
						todo = append(todo, to)
					}
				}
				for _, e := range r.given(n) {
					if d, ok := r.duration(e); ok && d > 0 {
						h.found = append(h.found, d)
					}
				}
				return true
			})
		}
	}
}

// A reading is of one declaration.
type reading struct {
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

// duration is the value of an expression of type time.Duration, if it is known.
func (r *reading) duration(e ast.Expr) (time.Duration, bool) {
	if t := r.info.TypeOf(e); t == nil || !isDuration(t) {
		return 0, false
	}
	n, ok := r.value(e, 0)
	return time.Duration(n), ok
}

func isDuration(t types.Type) bool {
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Duration"
}

// mostHops bounds how many variables are looked up one after the other.
const mostHops = 8

// value is that of a whole number that is computed from constants, and from variables that
// are given a value once.
func (r *reading) value(e ast.Expr, hops int) (int64, bool) {
	if v := r.info.Types[e].Value; v != nil {
		return constant.Int64Val(constant.ToInt(v))
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr: // a conversion
		if r.info.Types[e.Fun].IsType() && len(e.Args) == 1 {
			return r.value(e.Args[0], hops)
		}
	case *ast.BinaryExpr:
		x, known := r.value(e.X, hops)
		y, ok := r.value(e.Y, hops)
		if !known || !ok {
			return 0, false
		}
		switch e.Op {
		case token.ADD:
			return x + y, true
		case token.SUB:
			return x - y, true
		case token.MUL:
			return x * y, true
		case token.QUO:
			if y != 0 {
				return x / y, true
			}
		}
	case *ast.Ident:
		if of := r.only(r.info.Uses[e]); of != nil && hops < mostHops {
			return r.value(of, hops+1)
		}
	}
	return 0, false
}

// only is the one expression whose value a variable has; nil: it is not known.
func (r *reading) only(o types.Object) (of ast.Expr) {
	if _, ok := o.(*types.Var); !ok {
		return nil
	}
	times := 0
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
	if times != 1 {
		return nil
	}
	return of
}
