package seed

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
	"strings"
)

// waitOperators make faults of condition variables, wait groups, contexts and
// sync.Once.
func waitOperators() []Operator {
	return []Operator{
		{"onesignal", "wakes one waiter instead of all", "RNA", oneSignal},
		{"dropsignal", "wakes nobody", "RTXC", dropSignal},
		{"ifwait", "checks the condition of a wait once instead of in a loop", "", ifWait},
		{"dropwait", "does not wait for a wait group", "RTXC, RCXC", dropWait},
		{"dropdone", "leaves out a wait group's Done", "RCXC", dropDone},
		{"earlydone", "calls a wait group's Done at the beginning instead of the end", "", earlyDone},
		{"addcount", "adds one too many or too few to a wait group", "MXC", addCount},
		{"addinside", "adds to a wait group inside the goroutine", "", addInside},
		{"dropcancel", "does not cancel a context", "RCXC", dropCancel},
		{"droponce", "does each time what sync.Once does once", "RXO", dropOnce},
	}
}

func oneSignal(f *function) (found []draft) {
	f.calls(func(s ast.Stmt, call *ast.CallExpr, name string) {
		if name == "sync.Cond.Broadcast" {
			words := fmt.Sprintf("%s wakes one of those who wait on %s, not all", f.Name, f.code(selector(call).X))
			found = append(found, draft{s, words, []change{f.replace(selector(call).Sel, "Signal")}})
		}
	})
	return found
}

func dropSignal(f *function) (found []draft) {
	f.calls(func(s ast.Stmt, call *ast.CallExpr, name string) {
		if name == "sync.Cond.Broadcast" || name == "sync.Cond.Signal" {
			words := fmt.Sprintf("%s does not wake those who wait on %s", f.Name, f.code(selector(call).X))
			found = append(found, draft{s, words, []change{f.remove(s)}})
		}
	})
	return found
}

// ifWait makes an if of a loop that is there for a condition variable's Wait.
func ifWait(f *function) (found []draft) {
	f.inspect(func(n ast.Node) {
		loop, ok := n.(*ast.ForStmt)
		if !ok || loop.Cond == nil || loop.Init != nil || loop.Post != nil {
			return
		}
		waits, leaves := "", false
		inspect(loop.Body, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.CallExpr:
				if f.called(n) == "sync.Cond.Wait" {
					waits = f.code(selector(n).X)
				}
			case *ast.BranchStmt:
				leaves = true
			}
		})
		if waits == "" || leaves {
			return
		}
		words := fmt.Sprintf("%s does not check %s again after it has waited on %s", f.Name, f.code(loop.Cond), waits)
		at := f.offset(loop.For)
		found = append(found, draft{loop, words, []change{{at, at + len("for"), "if"}}})
	})
	return found
}

func dropWait(f *function) (found []draft) {
	f.calls(func(s ast.Stmt, call *ast.CallExpr, name string) {
		if name == "sync.WaitGroup.Wait" {
			words := fmt.Sprintf("%s does not wait for %s", f.Name, f.code(selector(call).X))
			found = append(found, draft{s, words, []change{f.remove(s)}})
		}
	})
	return found
}

func dropDone(f *function) (found []draft) {
	f.calls(func(s ast.Stmt, call *ast.CallExpr, name string) {
		if name == "sync.WaitGroup.Done" {
			words := fmt.Sprintf("%s is not counted out of %s", f.Name, f.code(selector(call).X))
			found = append(found, draft{s, words, []change{f.remove(s)}})
		}
	})
	return found
}

func earlyDone(f *function) (found []draft) {
	f.calls(func(s ast.Stmt, call *ast.CallExpr, name string) {
		if _, deferred := s.(*ast.DeferStmt); deferred && name == "sync.WaitGroup.Done" {
			words := fmt.Sprintf("%s is counted out of %s before it has done its work", f.Name, f.code(selector(call).X))
			found = append(found, draft{s, words, []change{f.replace(s, f.code(call))}})
		}
	})
	return found
}

