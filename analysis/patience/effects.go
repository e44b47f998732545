package patience

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/cfg"

	"mendel/analysis/locks/program"
)

// An effect is what a node of a function does, as far as it matters to giving up.
type effect int

const (
	looks effect = iota // nothing, or it computes and logs
	acts                // something that may matter to the product
	waits               // it waits for something else
	fails               // the test fails, or is over
)

// effect is what a node does.
func (f *finder) effect(n ast.Node) (does effect) {
	switch n.(type) {
	case *ast.GoStmt:
		return acts
	case *ast.DeferStmt:
		return looks
	case *ast.SendStmt:
		return waits
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if does == waits || does == fails {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				does = waits
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				return true
			}
		case *ast.CallExpr:
			does = max(does, f.call(n))
		}
		return true
	})
	return does
}

// call is what a call does, its operands aside.
func (f *finder) call(call *ast.CallExpr) effect {
	if f.info.Types[call.Fun].IsType() {
		return looks
	}
	if f.stops(call) || f.failsTest(call) {
		return fails
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := f.info.Uses[id].(*types.Builtin); ok {
			if b.Name() == "close" {
				return acts
			}
			return looks
		}
	}
	if typeName(f.info.TypeOf(call.Fun)) == "context.CancelFunc" {
		return looks
	}
	o := f.callee(call)
	switch {
	case o == nil:
		return acts
	case waiting[qualified(o)], isTestMethod(o) && (o.Name() == "Run" || o.Name() == "Parallel"):
		return waits
	case o.Pkg() == nil, harmless(o), isTestMethod(o):
		return looks
	}
	return acts
}

// waiting are functions of the library that wait.
var waiting = map[string]bool{"time.Sleep": true, "sync.Wait": true}

// harmless reports whether a function of the library does nothing that matters to a
// product: it computes, or writes a log.
func harmless(o *types.Func) bool {
	switch o.Pkg().Path() {
	case "fmt", "errors", "log", "log/slog", "strings", "strconv", "bytes", "runtime", "runtime/debug", "runtime/pprof", "math", "sort", "slices", "maps", "unicode":
		return true
	case "time":
		return o.Name() != "Sleep"
	case "context":
		return o.Name() == "Err" || o.Name() == "Cause" || o.Name() == "Background"
	case "sync/atomic":
		return strings.HasPrefix(o.Name(), "Load")
	}
	return false
}

// stops reports whether nothing runs on after a call in its function.
func (f *finder) stops(call *ast.CallExpr) bool {
	if !program.Returns(f.info, call) {
		return true
	}
	o := f.callee(call)
	if o == nil {
		return false
	}
	switch o.Name() {
	case "Fatal", "Fatalf", "FailNow", "Failf", "FailNowf":
		return f.failsTest(call)
	}
	return false
}

// What fails a test: its own methods, and functions of assertion libraries, of which Error
// asserts that there is one.
var (
	methods   = []string{"Fatal", "Fatalf", "Error", "Errorf", "Fail", "FailNow"}
	functions = []string{"Fatal", "Fatalf", "Fail", "FailNow", "Failf", "FailNowf"}
)

// failsTest reports whether a call fails a test: a method of one, a function of an
// assertion library that is given one, or a function of the package that does so on all
// of its ways.
func (f *finder) failsTest(call *ast.CallExpr) bool {
	o := f.callee(call)
	if o == nil {
		return false
	}
	s, selects := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	switch recv := o.Signature().Recv(); {
	case recv == nil:
		if slices.Contains(functions, o.Name()) && len(call.Args) > 0 && isTest(f.info.TypeOf(call.Args[0])) {
			return true
		}
	case isAssertions(o):
		return slices.Contains(functions, o.Name())
	case isTestMethod(o) || selects && isTest(f.info.TypeOf(s.X)):
		return slices.Contains(methods, o.Name())
	}
	fn := f.funcs[o]
	return fn != nil && f.isGiven(o) && f.failing(fn)
}

// asserts reports whether a call is an assertion of a library, which is given a test.
func (f *finder) asserts(call *ast.CallExpr) bool {
	o := f.callee(call)
	if o == nil || o.Pkg() == nil {
		return false
	}
	path := o.Pkg().Path()
	return (strings.HasSuffix(path, "/assert") || strings.HasSuffix(path, "/require")) &&
		(isAssertions(o) || len(call.Args) > 0 && isTest(f.info.TypeOf(call.Args[0])))
}

// isAssertions reports whether a method is of a value that holds a test, as testify's.
func isAssertions(o *types.Func) bool {
	r := o.Signature().Recv()
	return r != nil && strings.HasSuffix(typeName(r.Type()), ".Assertions")
}

// failing reports whether a function fails on all of its ways.
func (f *finder) failing(fn *function) bool {
	if fn.fails == 0 {
		fn.fails = 1 // as long as it is not known: it may call itself
		blocks := f.graphOf(fn).Blocks
		if len(blocks) > 0 && f.alwaysFails(blocks[0], map[*cfg.Block]bool{}) {
			fn.fails = 2
		}
	}
	return fn.fails == 2
}

// alwaysFails reports whether all ways from a block fail.
func (f *finder) alwaysFails(b *cfg.Block, seen map[*cfg.Block]bool) bool {
	if seen[b] {
		return true
	}
	seen[b] = true
	for _, n := range b.Nodes {
		if f.effect(n) == fails {
			return true
		}
	}
	for _, s := range b.Succs {
		if !f.alwaysFails(s, seen) {
			return false
		}
	}
	return len(b.Succs) > 0
}

// mentionsFailure reports whether a failure stands in a statement.
func (f *finder) mentionsFailure(s ast.Node) (fails bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && (f.stops(call) || f.failsTest(call)) {
			fails = true
		}
		return !fails
	})
	return fails
}

// isTest reports whether a value is a test: of package testing, or with its methods, as the
// T of assertion libraries. Loggers have Errorf too, and Infof beside it.
func isTest(t types.Type) bool {
	switch typeName(t) {
	case "testing.T", "testing.B", "testing.F", "testing.TB":
		return true
	}
	if t == nil {
		return false
	}
	has := func(name string) bool {
		o, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		_, ok := o.(*types.Func)
		return ok
	}
	if !formats(t) || has("Infof") || has("Debugf") || has("Info") {
		return false
	}
	return types.IsInterface(t) || has("FailNow")
}

// formats reports whether a type has the Errorf of tests. That of a value that holds a test
// takes an error.
func formats(t types.Type) bool {
	o, _, _ := types.LookupFieldOrMethod(t, true, nil, "Errorf")
	fn, ok := o.(*types.Func)
	if !ok || fn.Signature().Params().Len() == 0 {
		return false
	}
	b, ok := fn.Signature().Params().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.String
}

// isTestMethod reports whether a function is a method of a test of package testing.
func isTestMethod(o *types.Func) bool {
	return o.Pkg() != nil && o.Pkg().Path() == "testing" && o.Signature().Recv() != nil
}

// typeName is the qualified name of a named type, or of one that is pointed to.
func typeName(t types.Type) string {
	if t == nil {
		return ""
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}
