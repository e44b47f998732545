package mutate

import (
	"go/ast"
	"go/types"
	"slices"
	"sync"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// An unpairedIndex knows what makes it right Go to leave a function with a lock
// held, and what makes it matter. It is safe for concurrent use and does not
// depend on the narrowing.
type unpairedIndex struct {
	once     sync.Once
	recover  bool            // some function recovers from panics
	unlocked map[string]bool // keys of locks that a function releases and never takes
}

// recovers reports whether the program recovers from panics: without that, what
// is locked when one comes does not matter any more.
func (ix *unpairedIndex) recovers(p *analysis.Program) bool {
	ix.once.Do(func() { ix.fill(p) })
	return ix.recover
}

// Unlocked reports whether some function of the program releases a lock with a
// key that it does not take: another one may well leave it locked on purpose.
func (fn *Function) Unlocked(key string) bool {
	ix := &fn.index.unpaired
	ix.once.Do(func() { ix.fill(fn.Program) })
	return ix.unlocked[key]
}

func (ix *unpairedIndex) fill(p *analysis.Program) {
	ix.unlocked = make(map[string]bool)
	for _, pkg := range p.Packages {
		for _, obj := range pkg.Info.Uses {
			b, ok := obj.(*types.Builtin)
			ix.recover = ix.recover || ok && b.Name() == "recover"
		}
		for _, f := range pkg.Files {
			if f.Test {
				continue
			}
			deferred := deferredLiterals(f.AST)
			syntax.Functions(f, func(node ast.Node, _ *ast.FuncType, body *ast.BlockStmt, _ string) {
				if !deferred[node] { // its calls are the function's around it
					ix.add(&Function{Program: p, File: f, Node: node, Body: body})
				}
			})
		}
	}
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
func (ix *unpairedIndex) add(fn *Function) {
	calls := fn.lockCalls()
	for _, c := range calls {
		taken := slices.ContainsFunc(calls, func(o LockCall) bool {
			return o.Acquires() && syntax.Same(fn.File.Package.Info, syntax.Unembedded(fn.File.Package.Info, o.expr), syntax.Unembedded(fn.File.Package.Info, c.expr))
		})
		if !c.Acquires() && !taken {
			ix.unlocked[c.lock.Key] = true
		}
	}
}

// WaitHeat is the heat of the hottest place at which a failure says that a
// goroutine waits for a lock with a key; 0 if none does.
func (fn *Function) WaitHeat(key string) float64 {
	hottest := 0.0
	for _, name := range fn.space.fileNames {
		if !fn.space.locks(name) {
			continue
		}
		ids := fn.space.trees.later(fn.Program.File(name)).nodeIDs()
		for id, c := range fn.space.facts.lockCalls(fn.Program, ids).byID {
			if c.lock.Key != key || !c.acquires() {
				continue
			}
			line := fn.line(ids.syntax[id].Pos())
			if fn.Narrowing.Waits(name, line) != "" {
				hottest = max(hottest, fn.Narrowing.Heat(name, line))
			}
		}
	}
	return hottest
}
