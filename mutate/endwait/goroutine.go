package endwait

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/locked"
	"mendel/mutate/internal/syncops"
)

// tells says whether a function tells goroutines to end, itself or by what it calls.
func tells(fn *mutate.Function) bool {
	functions := []*mutate.Function{fn}
	for _, c := range locked.CallsNow(fn) {
		if c.To != nil && c.To.File.Package == fn.File.Package {
			functions = append(functions, c.To)
		}
	}
	return slices.ContainsFunc(functions, func(f *mutate.Function) bool { return says(f, f.Body) })
}

// says says whether code of a function tells goroutines to end: it closes a channel, calls a cancel function or sets
// a flag.
func says(fn *mutate.Function, code ast.Node) bool {
	return syntax.Any(code, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if isCall {
			_, closed := syncops.Closed(fn, call)
			return closed || syncops.Cancels(fn, call)
		}
		return setsFlag(fn.File.Package.Info, n)
	})
}

// setsFlag says whether a node sets a field to true.
func setsFlag(info *types.Info, n ast.Node) bool {
	a, ok := n.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return false
	}
	_, field := ast.Unparen(a.Lhs[0]).(*ast.SelectorExpr)
	id, value := ast.Unparen(a.Rhs[0]).(*ast.Ident)
	return field && value && info.Uses[id] == types.Universe.Lookup("true")
}

// find finds the goroutines of the value; false: there are none, or the method cannot wait for all
// of them.
func (w *wait) find() bool {
	for _, from := range starting(w.fn) {
		for _, s := range starts.Of(from) {
			if s.Go == nil || s.To == nil {
				continue
			}
			g := goroutine{from: from, start: s.Go, to: s.To}
			if !w.owns(&g, s.Lit) || s.Lit != nil && !w.ofValue(from) {
				continue
			}
			if from.File.Test || from == w.fn || !w.waitable(g) {
				return false
			}
			w.goroutines = append(w.goroutines, g)
		}
	}
	return len(w.goroutines) > 0
}

// starting are the functions of a function's package that start goroutines.
func starting(fn *mutate.Function) []*mutate.Function {
	type startingIn struct{ pkg *analysis.Package }
	return mutate.Once(fn, startingIn{fn.File.Package}, func() (starting []*mutate.Function) {
		for _, from := range fn.OfPackage() {
			if len(starts.Of(from)) > 0 {
				starting = append(starting, from)
			}
		}
		return starting
	})
}

// owns says whether a goroutine runs a method of a value of the type, or a literal that uses one.
func (w *wait) owns(g *goroutine, lit *ast.FuncLit) bool {
	info := g.from.File.Package.Info
	if lit == nil {
		sel, ok := ast.Unparen(g.start.Call.Fun).(*ast.SelectorExpr)
		if !ok {
			return false
		}
		id, ok := ast.Unparen(sel.X).(*ast.Ident)
		if !ok || !w.isValue(info.TypeOf(id)) {
			return false
		}
		decl, ok := g.to.Node.(*ast.FuncDecl)
		if !ok || decl.Recv == nil || len(decl.Recv.List[0].Names) != 1 || decl.Recv.List[0].Names[0].Name == "_" {
			return false
		}
		g.owner, g.self = id.Name, decl.Recv.List[0].Names[0].Name
		return true
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || g.owner != "" {
			return g.owner == ""
		}
		if v, ok := info.Uses[id].(*types.Var); ok && !v.IsField() && v.Pos() < lit.Pos() && w.isValue(v.Type()) {
			g.owner, g.self = id.Name, id.Name
		}
		return true
	})
	return g.owner != ""
}

// ofValue says whether a function is a method of the type, or makes a value of it: what other
// functions start uses a value that is not theirs.
func (w *wait) ofValue(from *mutate.Function) bool {
	decl, ok := from.Node.(*ast.FuncDecl)
	if !ok || from.File.Test {
		return false
	}
	info := from.File.Package.Info
	if decl.Recv != nil {
		return w.isValue(info.TypeOf(decl.Recv.List[0].Type))
	}
	if decl.Type.Results == nil {
		return false
	}
	for _, r := range decl.Type.Results.List {
		if w.isValue(info.TypeOf(r.Type)) {
			return true
		}
	}
	return false
}

// isValue says whether a type is a pointer to the method's type.
func (w *wait) isValue(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && named.Obj() == w.owner
}

// waitable says whether the method may wait for a goroutine: it does not call the method, and what it runs is
// run by go statements alone.
func (w *wait) waitable(g goroutine) bool {
	seen := map[*mutate.Function]bool{}
	var reaches func(fn *mutate.Function) bool
	reaches = func(fn *mutate.Function) bool {
		if fn == w.fn {
			return true
		}
		if fn == nil || seen[fn] {
			return false
		}
		seen[fn] = true
		for _, c := range locked.CallsNow(fn) {
			if reaches(c.To) {
				return true
			}
		}
		return false
	}
	return !reaches(g.to) && w.onlyStarted(g.to)
}

// onlyStarted says whether what a goroutine runs is named by go statements alone.
func (w *wait) onlyStarted(fn *mutate.Function) bool {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok {
		return true
	}
	obj, ok := fn.File.Package.Info.Defs[decl.Name].(*types.Func)
	return ok && !slices.ContainsFunc(fn.Mentions(obj), func(m mutate.Mention) bool {
		path := m.Path() // the go statement, its call, what it selects from
		if i := len(path) - 3; i >= 0 && !m.File.Test {
			if s, ok := path[i].(*ast.GoStmt); ok && ast.Unparen(s.Call.Fun) == path[len(path)-1] {
				return false
			}
		}
		return syntax.Declared(m.File.Package.Info.Uses[m.Name]) == obj
	})
}
