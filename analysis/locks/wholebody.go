package locks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
)

// Serialises reports whether the body of a goroutine that the original starts, or the one loop
// of it, runs under a lock in a mutant that it does not hold throughout in the original. A few
// assignments are no body worth the name: to lock them all is what a colleague would do. was
// says which line of the original a line of a changed file stands for; files are named absolutely.
func (of *Model) Serialises(was func(file string, line int) int) bool {
	m := of.Lock()
	defer of.Unlock()
	if m.base == nil {
		return false
	}
	for _, fn := range m.ready().funcs {
		work, loops := bodyOf(fn)
		if !substantial(fn.info(), work) {
			work = nil
		}
		now := [2][]string{m.heldThroughout(fn, work), m.heldThroughout(fn, loops)}
		if len(now[0])+len(now[1]) == 0 {
			continue
		}
		newly := false
		m.askOriginal(func(base *View) {
			before := base.starting(m.Program, fn, was)
			if before == nil {
				return
			}
			work, loops := bodyOf(before)
			newly = more(now[0], base.heldThroughout(before, work)) || more(now[1], base.heldThroughout(before, loops))
		})
		if newly {
			return true
		}
	}
	return false
}

// more reports whether some of the locks that are held now were not before.
func more(now, before []string) bool {
	return slices.ContainsFunc(now, func(lock string) bool { return !slices.Contains(before, lock) })
}

// starting is the function of a goroutine in the original which one of a mutant was; nil if
// there is none. A literal is one that begins on the same line.
func (m *Program) starting(mutant *Program, fn *Func, was func(string, int) int) *Func {
	decl := m.Named(fn.Decl.Name)
	if decl == nil {
		return nil
	}
	if fn.Up == nil {
		if m.ready().goes[fn.Name] {
			return decl
		}
		return nil
	}
	line := func(in *Program, pos token.Pos) int { return in.fset.PositionFor(pos, false).Line }
	from := was(fn.File.Name, line(mutant, fn.Node.Pos()))
	for _, lit := range decl.literals() {
		if m.ready().started[lit.Node.(*ast.FuncLit)] && line(m, lit.Node.Pos()) == from {
			return lit
		}
	}
	return nil
}

// bodyOf is the work of a function's body, and its one loop.
func bodyOf(fn *Func) (work, loops []ast.Stmt) {
	for _, s := range fn.Body.List {
		if doesWork(fn.info(), s) {
			work = append(work, s)
		}
		switch s.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loops = append(loops, s)
		}
	}
	if len(loops) != 1 {
		loops = nil
	}
	return work, loops
}

// heldThroughout are the locks, by their paths, that are certainly held before each of some
// statements that is reached.
func (m *View) heldThroughout(fn *Func, stmts []ast.Stmt) []string {
	if len(stmts) == 0 {
		return nil
	}
	var held []string
	for _, f := range m.flowsOf(fn) {
		reached, always := false, true
		for _, s := range stmts {
			n := m.graph(fn).node(s)
			h, _ := f.at(n)
			reached = reached || len(f.before[n]) > 0
			always = always && (h.Always || len(f.before[n]) == 0)
		}
		if reached && always {
			held = append(held, f.lock.Path.String())
		}
	}
	return held
}

// doesWork reports whether a statement does something; others only arrange for it.
func doesWork(info *types.Info, s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.DeferStmt, *ast.EmptyStmt:
		return false
	case *ast.ReturnStmt:
		return len(s.Results) > 0
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return true
		}
		if _, ok := lockMethod(info, call.Fun); ok {
			return false
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		return !ok || sel.Sel.Name != "Done" // of a WaitGroup
	}
	return true
}

// substantial reports whether statements loop, or call anything but builtins and conversions.
func substantial(info *types.Info, stmts []ast.Stmt) bool {
	return slices.ContainsFunc(stmts, func(s ast.Stmt) bool {
		return syntax.Any(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				return true
			case *ast.BranchStmt:
				return n.Tok == token.GOTO
			case *ast.CallExpr:
				tv := info.Types[n.Fun]
				_, isLock := lockMethod(info, n.Fun)
				return !tv.IsBuiltin() && !tv.IsType() && !isLock
			}
			return false
		})
	})
}
