package halves

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/mutate"
	"mendel/validate/halves/pair"
)

// gaps finds functions that are called with a lock held, and that a patch has let it go and take it again: those who
// call them go on with what they have seen before, and others see what is not finished.
//
//	func (c *Cache) evict(key string) {     func (c *Cache) evict(key string) {
//		delete(c.entries, key)                  delete(c.entries, key)
//		c.onEvict(key)                   →      c.mu.Unlock()
//	}                                           c.onEvict(key)
//	                                            c.mu.Lock()
//	                                        }
func gaps(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		if !c.Changed(fn) {
			continue
		}
		was := c.Before.Named[fn.FullName]
		for lock, at := range gapsIn(fn) {
			if was != nil {
				if _, had := gapsIn(was)[lock]; had {
					continue
				}
			}
			f := c.At(fn, at, "%s, which callers hold, is let go here and taken again: they go on with what they have seen before", lock)
			f.Flag = mutate.SplitSection
			found = append(found, f)
		}
	}
	return found
}

// gapsIn are the locks that a function releases before it takes them, and takes again, with the first release.
func gapsIn(fn *pair.Function) map[string]token.Pos {
	first, gaps := map[string]token.Pos{}, map[string]token.Pos{}
	taken := map[string]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt:
			return false
		case *ast.CallExpr:
			method := pair.LockMethod(fn.Info(), n)
			if method == "" {
				return true
			}
			lock := types.ExprString(n.Fun.(*ast.SelectorExpr).X)
			switch {
			case strings.HasSuffix(method, "Unlock"):
				if !taken[lock] && !first[lock].IsValid() {
					first[lock] = n.Pos()
				}
			case first[lock].IsValid():
				gaps[lock] = first[lock]
			default:
				taken[lock] = true
			}
		}
		return true
	})
	return gaps
}