func addCount(f *function) (found []draft) {
	f.calls(func(s ast.Stmt, call *ast.CallExpr, name string) {
		if name != "sync.WaitGroup.Add" || len(call.Args) != 1 {
			return
		}
		group, n := f.code(selector(call).X), call.Args[0]
		add := func(text, words string) {
			words = fmt.Sprintf("%s adds %s %s to %s", f.Name, text, words, group)
			found = append(found, draft{s, words, []change{f.replace(n, text)}})
		}
		value := f.File.Package.Info.Types[n].Value
		if value == nil {
			add(f.code(n)+" + 1", "instead of "+f.code(n))
			add(f.code(n)+" - 1", "instead of "+f.code(n))
			return
		}
		if count, exact := constant.Int64Val(value); exact && count > 0 {
			add(fmt.Sprint(count+1), fmt.Sprintf("instead of %d", count))
			if count > 1 {
				add(fmt.Sprint(count-1), fmt.Sprintf("instead of %d", count))
			}
		}
	})
	return found
}

// addInside moves wg.Add to the beginning of the goroutine that is started next.
func addInside(f *function) (found []draft) {
	for _, s := range f.Statements() {
		call := callOf(s.Stmt)
		if f.called(call) != "sync.WaitGroup.Add" || s.Index+1 >= len(s.List) {
			continue
		}
		start, ok := s.List[s.Index+1].(*ast.GoStmt)
		if !ok {
			continue
		}
		lit, ok := ast.Unparen(start.Call.Fun).(*ast.FuncLit)
		if !ok || len(lit.Body.List) == 0 {
			continue
		}
		words := fmt.Sprintf("%s adds to %s only inside the goroutine", f.Name, f.code(selector(call).X))
		found = append(found, draft{s.Stmt, words, []change{f.remove(s.Stmt), f.before(lit.Body.List[0], f.code(s.Stmt))}})
	}
	return found
}

// dropCancel removes the call of a context's cancel function.
func dropCancel(f *function) (found []draft) {
	info := f.File.Package.Info
	f.calls(func(s ast.Stmt, call *ast.CallExpr, _ string) {
		t := info.TypeOf(call.Fun)
		if t == nil || !strings.HasPrefix(t.String(), "context.Cancel") {
			return
		}
		changes := []change{f.remove(s)}
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		if ok {
			// A variable that is not used otherwise must not be declared.
			obj := info.Uses[id]
			if at, name := f.declaration(obj.Pos()); at != nil && len(f.uses.of[obj]) == 1 {
				changes = append(changes, f.undeclare(at, name)...)
			}
		}
		words := fmt.Sprintf("%s does not call %s, so that the context is not cancelled", f.Name, f.code(call.Fun))
		found = append(found, draft{s, words, changes})
	})
	return found
}

// declaration finds the := of the function that declares a variable, and its name
// there; nil: it is declared otherwise.
func (f *function) declaration(at token.Pos) (found *ast.AssignStmt, name *ast.Ident) {
	f.inspect(func(n ast.Node) {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Tok != token.DEFINE {
			return
		}
		for _, l := range assign.Lhs {
			if id, ok := l.(*ast.Ident); ok && id.Pos() == at {
				found, name = assign, id
			}
		}
	})
	return found, name
}

// undeclare puts the blank identifier in the place of a variable, and = in that of
// := if nothing else is declared there.
func (f *function) undeclare(s *ast.AssignStmt, name *ast.Ident) []change {
	changes := []change{f.replace(name, "_")}
	declares := slices.ContainsFunc(s.Lhs, func(l ast.Expr) bool {
		id, ok := l.(*ast.Ident)
		return ok && id != name && f.File.Package.Info.Defs[id] != nil
	})
	if !declares {
		at := f.offset(s.TokPos)
		changes = append(changes, change{at, at + len(":="), "="})
	}
	return changes
}

func dropOnce(f *function) (found []draft) {
	add := func(at ast.Node, call *ast.CallExpr, text string) {
		words := fmt.Sprintf("%s does each time what %s does once", f.Name, f.code(call.Fun))
		found = append(found, draft{at, words, []change{f.replace(call, text)}})
	}
	f.inspect(func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return
		}
		switch f.called(call) {
		case "sync.Once.Do":
			add(call, call, f.code(call.Args[0])+"()")
		case "sync.OnceFunc", "sync.OnceValue", "sync.OnceValues":
			add(call, call, f.code(call.Args[0]))
		}
	})
	return found
}
