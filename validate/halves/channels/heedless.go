package channels

import (
	"go/ast"
	"go/types"
	"strings"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// Heedless finds sends that wait whatever becomes of the function's context, where the patch has another wait of the
// same type's methods end with it: whoever receives leaves when a context ends, and then nobody does.
//
//	func (s *Pool) submit(ctx context.Context, j job) { s.jobs <- j }
//
//	func (s *Pool) worker(ctx context.Context) {
//		for {
//			select {
//			case j := <-s.jobs:
//				s.run(ctx, j)
//			case <-ctx.Done():
//				return
//			}
//		}
//	}
func Heedless(c *pair.Change) (found []pair.Finding) {
	mended := map[string]bool{}
	for _, fn := range c.After.Funcs {
		if was := c.Before.Named[fn.FullName]; was != nil && doneCases(fn) > doneCases(was) {
			mended[ownerOf(fn)] = true
		}
	}
	if len(mended) == 0 {
		return nil
	}
	roomless := withoutRoom(c.After, true)
	for _, fn := range c.After.Funcs {
		if !mended[ownerOf(fn)] || !hasContext(fn) {
			continue
		}
		for _, send := range plainSends(fn) {
			if of, ok := pair.FieldOf(fn.Info(), send.Chan); ok && roomless[of] && offered(c.After, of) && endsWithContext(c.After, of) {
				found = append(found, c.At(fn, send.Pos(), "it waits to send to %s when its context has ended and nobody receives any more, and the patch has another wait end with the context",
					types.ExprString(send.Chan)))
			}
		}
	}
	return found
}

// ownerOf is what a function belongs to: its receiver's type or, without one, its package.
func ownerOf(fn *pair.Function) string {
	if i := strings.LastIndex(fn.FullName, "."); i >= 0 {
		return fn.FullName[:i]
	}
	return fn.FullName
}

// doneCases counts the cases of a function's selects that a context's end makes ready.
func doneCases(fn *pair.Function) (n int) {
	ast.Inspect(fn.Body, func(x ast.Node) bool {
		if s, ok := x.(*ast.SelectStmt); ok {
			n += len(doneClauses(fn, s))
		}
		return true
	})
	return n
}

// doneClauses are those of one select.
func doneClauses(fn *pair.Function, s *ast.SelectStmt) (all []*ast.CommClause) {
	for _, clause := range s.Body.List {
		clause := clause.(*ast.CommClause)
		if clause.Comm != nil && syntax.Any(clause.Comm, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			return ok && isDone(fn.Info(), call)
		}) {
			all = append(all, clause)
		}
	}
	return all
}

// endsWithContext says whether each select that receives from a field's channel has a case for the end of a context
// that leaves the function.
func endsWithContext(v *pair.Version, of pair.Field) bool {
	found, stays := false, false
	for _, fn := range v.Funcs {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectStmt)
			if !ok || !receivesFrom(fn, s, of) {
				return true
			}
			leaves := false
			for _, clause := range doneClauses(fn, s) {
				leaves = leaves || pair.HasReturn(&ast.BlockStmt{List: clause.Body})
			}
			found, stays = found || leaves, stays || !leaves
			return true
		})
	}
	return found && !stays
}

// receivesFrom says whether a case of a select receives from a field's channel.
func receivesFrom(fn *pair.Function, s *ast.SelectStmt, of pair.Field) bool {
	for _, clause := range s.Body.List {
		comm := clause.(*ast.CommClause).Comm
		if comm == nil {
			continue
		}
		if _, sends := comm.(*ast.SendStmt); sends {
			continue
		}
		if syntax.Any(comm, func(n ast.Node) bool {
			x, ok := n.(*ast.UnaryExpr)
			if !ok {
				return false
			}
			f, ok := pair.FieldOf(fn.Info(), x.X)
			return ok && f == of
		}) {
			return true
		}
	}
	return false
}
