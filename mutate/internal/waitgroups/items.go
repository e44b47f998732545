package waitgroups

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// CountsItems is the group that counts the values of a channel, as a function names it:
// who receives one, in a loop, calls Done for it, by itself or by what it calls. "": none
// is known.
func CountsItems(fn *mutate.Function, c *mutate.Channel) (group string) {
	if c == nil {
		return ""
	}
	for _, u := range slices.Concat(c.Receives, c.Ranges) {
		if u.Fn == nil || u.Test {
			continue
		}
		for _, s := range Turn(u) {
			for _, g := range DoneIn(u.Fn, s) {
				if text := nameIn(fn, u.Fn, g); text != "" {
					return text
				}
			}
		}
	}
	return ""
}

// Turn are the statements of a loop that run with a value which is received in each
// turn: the loop's body or, of a select, the case, and what follows it if all others leave.
func Turn(u mutate.ChannelUse) []ast.Stmt {
	if r, ok := u.Node.(*ast.RangeStmt); ok {
		return r.Body.List
	}
	var body *ast.BlockStmt
	ast.Inspect(u.Fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			if syntax.Within(u.Node, n) {
				body = n.Body
			}
		case *ast.RangeStmt:
			if syntax.Within(u.Node, n.Body) {
				body = n.Body
			}
		}
		return true
	})
	switch {
	case body == nil:
		return nil
	case u.Select == nil:
		return body.List
	}
	var own []ast.Stmt
	others := true // leave
	for _, c := range u.Select.Body.List {
		clause := c.(*ast.CommClause)
		if clause.Comm == u.Stmt {
			own = clause.Body
		} else {
			others = others && len(clause.Body) > 0 && exits.Terminates(u.Fn, clause.Body[len(clause.Body)-1])
		}
	}
	if i := slices.Index(body.List, ast.Stmt(u.Select)); i >= 0 && others {
		own = slices.Concat(own, body.List[i+1:])
	}
	return own
}

// DoneIn are the groups of which a statement of a function calls Done, by itself or by what
// it calls, as the function names them.
func DoneIn(fn *mutate.Function, s ast.Stmt) (groups []mutate.Path) {
	for _, c := range Calls(fn) {
		if c.Method == "Done" && Contains(s, c.At.Stmt) {
			groups = append(groups, c.Group)
		}
	}
	for _, call := range fn.Calls(s) {
		for _, c := range Calls(call.To) {
			if g := call.Name(c.Group); c.Method == "Done" && g.Root != nil {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// nameIn is what a function calls a group of another one: one that both see, or a field of
// the receiver's of both; "" if it has no name for it.
func nameIn(fn, of *mutate.Function, g mutate.Path) string {
	if fn == of {
		return g.String()
	}
	v, ok := g.Root.(*types.Var)
	if !ok {
		return ""
	}
	inner := fn.File.Package.Types.Scope().Innermost(fn.Body.Lbrace + 1)
	if inner == nil {
		return ""
	}
	if _, found := inner.LookupParent(v.Name(), fn.Body.Lbrace+1); found == v {
		return g.String()
	}
	own, other := receiver(fn), receiver(of)
	if g.Rest == "" || own == nil || other != v || !syntax.SameGeneric(own.Type(), v.Type()) {
		return ""
	}
	if _, found := inner.LookupParent(own.Name(), fn.Body.Lbrace+1); found != own {
		return ""
	}
	return own.Name() + g.Rest
}

// receiver is the variable of the receiver of the method that a function is, or is in; nil
// if there is none.
func receiver(fn *mutate.Function) *types.Var {
	for _, d := range fn.File.AST.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || !syntax.Within(fn.Node, ast.Node(decl)) || decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 {
			continue
		}
		v, _ := fn.File.Package.Info.Defs[decl.Recv.List[0].Names[0]].(*types.Var)
		return v
	}
	return nil
}
