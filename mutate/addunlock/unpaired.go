package addunlock

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// unpaired is what makes it right Go to leave a function with a lock held, and what makes it
// matter.
type unpaired struct {
	recovers bool            // some function recovers from panics: without that, what is locked when one comes does not matter any more
	unlocked map[string]bool // keys of locks that a function releases and never takes: another one may well leave them locked on purpose
}

// unpairedKey is the key of [unpaired].
type unpairedKey struct{}

func unpairedOf(fn *mutate.Function) *unpaired {
	return mutate.Once(fn, unpairedKey{}, func() *unpaired { return findUnpaired(fn.Program) })
}

func findUnpaired(p *analysis.Program) *unpaired {
	found := &unpaired{unlocked: make(map[string]bool)}
	for _, pkg := range p.Packages {
		for _, obj := range pkg.Info.Uses {
			b, ok := obj.(*types.Builtin)
			found.recovers = found.recovers || ok && b.Name() == "recover"
		}
		for _, f := range pkg.Files {
			if f.Test {
				continue
			}
			deferred := deferredLiterals(f.AST)
			syntax.Functions(f, func(node ast.Node, _ *ast.FuncType, body *ast.BlockStmt, _ string) {
				if !deferred[node] { // its calls are the function's around it
					found.add(&mutate.Function{Program: p, File: f, Node: node, Body: body})
				}
			})
		}
	}
	return found
}

func deferredLiterals(root ast.Node) map[ast.Node]bool {
	found := make(map[ast.Node]bool)
	ast.Inspect(root, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			found[ast.Unparen(d.Call.Fun)] = true
		}
		return true
	})
	return found
}

// add notes the locks that a function only releases.
func (u *unpaired) add(fn *mutate.Function) {
	calls := ownLockCalls(fn)
	for _, c := range calls {
		taken := slices.ContainsFunc(calls, func(o LockCall) bool {
			return o.Acquires() && syntax.Same(fn.File.Package.Info, syntax.Unembedded(fn.File.Package.Info, o.expr), syntax.Unembedded(fn.File.Package.Info, c.expr))
		})
		if !c.Acquires() && !taken {
			u.unlocked[c.lock.Key] = true
		}
	}
}
