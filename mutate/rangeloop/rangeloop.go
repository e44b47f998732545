package rangeloop

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/syncops"
	"mendel/mutate/internal/tree"
)

//go:embed doc.go
var doc string

// Operator ends receiving loops with their channel.
var Operator = &mutate.Operator{
	Name: "rangeloop",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Timeout: 4, evidence.Blocked: 2, evidence.Deadlock: 2, evidence.TestFailure: 2, evidence.Panic: 2,
		evidence.Race: 0.2,
	},
	Faults: []evidence.Fault{evidence.CapturedVariable},
	Needs:  "loop that receives from a channel and does not end with it",
	Edits:  edits,
	Apply:  apply,
}

// The ways to end, as Edit.Form.
const (
	formRange   = "range"
	formCase    = "case"
	formCollect = "collect" // a list is filled with what comes, not with as many as were counted
)

// unclosed is what an edit keeps of its heat when nobody closes the channel; chosen, not measured.
const unclosed = 0.3

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, st := range fn.Statements() {
		s := st.Stmt
		if l, ok := s.(*ast.LabeledStmt); ok {
			s = l.Stmt
		}
		loop, ok := s.(*ast.ForStmt)
		if !ok || len(loop.Body.List) == 0 {
			continue
		}
		if c, ok := countedLoop(fn, st, loop); ok {
			out = append(out, countedEdit(fn, c))
		}
		if loop.Init != nil || loop.Cond != nil || loop.Post != nil {
			continue
		}
		if recv, ok := first(loop); ok && ends(fn, loop, recv.X) && mayEnd(fn, loop) {
			e := edit(fn, formRange, loop, recv.X)
			out = append(out, e)
		}
		out = append(out, cases(fn, loop)...)
	}
	return out
}

func edit(fn *mutate.Function, form string, at ast.Node, ch ast.Expr) mutate.Edit {
	e := fn.NewEdit("rangeloop", at)
	e.Form = form
	if len(fn.Channel(ch).Closes) == 0 {
		e.Doubt(unclosed)
	}
	return e
}

// first is the receive that a loop begins with.
func first(loop *ast.ForStmt) (recv *ast.UnaryExpr, ok bool) {
	switch s := loop.Body.List[0].(type) {
	case *ast.ExprStmt:
		return receive(s.X)
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
			return nil, false
		}
		if _, name := s.Lhs[0].(*ast.Ident); name {
			return receive(s.Rhs[0])
		}
	}
	return nil, false
}

func receive(e ast.Expr) (*ast.UnaryExpr, bool) {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return u, ok && u.Op == token.ARROW
}

// ends reports whether a loop receives from one channel of the module throughout.
func ends(fn *mutate.Function, loop *ast.ForStmt, ch ast.Expr) bool {
	root := fn.Path(ch).Root
	if root == nil || fn.Channel(ch) == nil || loop.Pos() <= root.Pos() && root.Pos() < loop.End() {
		return false
	}
	return !fn.Reassigns(types.ExprString(ch), loop.Body.List...)
}

// mayEnd reports whether the function may go on behind a loop: with results it
// would need a return.
func mayEnd(fn *mutate.Function, loop *ast.ForStmt) bool {
	if fn.Type.Results == nil {
		return true
	}
	last := fn.Body.List[len(fn.Body.List)-1]
	return last.End() < loop.Pos() || loop.End() < last.Pos()
}

// cases lists the edits of the selects of a loop.
func cases(fn *mutate.Function, loop *ast.ForStmt) []mutate.Edit {
	if !bareReturn(fn) {
		return nil
	}
	var out []mutate.Edit
	for _, s := range loop.Body.List {
		sel, ok := s.(*ast.SelectStmt)
		if !ok {
			continue
		}
		for _, c := range sel.Body.List {
			clause := c.(*ast.CommClause)
			recv, ok := bound(clause)
			if !ok || !ends(fn, loop, recv.X) || stops(fn, clause) {
				continue
			}
			e := edit(fn, formCase, clause, recv.X)
			e.Expr = okName(fn, clause)
			out = append(out, e)
		}
	}
	return out
}

