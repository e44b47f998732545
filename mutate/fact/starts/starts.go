package starts

import (
	"go/ast"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A Start is a statement of a function that starts a goroutine, and what the
// goroutine runs.
type Start struct {
	mutate.Statement                  // what starts the goroutine
	Go               *ast.GoStmt      // the same as a go statement; nil: a call such as a WaitGroup's Go starts it
	To               *mutate.Function // the literal or declared function started; nil where it cannot be edited
	Lit              *ast.FuncLit     // the literal; nil: another function is started

	from *mutate.Function // that the statement is in
	call *ast.CallExpr    // of To
}

// Of lists the statements of the function that start a goroutine, in source
// order: go statements, and calls such as a WaitGroup's Go that are statements of
// their own. Those of function literals are not among them. The list is remembered and must
// not be changed.
func Of(fn *mutate.Function) []Start {
	return slices.Clip(all.Of(fn))
}

var all = mutate.NewFact(findStarts)

// startersKey is the key of [By].
type startersKey struct{}

// By lists the functions that may be edited and of which the function is what one of
// the [Of] runs, by file and in source order. The list must not be changed.
func By(fn *mutate.Function) []*mutate.Function {
	return slices.Clip(mutate.Once(fn, startersKey{}, func() map[*mutate.Function][]*mutate.Function {
		starters := make(map[*mutate.Function][]*mutate.Function)
		for _, from := range fn.OfProgram() {
			for _, s := range Of(from) {
				if s.To != nil && !slices.Contains(starters[s.To], from) {
					starters[s.To] = append(starters[s.To], from)
				}
			}
		}
		return starters
	})[fn])
}

func findStarts(fn *mutate.Function) []Start {
	var out []Start
	for _, st := range fn.Statements() {
		var start ast.Node
		s := Start{Statement: st}
		switch stmt := st.Stmt.(type) {
		case *ast.GoStmt:
			s.Go, start = stmt, stmt
		case *ast.ExprStmt:
			start = ast.Unparen(stmt.X)
		}
		fun := syntax.Started(fn.File.Package.Info, start)
		if fun == nil {
			continue
		}
		if lit, ok := fun.(*ast.FuncLit); ok {
			s.Lit, s.To = lit, fn.OfNode(lit)
		} else if f := syntax.Callee(fn.File.Package.Info, fun); f != nil {
			s.To = fn.Declared(f)
		}
		s.from = fn
		if s.Go != nil {
			s.call = s.Go.Call
		} else { // it is called without arguments
			s.call = &ast.CallExpr{Fun: fun}
		}
		out = append(out, s)
	}
	return slices.Clip(out)
}

// Name is what the starting function calls what the goroutine has a path for:
// what it was given, captured, or finds in the package; the zero Path if it has
// no name for it.
func (s Start) Name(p mutate.Path) mutate.Path {
	if p.Root == nil || s.To == nil {
		return mutate.Path{}
	}
	if to, ok := (mutate.Call{From: s.from, Made: s.call, To: s.To}).Gives(p.Root); ok {
		if to.Root == nil {
			return mutate.Path{}
		}
		return mutate.Path{Root: to.Root, Rest: to.Rest + p.Rest}
	}
	inside := s.To.Node.Pos() <= p.Root.Pos() && p.Root.Pos() < s.To.Node.End()
	if inside || s.Lit == nil && p.Root.Parent() != p.Root.Pkg().Scope() {
		return mutate.Path{}
	}
	return p
}
