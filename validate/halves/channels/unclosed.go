package channels

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// Unclosed finds returns of goroutines that leave a channel open which they close at others, and of which their receivers
// wait for the close, where the patch mends the same of a goroutine that another function starts.
func Unclosed(c *pair.Change) (found []pair.Finding) {
	had, has := unclosed(c.Before), unclosed(c.After)
	mended := false
	for name := range had {
		fn, _, _ := strings.Cut(name, " ")
		mended = mended || has[name] == nil && c.After.Named[fn] != nil
	}
	if !mended {
		return nil
	}
	for name, places := range has {
		if had[name] == nil {
			continue
		}
		_, ch, _ := strings.Cut(name, " ")
		for _, p := range places {
			found = append(found, c.At(p.In, p.At.Pos(), "%s is not closed before this return, as the patch mends it elsewhere", ch))
		}
	}
	return found
}

// unclosed are the returns of goroutines that leave a channel open, by the full name of the function that makes the channel
// and starts the goroutine, and the channel's.
func unclosed(v *pair.Version) map[string][]pair.Place {
	found := make(map[string][]pair.Place)
	for _, fn := range v.Funcs {
		made := makes(fn)
		for n := range ast.Preorder(fn.Body) {
			start, ok := n.(*ast.GoStmt)
			if !ok {
				continue
			}
			lit, ok := ast.Unparen(start.Call.Fun).(*ast.FuncLit)
			if !ok {
				continue
			}
			c := closesIn(fn.Info(), lit.Body)
			for ch := range made {
				if n := countCloses(fn.Info(), lit.Body, ch); n == 0 || c.deferred[ch] || n != countCloses(fn.Info(), fn.Body, ch) {
					continue
				}
				for ret := range c.paths {
					if !c.closesBefore(fn.Info(), ret, ch) {
						name := fn.FullName + " " + ch
						found[name] = append(found[name], pair.Place{In: fn, At: ret})
					}
				}
			}
		}
	}
	return found
}

// makes are the local variables of a function that are channels which it makes, by name.
func makes(fn *pair.Function) map[string]bool {
	made := make(map[string]bool)
	syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != len(a.Rhs) {
			return
		}
		for i, l := range a.Lhs {
			call, ok := ast.Unparen(a.Rhs[i]).(*ast.CallExpr)
			if !ok || syntax.Builtin(fn.Info(), call) != "make" {
				continue
			}
			if _, isChan := fn.Info().TypeOf(call).Underlying().(*types.Chan); isChan {
				made[types.ExprString(l)] = true
			}
		}
	})
	return made
}

// countCloses counts the closes of a channel in code, literals included.
func countCloses(info *types.Info, code ast.Node, ch string) (n int) {
	for node := range ast.Preorder(code) {
		if call, ok := node.(*ast.CallExpr); ok && closed(info, &ast.ExprStmt{X: call}) == ch {
			n++
		}
	}
	return n
}

// closesBefore reports whether a channel is closed in front of a return, in its list or one around it, be it by a
// literal that is given to a sync.Once.
func (c closings) closesBefore(info *types.Info, ret *ast.ReturnStmt, ch string) bool {
	return slices.ContainsFunc(c.paths[ret], func(stmts []ast.Stmt) bool {
		return slices.ContainsFunc(stmts, func(s ast.Stmt) bool {
			_, plain := s.(*ast.ExprStmt)
			return plain && countCloses(info, s, ch) > 0
		})
	})
}
