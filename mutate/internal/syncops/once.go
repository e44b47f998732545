package syncops

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// maxCallers is how many functions that call one another are looked at. Guessed.
const maxCallers = 4

// Once reports whether a function runs once at most for a variable that it has a path
// for: the variable is made by the run itself, or by what calls it, which calls it in one
// place only and does not come there again. again says that nobody is seen to call it:
// who uses the package does, and might once more.
func Once(fn *mutate.Function, p mutate.Path) (once, again bool) {
	return runsOnce(fn, p, maxCallers)
}

func runsOnce(fn *mutate.Function, p mutate.Path, depth int) (once, again bool) {
	if p.Root == nil || depth == 0 {
		return false, false
	}
	if inside(fn.Body, p.Root.Pos()) {
		return true, false // of this run
	}
	if fn.Started() {
		return !StartedInLoop(fn) && len(fn.Callers()) == 0, false
	}
	from, call, sites := onlyCall(fn)
	switch {
	case sites == 0 && from == nil && isDecl(fn):
		return true, true
	case sites != 1 || from == nil:
		return false, false
	}
	at := call.Name(p)
	if at.Root == nil || repeats(from, call.Expr, at.Root.Pos()) {
		return false, false
	}
	return runsOnce(from, at, depth-1)
}

func inside(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// onlyCall is a call of a function and how many places name it, tests left out. A
// function literal is called where it stands.
func onlyCall(fn *mutate.Function) (from *mutate.Function, call mutate.Call, sites int) {
	for _, c := range fn.Callers() {
		for _, made := range c.Calls(c.Body.List...) {
			if made.To == fn && !c.File.Test {
				from, call = c, made
			}
		}
	}
	return from, call, named(fn)
}

// named counts the places of the program that name a declared function, tests left out.
func named(fn *mutate.Function) int {
	type namedAt struct{ ast.Node }
	return mutate.Once(fn, namedAt{fn.Node}, func() int {
		decl, ok := fn.Node.(*ast.FuncDecl)
		if !ok {
			return 0
		}
		sites, obj := 0, fn.File.Package.Info.Defs[decl.Name]
		for _, pkg := range fn.Program.Packages {
			for id, used := range pkg.Info.Uses {
				f, ok := used.(*types.Func)
				if !ok || types.Object(f.Origin()) != obj {
					continue
				}
				if file := fn.Program.File(fn.Program.Fset.Position(id.Pos()).Filename); file == nil || !file.Test {
					sites++
				}
			}
		}
		return sites
	})
}

func isDecl(fn *mutate.Function) bool {
	_, ok := fn.Node.(*ast.FuncDecl)
	return ok
}

// repeats reports whether a function may come to a call again with a variable that is
// declared at a position: a loop is around the call, and not around the declaration.
func repeats(fn *mutate.Function, call ast.Node, declared token.Pos) (found bool) {
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		if n != call {
			return
		}
		for _, outer := range path {
			if body := turn(outer, call); body != nil && !inside(body, declared) {
				found = true
			}
		}
	})
	return found
}

// turn is the body of a loop that comes to a node in each turn; nil for anything else.
func turn(n, at ast.Node) *ast.BlockStmt {
	switch s := n.(type) {
	case *ast.ForStmt:
		if s.Init == nil || !syntax.Within(at, s.Init) {
			return s.Body
		}
	case *ast.RangeStmt:
		if !syntax.Within(at, s.X) {
			return s.Body
		}
	}
	return nil
}

// For reports whether an operation is a function's own, or that of a helper which nobody
// else calls.
func For(fn *mutate.Function, u mutate.ChannelUse) bool {
	return u.Fn != nil && helps(fn, u.Fn, maxCallers)
}

func helps(fn, helper *mutate.Function, depth int) bool {
	if helper == fn {
		return true
	}
	callers := helper.Callers()
	return depth > 1 && !helper.Started() && len(callers) > 0 &&
		!slices.ContainsFunc(callers, func(from *mutate.Function) bool { return !helps(fn, from, depth-1) })
}

// Produces reports whether a function, or a helper of it, sends on a channel.
func Produces(fn *mutate.Function, c *mutate.Channel) bool {
	return c != nil && slices.ContainsFunc(c.Sends, func(u mutate.ChannelUse) bool { return For(fn, u) })
}
