package seed

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// atomicOperators make faults of atomic operations.
func atomicOperators() []Operator {
	return []Operator{
		{"plainatomic", "uses a variable plainly instead of atomically", "EAN, RVK", plainAtomic},
		{"splitatomic", "loads and stores where one atomic operation did both", "EAN", splitAtomic},
	}
}

// An atomicCall is a call of a function of sync/atomic or a method of its types.
type atomicCall struct {
	call   *ast.CallExpr
	op     string   // "Add", "Load", "Store", "CompareAndSwap"
	target string   // the variable
	typed  bool     // a method
	suffix string   // of the function: "Int64"
	args   []string // without the variable
}

// atomicOf resolves a call; ok is false if it is of something else.
func (f *function) atomicOf(call *ast.CallExpr) (a atomicCall, ok bool) {
	name, ok := strings.CutPrefix(f.called(call), "sync/atomic.")
	sel := selector(call)
	if !ok || sel == nil {
		return a, false
	}
	for _, arg := range call.Args {
		a.args = append(a.args, f.code(arg))
	}
	a.call = call
	if _, method, typed := strings.Cut(name, "."); typed {
		a.op, a.typed, a.target = method, true, f.code(sel.X)
		return a, true
	}
	for _, op := range []string{"Add", "Load", "Store", "CompareAndSwap", "Swap"} {
		suffix, ok := strings.CutPrefix(name, op)
		if !ok || len(a.args) == 0 {
			continue
		}
		a.op, a.suffix = op, suffix
		if and, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); ok && and.Op == token.AND {
			a.target = f.code(and.X)
		} else {
			a.target = "*" + f.code(call.Args[0])
		}
		a.args = a.args[1:]
		return a, true
	}
	return a, false
}

// load is the text that loads the variable atomically.
func (f *function) load(a atomicCall) string {
	if a.typed {
		return a.target + ".Load()"
	}
	return fmt.Sprintf("%s.Load%s(%s)", f.code(selector(a.call).X), a.suffix, f.code(a.call.Args[0]))
}

// store is the text that stores a value atomically.
func (f *function) store(a atomicCall, value string) string {
	if a.typed {
		return fmt.Sprintf("%s.Store(%s)", a.target, value)
	}
	return fmt.Sprintf("%s.Store%s(%s, %s)", f.code(selector(a.call).X), a.suffix, f.code(a.call.Args[0]), value)
}

// plainAtomic makes one operation of a function of sync/atomic a plain one.
func plainAtomic(f *function) (found []draft) {
	add := func(at ast.Node, a atomicCall, text string) {
		words := fmt.Sprintf("%s uses %s without atomic.%s%s", f.Name, a.target, a.op, a.suffix)
		found = append(found, draft{at, words, []change{f.replace(at, text)}})
	}
	statements := map[ast.Expr]ast.Stmt{}
	for _, s := range f.Statements() {
		if e, ok := s.Stmt.(*ast.ExprStmt); ok {
			statements[ast.Unparen(e.X)] = s.Stmt
		}
	}
	f.inspect(func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		a, ok := f.atomicOf(call)
		stmt := statements[call]
		switch {
		case !ok || a.typed:
		case a.op == "Load":
			add(call, a, a.target)
		case a.op == "Store" && stmt != nil:
			add(stmt, a, a.target+" = "+a.args[0])
		case a.op == "Add" && stmt != nil:
			add(stmt, a, a.target+" += "+a.args[0])
		}
	})
	return found
}

// splitAtomic takes apart additions that are statements or assigned, and
// compare-and-swaps that are the condition of an if.
func splitAtomic(f *function) (found []draft) {
	words := func(a atomicCall) string {
		return fmt.Sprintf("%s loads and stores %s where one %s did both", f.Name, a.target, a.op)
	}
	for _, s := range f.Statements() {
		switch stmt := s.Stmt.(type) {
		case *ast.ExprStmt:
			if a, ok := f.atomicOf(callOf(stmt)); ok && a.op == "Add" {
				found = append(found, draft{stmt, words(a), []change{f.replace(stmt, f.store(a, f.load(a)+" + "+a.args[0]))}})
			}
		case *ast.AssignStmt:
			call, ok := ast.Unparen(stmt.Rhs[0]).(*ast.CallExpr)
			if !ok || len(stmt.Rhs) != 1 {
				continue
			}
			if a, ok := f.atomicOf(call); ok && a.op == "Add" {
				changes := []change{f.before(stmt, f.store(a, f.load(a)+" + "+a.args[0])), f.replace(call, f.load(a))}
				found = append(found, draft{stmt, words(a), changes})
			}
		case *ast.IfStmt:
			if changes, a := f.splitCondition(stmt); changes != nil {
				found = append(found, draft{stmt, words(a), changes})
			}
		}
	}
	return found
}

// splitCondition takes apart the compare-and-swap that an if asks for: it is
// stored in the branch, or behind the if that is left when it fails.
func (f *function) splitCondition(s *ast.IfStmt) ([]change, atomicCall) {
	cond, not := ast.Unparen(s.Cond), false
	if u, ok := cond.(*ast.UnaryExpr); ok && u.Op == token.NOT {
		cond, not = ast.Unparen(u.X), true
	}
	call, ok := cond.(*ast.CallExpr)
	if !ok || s.Else != nil || len(s.Body.List) == 0 {
		return nil, atomicCall{}
	}
	a, ok := f.atomicOf(call)
	if !ok || a.op != "CompareAndSwap" {
		return nil, a
	}
	if !not {
		return []change{f.replace(s.Cond, f.load(a)+" == "+a.args[0]), f.before(s.Body.List[0], f.store(a, a.args[1]))}, a
	}
	if !ends(s.Body.List[len(s.Body.List)-1]) || s.Init != nil {
		return nil, a
	}
	return []change{f.replace(s.Cond, f.load(a)+" != "+a.args[0]), f.after(s, f.store(a, a.args[1]))}, a
}
