package halves

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/promise"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/validate/halves/pair"
)

// unawaited finds exported functions whose documentation promises that they wait for what they end, or that nothing of it
// goes on when they have returned, where a patch of their type leaves them without any wait, or has them return before it
// when they are called again.
//
//	// Stop ends the probing. Once it has returned, no probe is made any more.
//	func (m *Monitor) Stop() {
//		m.mu.Lock()
//		defer m.mu.Unlock()
//		close(m.quit)
//	}
func unawaited(c *pair.Change) (found []pair.Finding) {
	started := startedFuncs(c.After)
	touched, starting := map[string]bool{}, map[string]bool{}
	for _, fn := range c.After.Funcs {
		of, starts := typeOf(fn), syntax.Any(fn.Body, func(n ast.Node) bool { _, ok := n.(*ast.GoStmt); return ok })
		touched[of] = touched[of] || c.Changed(fn) && (starts || started[fn])
		starting[of] = starting[of] || starts
	}
	for _, fn := range c.After.Funcs {
		of := pair.ReceiverOf(fn)
		doc := fn.Doc.Text()
		if of == "" || !fn.Name.IsExported() || !touched[of] && !c.Changed(fn) || !starting[of] || !promise.Waits(doc) || !ends(fn) {
			continue
		}
		first := firstWait(c.After, fn, 3)
		if !first.IsValid() {
			if keptOut(fn, started) {
				continue
			}
			f := c.At(fn, fn.Name.Pos(), "%s does not wait for what it ends, as its documentation promises", fn.Name.Name)
			f.Flag = mutate.Unawaited
			found = append(found, f)
			continue
		}
		if again := leavesAgain(fn, first); again != nil && promise.Again(doc) && c.Changed(fn) {
			f := c.At(fn, again.Pos(), "a second call of %s returns while the first one still waits, against its documentation", fn.Name.Name)
			f.Flag = mutate.Unawaited
			found = append(found, f)
		}
	}
	return found
}

// startedFuncs are the functions that goroutines run by name.
func startedFuncs(v *pair.Version) map[*pair.Function]bool {
	found := map[*pair.Function]bool{}
	for _, fn := range v.Funcs {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			start, ok := n.(*ast.GoStmt)
			if !ok {
				return true
			}
			if f := syntax.Callee(fn.Info(), start.Call.Fun); f != nil {
				if to := v.Named[f.Origin().FullName()]; to != nil {
					found[to] = true
				}
			}
			return true
		})
	}
	return found
}

// keptOut reports whether a function takes a lock that the goroutines of its type hold to their end: they are over, or
// find that it has run.
func keptOut(fn *pair.Function, started map[*pair.Function]bool) bool {
	if pair.LockCalls(fn) == 0 {
		return false
	}
	some, all := false, true
	for to := range started {
		if pair.ReceiverOf(to) != pair.ReceiverOf(fn) {
			continue
		}
		held := slices.ContainsFunc(to.Body.List, func(s ast.Stmt) bool {
			d, ok := s.(*ast.DeferStmt)
			return ok && strings.HasSuffix(pair.LockMethod(to.Info(), d.Call), "Unlock")
		})
		some, all = true, all && held
	}
	return some && all
}

// typeOf is the type of a method's receiver, or that of which a function returns a pointer first.
func typeOf(fn *pair.Function) string {
	if of := pair.ReceiverOf(fn); of != "" {
		return of
	}
	if fn.Type.Results == nil || len(fn.Type.Results.List) == 0 {
		return ""
	}
	return strings.TrimPrefix(types.TypeString(fn.Info().TypeOf(fn.Type.Results.List[0].Type), nil), "*")
}

// ends reports whether a function is one that ends something, by its name.
func ends(fn *pair.Function) bool {
	for _, verb := range []string{"Stop", "Close", "Shutdown", "End", "Remove", "Cancel", "Halt", "Bar", "Quit", "Drain", "Restart", "Release"} {
		if strings.HasPrefix(fn.Name.Name, verb) {
			return true
		}
	}
	return false
}

// firstWait is where a function waits first, itself or in what it calls; NoPos: it does not.
func firstWait(v *pair.Version, fn *pair.Function, calls int) (at token.Pos) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if at.IsValid() {
			return false
		}
		switch n := n.(type) {
		case *ast.GoStmt:
			return false
		case *ast.SelectStmt:
			if syntax.HasDefault(n) {
				return false
			}
		case *ast.CallExpr:
			f := syntax.Callee(fn.Info(), n.Fun)
			if f == nil {
				break
			}
			if to := v.Named[f.Origin().FullName()]; to != nil && to != fn && calls > 0 && firstWait(v, to, calls-1).IsValid() {
				at = n.Pos()
			}
		}
		if n != nil && !at.IsValid() && waitsAt(fn, n) {
			at = n.Pos()
		}
		return true
	})
	return at
}

// leavesAgain is the return in front of a function's wait by which it is left where it has run before: under a condition
// of what it sets itself. nil: there is none.
func leavesAgain(fn *pair.Function, wait token.Pos) (found *ast.ReturnStmt) {
	set := map[pair.Field]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for i, e := range a.Lhs {
				of, ok := pair.FieldOf(fn.Info(), e)
				if ok && len(a.Lhs) == len(a.Rhs) {
					id, isName := a.Rhs[i].(*ast.Ident)
					set[of] = set[of] || isName && id.Name == "true"
				}
			}
		}
		return true
	})
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		ret, ok := n.(*ast.ReturnStmt)
		if !ok || found != nil || ret.Pos() > wait || len(path) < 2 {
			return
		}
		s, ok := path[len(path)-2].(*ast.IfStmt)
		if !ok {
			return
		}
		if of, ok := pair.FieldOf(fn.Info(), s.Cond); ok && set[of] {
			found = ret
		}
	})
	return found
}
