package left

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
)

// A Goroutine is one that is blocked for ever, with the calls where it waits and those where
// it was started, innermost first.
type Goroutine struct {
	Stack   []evidence.Frame
	Created []evidence.Frame
}

// enders are the names of methods that end what a value has begun.
var enders = []string{"Stop", "Close", "Shutdown", "Wait", "Cancel", "Release", "Terminate", "Quit", "Kill", "StopAndWait", "StopWait", "GracefulStop"}

// Missing is the call that a test leaves out and that would end a goroutine; "" if there is
// none.
func Missing(p *analysis.Program, test string, g Goroutine) string {
	f := &finder{program: p}
	waits, ok := f.waits(g.Stack)
	if !ok {
		return ""
	}
	called := f.calledBy(test)
	for _, t := range f.owners(g) {
		for _, name := range enders {
			m := method(t, name)
			if m == nil || called.method(m, t) || !f.ends(m, waits.of(t, m)) {
				continue
			}
			return "(*" + t.Obj().Name() + ")." + name
		}
	}
	if waits.given && !called.cancels {
		return "cancel of the context"
	}
	return ""
}

// A finder looks at a program.
type finder struct{ program *analysis.Program }

// packages are those with source.
func (f *finder) packages() []*analysis.Package {
	list := slices.Clone(f.program.Packages)
	for _, d := range f.program.Dependencies {
		list = append(list, d.Package)
	}
	return list
}

// at is the file of a frame, with its position.
func (f *finder) at(frame evidence.Frame) (pkg *analysis.Package, file *analysis.File, path []ast.Node) {
	for _, pkg := range f.packages() {
		for _, file := range pkg.Files {
			if file.Name == frame.File {
				return pkg, file, f.path(file.AST, frame.Line)
			}
		}
	}
	return nil, nil, nil
}

// path are the nodes around the beginning of a line's statements, outermost first.
func (f *finder) path(file *ast.File, line int) (path []ast.Node) {
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		from, to := f.program.Fset.Position(n.Pos()).Line, f.program.Fset.Position(n.End()).Line
		if from > line || line > to {
			return false
		}
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			path = append(path, n)
		case *ast.SelectStmt, *ast.RangeStmt, *ast.UnaryExpr, *ast.CallExpr:
			if from == line {
				path = append(path, n)
			}
		}
		return true
	})
	return path
}

// A waiting is what ends a goroutine's wait.
type waiting struct {
	objects  []types.Object // channels that are received from, and condition variables
	contexts bool           // a context's end
	given    bool           // one that is a parameter
}

// waits finds what would end the wait of a goroutine; false: nothing would.
func (f *finder) waits(stack []evidence.Frame) (w waiting, ok bool) {
	for _, frame := range stack {
		pkg, _, path := f.at(frame)
		if pkg == nil {
			continue // of the library
		}
		for _, n := range path {
			switch n := n.(type) {
			case *ast.SelectStmt:
				for _, c := range n.Body.List {
					w.comm(pkg.Info, c.(*ast.CommClause).Comm)
				}
			case *ast.RangeStmt:
				w.receive(pkg.Info, n.X)
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					w.receive(pkg.Info, n.X)
				}
			case *ast.CallExpr: // cond.Wait()
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Wait" {
					w.objects = append(w.objects, objectOf(pkg.Info, s.X))
				}
			}
		}
		w.originals(pkg.Info, path)
		break
	}
	w.objects = slices.DeleteFunc(w.objects, func(o types.Object) bool { return o == nil })
	return w, len(w.objects) > 0 || w.contexts
}

// originals adds what local variables are copies of: the field of cc := c.control.
func (w *waiting) originals(info *types.Info, path []ast.Node) {
	if len(path) == 0 {
		return
	}
	ast.Inspect(path[0], func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, e := range a.Lhs {
			if id, ok := e.(*ast.Ident); ok && info.Defs[id] != nil && slices.Contains(w.objects, info.Defs[id]) {
				w.objects = append(w.objects, objectOf(info, a.Rhs[i]))
			}
		}
		return true
	})
}

// of is what ends the wait in a method of a type: the receiver, too, if the method is that of an
// embedded channel that is waited for.
func (w waiting) of(t *types.Named, m *types.Func) waiting {
	s, ok := t.Underlying().(*types.Struct)
	recv := m.Origin().Signature().Recv()
	if _, channel := recv.Type().Underlying().(*types.Chan); !ok || !channel {
		return w
	}
	for f := range s.Fields() {
		same := func(o types.Object) bool { return o.Pos() == f.Pos() }
		if f.Embedded() && types.Identical(f.Type(), recv.Type()) && slices.ContainsFunc(w.objects, same) {
			w.objects = append(slices.Clip(w.objects), recv)
			break
		}
	}
	return w
}

