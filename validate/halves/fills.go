package halves

import (
	"go/ast"
	"go/types"
	"strings"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// fills finds stores in a container that is safe by itself, such as a cache of a library, outside of any critical section,
// where the patch has put another change of it into one: what one method loads and stores comes between another's
// question and its change just the same.
func fills(c *pair.Change) (found []pair.Finding) {
	ordered := map[pair.Field]bool{}
	for _, fn := range c.After.Funcs {
		if was := c.Before.Named[fn.FullName]; was != nil && c.Changed(fn) {
			had := map[pair.Field]int{}
			for _, f := range filledIn(was, true) {
				had[f.of]++
			}
			for _, f := range filledIn(fn, true) {
				if had[f.of]--; had[f.of] < 0 {
					ordered[f.of] = true
				}
			}
		}
	}
	if len(ordered) == 0 {
		return nil
	}
	for _, fn := range c.After.Funcs {
		for _, f := range filledIn(fn, false) {
			if ordered[f.of] {
				found = append(found, c.At(fn, f.call.Pos(), "%s is changed without the lock under which the patch has others change it", types.ExprString(f.call.Fun.(*ast.SelectorExpr).X)))
			}
		}
	}
	return found
}

// A filling is a call that changes a container in a field.
type filling struct {
	of   pair.Field
	call *ast.CallExpr
}

// filledIn are the changes that a method makes, in critical sections or outside of them, of containers of other packages.
func filledIn(fn *pair.Function, sections bool) (all []filling) {
	if fn.Recv == nil || strings.HasSuffix(fn.Name.Name, "Locked") {
		return nil
	}
	info := fn.Info()
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		f := syntax.Callee(info, sel)
		if f == nil || f.Pkg() == nil || f.Pkg() == fn.File.Package.Types || f.Signature().Recv() == nil || syntax.InterfaceMethod(f) ||
			!changesContainer(f.Name(), len(call.Args)) {
			return true
		}
		if syntax.FromSync(info.TypeOf(sel.X)) && !strings.HasSuffix(types.TypeString(info.TypeOf(sel.X), nil), "sync.Map") || strings.HasPrefix(f.Pkg().Path(), "sync/atomic") {
			return true
		}
		if of, ok := pair.FieldOf(info, sel.X); ok && inSection(fn, call) == sections {
			all = append(all, filling{of, call})
		}
		return true
	})
	return all
}

// changesContainer reports whether a method with a name and so many arguments changes a container that keeps elements by keys.
func changesContainer(method string, arguments int) bool {
	return syntax.Adds(method) && arguments == 2 || syntax.Removes(method) && arguments > 0 || syntax.Empties(method) && arguments == 0
}

// inSection reports whether a lock is taken before a place of a function, in one of the lists of statements around it,
// and not released there again.
func inSection(fn *pair.Function, at ast.Node) bool {
	held := false
	for _, n := range syntax.Path(fn.Body, at) {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.FuncLit:
			held = false
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for _, s := range list {
			if s.End() > at.Pos() {
				break
			}
			if e, ok := s.(*ast.ExprStmt); ok {
				switch pair.LockMethod(fn.Info(), e.X) {
				case "Lock", "RLock":
					held = true
				case "Unlock", "RUnlock":
					held = false
				}
			}
		}
	}
	return held
}
