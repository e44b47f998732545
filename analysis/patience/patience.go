package patience

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"

	"mendel/analysis"
)

// A Guard says what the expiry of a time-out leads to.
type Guard int

// Guards.
const (
	Gives Guard = iota + 1 // to giving up
	Fails                  // to failing, on all ways
)

// Of returns the guards that a package sets.
func Of(pkg *analysis.Package) map[*ast.CallExpr]Guard {
	f := &finder{
		info: pkg.Info, parents: map[ast.Node]ast.Node{}, funcs: map[*types.Func]*function{}, lits: map[*ast.FuncLit]*function{},
		uses: map[types.Object][]*ast.Ident{}, found: map[*ast.CallExpr]Guard{}, testFiles: map[ast.Node]bool{},
	}
	var tests []*function
	for _, file := range pkg.Files {
		if !file.Test && !concernsTests(file.AST) {
			continue
		}
		tests = append(tests, f.read(file)...)
	}
	for _, fn := range tests {
		f.in(fn)
	}
	for _, file := range pkg.Files {
		f.pollers(file.AST)
	}
	return f.found
}

// pollers are types of assertion libraries whose methods ask for something again and again,
// with a limit. They know of the test by a function that fails it, so that no flow is seen.
var pollers = map[string]bool{"github.com/onsi/gomega/internal.AsyncAssertion": true}

// pollers notes all time-outs that methods of pollers set: the test's patience, and pauses.
func (f *finder) pollers(file *ast.File) {
	for _, d := range file.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Recv == nil {
			continue
		}
		if o, ok := f.info.Defs[fd.Name].(*types.Func); !ok || !pollers[typeName(o.Signature().Recv().Type())] {
			continue
		}
		ast.Inspect(fd, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && f.sets(call) != "" {
				f.note(call, Gives)
			}
			return true
		})
	}
}

// concernsTests reports whether a file may be given tests: it names a method that fails one.
func concernsTests(file *ast.File) (concerns bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && (id.Name == "Errorf" || id.Name == "FailNow" || id.Name == "Fatalf" || id.Name == "Fatal") {
			concerns = true
		}
		return !concerns
	})
	return concerns
}

// A finder looks for the guards of a package.
type finder struct {
	info      *types.Info
	parents   map[ast.Node]ast.Node
	funcs     map[*types.Func]*function
	lits      map[*ast.FuncLit]*function
	uses      map[types.Object][]*ast.Ident // in the files that concern tests
	found     map[*ast.CallExpr]Guard
	testFiles map[ast.Node]bool // functions of test files
}

// A function is one with a body.
type function struct {
	node  ast.Node // *ast.FuncDecl or *ast.FuncLit
	typ   *ast.FuncType
	body  *ast.BlockStmt
	obj   *types.Func // of a declaration
	graph *cfg.CFG
	fails int // whether all ways fail: 0 not known, 1 no, 2 yes
}

// read notes what a file has, and returns those of its functions that are tests'.
func (f *finder) read(file *analysis.File) (tests []*function) {
	var stack []ast.Node
	ast.Inspect(file.AST, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			f.parents[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.Ident:
			if o := f.info.Uses[n]; o != nil {
				f.uses[o] = append(f.uses[o], n)
			}
		case *ast.FuncDecl:
			if o, ok := f.info.Defs[n.Name].(*types.Func); ok && n.Body != nil {
				f.funcs[o] = &function{node: n, typ: n.Type, body: n.Body, obj: o}
				f.testFiles[n] = file.Test
			}
		case *ast.FuncLit:
			f.lits[n] = &function{node: n, typ: n.Type, body: n.Body}
		}
		return true
	})
	for _, d := range file.AST.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil {
			continue
		}
		if o, ok := f.info.Defs[fd.Name].(*types.Func); ok && (file.Test || f.isGiven(o)) {
			tests = append(tests, f.funcs[o])
		}
	}
	return tests
}

// isGiven reports whether a function is given a test.
func (f *finder) isGiven(o *types.Func) bool {
	for v := range o.Signature().Params().Variables() {
		if isTest(v.Type()) {
			return true
		}
	}
	return false
}

// in looks for the guards of a function and of those in it.
func (f *finder) in(fn *function) {
	ast.Inspect(fn.node, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if _, known := f.found[call]; !known {
				f.examine(call)
			}
		}
		return true
	})
}

// examine notes a call that is a guard.
func (f *finder) examine(call *ast.CallExpr) {
	w := &walk{finder: f, seen: map[types.Object]bool{}, guard: Fails}
	if o := f.callee(call); o != nil {
		w.ticks = o.Name() == "Tick" || o.Name() == "NewTicker"
	}
	switch f.sets(call) {
	case "channel", "timer", "context":
		if w.value(call, 0) && w.met {
			f.note(call, w.guard)
			for _, reset := range w.resets {
				f.note(reset, w.guard)
			}
		}
	case "function":
		if fn := f.literal(call.Args[len(call.Args)-1]); fn != nil && f.failing(fn) {
			f.note(call, Fails)
		}
	case "sleep":
		if f.polls(call) {
			f.note(call, Gives)
			return
		}
		if stmt, ok := f.parents[call].(*ast.ExprStmt); ok && w.after(stmt) {
			f.note(call, w.guard)
		}
	}
}

