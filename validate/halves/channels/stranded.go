package channels

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/mutate"
	"mendel/validate/halves/pair"
)

// Stranded finds queues whose receivers a patch has leave by the same channel by which those are sent away who send: of
// those who wait for both, one may still put something in when the receivers have left. It is taken, and nobody gets it.
//
//	select {                                for {
//	case s.queue <- m:                      	select {
//		return nil                          	case m := <-s.queue:
//	case <-s.done:                          		s.deliver(m)
//		return ErrClosed                    	case <-s.done:
//	}                                       		return
//	                                        	}
//	                                        }
func Stranded(c *pair.Change) (found []pair.Finding) {
	had := strandsIn(c.Before)
	for at, s := range strandsIn(c.After) {
		if _, known := had[at]; known || !hasRoom(c.After, at.queue) {
			continue
		}
		f := c.At(s.in, s.send.Pos(), "%s may be sent to when who receives has left for %s: what is taken so is lost", types.ExprString(s.send.Chan), at.end.Name)
		f.Flag = mutate.Discards
		found = append(found, f)
	}
	return found
}

// A strand is a queue, and what ends both its senders and its receivers, by their fields.
type strand struct{ queue, end pair.Field }

// A stranding is where something is sent.
type stranding struct {
	in   *pair.Function
	send *ast.SendStmt
}

func strandsIn(v *pair.Version) map[strand]stranding {
	senders, left := map[strand]stranding{}, map[strand]bool{}
	for _, fn := range v.Funcs {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectStmt)
			if !ok {
				return true
			}
			var sends []*ast.SendStmt
			var queues, ends []pair.Field
			for _, clause := range s.Body.List {
				clause := clause.(*ast.CommClause)
				if send, ok := clause.Comm.(*ast.SendStmt); ok {
					sends = append(sends, send)
					continue
				}
				of, ok := receivedFrom(fn, clause.Comm)
				if !ok {
					continue
				}
				if isSignal(receivedType(v, fn, clause.Comm)) {
					ends = append(ends, of)
				} else {
					queues = append(queues, of)
				}
			}
			for _, end := range ends {
				for _, send := range sends {
					if of, ok := pair.FieldOf(fn.Info(), send.Chan); ok && !heldAt(fn, send.Pos()) {
						senders[strand{of, end}] = stranding{fn, send}
					}
				}
				for _, q := range queues {
					left[strand{q, end}] = true
				}
			}
			return true
		})
	}
	for at := range senders {
		if !left[at] {
			delete(senders, at)
		}
	}
	return senders
}

// heldAt reports whether a function's text has taken more locks before a place than it has released.
func heldAt(fn *pair.Function, at token.Pos) bool {
	held := 0
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.DeferStmt:
			return false
		case *ast.CallExpr:
			if method := pair.LockMethod(fn.Info(), n); n.Pos() < at && strings.HasSuffix(method, "Unlock") {
				held--
			} else if n.Pos() < at && method != "" {
				held++
			}
		}
		return true
	})
	return held > 0
}

// receivedFrom is the field from which a case of a select receives.
func receivedFrom(fn *pair.Function, s ast.Stmt) (pair.Field, bool) {
	if ch := receivedIn(s); ch != nil {
		return pair.FieldOf(fn.Info(), ch)
	}
	return pair.Field{}, false
}

// receivedIn is the channel from which a case of a select receives; nil: it does not.
func receivedIn(s ast.Stmt) (ch ast.Expr) {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && pair.Receives(u) {
		return u.X
	}
	return nil
}

func receivedType(v *pair.Version, fn *pair.Function, s ast.Stmt) types.Type {
	return fn.Info().TypeOf(receivedIn(s))
}

// hasRoom reports whether a channel of a field is made with room.
func hasRoom(v *pair.Version, of pair.Field) bool {
	m, ok := fieldsMade(v)[of]
	return ok && m.room != nil
}