// comm adds a case of a select.
func (w *waiting) comm(info *types.Info, s ast.Stmt) {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); e != nil && ok && u.Op == token.ARROW {
		w.receive(info, u.X)
	}
}

// receive adds a channel that is received from.
func (w *waiting) receive(info *types.Info, e ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		w.objects = append(w.objects, objectOf(info, e))
		return
	}
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Done" {
		return
	}
	w.contexts = true
	if v, ok := objectOf(info, s.X).(*types.Var); ok && !v.IsField() {
		w.given = true
	}
}

// objectOf is the variable or field that an expression names; nil if it names none.
func objectOf(info *types.Info, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.Uses[e]
	case *ast.SelectorExpr:
		return info.Uses[e.Sel]
	case *ast.IndexExpr:
		return objectOf(info, e.X)
	case *ast.StarExpr:
		return objectOf(info, e.X)
	}
	return nil
}

// owners are the types whose values have to do with a goroutine: receivers of the functions
// that it is in, or that started it, and what constructors among these return.
func (f *finder) owners(g Goroutine) (owners []*types.Named) {
	add := func(t types.Type) {
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && !slices.Contains(owners, n.Origin()) {
			owners = append(owners, n.Origin())
		}
	}
	for _, frame := range slices.Concat(g.Stack, g.Created) {
		pkg, file, path := f.at(frame)
		if pkg == nil || file.Test || len(path) == 0 {
			continue
		}
		fd, ok := path[0].(*ast.FuncDecl)
		if !ok {
			continue
		}
		fn, ok := pkg.Info.Defs[fd.Name].(*types.Func)
		if !ok {
			continue
		}
		if recv := fn.Signature().Recv(); recv != nil {
			add(recv.Type())
		}
		for v := range fn.Signature().Results().Variables() {
			add(v.Type())
		}
	}
	return owners
}

// method is a method of a type or of a pointer to it; nil if it has none of the name.
func method(t *types.Named, name string) *types.Func {
	o, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.Obj().Pkg(), name)
	fn, _ := o.(*types.Func)
	return fn
}

// declaration is the declaration of a function with a body, with its package.
func (f *finder) declaration(fn *types.Func) (*analysis.Package, *ast.FuncDecl) {
	for _, pkg := range f.packages() {
		if pkg.Types == nil || fn.Pkg() == nil || pkg.Types.Path() != fn.Pkg().Path() {
			continue
		}
		for _, file := range pkg.Files {
			for _, d := range file.AST.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil && pkg.Info.Defs[fd.Name] == types.Object(fn.Origin()) {
					return pkg, fd
				}
			}
		}
	}
	return nil, nil
}

// deepest is how many calls below a method are looked at. Guessed.
const deepest = 4

// ends reports whether a method ends a wait.
func (f *finder) ends(m *types.Func, w waiting) bool { return f.endsWithin(m, w, deepest) }

func (f *finder) endsWithin(m *types.Func, w waiting, depth int) (ends bool) {
	pkg, fd := f.declaration(m)
	if fd == nil || depth == 0 {
		return false
	}
	is := func(e ast.Expr) bool {
		o := objectOf(pkg.Info, e)
		return o != nil && slices.ContainsFunc(w.objects, func(p types.Object) bool { return o.Pos() == p.Pos() })
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			ends = ends || is(n.Chan)
		case *ast.CallExpr:
			ends = ends || endingCall(pkg.Info, n, w, is)
		case *ast.Ident: // called, or given to what calls it, as once.Do
			fn, ok := pkg.Info.Uses[n].(*types.Func)
			ends = ends || ok && f.endsWithin(fn, w, depth-1)
		}
		return !ends
	})
	return ends
}

// endingCall reports whether a call ends a wait.
func endingCall(info *types.Info, call *ast.CallExpr, w waiting, is func(ast.Expr) bool) bool {
	if n, ok := types.Unalias(info.TypeOf(call.Fun)).(*types.Named); ok && n.Obj().Name() == "CancelFunc" {
		return w.contexts
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun.Name == "close" && len(call.Args) == 1 && is(call.Args[0])
	case *ast.SelectorExpr:
		return (fun.Sel.Name == "Broadcast" || fun.Sel.Name == "Signal") && is(fun.X)
	}
	return false
}
