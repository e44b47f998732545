package blocking

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/mutate/internal/syntax"
)

// A Blocker is an operation of the original that may keep its goroutine
// waiting: for another goroutine, for time to pass, for input or output, or for
// whatever code of the package's users does.
type Blocker struct {
	File string // module-relative
	Line int
	What string // "channel receive", "time.Sleep", "flush: os.File.Sync", "callback onChange"
	// Releases says that it gives up one lock meanwhile, as sync.Cond.Wait does.
	Releases bool
}

// In lists what may block in the functions of a file, in source order.
// Operations of a select with a default never wait and are left out.
//
// A call of a function of the program is listed with the first thing in it that
// may block, calls in it followed by name. What a goroutine started there does
// is not the caller's wait.
//
// A callback is a call of code that the package's user supplies: of a parameter
// of an exported function, of a field or of a package variable that holds a
// function, and of a method of an exported interface of the module which no
// type of the module's own, tests left out, implements. Parameters of unexported
// functions and local variables hold the module's own functions as a rule.
func In(p *analysis.Program, f *analysis.File) []Blocker {
	b := &finder{program: p, file: f, known: make(map[*types.Func]string)}
	var found []Blocker
	syntax.Functions(f, func(fn ast.Node, _ *ast.FuncType, body *ast.BlockStmt, _ string) {
		if body == nil {
			return
		}
		if lit, ok := fn.(*ast.FuncLit); ok && b.visited[lit] {
			return // runs where it is written
		}
		b.inside(body, func(n ast.Node, what string, releases bool) {
			at := p.Fset.PositionFor(n.Pos(), false)
			found = append(found, Blocker{f.Rel, at.Line, what, releases})
		})
	})
	slices.SortStableFunc(found, func(a, b Blocker) int { return cmp.Compare(a.Line, b.Line) })
	return slices.Compact(found)
}

// A finder looks for what may block in one file.
type finder struct {
	program *analysis.Program
	file    *analysis.File
	known   map[*types.Func]string // what may block in a function; "": nothing, or it is being examined
	visited map[*ast.FuncLit]bool
}

// inside yields what may block when a body runs.
func (b *finder) inside(body ast.Node, yield func(n ast.Node, what string, releases bool)) {
	polled := map[ast.Node]bool{} // operations of a select
	syntax.Now(body, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FuncLit:
			if b.visited == nil {
				b.visited = make(map[*ast.FuncLit]bool)
			}
			b.visited[n] = true
		case *ast.SelectStmt:
			if !syntax.HasDefault(n) {
				yield(n, "select", false)
			}
			syntax.Polls(n, polled)
		case *ast.CallExpr:
			if what, releases := b.call(n); what != "" {
				yield(n, what, releases)
			}
		default:
			if what := ChannelOperation(b.file.Package.Info, n); what != "" && !polled[n] {
				yield(n, what, false)
			}
		}
	})
}

// call names what may block in a call; "" for nothing.
func (b *finder) call(call *ast.CallExpr) (what string, releases bool) {
	info := b.file.Package.Info
	f := syntax.Callee(info, call.Fun)
	switch {
	case f == nil:
		return b.valueCall(call), false
	case syntax.InterfaceMethod(f):
		if what = waitName(f); what == "" && b.foreign(f) {
			what = "callback " + f.Name()
		}
		return what, false
	case syntax.Receiver(f) == "Cond" && f.FullName() == "(*sync.Cond).Wait":
		return "sync.Cond.Wait", true
	}
	if what = waitName(f); what != "" {
		if writesToMemory(info, f, call) {
			return "", false
		}
		return what, false
	}
	if what = b.callee(f); what != "" {
		return f.Name() + ": " + what, false
	}
	return "", false
}

// callee names the first thing that may block in a function of the program.
func (b *finder) callee(f *types.Func) string {
	if what, known := b.known[f]; known {
		return what
	}
	b.known[f] = "" // for a recursion
	file, decl := b.declaration(f)
	if decl == nil || decl.Body == nil {
		return ""
	}
	inner := &finder{program: b.program, file: file, known: b.known}
	first := ""
	inner.inside(decl.Body, func(_ ast.Node, what string, _ bool) {
		if first == "" {
			first = what
		}
	})
	b.known[f] = first
	return first
}

// declaration finds a function's declaration in the program.
func (b *finder) declaration(f *types.Func) (*analysis.File, *ast.FuncDecl) {
	if f.Pkg() == nil {
		return nil, nil
	}
	for _, pkg := range b.program.Packages {
		if pkg.Types == nil || pkg.Types.Path() != f.Pkg().Path() {
			continue
		}
		for _, file := range pkg.Files {
			for _, d := range file.AST.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && pkg.Info.Defs[fd.Name] == f {
					return file, fd
				}
			}
		}
	}
	return nil, nil
}

// valueCall names the call of a function value that the package's user supplies.
func (b *finder) valueCall(call *ast.CallExpr) string {
	info := b.file.Package.Info
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return ""
	}
	v, ok := info.Uses[id].(*types.Var)
	if !ok {
		return ""
	}
	global := v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
	if v.IsField() || global || b.exportedParameter(v) {
		return "callback " + v.Name()
	}
	return ""
}

// exportedParameter reports whether a variable is a parameter of an exported
// function.
func (b *finder) exportedParameter(v *types.Var) bool {
	for _, d := range b.file.AST.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || v.Pos() < fd.Pos() || v.Pos() >= fd.End() {
			continue
		}
		f, ok := b.file.Package.Info.Defs[fd.Name].(*types.Func)
		if !ok || !f.Exported() {
			return false
		}
		for p := range f.Signature().Params().Variables() {
			if p == v {
				return true
			}
		}
	}
	return false
}

// foreign reports whether an interface's method is the package's users' to supply.
func (b *finder) foreign(f *types.Func) bool {
	named, ok := types.Unalias(f.Signature().Recv().Type()).(*types.Named)
	if !ok || !named.Obj().Exported() || !f.Exported() || named.TypeParams() != nil {
		return false
	}
	iface := named.Underlying().(*types.Interface)
	ours := false
	for _, pkg := range b.program.Packages {
		if pkg.Types == nil {
			continue
		}
		ours = ours || pkg.Types == named.Obj().Pkg()
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || types.IsInterface(tn.Type()) || inTest(b.program, tn) {
				continue
			}
			if types.Implements(tn.Type(), iface) || types.Implements(types.NewPointer(tn.Type()), iface) {
				return false
			}
		}
	}
	return ours
}

func inTest(p *analysis.Program, o types.Object) bool {
	return strings.HasSuffix(p.Fset.PositionFor(o.Pos(), false).Filename, "_test.go")
}
