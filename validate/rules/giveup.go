package rules

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A function that waits in a select with a case for the end of a context promises to return
// then. A patch that has it wait besides for goroutines, with no other way out, takes that back:
// a test whose context ends late, or never, does not show it.

// A giveUp says how a function waits.
type giveUp struct {
	ends  bool        // some select of it ends with a context
	waits []token.Pos // what it waits for whatever happens
}

// giveUps adds how the functions of a file wait, by their keys.
func (d *effects) giveUps(f *analysis.File) {
	w := &waitReader{info: f.Package.Info}
	for _, decl := range f.AST.Decls {
		fd, ok := decl.(*ast.FuncDecl)
		if !ok || fd.Body == nil {
			continue
		}
		if fn, ok := w.info.Defs[fd.Name].(*types.Func); ok {
			w.giveUp, w.inSelect = giveUp{}, map[ast.Node]bool{}
			w.givesBack(fd.Body)
			ast.Inspect(fd.Body, w.visit)
			d.waiting[callKey+methodName(fn)] = w.giveUp
		}
	}
}

// A waitReader reads how one function waits.
type waitReader struct {
	giveUp
	info     *types.Info
	inSelect map[ast.Node]bool // operations that are one of several cases, or give back a slot
}

func (w *waitReader) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return false
	case *ast.SelectStmt:
		w.cases(n)
	case *ast.ForStmt:
		w.found(n.Cond, n.Body)
	case *ast.IfStmt:
		w.found(n.Cond, n.Body)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW && !w.inSelect[n] && !w.tellsEnd(n.X) {
			w.waits = append(w.waits, n.Pos())
		}
	case *ast.RangeStmt:
		if t := w.info.TypeOf(n.X); t != nil {
			if _, ok := t.Underlying().(*types.Chan); ok {
				w.waits = append(w.waits, n.Pos())
			}
		}
	case *ast.CallExpr:
		c := effectCollector{info: w.info}
		fn, ok := c.callee(n).(*types.Func)
		if ok && startsGoroutine(fn) {
			return false
		}
		if ok && fn.FullName() == "(*sync.WaitGroup).Wait" {
			w.waits = append(w.waits, n.Pos())
		}
	}
	return true
}

// givesBack notes receives of which nothing is used, from channels that the function itself sends to: a slot that it
// takes out is there, as it has put it there.
func (w *waitReader) givesBack(body *ast.BlockStmt) {
	sent := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(*ast.SendStmt); ok {
			sent[types.ExprString(s.Chan)] = true
		}
		return !isLit(n)
	})
	deferred := map[ast.Node]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			deferred[n.Call.Fun] = true
		case *ast.ExprStmt:
			if e, ok := ast.Unparen(n.X).(*ast.UnaryExpr); ok && e.Op == token.ARROW && sent[types.ExprString(e.X)] {
				w.inSelect[e] = true
			}
		}
		return !isLit(n) || deferred[n]
	})
}

// cases notes the operations of a select that need not be waited for, and what is received where it gives up.
func (w *waitReader) cases(s *ast.SelectStmt) {
	if len(s.Body.List) < 2 {
		return
	}
	w.late(s)
	for _, c := range s.Body.List {
		comm := c.(*ast.CommClause).Comm
		if comm == nil {
			continue
		}
		ast.Inspect(comm, func(n ast.Node) bool {
			if e, ok := n.(*ast.UnaryExpr); ok && e.Op == token.ARROW {
				w.inSelect[e] = true
				w.ends = w.ends || w.tellsEnd(e.X)
			}
			return true
		})
	}
}

// late notes what a case of a select receives from a channel of another case, on some of its ways only: what
// comes there has been promised, as to one who waits in a list and is no longer found there.
func (w *waitReader) late(s *ast.SelectStmt) {
	channels := map[string]bool{}
	for _, c := range s.Body.List {
		if comm := c.(*ast.CommClause).Comm; comm != nil {
			ast.Inspect(comm, func(n ast.Node) bool {
				if e, ok := n.(*ast.UnaryExpr); ok && e.Op == token.ARROW {
					channels[types.ExprString(e.X)] = true
				}
				return true
			})
		}
	}
	for _, c := range s.Body.List {
		left := false // the case has been left before
		for _, stmt := range c.(*ast.CommClause).Body {
			_, asks := stmt.(*ast.IfStmt)
			ast.Inspect(stmt, func(n ast.Node) bool {
				e, ok := n.(*ast.UnaryExpr)
				if ok && e.Op == token.ARROW && (asks || left) && channels[types.ExprString(e.X)] {
					w.inSelect[e] = true
				}
				return !isLit(n)
			})
			left = left || syntax.Any(stmt, func(n ast.Node) bool { _, returns := n.(*ast.ReturnStmt); return returns })
		}
	}
}

// found notes the first receive of a body that is come to only where something is in the channel.
func (w *waitReader) found(cond ast.Expr, body *ast.BlockStmt) {
	more, ok := cond.(*ast.BinaryExpr)
	if !ok || more.Op != token.GTR && more.Op != token.NEQ {
		return
	}
	call, ok := more.X.(*ast.CallExpr)
	if y, zero := more.Y.(*ast.BasicLit); !ok || !zero || y.Value != "0" || syntax.Builtin(w.info, call) != "len" {
		return
	}
	first := true
	ast.Inspect(body, func(n ast.Node) bool {
		e, ok := n.(*ast.UnaryExpr)
		if ok && first && e.Op == token.ARROW && types.ExprString(e.X) == types.ExprString(call.Args[0]) {
			w.inSelect[e], first = true, false
		}
		return first
	})
}

// tellsEnd reports whether a channel is that of a context's end.
func (w *waitReader) tellsEnd(ch ast.Expr) bool {
	call, ok := ast.Unparen(ch).(*ast.CallExpr)
	if !ok {
		return false
	}
	c := effectCollector{info: w.info}
	fn, ok := c.callee(call).(*types.Func)
	return ok && fn.Name() == "Done" && isPackage(fn, "context")
}

// uncancelled finds a function that gives up waiting when a context ends, and waits for more
// now whatever happens.
func (s *sources) uncancelled() *Breach {
	var worst *Breach
	for key, was := range s.before.waiting {
		is := s.after.waiting[key]
		if !was.ends || len(is.waits) <= len(was.waits) {
			continue
		}
		b := s.breachAfter(Uncancelled, s.added(was.waits, is.waits), "it waits here although its context may have ended")
		if worst == nil || b.File < worst.File || b.File == worst.File && b.Line < worst.Line {
			worst = b
		}
	}
	return worst
}
