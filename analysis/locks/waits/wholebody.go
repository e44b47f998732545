package waits

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// Serialises reports whether the body of a goroutine that the original starts, or the one loop
// of it, runs under a lock in a mutant that it does not hold throughout in the original. A few
// assignments are no body worth the name: to lock them all is what a colleague would do. was
// says which line of the original a line of a changed file stands for; files are named absolutely.
func Serialises(of *locks.Model, was func(file string, line int) int) bool {
	m := of.Lock()
	defer of.Unlock()
	if m.Base == nil {
		return false
	}
	for _, fn := range m.Index().Funcs {
		work, loops := bodyOf(fn)
		if !substantial(fn.Info(), work) {
			work = nil
		}
		now := [2][]string{heldThroughout(m, fn, work), heldThroughout(m, fn, loops)}
		if len(now[0])+len(now[1]) == 0 {
			continue
		}
		newly := false
		m.AskOriginal(func(base *locks.View) {
			before := starting(base.Program, m.Program, fn, was)
			if before == nil {
				return
			}
			work, loops := bodyOf(before)
			newly = more(now[0], heldThroughout(base, before, work)) || more(now[1], heldThroughout(base, before, loops))
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
func starting(m *program.Program, mutant *program.Program, fn *program.Func, was func(string, int) int) *program.Func {
	decl := m.Named(fn.Decl.Name)
	if decl == nil {
		return nil
	}
	if fn.Up == nil {
		if m.Index().Goes[fn.Name] {
			return decl
		}
		return nil
	}
	line := func(in *program.Program, pos token.Pos) int { return in.Fset.PositionFor(pos, false).Line }
	from := was(fn.File.Name, line(mutant, fn.Node.Pos()))
	for _, lit := range decl.Literals() {
		if m.Index().Started[lit.Node.(*ast.FuncLit)] && line(m, lit.Node.Pos()) == from {
			return lit
		}
	}
	return nil
}

// bodyOf is the work of a function's body, and its one loop.
func bodyOf(fn *program.Func) (work, loops []ast.Stmt) {
	for _, s := range fn.Body.List {
		if doesWork(fn.Info(), s) {
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
func heldThroughout(m *locks.View, fn *program.Func, stmts []ast.Stmt) []string {
	if len(stmts) == 0 {
		return nil
	}
	var held []string
	for _, f := range m.Flows(fn) {
		reached, always := false, true
		for _, s := range stmts {
			n := m.Graph(fn).Node(s)
			h, _ := f.At(n)
			reached = reached || len(f.Before[n]) > 0
			always = always && (h.Always || len(f.Before[n]) == 0)
		}
		if reached && always {
			held = append(held, f.Lock.Path.String())
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
		if _, ok := program.LockMethod(info, call.Fun); ok {
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
				_, isLock := program.LockMethod(info, n.Fun)
				return !tv.IsBuiltin() && !tv.IsType() && !isLock
			}
			return false
		})
	})
}