func (f *finder) note(call *ast.CallExpr, g Guard) { f.found[call] = g }

// setters are the functions that set time-outs, with what they return.
var setters = map[string]string{
	"time.After": "channel", "time.Tick": "channel", "time.NewTimer": "timer", "time.NewTicker": "timer",
	"time.AfterFunc": "function", "time.Sleep": "sleep",
	"context.WithTimeout": "context", "context.WithTimeoutCause": "context",
	"context.WithDeadline": "context", "context.WithDeadlineCause": "context",
}

// sets says what a call returns that sets a time-out; "" if it does not.
func (f *finder) sets(call *ast.CallExpr) string {
	if o := f.callee(call); o != nil && o.Signature().Recv() == nil {
		return setters[qualified(o)]
	}
	return ""
}

// callee is the declared function or method that a call names; nil if there is none.
func (f *finder) callee(call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	o, _ := f.info.Uses[id].(*types.Func)
	return o
}

// qualified is the name of a function with its package's path.
func qualified(o *types.Func) string {
	if o.Pkg() == nil {
		return o.Name()
	}
	return o.Pkg().Path() + "." + o.Name()
}

// literal is the function that an expression is: a literal, or a declared function of the
// package; nil if it is something else.
func (f *finder) literal(e ast.Expr) *function {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return f.lits[e]
	case *ast.Ident:
		if o, ok := f.info.Uses[e].(*types.Func); ok {
			return f.funcs[o]
		}
	}
	return nil
}

// A walk follows one time-out.
type walk struct {
	*finder
	seen    map[types.Object]bool
	met     bool // it is waited for somewhere
	ticks   bool // again and again
	guard   Guard
	resets  []*ast.CallExpr
	calling map[*function]bool // whose callers are being followed
}

// value follows the i-th value of a call, or of another expression; false: it goes where it
// cannot be followed, or its expiry leads to something else than giving up.
func (w *walk) value(e ast.Expr, i int) bool {
	switch p := w.parents[e].(type) {
	case *ast.ParenExpr:
		return w.value(p, i)
	case *ast.UnaryExpr:
		return p.Op == token.ARROW && w.received(p)
	case *ast.AssignStmt:
		if len(p.Lhs) != len(p.Rhs) {
			return p.Rhs[0] == e && w.assigned(p.Lhs[i])
		}
		at := slices.Index(p.Rhs, e)
		return at >= 0 && w.assigned(p.Lhs[at])
	case *ast.ValueSpec:
		if len(p.Names) != len(p.Values) {
			return w.variable(w.info.Defs[p.Names[i]])
		}
		at := slices.Index(p.Values, e)
		return at >= 0 && w.variable(w.info.Defs[p.Names[at]])
	case *ast.SelectorExpr:
		return w.selected(p)
	case *ast.CallExpr:
		return w.given(p, e)
	case *ast.RangeStmt:
		return false // of ticks: each may do something
	}
	return false
}

// assigned follows a variable that is assigned to.
func (w *walk) assigned(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	if id.Name == "_" {
		return true
	}
	o := w.info.Defs[id]
	if o == nil {
		o = w.info.Uses[id]
	}
	return w.variable(o)
}

// variable follows a local variable.
func (w *walk) variable(o types.Object) bool {
	v, ok := o.(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return false
	}
	if w.seen[v] {
		return true
	}
	w.seen[v] = true
	for _, use := range w.uses[v] {
		if a, ok := w.parents[use].(*ast.AssignStmt); ok && slices.Contains(a.Lhs, ast.Expr(use)) {
			continue // what else it holds is no matter of this time-out
		}
		if b, ok := w.parents[use].(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
			continue
		}
		if !w.value(use, 0) {
			return false
		}
	}
	return true
}

// selected follows what is selected of a timer or a context.
func (w *walk) selected(s *ast.SelectorExpr) bool {
	call, called := w.parents[s].(*ast.CallExpr)
	called = called && call.Fun == s
	switch name := s.Sel.Name; {
	case name == "C":
		return w.value(s, 0)
	case name == "Done" && called:
		return w.value(call, 0)
	case name == "Reset" && called:
		w.resets = append(w.resets, call)
		return true
	case called && (name == "Stop" || name == "Err" || name == "Deadline" || name == "Value"):
		return true
	}
	return false
}

// given follows an argument.
func (w *walk) given(call *ast.CallExpr, e ast.Expr) bool {
	at := slices.Index(call.Args, e)
	if at < 0 {
		return false
	}
	o := w.callee(call)
	switch {
	case o == nil:
		return false
	case qualified(o) == "context.Cause":
		return true
	case o.Pkg() != nil && o.Pkg().Path() == "context" && at == 0 && o.Signature().Recv() == nil:
		return w.value(call, 0) // what is made of it ends with it
	}
	fn := w.funcs[o]
	if fn == nil || !w.testing(fn) {
		return false
	}
	params := o.Signature().Params()
	if at >= params.Len() || o.Signature().Variadic() && at == params.Len()-1 {
		return false
	}
	return w.variable(params.At(at))
}

// testing reports whether a function is a test's: those that are read are of test files, or
// of files that may be given tests.
func (f *finder) testing(fn *function) bool {
	return fn.obj == nil || f.isGiven(fn.obj) || f.inTestFile(fn)
}
