package mutate

import (
	"go/ast"
	"slices"

	"mendel/analysis/syntax"
)

// A Start is a statement of a function that starts a goroutine, and what the
// goroutine runs.
type Start struct {
	Statement              // what starts the goroutine
	Go        *ast.GoStmt  // the same as a go statement; nil: a call such as a WaitGroup's Go starts it
	To        *Function    // the literal or declared function started; nil where it cannot be edited
	Lit       *ast.FuncLit // the literal; nil: another function is started

	from *Function     // that the statement is in
	call *ast.CallExpr // of To
}

// Starts lists the statements of the function that start a goroutine, in source
// order: go statements, and calls such as a WaitGroup's Go that are statements of
// their own. Those of function literals are not among them. The list is remembered and must
// not be changed.
func (fn *Function) Starts() []Start {
	return slices.Clip(starts.Of(fn))
}

var starts = NewFact((*Function).findStarts)

// startersKey is the key of [Function.Starters].
type startersKey struct{}

// Starters lists the functions that may be edited and of which the function is what one of
// the [Function.Starts] runs, by file and in source order. The list must not be changed.
func (fn *Function) Starters() []*Function {
	return slices.Clip(Once(fn, startersKey{}, func() map[*Function][]*Function {
		starters := make(map[*Function][]*Function)
		for _, from := range fn.space.allFunctions() {
			for _, s := range from.Starts() {
				if s.To != nil && !slices.Contains(starters[s.To], from) {
					starters[s.To] = append(starters[s.To], from)
				}
			}
		}
		return starters
	})[fn])
}

func (fn *Function) findStarts() []Start {
	var out []Start
	for _, st := range statements.Of(fn) {
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
			s.Lit, s.To = lit, fn.Literal(lit)
		} else if f := syntax.Callee(fn.File.Package.Info, fun); f != nil {
			s.To = fn.space.declared[f]
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
func (s Start) Name(p Path) Path {
	if p.Root == nil || s.To == nil {
		return Path{}
	}
	if to, ok := s.from.gives(s.call, s.To, p.Root); ok {
		if to.Root == nil {
			return Path{}
		}
		return Path{Root: to.Root, Rest: to.Rest + p.Rest}
	}
	inside := s.To.Node.Pos() <= p.Root.Pos() && p.Root.Pos() < s.To.Node.End()
	if inside || s.Lit == nil && p.Root.Parent() != p.Root.Pkg().Scope() {
		return Path{}
	}
	return p
}

// Literal is the function of a literal in the function's file; nil if it may
// not be edited.
func (fn *Function) Literal(lit *ast.FuncLit) *Function { return fn.space.function(lit) }