// bareReturn reports whether the function can return without naming results.
func bareReturn(fn *mutate.Function) bool {
	r := fn.Type.Results
	return r == nil || len(r.List) == 0 || len(r.List[0].Names) > 0
}

// bound is the receive of a case that can report whether the channel is closed,
// or could if it bound one more variable.
func bound(clause *ast.CommClause) (*ast.UnaryExpr, bool) {
	switch s := clause.Comm.(type) {
	case *ast.ExprStmt:
		return receive(s.X)
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return receive(s.Rhs[0])
		}
	}
	return nil, false
}

// stops reports whether a case leaves the loop: always, or, where it knows that
// the channel is closed, anywhere.
func stops(fn *mutate.Function, clause *ast.CommClause) bool {
	leaving := 0
	for _, exit := range exits.Of(fn, clause.Body...) {
		if b, ok := exit.(*ast.BranchStmt); ok && (b.Tok == token.CONTINUE || b.Tok == token.BREAK && b.Label == nil) {
			continue
		}
		leaving++
	}
	if knows(clause) != "" {
		return leaving > 0
	}
	return len(clause.Body) > 0 && exits.Terminates(fn, clause.Body[len(clause.Body)-1])
}

// knows is the variable of a case that reports whether the channel is open; "": there is none.
func knows(clause *ast.CommClause) string {
	s, ok := clause.Comm.(*ast.AssignStmt)
	if !ok || len(s.Lhs) != 2 {
		return ""
	}
	if id, ok := s.Lhs[1].(*ast.Ident); ok && id.Name != "_" {
		return id.Name
	}
	return ""
}

// okName is the variable to ask, of the case or a new one.
func okName(fn *mutate.Function, clause *ast.CommClause) string {
	if name := knows(clause); name != "" {
		return name
	}
	return scope.FreeName(fn, "ok")
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	switch n := m.Node(e.File, e.Node).(type) {
	case *dst.ForStmt:
		if e.Form == formCollect {
			return collect(m, e, n)
		}
		return rangeOver(m, e, n)
	case *dst.CommClause:
		return ask(e, n)
	}
	return mutate.Refuse(e, "another edit removed the loop")
}

// rangeOver makes a loop that begins with a receive one over the channel.
func rangeOver(m *mutate.Mutation, e mutate.Edit, loop *dst.ForStmt) error {
	if len(loop.Body.List) == 0 {
		return mutate.Refuse(e, "another edit emptied the loop")
	}
	over := &dst.RangeStmt{Tok: token.ILLEGAL, Body: loop.Body}
	received := loop.Body.List[0]
	switch s := received.(type) {
	case *dst.ExprStmt:
		over.X = syncops.Received(s.X)
	case *dst.AssignStmt:
		if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
			over.X = syncops.Received(s.Rhs[0])
			if id, ok := s.Lhs[0].(*dst.Ident); ok && id.Name != "_" {
				over.Key, over.Tok = id, s.Tok
			}
		}
	}
	if over.X == nil {
		return mutate.Refuse(e, "another edit changed the receive")
	}
	if err := m.Remove(e.File, received); err != nil {
		return err
	}
	return m.Replace(e.File, loop, over)
}

// ask makes a case return when its channel is closed.
func ask(e mutate.Edit, clause *dst.CommClause) error {
	switch s := clause.Comm.(type) {
	case *dst.ExprStmt:
		clause.Comm = &dst.AssignStmt{Lhs: []dst.Expr{dst.NewIdent("_"), dst.NewIdent(e.Expr)}, Tok: token.DEFINE, Rhs: []dst.Expr{s.X}}
	case *dst.AssignStmt:
		if len(s.Lhs) == 1 {
			s.Lhs = append(s.Lhs, nil)
		}
		s.Lhs[1] = dst.NewIdent(e.Expr)
	default:
		return mutate.Refuse(e, "another edit changed the case")
	}
	check, err := tree.Snippet("if !" + e.Expr + " {\n\treturn\n}")
	if err != nil {
		return err
	}
	check[0].Decorations().Before, check[0].Decorations().After = dst.NewLine, dst.NewLine
	if len(clause.Body) > 0 {
		clause.Body[0].Decorations().Before = dst.NewLine
	}
	clause.Body = append(check, clause.Body...)
	return nil
}
