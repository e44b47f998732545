package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// namesRelease finds the local function that a statement defines, if all it does
// is to release the section's lock and it is named once, in a defer of the
// section's list.
func (t *tracer) namesRelease(s *ast.AssignStmt) (name types.Object, unlock ast.Stmt) {
	if s.Tok != token.DEFINE || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil, nil
	}
	id, ok := s.Lhs[0].(*ast.Ident)
	if !ok {
		return nil, nil
	}
	lit, ok := ast.Unparen(s.Rhs[0]).(*ast.FuncLit)
	if !ok {
		return nil, nil
	}
	name, unlock = t.fn.File.Package.Info.ObjectOf(id), only(lit.Body)
	if name == nil || unlock == nil || !t.isRelease(unlock) {
		return nil, nil
	}
	mentions, deferred := 0, false
	ast.Inspect(t.fn.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && t.fn.File.Package.Info.Uses[id] == name {
			mentions++
			for _, stmt := range t.s.List {
				d, ok := stmt.(*ast.DeferStmt)
				deferred = deferred || ok && d.Pos() <= id.Pos() && id.End() <= d.End()
			}
		}
		return true
	})
	if mentions != 1 || !deferred {
		return nil, nil
	}
	return name, unlock
}

// named finds the release in the local function that a call names; nil if it
// is another call.
func (t *tracer) named(call *ast.CallExpr) (unlock ast.Stmt) {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return nil
	}
	called := t.fn.File.Package.Info.ObjectOf(id)
	ast.Inspect(t.fn.Body, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok && unlock == nil {
			if name, release := t.namesRelease(s); name != nil && name == called {
				unlock = release
			}
		}
		return unlock == nil
	})
	return unlock
}

// only is the one statement of a block; nil if it has none or more.
func only(block *ast.BlockStmt) ast.Stmt {
	if len(block.List) != 1 {
		return nil
	}
	return block.List[0]
}
