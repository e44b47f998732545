package mutate

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/mutate/internal/syntax"
)

// A Start is a go statement of a function and what the goroutine runs.
type Start struct {
	Statement // the go statement
	Go        *ast.GoStmt
	To        *Function    // the literal or declared function started; nil where it cannot be edited
	Lit       *ast.FuncLit // the literal; nil: another function is started

	given map[types.Object]Path // by receiver and parameters of To
}

// Starts lists the go statements of the function, in source order; those of
// function literals are not among them.
func (fn *Function) Starts() []Start {
	var out []Start
	for _, st := range fn.Statements() {
		g, ok := st.Stmt.(*ast.GoStmt)
		if !ok {
			continue
		}
		s := Start{Statement: st, Go: g}
		if lit, ok := ast.Unparen(g.Call.Fun).(*ast.FuncLit); ok {
			s.Lit, s.To = lit, fn.Literal(lit)
		} else if f := syntax.Callee(fn.File.Package.Info, g.Call.Fun); f != nil {
			s.To = fn.space.declared[f]
		}
		if s.To != nil {
			s.given = fn.gives(g.Call, s.To)
		}
		out = append(out, s)
	}
	return out
}

// Name is what the starting function calls what the goroutine has a path for:
// what it was given, captured, or finds in the package; the zero Path if it has
// no name for it.
func (s Start) Name(p Path) Path {
	if to, ok := s.given[p.Root]; ok {
		if to.Root == nil {
			return Path{}
		}
		return Path{Root: to.Root, Rest: to.Rest + p.Rest}
	}
	if p.Root == nil || s.To == nil {
		return Path{}
	}
	inside := s.To.Node.Pos() <= p.Root.Pos() && p.Root.Pos() < s.To.Node.End()
	if inside || s.Lit == nil && p.Root.Parent() != p.Root.Pkg().Scope() {
		return Path{}
	}
	return p
}

// Literal is the function of a literal in the function's file; nil if it may
// not be edited.
func (fn *Function) Literal(lit *ast.FuncLit) *Function {
	list := fn.space.functionsOf(fn.File.Rel)
	i := slices.IndexFunc(list, func(f *Function) bool { return f.Node == ast.Node(lit) })
	if i < 0 {
		return nil
	}
	return list[i]
}
