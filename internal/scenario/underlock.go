package scenario

import (
	"go/ast"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/analysis/syntax"
	"mendel/checker"
)

// calledUnderLock says whether a goroutine waits in a call that a function makes which the value was given, and which is
// called under a lock in the original already: then it cannot call what takes the lock, and whoever wrote it knows.
func (d *Drivers) calledUnderLock(f checker.Failure) bool {
	for _, s := range f.Stacks {
		inside := false
		for _, frame := range s.Frames {
			switch {
			case d.suite.files()[frame.File] != nil:
				inside = true
			case inside && d.program.File(frame.File) != nil && d.callsUnderLock(frame.File, frame.Func):
				return true
			}
		}
	}
	return false
}

// callsUnderLock says whether a function of the original, by its full name or that in its package, calls a function value
// while it holds a lock.
func (d *Drivers) callsUnderLock(file, name string) bool {
	f := d.program.File(file)
	if f == nil {
		return false
	}
	m := d.locks()
	for _, decl := range f.AST.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Body == nil || !strings.HasSuffix("."+name, "."+analysis.FuncName(fn)) {
			continue
		}
		found := false
		syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok || found || syntax.Callee(f.Package.Info, call.Fun) != nil || syntax.Builtin(f.Package.Info, call) != "" {
				return
			}
			for _, around := range slices.Backward(path) {
				if stmt, ok := around.(ast.Stmt); ok {
					found = slices.ContainsFunc(m.HeldAt(m.Of(fn), stmt), func(h locks.Held) bool { return h.Always })
					return
				}
			}
		})
		if found {
			return true
		}
	}
	return false
}
