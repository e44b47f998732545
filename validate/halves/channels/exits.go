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

// Exits finds the returns of a function in front of which nobody closes a channel, where the
// patch closes it in front of others.
func Exits(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) {
			continue
		}
		had, has := closes(was), closes(fn)
		for _, ch := range has.channels() {
			if has.deferred[ch] || len(has.exits[ch]) <= len(had.exits[ch]) || len(has.exits[ch]) == 0 || has.total[ch] <= had.total[ch] {
				continue
			}
			if has.all() <= had.all() || !uses(c.Before, ch) { // it has another name, or nobody knew it
				continue
			}
			for _, ret := range has.open(ch) {
				found = append(found, c.At(fn, ret.Pos(), "%s is not closed before this return, as it is before others", ch))
			}
		}
	}
	return found
}

// closings are where a function closes channels, by their text.
type closings struct {
	exits    map[string][]*ast.ReturnStmt // with the close in front, in one list
	deferred map[string]bool
	total    map[string]int                   // closes, wherever they stand
	paths    map[*ast.ReturnStmt][][]ast.Stmt // what stands in front of each return, list by list
}

// all counts the closes of all channels.
func (c closings) all() (n int) {
	for _, closes := range c.total {
		n += closes
	}
	return n
}

// uses reports whether some function names a channel, by its text or as a field of that name.
func uses(v *pair.Version, ch string) bool {
	name := ch[strings.LastIndex(ch, ".")+1:]
	return slices.ContainsFunc(v.Funcs, func(fn *pair.Function) bool {
		return syntax.Any(fn.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || id.Name != name {
				return false
			}
			t := fn.Info().TypeOf(id)
			if t == nil {
				return false
			}
			_, channel := t.Underlying().(*types.Chan)
			return channel
		})
	})
}

func (c closings) channels() (list []string) {
	for ch := range c.exits {
		list = append(list, ch)
	}
	slices.Sort(list)
	return list
}

// closes finds them in a function's own text: literals run elsewhere.
func closes(fn *pair.Function) closings { return closesIn(fn.Info(), fn.Body) }

// closesIn finds them in the body of a function or literal.
func closesIn(info *types.Info, body *ast.BlockStmt) closings {
	c := closings{make(map[string][]*ast.ReturnStmt), make(map[string]bool), make(map[string]int), make(map[*ast.ReturnStmt][][]ast.Stmt)}
	c.list(info, body.List, nil)
	return c
}

// list reads a list of statements; before are those in front of it, list by list.
func (c closings) list(info *types.Info, list []ast.Stmt, before [][]ast.Stmt) {
	for i, s := range list {
		front := append(slices.Clone(before), list[:i])
		if ch := closed(info, s); ch != "" {
			c.total[ch]++
		}
		if ret, ok := s.(*ast.ReturnStmt); ok {
			c.paths[ret] = front
			for _, o := range list[:i] {
				if ch := closed(info, o); ch != "" {
					c.exits[ch] = append(c.exits[ch], ret)
				}
			}
		}
		if d, ok := s.(*ast.DeferStmt); ok {
			for n := range ast.Preorder(d) {
				if call, ok := n.(*ast.CallExpr); ok {
					if ch := closed(info, &ast.ExprStmt{X: call}); ch != "" {
						c.deferred[ch] = true
					}
				}
			}
		}
		for _, inner := range pair.Lists(s) {
			c.list(info, inner, front)
		}
	}
}

// open are the returns in front of which a channel is not closed, though it is made there.
func (c closings) open(ch string) (list []*ast.ReturnStmt) {
	first := c.exits[ch][0]
	for ret, front := range c.paths {
		closes, makes, keeps := false, false, false
		for _, stmts := range front {
			for _, s := range stmts {
				closes = closes || closedText(s, ch)
				makes = makes || declares(s, ch)
				keeps = keeps || stored(s, ch)
			}
		}
		keeps = keeps && !slices.ContainsFunc(c.paths[first], func(stmts []ast.Stmt) bool {
			return slices.ContainsFunc(stmts, func(s ast.Stmt) bool { return stored(s, ch) })
		})
		madeFirst := slices.ContainsFunc(c.paths[first], func(stmts []ast.Stmt) bool {
			return slices.ContainsFunc(stmts, func(s ast.Stmt) bool { return declares(s, ch) })
		})
		if !closes && !keeps && (makes || !madeFirst) {
			list = append(list, ret)
		}
	}
	slices.SortFunc(list, func(a, b *ast.ReturnStmt) int { return int(a.Pos() - b.Pos()) })
	return list
}

// closed is the channel that a statement closes, as it is written; "": none.
func closed(info *types.Info, s ast.Stmt) string {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return ""
	}
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok || syntax.Builtin(info, call) != "close" {
		return ""
	}
	return types.ExprString(call.Args[0])
}

// closedText reports whether a statement closes a channel of this text.
func closedText(s ast.Stmt, ch string) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	return ok && len(call.Args) == 1 && types.ExprString(call) == "close("+ch+")"
}

// stored reports whether a statement puts what a text begins with into a field, or a list or map: others know it
// from then on, and may close it.
func stored(s ast.Stmt, text string) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN {
		return false
	}
	root, _, _ := strings.Cut(text, ".")
	named := func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && id.Name == root
	}
	for i, l := range a.Lhs {
		switch l := ast.Unparen(l).(type) {
		case *ast.IndexExpr:
			if syntax.Any(l.Index, named) {
				return true
			}
		case *ast.SelectorExpr:
		default:
			continue
		}
		if i < len(a.Rhs) && syntax.Any(a.Rhs[i], named) {
			return true
		}
	}
	return false
}

// declares reports whether a statement declares or sets what a text names, or declares the variable that it
// begins with.
func declares(s ast.Stmt, text string) bool {
	a, ok := s.(*ast.AssignStmt)
	root, _, field := strings.Cut(text, ".")
	return ok && slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
		is := types.ExprString(e)
		return is == text || field && is == root && a.Tok == token.DEFINE
	})
}
