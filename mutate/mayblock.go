package mutate

import (
	"go/ast"
	"go/types"
	"sync"

	"mendel/analysis/syntax"
	"mendel/mutate/internal/blocking"
)

// A waitIndex knows the functions of a program in which a goroutine may wait
// for another one, at a channel or a wait group. It is safe for concurrent use.
type waitIndex struct {
	mu sync.Mutex
	// known is false, too, while a function is being examined, so that one
	// that calls it in turn may be taken for one that does not wait.
	known map[*types.Func]bool
}

// MayWait reports whether a call may wait for another goroutine in its callee:
// some operation there or deeper does, or the callee is known only when the
// program runs, being a function value or a method of the module's interface.
func (fn *Function) MayWait(call *ast.CallExpr) bool {
	fn.index.waits.mu.Lock()
	defer fn.index.waits.mu.Unlock()
	return fn.index.callMayBlock(fn, call)
}

// callMayBlock is MayWait. ix.waits.mu is held.
func (ix *index) callMayBlock(fn *Function, call *ast.CallExpr) bool {
	info := fn.File.Package.Info
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
		return ix.declaredHere(f)
	}
	return f.FullName() == "(*sync.WaitGroup).Wait" || ix.waitsIn(fn, f)
}

// waitsIn reports whether the body of a function of the program may wait. ix.waits.mu is held.
func (ix *index) waitsIn(from *Function, f *types.Func) bool {
	if may, known := ix.waits.known[f]; known {
		return may
	}
	to := ix.declaration(f)
	if to == nil {
		return false
	}
	if ix.waits.known == nil {
		ix.waits.known = make(map[*types.Func]bool)
	}
	ix.waits.known[f] = false
	may := false
	polled := make(map[ast.Node]bool)
	visit := func(n ast.Node) {
		switch n := n.(type) {
		case *ast.SelectStmt:
			may = may || !syntax.HasDefault(n)
			syntax.Polls(n, polled)
		case *ast.CallExpr:
			may = may || ix.callMayBlock(to, n)
		default:
			may = may || !polled[n] && blocking.ChannelOperation(to.File.Package.Info, n) != ""
		}
	}
	syntax.Now(to.Body, visit)
	syntax.WalkOwn(to.Body, func(n ast.Node, _ []ast.Node) {
		if d, ok := n.(*ast.DeferStmt); ok { // runs before the function returns
			syntax.Now(d.Call, visit)
		}
	})
	ix.waits.known[f] = may
	return may
}

// declaration finds a function's declaration, outside of tests; nil if it is not in the
// program.
func (ix *index) declaration(f *types.Func) *Function {
	return ix.declarations.get(func() map[*types.Func]*Function {
		found := make(map[*types.Func]*Function)
		for _, pkg := range ix.program.Packages {
			for _, f := range pkg.Files {
				if f.Test {
					continue
				}
				for _, d := range f.AST.Decls {
					decl, ok := d.(*ast.FuncDecl)
					if !ok || decl.Body == nil {
						continue
					}
					if obj, ok := pkg.Info.Defs[decl.Name].(*types.Func); ok {
						found[obj] = &Function{Program: ix.program, File: f, Node: decl, Body: decl.Body}
					}
				}
			}
		}
		return found
	})[f]
}

// Declaration is a function of the program with its text alone, outside of tests, whether
// it may be edited or not; nil if there is none. What the narrowing says of it is what it says
// of this function's program.
func (fn *Function) Declaration(f *types.Func) *Function {
	to := fn.index.declaration(f)
	if to == nil {
		return nil
	}
	text := *to
	text.Narrowing, text.index = fn.Narrowing, fn.index
	return &text
}

// declaredHere reports whether a function belongs to a package of the program.
func (ix *index) declaredHere(f *types.Func) bool {
	for _, p := range ix.program.Packages {
		if p.Types == f.Pkg() {
			return true
		}
	}
	return false
}
