package mutate

import (
	"slices"

	"github.com/dave/dst"
)

// cutLine takes the comment off a statement that stands behind it on its line.
func cutLine(n dst.Stmt) dst.Decorations {
	d := n.Decorations()
	cut := slices.Index(d.End, "\n")
	if cut < 0 {
		cut = len(d.End)
	}
	line := slices.Clone(d.End[:cut])
	d.End = slices.Clone(d.End[cut:])
	return line
}

// dropEmptyElse removes a block that is an else with neither statements nor comments.
func dropEmptyElse(root, owner dst.Node) {
	block, ok := owner.(*dst.BlockStmt)
	if !ok || len(block.List) > 0 || len(block.Decs.Lbrace) > 0 {
		return
	}
	dst.Inspect(root, func(n dst.Node) bool {
		if s, ok := n.(*dst.IfStmt); ok && s.Else == owner {
			s.Else = nil
		}
		return true
	})
}
