package rules

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A close tells those who receive until there is nothing more. Who counts what comes, or is told by another channel,
// needs none:
//
//	go func() {
//		wg.Wait()
//		close(results)
//	}()
//	for r := range results {                for range jobs {
//		add(r)                       →      	add(<-results)
//	}                                       }
//
// The goroutine that only waits to close is not needed then, either. Nor is one that wakes the waiters of a condition
// variable that is gone, nor one that only sends what there is room for now.

// receiving is how the functions of some files receive from channels, by the channels' keys.
type receiving struct {
	heard map[string]bool // somebody goes on until the channel is closed, or asks whether it is
	other map[string]bool // somebody counts, or waits for another channel beside
	room  map[string]string
}

func newReceiving() receiving {
	return receiving{map[string]bool{}, map[string]bool{}, map[string]string{}}
}

// receivings notes how a file's functions receive.
func (r *effectCollector) receivings(f *analysis.File) {
	for _, decl := range f.AST.Decls {
		r.decl = ""
		if fd, ok := decl.(*ast.FuncDecl); ok {
			if fn, ok := r.info.Defs[fd.Name].(*types.Func); ok {
				r.decl = callKey + methodName(fn)
			}
		}
		syntax.Walk(decl, func(n ast.Node, path []ast.Node) {
			switch n := n.(type) {
			case *ast.RangeStmt:
				if r.isChannel(n.X) {
					r.hear(n.X, true)
				}
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					r.hear(n.X, asksForMore(path) || !besideOthers(path) && !counted(path))
				}
			case *ast.AssignStmt:
				for i, e := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) {
						r.noteRoom(e, n.Rhs[i])
					}
				}
			}
		})
	}
}

func (r *effectCollector) hear(ch ast.Expr, end bool) {
	keys := r.names(ch)
	if len(keys) == 0 {
		return
	}
	if end {
		r.receiving.heard[keys[0]] = true
	} else {
		r.receiving.other[keys[0]] = true
	}
}

// noteRoom notes a channel that is made with room for all elements of something.
func (r *effectCollector) noteRoom(ch, value ast.Expr) {
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok || syntax.Builtin(r.info, call) != "make" || len(call.Args) != 2 {
		return
	}
	size, ok := ast.Unparen(call.Args[1]).(*ast.CallExpr)
	if keys := r.names(ch); ok && len(keys) > 0 && syntax.Builtin(r.info, size) == "len" {
		r.receiving.room[keys[0]] = types.ExprString(size.Args[0])
	}
}

// asksForMore reports whether a receive at the end of a path also asks whether the channel is closed.
func asksForMore(path []ast.Node) bool {
	a, ok := path[len(path)-1].(*ast.AssignStmt)
	return ok && len(a.Lhs) == 2 && len(a.Rhs) == 1
}

// besideOthers reports whether a receive is a case of a select that has others.
func besideOthers(path []ast.Node) bool {
	for i := len(path) - 1; i > 1; i-- {
		switch n := path[i].(type) {
		case *ast.CommClause:
			block, ok := path[i-1].(*ast.BlockStmt)
			return ok && n.Comm != nil && len(block.List) > 1 && slices.Contains(path[i:], ast.Node(n.Comm))
		case *ast.BlockStmt:
			return false
		}
	}
	return false
}

// counted reports whether a node is in a loop that goes round a number of times.
func counted(path []ast.Node) bool {
	for _, n := range slices.Backward(path) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			return n.Post != nil
		case *ast.RangeStmt:
			return true
		}
	}
	return false
}

// unheard reports whether nobody needs the close of a channel any more, by its key: those who went on until then
// count now, or wait for another channel beside it.
func (s *sources) unheard(key string) bool {
	was, is := s.before.receiving, s.after.receiving
	return s.reads != nil && was.heard[key] && !is.heard[key] && is.other[key]
}

// untold reports whether a patch that somebody has made leaves nobody whom a goroutine can tell something that does
// nothing but tell: what it tells by is gone, or nobody needs to hear it.
func (s *sources) untold(st start) bool {
	return s.gone(st.signals) || len(st.signals) > 0 && !slices.ContainsFunc(st.signals, func(key string) bool { return !s.unheard(key) })
}

// hasRoom reports whether a goroutine does nothing but send each element of something to a channel that has room
// for them all in a patch that somebody has made.
func (s *sources) hasRoom(st start) bool {
	return s.reads != nil && st.feeds != "" && st.feeds == s.after.receiving.room[st.feedsTo]
}

// fed is the channel to which a body does nothing but send the elements of something, which it may close then, and
// what these are the elements of, as it is written; "": it does something else.
func (r *effectCollector) fed(body *ast.BlockStmt) (ch, from string) {
	for _, s := range body.List {
		switch s := s.(type) {
		case *ast.RangeStmt:
			if len(s.Body.List) != 1 || from != "" {
				return "", ""
			}
			send, ok := s.Body.List[0].(*ast.SendStmt)
			if !ok || r.isChannel(s.X) {
				return "", ""
			}
			if keys := r.names(send.Chan); len(keys) > 0 {
				ch, from = keys[0], types.ExprString(s.X)
			}
		case *ast.DeferStmt:
			if syntax.Builtin(r.info, s.Call) != "close" {
				return "", ""
			}
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); !ok || syntax.Builtin(r.info, call) != "close" {
				return "", ""
			}
		default:
			return "", ""
		}
	}
	return ch, from
}
