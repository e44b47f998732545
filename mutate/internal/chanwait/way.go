package chanwait

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/syncops"
)

// Ways to go on when an end has come: values of Edit.Form.
const (
	Return = "return" // with zero results
	Error  = "error"  // return with the error of what has ended
	Break  = "break"  // out of the loop
	On     = "on"     // with what follows
)

// Ways lists how the function may go on when an operation is given up for an
// end, the likeliest first. It does not go on into an endless loop, nor with
// a value that it has not received, nor to report success or an error that it
// would have to invent. A channel that belongs to one of the values which a loop
// goes over concerns that value alone: the loop goes on with the next.
func Ways(fn *mutate.Function, op Op, s End) []string {
	if s.Context == "" && perTurn(fn, op, s) && !op.Gives() {
		return []string{On}
	}
	if fails(fn) {
		if _, ok := leave(fn, op, Error, s); ok {
			return []string{Error}
		}
		return nil
	}
	if r, ok := op.At.(*ast.RangeStmt); ok {
		if Ticks(fn, r.X) && last(fn, op.At) && fn.Type.Results == nil {
			return []string{Return}
		}
		return []string{Break}
	}
	loop := op.Loop(fn)
	if last(fn, op.At) && loop == nil && fn.Type.Results == nil && !op.Gives() {
		return []string{On} // which is to return
	}
	var ways []string
	_, returns := leave(fn, op, Return, s)
	if returns {
		ways = append(ways, Return)
	}
	switch {
	case loop != nil && (!returns || !last(fn, loop) && !nested(fn, loop)):
		ways = append(ways, Break)
	case loop == nil && !op.Gives() && fn.Type.Results == nil:
		ways = append(ways, On)
	}
	return ways
}

// nested reports whether a loop is in another one of the function, which would go on although the end has come.
func nested(fn *mutate.Function, loop ast.Stmt) bool {
	return slices.ContainsFunc(fn.Statements(), func(st mutate.Statement) bool {
		body := syncops.LoopBody(st.Stmt)
		return body != nil && st.Stmt != loop && syntax.Within(loop, ast.Node(body))
	})
}

// perTurn reports whether an end is reached through a variable of the loop around
// an operation, which goes over something that has an end itself.
func perTurn(fn *mutate.Function, op Op, s End) bool {
	loop, name := op.Loop(fn), s.Expr
	name, _, _ = strings.Cut(name, ".")
	scope := fn.File.Package.Types.Scope().Innermost(op.At.Pos())
	over, ok := loop.(*ast.RangeStmt)
	if !ok || scope == nil {
		return false
	}
	_, v := scope.LookupParent(name, op.At.Pos())
	return v != nil && over.Pos() <= v.Pos() && v.Pos() < over.End()
}

// fails reports whether the function's last result is an error.
func fails(fn *mutate.Function) bool {
	sig, ok := signature(fn)
	if !ok || sig.Results().Len() == 0 {
		return false
	}
	return syntax.IsError(sig.Results().At(sig.Results().Len() - 1).Type())
}

// Leaves reports whether the function can go a way at an operation, with no end to take
// an error from.
func Leaves(fn *mutate.Function, op Op, way string) bool {
	_, ok := leave(fn, op, way, End{})
	return ok
}

// leave is the statement that goes one way, as text; "" for [On]. A break needs
// a label, because it is in a select.
func leave(fn *mutate.Function, op Op, way string, s End) (text string, ok bool) {
	_, ranges := op.At.(*ast.RangeStmt)
	switch {
	case way == On || ranges && way == Break: // a loop over a channel is left by what is made of it
		return "", true
	case way == Break:
		loop := op.Loop(fn)
		if loop == nil {
			return "", false
		}
		name, _ := label(fn, loop)
		return "break " + name, true
	}
	results, ok := zeroes(fn, op, way == Error, s)
	if !ok {
		return "", false
	}
	return strings.TrimSpace("return " + results), true
}

// zeroes are the results that a function returns when it gives up, as text.
func zeroes(fn *mutate.Function, op Op, withError bool, s End) (text string, ok bool) {
	sig, isSig := signature(fn)
	if !isSig {
		return "", false
	}
	n, fails := sig.Results().Len(), fails(fn)
	if withError != fails {
		return "", false
	}
	err := ""
	if fails {
		if err, ok = failure(fn, op, s); !ok {
			return "", false
		}
	}
	if n > 0 && !fails && sig.Results().At(0).Name() != "" {
		return "", true // a bare return
	}
	var values []string
	for i := range n {
		if fails && i == n-1 {
			values = append(values, err)
			break
		}
		zero, ok := typetext.Zero(fn, sig.Results().At(i).Type(), op.At.Pos())
		if !ok {
			return "", false
		}
		values = append(values, zero)
	}
	return strings.Join(values, ", "), true
}

func signature(fn *mutate.Function) (*types.Signature, bool) {
	info := fn.File.Package.Info
	switch n := fn.Node.(type) {
	case *ast.FuncDecl:
		if f, ok := info.Defs[n.Name].(*types.Func); ok {
			return f.Signature(), true
		}
	case *ast.FuncLit:
		sig, ok := info.TypeOf(n).(*types.Signature)
		return sig, ok
	}
	return nil, false
}

// label is that of a loop, or the one to give it.
func label(fn *mutate.Function, loop ast.Stmt) (name string, labelled bool) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok && l.Stmt == loop {
			name, labelled = l.Label.Name, true
		}
		return !labelled
	})
	if labelled {
		return name, true
	}
	return scope.FreeName(fn, "loop"), false
}
