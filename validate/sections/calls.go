package sections

import (
	"go/ast"
	"go/types"

	"mendel/analysis"
)

// A calledBody is what is known of a function that may be called under a lock.
type calledBody struct {
	open  []*types.Var    // shared variables that it uses under no lock of its own
	calls []*ast.CallExpr // what it calls under no lock of its own
}

// findCalls adds to the places with accesses the calls, in one file, of functions that use
// shared variables under no lock of their own, though others use these under one: whoever
// calls them under a lock guards these variables by it.
func (c *Covers) findCalls(name string) {
	f := c.program.File(name)
	if f == nil || c.withCalls[f.Name] {
		return
	}
	c.withCalls[f.Name] = true
	c.findCallees()
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			for v := range c.usedBy(call) {
				c.need(f, place{c.line(call.Pos()), calleeName(call)}, v)
			}
		}
		return true
	})
}

// usedBy are the variables that a call's callees use under no lock of their own, and that
// others use under one.
func (c *Covers) usedBy(call *ast.CallExpr) map[*types.Var]bool {
	vars := make(map[*types.Var]bool)
	seen := make(map[ast.Node]bool)
	work := c.program.Callees(call)
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		known := c.callees[fn]
		if known == nil || seen[fn] {
			continue
		}
		seen[fn] = true
		for _, v := range known.open {
			if c.locked[v] {
				vars[v] = true
			}
		}
		for _, call := range known.calls {
			work = append(work, c.program.Callees(call)...)
		}
	}
	return vars
}

// findCallees fills in what is known of functions, and the variables that are used under
// locks.
func (c *Covers) findCallees() {
	if c.callees != nil {
		return
	}
	c.callees, c.locked = make(map[ast.Node]*calledBody), make(map[*types.Var]bool)
	for _, pkg := range c.program.Packages {
		for _, f := range pkg.Files {
			guarded := c.ofOriginal(f).lines()
			ast.Inspect(f.AST, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					c.addCallee(f, n, n.Body, guarded)
				case *ast.FuncLit:
					c.addCallee(f, n, n.Body, guarded)
				}
				return true
			})
		}
	}
}

func (c *Covers) addCallee(f *analysis.File, fn ast.Node, stmts *ast.BlockStmt, guarded map[int]bool) {
	if stmts == nil {
		return
	}
	known := new(calledBody)
	for _, a := range c.narrowing.Accesses(f, stmts) {
		if guarded[c.line(a.Expr.Pos())] {
			c.locked[a.Var] = true
		} else {
			known.open = append(known.open, a.Var)
		}
	}
	ast.Inspect(stmts, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if !guarded[c.line(n.Pos())] {
				known.calls = append(known.calls, n)
			}
		}
		return true
	})
	c.callees[fn] = known
}

// lines are the lines that some lock guards.
func (c cover) lines() map[int]bool {
	found := make(map[int]bool)
	for p := range c.guarded {
		found[p.line] = true
	}
	return found
}
