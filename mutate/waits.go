package mutate

import (
	"go/ast"
	"mendel/analysis"
	"mendel/mutate/internal/blocking"
)

// A Blocker is an operation of the original that may keep its goroutine
// waiting: for another goroutine, for time to pass, for input or output, or for
// whatever code of the package's users does.
type Blocker = blocking.Blocker

// Blockers lists what may block in the functions of a file, in source order; see
// package blocking for what counts.
func Blockers(p *analysis.Program, f *analysis.File) []Blocker { return blocking.In(p, f) }

// Blockers is [Blockers] for a file of the function's program. The list must not be changed.
func (fn *Function) Blockers(f *analysis.File) []Blocker { return fn.space.blockers(f) }

func (s *Space) blockers(f *analysis.File) []Blocker {
	return s.blocking.get(func() *blocking.Index { return blocking.NewIndex(s.program) }).In(f)
}

// MayWait reports whether a call may wait for another goroutine in its callee:
// some operation there or deeper does, or the callee is known only when the
// program runs, being a function value or a method of the module's interface.
func (fn *Function) MayWait(call *ast.CallExpr) bool {
	return fn.index.waits.MayWait(fn.File.Package.Info, call)
}
