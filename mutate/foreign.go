package mutate

import (
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// foreign reports whether a lock cannot be meant for a use: the code around it is of a
// package that knows nothing of the lock's, and whoever knows the lock and calls that
// code holds it. Others have values of the type, too, each under a lock of their own or
// under none.
func (g *Guarding) foreign(u wholeUse, key string) bool {
	owner, name := syntax.CutLast(key)
	if strings.Contains(name, "@") { // a local one, which is for its function's variables
		return false
	}
	home := owner[:max(0, strings.LastIndexByte(owner, '.'))]
	if home == "" || sees(u.fn.File.Package.Types, home) {
		return false
	}
	g.space.sites.once.Do(func() { g.space.sites.fill(g.space) })
	return !g.calledWithout(u.fn, key, home, maxFrames)
}

// calledWithout reports whether a function is called, over some frames, by one that knows
// the lock and may not hold it.
func (g *Guarding) calledWithout(fn *Function, key, home string, frames int) bool {
	if frames == 0 {
		return true
	}
	return slices.ContainsFunc(g.space.sites.sites[fn], func(site callSite) bool {
		if site.from.File.Test {
			return false
		}
		if !sees(site.from.File.Package.Types, home) {
			return g.calledWithout(site.from, key, home, frames-1)
		}
		at := Innermost(site.from.Statements(), site.Expr).Stmt
		return at == nil || g.after.guards(site.from, at, Path{}, key) == unguarded
	})
}

// sees reports whether a package is, or imports, one with a path.
func sees(p *types.Package, path string) bool {
	seen := map[*types.Package]bool{}
	var visit func(p *types.Package) bool
	visit = func(p *types.Package) bool {
		if p.Path() == path {
			return true
		}
		seen[p] = true
		return slices.ContainsFunc(p.Imports(), func(q *types.Package) bool { return !seen[q] && visit(q) })
	}
	return visit(p)
}
