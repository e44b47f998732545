package blocking

import (
	"go/ast"
	"go/types"
	"sync"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// Waits knows the functions of a program in which a goroutine may wait
// for another one, at a channel or a wait group. It is safe for concurrent use.
type Waits struct {
	program *analysis.Program
	decls   func() map[*types.Func]declaration

	mu sync.Mutex
	// known is false, too, while a function is being examined, so that one
	// that calls it in turn may be taken for one that does not wait.
	known map[*types.Func]bool // guarded by mu
}

// NewWaits knows nothing of a program yet.
func NewWaits(p *analysis.Program) *Waits {
	return &Waits{
		program: p, known: make(map[*types.Func]bool),
		decls: sync.OnceValue(func() map[*types.Func]declaration { return declarations(p) }),
	}
}

// MayWait reports whether a call may wait for another goroutine in its callee:
// some operation there or deeper does, or the callee is known only when the
// program runs, being a function value or a method of the module's interface.
func (w *Waits) MayWait(info *types.Info, call *ast.CallExpr) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.callWaits(info, call)
}

// callWaits is MayWait. w.mu is held.
func (w *Waits) callWaits(info *types.Info, call *ast.CallExpr) bool {
	if tv := info.Types[call.Fun]; tv.IsBuiltin() || tv.IsType() {
		return false
	}
	if _, literal := ast.Unparen(call.Fun).(*ast.FuncLit); literal {
		return false // what it does is seen where it is written
	}
	f := syntax.Callee(info, call.Fun)
	switch {
	case f == nil:
		return true
	case syntax.InterfaceMethod(f):
		return w.declaredHere(f)
	}
	return f.FullName() == "(*sync.WaitGroup).Wait" || w.waitsIn(f)
}

// waitsIn reports whether the body of a function of the program may wait; what only tests have
// is not asked. w.mu is held.
func (w *Waits) waitsIn(f *types.Func) bool {
	if may, known := w.known[f]; known {
		return may
	}
	to := w.decls()[f]
	if to.decl == nil || to.decl.Body == nil || to.file.Test {
		return false
	}
	w.known[f] = false
	may := false
	info, body := to.file.Package.Info, to.decl.Body
	polled := make(map[ast.Node]bool)
	visit := func(n ast.Node) {
		switch n := n.(type) {
		case *ast.SelectStmt:
			may = may || !syntax.HasDefault(n)
			syntax.Polls(n, polled)
		case *ast.CallExpr:
			may = may || w.callWaits(info, n)
		default:
			may = may || !polled[n] && ChannelOperation(info, n) != ""
		}
	}
	syntax.Now(body, visit)
	syntax.WalkOwn(body, func(n ast.Node, _ []ast.Node) {
		if d, ok := n.(*ast.DeferStmt); ok { // runs before the function returns
			syntax.Now(d.Call, visit)
		}
	})
	w.known[f] = may
	return may
}

// declaredHere reports whether a function belongs to a package of the program.
func (w *Waits) declaredHere(f *types.Func) bool {
	for _, p := range w.program.Packages {
		if p.Types == f.Pkg() {
			return true
		}
	}
	return false
}
