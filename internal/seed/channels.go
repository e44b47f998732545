package seed

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// channelOperators make faults of channels.
func channelOperators() []Operator {
	return []Operator{
		{"buffersize", "gives a channel a smaller buffer, or one that it should not have", "MXC", bufferSize},
		{"dropclose", "does not close a channel", "RCXC", dropClose},
		{"dropreceive", "does not wait for a message", "RTXC", dropReceive},
		{"dropcase", "leaves out a select's case for the end of the work", "", dropCase},
		{"dropdefault", "makes a select wait that had a default case", "", dropDefault},
	}
}

func bufferSize(f *function) (found []draft) {
	info := f.File.Package.Info
	f.inspect(func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || f.called(call) != "make" {
			return
		}
		if _, channel := f.typeOf(call).Underlying().(*types.Chan); !channel {
			return
		}
		kind := f.code(call.Args[0])
		add := func(text, words string) {
			found = append(found, draft{call, fmt.Sprintf("%s makes a channel %s", f.Name, words), []change{f.replace(call, text)}})
		}
		if len(call.Args) == 1 {
			add("make("+kind+", 1)", "with a buffer of 1")
			return
		}
		size := f.code(call.Args[1])
		if value := info.Types[call.Args[1]].Value; value == nil {
			add("make("+kind+", "+size+" - 1)", "with a buffer that is too small by one")
		} else if c, exact := constant.Int64Val(value); exact && c > 1 {
			add(fmt.Sprintf("make(%s, %d)", kind, c-1), fmt.Sprintf("with a buffer of %d instead of %d", c-1, c))
		}
		add("make("+kind+")", "without a buffer")
	})
	return found
}

func dropClose(f *function) (found []draft) {
	f.calls(func(s ast.Stmt, call *ast.CallExpr, name string) {
		if name == "close" {
			words := fmt.Sprintf("%s does not close %s", f.Name, f.code(call.Args[0]))
			found = append(found, draft{s, words, []change{f.remove(s)}})
		}
	})
	return found
}

func dropReceive(f *function) (found []draft) {
	for _, s := range f.Statements() {
		stmt, ok := s.Stmt.(*ast.ExprStmt)
		if !ok {
			continue
		}
		if from, ok := ast.Unparen(stmt.X).(*ast.UnaryExpr); ok && from.Op == token.ARROW {
			words := fmt.Sprintf("%s does not wait for a message from %s", f.Name, f.code(from.X))
			found = append(found, draft{stmt, words, []change{f.remove(stmt)}})
		}
	}
	return found
}

// dropCase removes the case of a select that receives and has no use for the
// value, as that of ctx.Done() or a channel that is closed at the end.
func dropCase(f *function) (found []draft) {
	f.clauses(func(s *ast.SelectStmt, c *ast.CommClause) {
		receive, ok := c.Comm.(*ast.ExprStmt)
		if ok && len(s.Body.List) > 1 {
			words := fmt.Sprintf("%s does not watch for %s in its select", f.Name, f.code(receive))
			found = append(found, draft{c, words, []change{f.removeClause(s, c)}})
		}
	})
	return found
}

func dropDefault(f *function) (found []draft) {
	f.clauses(func(s *ast.SelectStmt, c *ast.CommClause) {
		if c.Comm == nil && len(s.Body.List) > 1 {
			found = append(found, draft{c, fmt.Sprintf("%s waits in a select that had a default case", f.Name), []change{f.removeClause(s, c)}})
		}
	})
	return found
}

func (f *function) clauses(visit func(*ast.SelectStmt, *ast.CommClause)) {
	f.inspect(func(n ast.Node) {
		if s, ok := n.(*ast.SelectStmt); ok {
			for _, c := range s.Body.List {
				visit(s, c.(*ast.CommClause))
			}
		}
	})
}

// removeClause removes a case up to the next one or the end of the select, with
// the comments in it.
func (f *function) removeClause(s *ast.SelectStmt, c *ast.CommClause) change {
	end := s.Body.Rbrace
	for _, other := range s.Body.List {
		if other.Pos() > c.Pos() && other.Pos() < end {
			end = other.Pos()
		}
	}
	return change{from: f.offset(c.Pos()), to: f.offset(end)}
}
