package blocking

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"sync"

	"mendel/analysis"
	"mendel/analysis/syntax"
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
	// Prints says that it writes to a log or reads or writes files or streams in
	// passing, which takes long only in bad times.
	Prints bool
}

// A cause is why something may block; the zero cause is none.
type cause struct {
	what             string
	releases, prints bool
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
// type of the module's own, tests left out, implements, or which is called on an
// exported field: its users may set that to a type of their own. A clock, which is given nothing and
// returns a time, is none. Parameters of
// unexported functions and local variables hold the module's own functions as a rule.
func In(p *analysis.Program, f *analysis.File) []Blocker { return NewIndex(p).In(f) }

// An Index remembers what is the same for all files of a program. It is safe for
// concurrent use.
type Index struct {
	program *analysis.Program
	decls   map[*types.Func]declaration

	mu       sync.Mutex              // guards all below
	runs     map[ast.Node][]ast.Node // see finder.running
	supplied map[*types.Named]bool   // see finder.foreign
	files    map[*analysis.File][]Blocker
}

// NewIndex makes the index of a program.
func NewIndex(p *analysis.Program) *Index {
	return &Index{program: p, decls: declarations(p), runs: make(map[ast.Node][]ast.Node), supplied: make(map[*types.Named]bool), files: make(map[*analysis.File][]Blocker)}
}

// In is [In] for a file of the program. The list must not be changed.
func (ix *Index) In(f *analysis.File) []Blocker {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	found, known := ix.files[f]
	if !known {
		found = ix.in(f)
		ix.files[f] = found
	}
	return found
}

func (ix *Index) in(f *analysis.File) []Blocker {
	p := ix.program
	b := &finder{Index: ix, file: f, known: make(map[*types.Func]cause)}
	var found []Blocker
	syntax.Functions(f, func(fn ast.Node, _ *ast.FuncType, body *ast.BlockStmt, _ string) {
		if body == nil {
			return
		}
		if lit, ok := fn.(*ast.FuncLit); ok && b.visited[lit] {
			return // runs where it is written
		}
		b.inside(body, func(n ast.Node, c cause) {
			at := p.Fset.PositionFor(n.Pos(), false)
			found = append(found, Blocker{f.Rel, at.Line, c.what, c.releases, c.prints})
		})
	})
	slices.SortStableFunc(found, func(a, b Blocker) int { return cmp.Compare(a.Line, b.Line) })
	return slices.Compact(found)
}

// A finder looks for what may block in one file. Its index is locked.
type finder struct {
	*Index
	file    *analysis.File
	known   map[*types.Func]cause // what may block in a function; none for one that is being examined, too
	visited map[*ast.FuncLit]bool
}

// A declaration is a function's, in its file.
type declaration struct {
	file *analysis.File
	decl *ast.FuncDecl
}

func declarations(p *analysis.Program) map[*types.Func]declaration {
	found := make(map[*types.Func]declaration)
	for _, pkg := range p.Packages {
		for _, file := range pkg.Files {
			for _, d := range file.AST.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok {
					if f, ok := pkg.Info.Defs[fd.Name].(*types.Func); ok {
						found[f] = declaration{file, fd}
					}
				}
			}
		}
	}
	return found
}

// inside yields what may block when a body runs.
func (b *finder) inside(body ast.Node, yield func(n ast.Node, c cause)) {
	polled := map[ast.Node]bool{} // operations of a select
	for _, n := range b.running(body) {
		switch n := n.(type) {
		case *ast.FuncLit:
			if b.visited == nil {
				b.visited = make(map[*ast.FuncLit]bool)
			}
			b.visited[n] = true
		case *ast.SelectStmt:
			if !syntax.HasDefault(n) {
				yield(n, cause{what: "select"})
			}
			syntax.Polls(n, polled)
		case *ast.CallExpr:
			if c := b.call(n); c.what != "" {
				yield(n, c)
			}
		default:
			if what := ChannelOperation(b.file.Package.Info, n); what != "" && !polled[n] {
				yield(n, cause{what: what})
			}
		}
	}
}

