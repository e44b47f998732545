package copyarg

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/capture"
)

// turns lists the edits that give each turn of a loop variables of its own, in
// a file where the turns share them: those that somebody may still use when the
// next turn has begun.
func turns(fn *mutate.Function) []mutate.Edit {
	if capture.PerIteration(fn) {
		return nil
	}
	started := make(map[*ast.FuncLit]bool)
	for _, s := range capture.Starts(fn) {
		started[s.Lit] = true
	}
	var out []mutate.Edit
	for _, st := range fn.Statements() {
		loop := st.Stmt
		if l, ok := loop.(*ast.LabeledStmt); ok {
			loop = l.Stmt
		}
		defined, body := header(fn, loop)
		var names, vars []string
		for _, v := range defined {
			if !analysis.HoldsLock(v.Type()) && outlives(fn, body, v, started) {
				names, vars = append(names, v.Name()), append(vars, fn.VarName(v))
			}
		}
		if len(names) == 0 {
			continue
		}
		e := fn.NewEdit("copyarg", loop, body.List...)
		e.Form, e.Vars = turn, vars
		e.Expr = strings.Join(names, ", ") + " := " + strings.Join(names, ", ")
		e.Note = "before Go 1.22 all turns share " + syntax.Enumerate(names)
		out = append(out, e)
	}
	return out
}

// header lists the variables that a loop defines and that keep their value for
// the whole of a turn.
func header(fn *mutate.Function, loop ast.Stmt) (defined []*types.Var, body *ast.BlockStmt) {
	var lhs []ast.Expr
	switch s := loop.(type) {
	case *ast.RangeStmt:
		if s.Tok == token.DEFINE {
			lhs, body = []ast.Expr{s.Key, s.Value}, s.Body
		}
	case *ast.ForStmt:
		if init, ok := s.Init.(*ast.AssignStmt); ok && init.Tok == token.DEFINE {
			lhs, body = init.Lhs, s.Body
		}
	}
	for _, e := range lhs {
		id, ok := e.(*ast.Ident)
		if !ok || id.Name == "_" {
			continue
		}
		if v, ok := fn.File.Package.Info.Defs[id].(*types.Var); ok && !fn.Reassigns(id.Name, body.List...) {
			defined = append(defined, v)
		}
	}
	return defined, body
}

// outlives reports whether a variable of a loop may be used behind the turn: its
// address is taken, or a function literal has it that runs nobody knows when.
// The literals that are started have forms of their own, unless they take the address.
func outlives(fn *mutate.Function, body *ast.BlockStmt, v *types.Var, started map[*ast.FuncLit]bool) bool {
	info, found := fn.File.Package.Info, false
	syntax.Walk(body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || found || info.Uses[id] != types.Object(v) {
			return
		}
		at := slices.IndexFunc(path, func(n ast.Node) bool { _, lit := n.(*ast.FuncLit); return lit })
		starts := slices.ContainsFunc(path, func(n ast.Node) bool { _, is := n.(*ast.GoStmt); return is })
		switch addressed(info, path, id) {
		case explicit:
			found = starts || at >= 0 || fn.Narrowing.Shared(v)
		case method: // it matters where that goes on behind the statement
			found = starts || at >= 0
		default:
			found = fn.Narrowing.Shared(v) && at > 0 && !started[path[at].(*ast.FuncLit)] && !called(path, at)
		}
	})
	return found
}

// called reports whether the literal at an index of a path is called where it stands.
func called(path []ast.Node, at int) bool {
	call, ok := path[at-1].(*ast.CallExpr)
	return ok && ast.Unparen(call.Fun) == path[at]
}

// An address is how the address of a variable is taken.
type address int

const (
	none     address = iota
	explicit         // &v.Name, v.array[:]
	method           // by calling a method that has a pointer for a receiver
)

// addressed says how the address of a variable, or of a part of it, is taken
// where a path of nodes names it.
func addressed(info *types.Info, path []ast.Node, id *ast.Ident) address {
	var part ast.Expr = id
	for _, n := range slices.Backward(path) {
		_, pointer := info.TypeOf(part).Underlying().(*types.Pointer)
		switch n := n.(type) {
		case *ast.ParenExpr:
			part = n
			continue
		case *ast.SelectorExpr:
			s := info.Selections[n]
			switch {
			case s == nil || pointer:
				return none
			case s.Kind() == types.FieldVal:
				part = n
				continue
			}
			if _, byPointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer); byPointer {
				return method
			}
		case *ast.IndexExpr:
			if _, array := info.TypeOf(n.X).Underlying().(*types.Array); array && n.X == part {
				part = n
				continue
			}
		case *ast.SliceExpr:
			if _, array := info.TypeOf(n.X).Underlying().(*types.Array); array && n.X == part {
				return explicit
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				return explicit
			}
		}
		return none
	}
	return none
}

// applyTurn declares the variables anew at the head of the loop.
func applyTurn(m *mutate.Mutation, e mutate.Edit) error {
	var body *dst.BlockStmt
	switch loop := m.Node(e.File, e.Node).(type) {
	case *dst.ForStmt:
		body = loop.Body
	case *dst.RangeStmt:
		body = loop.Body
	}
	if body == nil || len(body.List) == 0 {
		return mutate.Refuse(e, "another edit changed the loop")
	}
	return m.InsertSnippet(e.File, body.List[0], false, "// "+e.Note+"\n"+e.Expr)
}
