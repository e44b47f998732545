package channels

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// ClosedFor finds channels of values that a patch closes, and to which methods that anybody may call still send: with no
// lock held that is held where it is closed, and without being waited for.
//
//	func (t *Trail) Close() {               func (t *Trail) Record(e Event) error {
//		close(t.queue)                          select {
//	}                                           case t.queue <- e:
//	                                            	return nil
//	                                            case <-t.quit:
//	                                            	return ErrClosed
//	                                            }
//	                                        }
func ClosedFor(c *pair.Change) (found []pair.Finding) {
	had := closesOf(c.Before)
	for of, closers := range closesOf(c.After) {
		if len(closers) <= len(had[of]) {
			continue
		}
		for _, fn := range c.After.Funcs {
			if !fn.Name.IsExported() || fn.Recv == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				send, ok := n.(*ast.SendStmt)
				if !ok {
					return true
				}
				to, ok := pair.FieldOf(fn.Info(), send.Chan)
				if ok && to == of && !heldAt(fn, send.Pos()) && !counted(c.After, fn, send.Pos(), 1) && !closedBy(closers, fn) {
					found = append(found, c.At(fn, send.Pos(), "%s may be closed when it is sent to: who closes it neither keeps this out nor waits for it", types.ExprString(send.Chan)))
				}
				return true
			})
		}
	}
	return found
}

// closesOf are the functions that close channels of fields, by these.
func closesOf(v *pair.Version) map[pair.Field][]*pair.Function {
	all := map[pair.Field][]*pair.Function{}
	for _, fn := range v.Funcs {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if ok && syntax.Builtin(fn.Info(), call) == "close" {
				if of, ok := pair.FieldOf(fn.Info(), call.Args[0]); ok && !isSignal(fn.Info().TypeOf(call.Args[0])) {
					all[of] = append(all[of], fn)
				}
			}
			return true
		})
	}
	return all
}

// closedBy reports whether a function is one of those that close a channel.
func closedBy(closers []*pair.Function, fn *pair.Function) bool {
	for _, o := range closers {
		if o == fn {
			return true
		}
	}
	return false
}

// counted reports whether a function has counted itself in a wait group before a place, for who waits, perhaps by what it
// calls.
func counted(v *pair.Version, fn *pair.Function, at token.Pos, calls int) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() > at {
			return false
		}
		f := syntax.Callee(fn.Info(), call.Fun)
		if f == nil {
			return false
		}
		to := v.Named[f.Origin().FullName()]
		return f.FullName() == "(*sync.WaitGroup).Add" || to != nil && calls > 0 && counted(v, to, to.End(), calls-1)
	})
}
