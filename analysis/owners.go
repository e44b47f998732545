package analysis

import (
	"fmt"
	"go/ast"
	"go/types"

	"mendel/analysis/evidence"
)

// mergeOwners adds and warms what both stacks of a race went through on their way
// to it: if one calls q.list.Push and the other q.list.Peek, they race for a
// field of the list, and whoever owns the list has to guard q.list.
func (n *Narrowing) mergeOwners(source Source, f evidence.Failure, stacks [][]site) int {
	if len(stacks) != 2 {
		return 0
	}
	added := 0
	here, there := n.owners(stacks[0]), n.owners(stacks[1])
	for v, sites := range here {
		others := there[v]
		if len(others) == 0 {
			continue
		}
		added += n.addVar(v, Reason{source, fmt.Sprintf("led to where a failure points: %s", f.Message)})
		for _, s := range append(sites, others...) {
			n.heat.warm(s.file, s.line, heatOwner)
			n.heat.warmStatement(s, heatOwner)
		}
		for _, u := range n.ids.uses[v] {
			n.heat.warmPos(u.Expr.Pos(), heatElsewhere)
		}
	}
	return added
}

// owners are the fields and package variables whose methods the calls on a stack
// are, with the places of the calls. What tests own is left out.
func (n *Narrowing) owners(stack []site) map[*types.Var][]site {
	owners := map[*types.Var][]site{}
	for _, s := range stack[min(1, len(stack)):] {
		if s.file.Test {
			continue
		}
		for _, stmt := range s.statements(n.p.Fset) {
			ast.Inspect(stmt, func(node ast.Node) bool {
				call, ok := node.(*ast.CallExpr)
				if !ok || n.p.Fset.Position(call.Pos()).Line > s.line || s.line > n.p.Fset.Position(call.End()).Line {
					return true
				}
				if v := methodOwner(s.file.Package.Info, call); v != nil {
					owners[v] = append(owners[v], s)
				}
				return true
			})
		}
	}
	return owners
}

// methodOwner is the field or package variable whose method is called; nil if the
// call is none of that sort.
func methodOwner(info *types.Info, call *ast.CallExpr) *types.Var {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || info.Selections[sel] == nil {
		return nil
	}
	var name *ast.Ident
	switch x := ast.Unparen(sel.X).(type) {
	case *ast.SelectorExpr:
		name = x.Sel
	case *ast.Ident:
		name = x
	default:
		return nil
	}
	v, ok := info.Uses[name].(*types.Var)
	if !ok || isLocal(v) {
		return nil
	}
	return v
}
