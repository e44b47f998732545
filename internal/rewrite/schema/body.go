package schema

import (
	"fmt"
	"go/ast"
	"go/token"

	"mendel/internal/rewrite"
)

// asVariant is the body of a rewritten function as one of several in a function of its
// signature. Its labels have other names, because a function's labels must differ. It ends with a
// return, so that what is deferred runs at the end of the variant. And what assigns to parameters by a
// short declaration does so in another way: the body of a function is in the block of
// its parameters, and a variant is not.
//
//	ctx, cancel := context.WithCancel(ctx)
//	zzown1, cancel := context.WithCancel(ctx); ctx = zzown1
//
// False: it cannot be one.
func asVariant(d *spliced, text []byte, n int) ([]byte, bool) {
	fn := d.decl.(*ast.FuncDecl)
	start := fn.Body.Lbrace
	offset := func(p token.Pos) int { return int(p - start) }
	e := rewrite.Edits{Text: text[d.lbrace : d.rbrace+1]}
	parameters := parametersOf(fn)
	for _, s := range fn.Body.List {
		for l, ok := s.(*ast.LabeledStmt); ok; l, ok = s.(*ast.LabeledStmt) {
			s = l.Stmt
		}
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			continue
		}
		after := ""
		for i, x := range a.Lhs {
			id, ok := x.(*ast.Ident)
			if !ok || !parameters[id.Name] {
				continue
			}
			if len(a.Rhs) != 1 && len(a.Lhs) == len(a.Rhs) {
				return nil, false // a constant has the type of what it is assigned to
			}
			own := fmt.Sprintf("zzown%d", i+1)
			e.Replace(offset(id.Pos()), offset(id.End()), own)
			after += "; " + id.Name + " = " + own
		}
		e.Replace(offset(a.End()), offset(a.End()), after)
	}
	ast.Inspect(fn.Body, func(node ast.Node) bool {
		var label *ast.Ident
		switch node := node.(type) {
		case *ast.LabeledStmt:
			label = node.Label
		case *ast.BranchStmt:
			label = node.Label
		}
		if label != nil && label.Name != "_" {
			e.Replace(offset(label.End()), offset(label.End()), fmt.Sprintf("_zz%d", n))
		}
		return true
	})
	if results := fn.Type.Results; results == nil || len(results.List) > 0 && len(results.List[0].Names) > 0 {
		e.Replace(len(e.Text)-1, len(e.Text)-1, "; return ")
	}
	return e.Apply(), true
}

// parametersOf are the names of a function's receiver, parameters and results.
func parametersOf(fn *ast.FuncDecl) map[string]bool {
	names := map[string]bool{}
	for _, list := range []*ast.FieldList{fn.Recv, fn.Type.Params, fn.Type.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, id := range f.Names {
				names[id.Name] = id.Name != "_"
			}
		}
	}
	return names
}
