package exits

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
)

// Of lists the statements inside some consecutive statements that leave
// them other than by running on to their end, in source order: returns,
// breaks, continues and gotos to what is outside, and calls that end the
// goroutine, panic among them. Calls that end the process are left out: no
// lock matters after them. Function literals are not looked into.
func Of(fn *mutate.Function, stmts ...ast.Stmt) []ast.Stmt {
	var exits []ast.Stmt
	for _, s := range stmts {
		for _, l := range leaversIn(fn, s) {
			if !l.staysIn(s, stmts) {
				exits = append(exits, l.stmt)
			}
		}
	}
	return exits
}

// A leaver is a statement after which the next one does not follow.
type leaver struct {
	stmt  ast.Stmt
	ends  ast.Node // of a branch without a label: the statement that it ends or goes on with
	label string   // of one with a label
}

// staysIn reports whether a leaver in one of some statements ends at that or at a label in
// any of them.
func (l leaver) staysIn(s ast.Stmt, stmts []ast.Stmt) bool {
	if l.label == "" {
		return l.ends != nil && syntax.Within(l.ends, s)
	}
	found := false
	for _, s := range stmts {
		syntax.WalkOwn(s, func(n ast.Node, _ []ast.Node) {
			to, ok := n.(*ast.LabeledStmt)
			found = found || ok && to.Label.Name == l.label
		})
	}
	return found
}

// leaversIn are the leavers in a statement, in source order. Those of the whole function
// are remembered.
func leaversIn(fn *mutate.Function, s ast.Stmt) []leaver {
	if !fn.Owns(s) {
		return findLeavers(fn, s)
	}
	all := leavers.Of(fn)
	comparePos := func(l leaver, pos token.Pos) int { return int(l.stmt.Pos() - pos) }
	first, _ := slices.BinarySearchFunc(all, s.Pos(), comparePos)
	end, _ := slices.BinarySearchFunc(all, s.End(), comparePos)
	return all[first:end]
}

var leavers = mutate.NewFact(func(fn *mutate.Function) []leaver { return findLeavers(fn, fn.Body) })

func findLeavers(fn *mutate.Function, s ast.Stmt) []leaver {
	var found []leaver
	syntax.WalkOwn(s, func(n ast.Node, path []ast.Node) {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			found = append(found, leaver{stmt: n})
		case *ast.ExprStmt:
			call, ok := ast.Unparen(n.X).(*ast.CallExpr)
			if info := fn.File.Package.Info; ok && !program.Returns(info, call) && !program.EndsProcess(info, call) {
				found = append(found, leaver{stmt: n})
			}
		case *ast.BranchStmt:
			switch {
			case n.Tok == token.FALLTHROUGH:
			case n.Label != nil:
				found = append(found, leaver{stmt: n, label: n.Label.Name})
			default:
				found = append(found, leaver{stmt: n, ends: endedBy(n, path)})
			}
		}
	})
	return found
}

// endedBy is the innermost of the nodes around a branch that it ends or goes on with.
func endedBy(b *ast.BranchStmt, path []ast.Node) ast.Node {
	for _, n := range slices.Backward(path) {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return n
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			if b.Tok == token.BREAK {
				return n
			}
		}
	}
	return nil
}

// HasGotoTarget reports whether statements contain a label that a goto of the
// function names.
func HasGotoTarget(fn *mutate.Function, stmts ...ast.Stmt) bool {
	gotos := gotoLabels.Of(fn)
	if len(gotos) == 0 {
		return false
	}
	found := false
	for _, s := range stmts {
		syntax.WalkOwn(s, func(n ast.Node, _ []ast.Node) {
			if l, ok := n.(*ast.LabeledStmt); ok && gotos[l.Label.Name] {
				found = true
			}
		})
	}
	return found
}

// gotoLabels are the labels that a function's gotos name.
var gotoLabels = mutate.NewFact(func(fn *mutate.Function) map[string]bool { return syntax.GotoLabels(fn.Body) })

// Plain reports whether an exit evaluates nothing that a lock could
// matter to: no shared variable, and no call but one of a library's function.
func Plain(fn *mutate.Function, exit ast.Stmt) bool {
	if _, ok := exit.(*ast.BranchStmt); ok {
		return true
	}
	return !effects.Matters(fn, exit)
}