// running are the nodes that may have to do with waiting, of those that run when a
// body does.
func (b *finder) running(body ast.Node) []ast.Node {
	found, known := b.runs[body]
	if !known {
		syntax.Now(body, func(n ast.Node) {
			switch n.(type) {
			case *ast.FuncLit, *ast.SelectStmt, *ast.CallExpr, *ast.SendStmt, *ast.UnaryExpr, *ast.RangeStmt:
				found = append(found, n)
			}
		})
		b.runs[body] = found
	}
	return found
}

// call says what may block in a call.
func (b *finder) call(call *ast.CallExpr) cause {
	info := b.file.Package.Info
	f := syntax.Callee(info, call.Fun)
	switch {
	case f == nil:
		return cause{what: b.valueCall(call)}
	case syntax.InterfaceMethod(f):
		if what := waitName(f); what != "" {
			return cause{what: what, prints: !syntax.MayWait(f, 1)}
		}
		if !syntax.TellsTime(f.Type()) && (b.foreign(f) || b.settable(f, call)) {
			return cause{what: "callback " + f.Name()}
		}
		return cause{}
	case syntax.Receiver(f) == "Cond" && f.FullName() == "(*sync.Cond).Wait":
		return cause{what: "sync.Cond.Wait", releases: true}
	}
	if what := waitName(f); what != "" {
		if writesToMemory(info, f, call) {
			return cause{}
		}
		return cause{what: what, prints: !syntax.MayWait(f, 1)}
	}
	if c := b.callee(f); c.what != "" {
		return cause{what: f.Name() + ": " + c.what, prints: c.prints}
	}
	return cause{}
}

// callee says what may block in a function of the program: the first thing that
// does not only print, or else the first that does.
func (b *finder) callee(f *types.Func) cause {
	if c, known := b.known[f]; known {
		return c
	}
	b.known[f] = cause{} // for a recursion
	of, ok := b.decls[f]
	if !ok || of.decl.Body == nil {
		return cause{}
	}
	inner := &finder{Index: b.Index, file: of.file, known: b.known}
	var first cause
	inner.inside(of.decl.Body, func(_ ast.Node, c cause) {
		if first.what == "" || first.prints && !c.prints {
			first = c
		}
	})
	b.known[f] = first
	return first
}

// valueCall names the call of a function value that the package's user supplies.
func (b *finder) valueCall(call *ast.CallExpr) string {
	v := syntax.Variable(b.file.Package.Info, call.Fun)
	if v == nil || syntax.TellsTime(v.Type()) {
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

// settable reports whether a method of an exported interface of the module is
// called on an exported field of an exported type.
func (b *finder) settable(f *types.Func, call *ast.CallExpr) bool {
	named, ok := types.Unalias(f.Signature().Recv().Type()).(*types.Named)
	method, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !isSel || !f.Exported() || !named.Obj().Exported() || !b.ours(named.Obj().Pkg()) {
		return false
	}
	field, ok := ast.Unparen(method.X).(*ast.SelectorExpr)
	if !ok || !field.Sel.IsExported() {
		return false
	}
	s := b.file.Package.Info.Selections[field]
	if s == nil || s.Kind() != types.FieldVal {
		return false
	}
	t := types.Unalias(s.Recv())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	owner, ok := t.(*types.Named)
	return ok && owner.Obj().Exported()
}

// ours reports whether a package belongs to the program.
func (b *finder) ours(pkg *types.Package) bool {
	return slices.ContainsFunc(b.program.Packages, func(p *analysis.Package) bool { return p.Types != nil && p.Types == pkg })
}

// foreign reports whether an interface's method is the package's users' to supply.
func (b *finder) foreign(f *types.Func) bool {
	named, ok := types.Unalias(f.Signature().Recv().Type()).(*types.Named)
	if !ok || !named.Obj().Exported() || !f.Exported() || named.TypeParams() != nil {
		return false
	}
	supplied, known := b.supplied[named]
	if !known {
		supplied = b.findForeign(named)
		b.supplied[named] = supplied
	}
	return supplied
}

// findForeign reports whether no type of the module, which an interface is of, implements it.
func (b *finder) findForeign(named *types.Named) bool {
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
