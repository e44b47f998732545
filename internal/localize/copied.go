package localize

import (
	"fmt"
	"go/ast"
	"go/types"

	"mendel/analysis"
	"mendel/analysis/evidence"
)

// copiedLock explains a race by a copy that a call makes of a lock.
func copiedLock(c *incident) (list []suspect) {
	r := c.raced()
	if r == nil {
		return nil
	}
	for _, at := range keyed(r.places) {
		if r.racing(at) {
			list = append(list, c.copied(r.at(at))...)
		}
	}
	return list
}

// copied are the methods of the module that are called at the place of a racing access
// and have a value with a lock in it for their receiver: the call makes the copy, which
// is the access, and what the method then locks excludes nobody.
func (x *examiner) copied(s suspect) []suspect {
	f, stmt := x.src.statement(s.at)
	if stmt == nil {
		return nil
	}
	var list []suspect
	ast.Inspect(stmt, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || x.src.line(sel.Pos()) != s.at.line {
			return true
		}
		method, ok := f.Package.Info.Uses[sel.Sel].(*types.Func)
		if !ok || method.Signature().Recv() == nil || !analysis.HoldsLock(method.Signature().Recv().Type()) {
			return true
		}
		method = method.Origin()
		where := x.src.program.Fset.Position(method.Pos())
		c := s
		c.at, c.does, c.fault, c.score = site{where.Filename, where.Line}, "copy", evidence.CopiedLock, receiverCopied
		c.partner, c.partnerDoes = s.at, "call"
		c.says = fmt.Sprintf("has a copy for a receiver, with its lock: the call at %s reads all of it without the lock, and what the method locks is its own", x.src.rel(s.at))
		list = append(list, c)
		return true
	})
	return list
}
