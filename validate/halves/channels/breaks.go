package channels

import (
	"go/ast"
	"go/token"

	"mendel/mutate"
	"mendel/validate/halves/pair"
)

// Breaks finds cases of a select, in a loop, that a patch ends with a break: that leaves the select, and not the loop.
//
//	for {
//		select {
//		case out <- next():
//		case <-quit:
//			break
//		}
//	}
func Breaks(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		if !c.Changed(fn) {
			continue
		}
		has := idleBreaks(fn)
		if was := c.Before.Named[fn.FullName]; was != nil && len(idleBreaks(was)) >= len(has) {
			continue
		}
		for _, b := range has {
			f := c.At(fn, b.Pos(), "the break leaves the select only, and the loop goes on")
			f.Flag = mutate.GoesOn
			found = append(found, f)
		}
	}
	return found
}

// idleBreaks are the breaks without a label at the end of cases of selects that end a round of a loop without an end
// of its own.
func idleBreaks(fn *pair.Function) (all []*ast.BranchStmt) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		}
		if body == nil || len(body.List) == 0 {
			return true
		}
		s, ok := body.List[len(body.List)-1].(*ast.SelectStmt)
		if !ok {
			return true
		}
		for _, clause := range s.Body.List {
			clause := clause.(*ast.CommClause)
			if len(clause.Body) == 0 || clause.Comm == nil {
				continue
			}
			if b, ok := clause.Body[len(clause.Body)-1].(*ast.BranchStmt); ok && b.Tok == token.BREAK && b.Label == nil {
				all = append(all, b)
			}
		}
		return true
	})
	return all
}
