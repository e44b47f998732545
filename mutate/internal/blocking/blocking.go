package mutate

import (
	"cmp"
	"go/ast"
	"go/token"
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

// Blockers lists what may block in the functions of a file, in source order.
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
func Blockers(p *analysis.Program, f *analysis.File) []Blocker {
	b := &blocking{program: p, file: f, known: make(map[*types.Func]string)}
	var found []Blocker
	eachFunction(f, func(fn ast.Node, _ *ast.FuncType, body *ast.BlockStmt, _ string) {
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

// A blocking looks for what may block in one file.
type blocking struct {
	program *analysis.Program
	file    *analysis.File
	known   map[*types.Func]string // what may block in a function; "": nothing, or it is being examined
	visited map[*ast.FuncLit]bool
}

// inside yields what may block when a body runs.
func (b *blocking) inside(body ast.Node, yield func(n ast.Node, what string, releases bool)) {
	polled := map[ast.Node]bool{} // operations of a select
	walkNow(body, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FuncLit:
			if b.visited == nil {
				b.visited = make(map[*ast.FuncLit]bool)
			}
			b.visited[n] = true
		case *ast.SelectStmt:
			if !hasDefault(n) {
				yield(n, "select", false)
			}
			polls(n, polled)
		case *ast.CallExpr:
			if what, releases := b.call(n); what != "" {
				yield(n, what, releases)
			}
		default:
			if what := channelOperation(b.file.Package.Info, n); what != "" && !polled[n] {
				yield(n, what, false)
			}
		}
	})
}

// channelOperation names what a node does that may wait for another goroutine;
// "" for nothing.
func channelOperation(info *types.Info, n ast.Node) string {
	switch n := n.(type) {
	case *ast.SendStmt:
		return "channel send"
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return "channel receive"
		}
	case *ast.RangeStmt:
		if t := info.TypeOf(n.X); t != nil {
			if _, channel := t.Underlying().(*types.Chan); channel {
				return "range over a channel"
			}
		}
	}
	return ""
}

// call names what may block in a call; "" for nothing.
func (b *blocking) call(call *ast.CallExpr) (what string, releases bool) {
	info := b.file.Package.Info
	f := syntax.Callee(info, call.Fun)
	switch {
	case f == nil:
		return b.valueCall(call), false
	case interfaceMethod(f):
		if what = waitName(f); what == "" && b.foreign(f) {
			what = "callback " + f.Name()
		}
		return what, false
	case receiver(f) == "Cond" && f.FullName() == "(*sync.Cond).Wait":
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
func (b *blocking) callee(f *types.Func) string {
	if what, known := b.known[f]; known {
		return what
	}
	b.known[f] = "" // for a recursion
	file, decl := b.declaration(f)
	if decl == nil || decl.Body == nil {
		return ""
	}
	inner := &blocking{program: b.program, file: file, known: b.known}
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
func (b *blocking) declaration(f *types.Func) (*analysis.File, *ast.FuncDecl) {
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
func (b *blocking) valueCall(call *ast.CallExpr) string {
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

// exportedParameter reports whether a variable is a parameter of an exported function.
func (b *blocking) exportedParameter(v *types.Var) bool {
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

func interfaceMethod(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// foreign reports whether an interface's method is the package's users' to supply.
func (b *blocking) foreign(f *types.Func) bool {
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

// waitName names a function outside the module that may block; "" for others.
// It knows more of them than [mayWait], on which flags rest: a line of a log
// under a lock is worth telling, and no reason to prefer another fix.
func waitName(f *types.Func) string {
	if f.Pkg() == nil || !mayWait(f, 1) && !prints(f) {
		return ""
	}
	name := f.Pkg().Name() + "."
	if r := receiver(f); r != "" {
		name += r + "."
	}
	return name + f.Name()
}

// prints reports whether a function reads or writes files, streams or a log.
func prints(f *types.Func) bool {
	name := f.Name()
	starts := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	}
	switch f.Pkg().Path() {
	case "fmt":
		return starts("Print", "Fprint", "Scan", "Fscan")
	case "log":
		return starts("Print", "Fatal", "Panic", "Output")
	case "log/slog":
		return starts("Debug", "Info", "Warn", "Error", "Log") && (receiver(f) == "" || receiver(f) == "Logger")
	case "bufio":
		return receiver(f) != "" && (starts("Read", "Write", "Peek", "Discard", "Scan") || name == "Flush")
	case "os":
		return receiver(f) == "" && starts("Read", "Write", "Open", "Create", "Mkdir", "Remove", "Rename", "Stat", "Lstat", "Truncate", "Link", "Symlink", "Copy")
	case "golang.org/x/sync/errgroup":
		return name == "Wait"
	case "golang.org/x/sync/semaphore":
		return name == "Acquire"
	}
	return false
}

// writesToMemory reports whether fmt.Fprint and the like print to a buffer.
func writesToMemory(info *types.Info, f *types.Func, call *ast.CallExpr) bool {
	if f.Pkg().Path() != "fmt" || !strings.HasPrefix(f.Name(), "F") || len(call.Args) == 0 {
		return false
	}
	switch t := info.TypeOf(call.Args[0]); t.String() {
	case "*strings.Builder", "*bytes.Buffer", "*strings.Reader", "*bytes.Reader":
		return true
	}
	return false
}
