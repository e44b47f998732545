package channels

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/validate/halves/pair"
)

// Drops finds values that a patch hands over only where somebody receives at once, or there is room, where the original
// waited for that: else they are lost.
//
//	out <- row               →      select {
//	                                case out <- row:
//	                                default:
//	                                }
func Drops(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		if !c.Changed(fn) {
			continue
		}
		was := c.Before.Named[fn.FullName]
		if was == nil {
			continue
		}
		had, has := sendsOf(was), sendsOf(fn)
		for to, s := range has {
			o := had[to]
			if s.polled > o.polled && s.sure < o.sure {
				f := c.At(fn, s.at.Pos(), "what is sent to %s is lost unless somebody receives at once, or there is room", to)
				f.Flag = mutate.Discards
				found = append(found, f)
			}
		}
	}
	return found
}

// A sending is how often a function sends to a channel for certain, and only if it need not wait.
type sending struct {
	sure, polled int
	at           *ast.SendStmt // the first of the polled ones
}

// sendsOf are the sends of a function to channels whose elements say something, by the channels' texts.
func sendsOf(fn *pair.Function) map[string]sending {
	all := map[string]sending{}
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		send, ok := n.(*ast.SendStmt)
		if !ok || isSignal(fn.Info().TypeOf(send.Chan)) {
			return
		}
		to := types.ExprString(send.Chan)
		s := all[to]
		if polls(path) {
			if s.polled++; s.at == nil {
				s.at = send
			}
		} else {
			s.sure++
		}
		all[to] = s
	})
	return all
}

// polls reports whether a path leads to a case of a select that has a default case.
func polls(path []ast.Node) bool {
	if len(path) < 3 || !pair.IsComm(path[len(path)-1]) {
		return false
	}
	s, ok := path[len(path)-3].(*ast.SelectStmt)
	return ok && syntax.HasDefault(s)
}
