package clonemap

import (
	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"

	"mendel/mutate"
	"mendel/mutate/internal/capture"
	"mendel/mutate/internal/tree"
)

func apply(m *mutate.Mutation, e mutate.Edit) error {
	switch e.Form {
	case inPlace:
		return replace(m, e)
	case kept:
		return replaceKept(m, e)
	case nested:
		return replaceNested(m, e)
	case literal:
		return replaceStruct(m, e)
	}
	stmt := m.Stmt(e.File, e.Node)
	if e.Form == argument {
		call, ok := tree.Expr(e.Expr).(*dst.CallExpr)
		if !ok {
			return mutate.Refuse(e, "%s is no call", e.Expr)
		}
		if err := qualify(m, e.File, call); err != nil {
			return err
		}
		return capture.Pass(m, e, call)
	}
	stmts, err := tree.Snippet("// " + e.Note + "\n" + e.Expr)
	if err != nil {
		return err
	}
	if err := qualify(m, e.File, stmts[0]); err != nil {
		return err
	}
	return m.Insert(e.File, stmt, false, stmts...)
}

// replace puts a copy in the place of an expression.
func replace(m *mutate.Mutation, e mutate.Edit) error {
	target, ok := m.Node(e.File, e.Node).(dst.Expr)
	at, isStmt := m.Node(e.File, e.Other).(dst.Stmt)
	clone, isCall := tree.Expr(e.Expr).(*dst.CallExpr)
	if !ok || !isStmt || !isCall {
		return mutate.Refuse(e, "another edit removed the expression")
	}
	if err := qualify(m, e.File, clone); err != nil {
		return err
	}
	if !put(at, target, clone) {
		return mutate.Refuse(e, "the expression is in another statement now")
	}
	// The layout around the expression is the call's now.
	own := target.Decorations()
	*clone.Decorations() = *own
	*own = dst.NodeDecs{}
	clone.Args[len(clone.Args)-1] = target
	at.Decorations().Start.Append("// " + e.Note)
	return nil
}

// replaceKept puts copies in the place of all that a function gives away of a container's.
func replaceKept(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "another edit removed the function")
	}
	for _, h := range sharedCopies(fn) {
		if !h.kept || mutate.GroupOf(h.v) != e.Group {
			continue
		}
		one := e
		one.Node, one.Other, one.Expr, one.Note = fn.ID(h.expr), fn.ID(h.at.Stmt), cloneOf(fn, h.expr), h.note()
		if err := replace(m, one); err != nil {
			return err
		}
	}
	return nil
}

// replaceNested makes a copy with copies of the elements in front of a statement, and puts it in
// the place of an expression.
func replaceNested(m *mutate.Mutation, e mutate.Edit) error {
	target, ok := m.Node(e.File, e.Node).(dst.Expr)
	at, isStmt := m.Node(e.File, e.Other).(dst.Stmt)
	if !ok || !isStmt {
		return mutate.Refuse(e, "another edit removed the expression")
	}
	made, err := tree.Snippet("// " + e.Note + "\n" + e.Expr)
	if err != nil {
		return err
	}
	for _, s := range made {
		if err := qualify(m, e.File, s); err != nil {
			return err
		}
	}
	name := made[0].(*dst.AssignStmt).Lhs[0].(*dst.Ident).Name
	if !put(at, target, dst.NewIdent(name)) {
		return mutate.Refuse(e, "the expression is in another statement now")
	}
	return m.Insert(e.File, at, false, made...)
}

// replaceStruct puts a literal with copies in the place of a struct.
func replaceStruct(m *mutate.Mutation, e mutate.Edit) error {
	target, ok := m.Node(e.File, e.Node).(dst.Expr)
	at, isStmt := m.Node(e.File, e.Other).(dst.Stmt)
	if !ok || !isStmt {
		return mutate.Refuse(e, "another edit removed the expression")
	}
	made := tree.Expr(e.Expr)
	if err := qualify(m, e.File, made); err != nil {
		return err
	}
	if !put(at, target, made) {
		return mutate.Refuse(e, "the expression is in another statement now")
	}
	at.Decorations().Start.Append("// " + e.Note)
	return nil
}

// put puts an expression in the place of another in a statement; false: that is not there.
func put(at dst.Stmt, target, now dst.Expr) (replaced bool) {
	dstutil.Apply(at, func(c *dstutil.Cursor) bool {
		if c.Node() != dst.Node(target) || replaced {
			return !replaced
		}
		replaced = true
		c.Replace(now)
		return false
	}, nil)
	return replaced
}

// qualify imports the packages that a tree made from a snippet calls Clone of,
// and calls them as the file does.
func qualify(m *mutate.Mutation, file string, tree dst.Node) error {
	var failed error
	dst.Inspect(tree, func(n dst.Node) bool {
		call, ok := n.(*dst.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*dst.SelectorExpr)
		if !ok || sel.Sel.Name != "Clone" && sel.Sel.Name != "Clip" {
			return true
		}
		pkg, ok := sel.X.(*dst.Ident)
		if !ok || pkg.Name != "maps" && pkg.Name != "slices" {
			return true
		}
		name, err := m.Import(file, pkg.Name)
		switch {
		case err != nil:
			failed = err
		case name == "":
			call.Fun = sel.Sel
		default:
			pkg.Name = name
		}
		return true
	})
	return failed
}
