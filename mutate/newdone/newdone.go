package newdone

import (
	_ "embed"
	"go/ast"
	"go/token"
	"slices"
	"strconv"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/chanwait"
)

//go:embed doc.go
var doc string

// Operator lets goroutines end with the function that started them.
var Operator = &mutate.Operator{
	Name: "newdone",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 2, evidence.Blocked: 3, evidence.Timeout: 2,
		evidence.Race: 0.2, evidence.Panic: 0.2, evidence.TestFailure: 0.3,
	},
	Faults: []evidence.Fault{evidence.SenderAlone},
	Needs:  "goroutine that is started here and left alone when the function returns",
	Edits:  edits,
	Apply:  apply,
}

// long is what the edit keeps of its operations' heat, because it takes many
// lines: shorter ones are tried before. Chosen, not measured.
const long = 0.7

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range starts.Of(fn) {
		if s.To == nil || s.Lit == nil && !extensible(s) {
			continue
		}
		e := fn.NewEdit("newdone", s.Stmt)
		e.Heat = 0
		ops := operations(fn, s)
		for _, op := range ops {
			heat, _ := op.Heat(s.To)
			e.Heat, e.Form = max(e.Heat, heat*long), form(s)
		}
		if e.Form == "" {
			continue
		}
		if wait := waited(fn, s, ops); wait != nil {
			e.Other = fn.ID(wait)
		}
		e.Expr = free(fn, s.To)
		if len(out) > 0 { // each goroutine has a channel of its own
			e.Expr = scope.FreeName(fn, e.Expr+strconv.Itoa(len(out)+1))
		}
		out = append(out, e)
	}
	out = append(out, stages(fn)...)
	return append(out, loops(fn)...)
}

// Ways for the goroutine to know the new channel: values of Edit.Form.
const (
	captured  = "captured"
	parameter = "parameter"
	ofLoop    = "loop" // of a value whose loop closes it

	ofStages  = "stages"  // a channel for all goroutines of a pipeline
	ofContext = "context" // a context for them
)

func form(s starts.Start) string {
	if s.Lit != nil {
		return captured
	}
	return parameter
}

// free is a name for the new channel that neither function uses.
func free(fn, to *mutate.Function) string {
	for _, name := range []string{"done", "quit", "stop", "returned"} {
		if scope.FreeName(fn, name) == name && scope.FreeName(to, name) == name {
			return name
		}
	}
	return scope.FreeName(to, scope.FreeName(fn, "returned"))
}

// operations are those of a goroutine that only the function which starts it
// can answer, and that can be given up.
func operations(fn *mutate.Function, s starts.Start) []chanwait.Op {
	return slices.DeleteFunc(chanwait.Ops(s.To), func(op chanwait.Op) bool {
		if !chanwait.Can(s.To, op) || len(chanwait.Ways(s.To, op, chanwait.End{})) == 0 {
			return true
		}
		return slices.ContainsFunc(op.Chan, func(e ast.Expr) bool { return !answered(fn, s.To, e, op) })
	})
}

// answered reports whether the other end of a goroutine's channel is the starting
// function's alone, or that of functions which it calls and waits for.
func answered(fn, to *mutate.Function, e ast.Expr, op chanwait.Op) bool {
	c := to.Channel(e)
	if c == nil || c.Escapes || len(c.Makes) == 0 {
		return false
	}
	others := slices.Concat(c.Receives, c.Ranges)
	if !sends(op, e) {
		others = slices.Concat(c.Sends, c.Closes)
	}
	return len(others) > 0 &&
		!slices.ContainsFunc(others, func(u mutate.ChannelUse) bool { return len(places(fn, u)) == 0 }) &&
		!slices.ContainsFunc(c.Makes, func(u mutate.ChannelUse) bool { return u.Fn != fn })
}

// places are where a function comes to an operation: at itself or, where that is in
// another function, at the calls of that; none if others come to it, too.
func places(fn *mutate.Function, u mutate.ChannelUse) (at []token.Pos) {
	switch {
	case u.Fn == fn:
		return []token.Pos{u.Node.Pos()}
	case u.Fn == nil || u.Fn.Started() || slices.ContainsFunc(u.Fn.Callers(), func(from *mutate.Function) bool { return from != fn }):
		return nil
	}
	for _, c := range fn.Calls(fn.Body.List...) {
		if c.To == u.Fn {
			at = append(at, c.Expr.Pos())
		}
	}
	return at
}

// sends reports whether an operation sends to the channel that an expression of it is.
func sends(op chanwait.Op, e ast.Expr) bool {
	found := false
	look := func(s ast.Stmt) {
		send, ok := s.(*ast.SendStmt)
		found = found || ok && send.Chan == e
	}
	look(op.At)
	if sel, ok := op.At.(*ast.SelectStmt); ok {
		for _, c := range sel.Body.List {
			look(c.(*ast.CommClause).Comm)
		}
	}
	return found
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	switch e.Form {
	case ofLoop:
		return giveUp(m, e)
	case ofStages, ofContext:
		return giveUpStages(m, e)
	}
	s, fn, err := started(m, e)
	if err != nil {
		return err
	}
	for _, op := range operations(fn, s) {
		inner := mutate.Edit{Operator: e.Operator, File: s.To.File.Rel, Line: e.Line, Func: e.Func, Node: s.To.ID(op.At)}
		if err := chanwait.Wrap(m, inner, chanwait.End{Expr: e.Expr}, chanwait.Ways(s.To, op, chanwait.End{})[0]); err != nil {
			return err
		}
	}
	if e.Form == parameter {
		if err := extend(m, e, s); err != nil {
			return err
		}
	}
	anchor := m.StmtOf(e.File, outermost(fn, s))
	if _, _, ok := m.ListOf(e.File, anchor); !ok {
		return mutate.Refuse(e, "another edit moved the go statement")
	}
	made, closes := e.Expr+" := make(chan struct{})", "close("+e.Expr+")"
	if e.Other == 0 {
		return m.InsertSnippet(e.File, anchor, false, made+"\ndefer "+closes)
	}
	if err := m.InsertSnippet(e.File, m.Stmt(e.File, e.Other), false, closes); err != nil {
		return err
	}
	return m.InsertSnippet(e.File, anchor, false, made)
}

// started finds an edit's go statement.
func started(m *mutate.Mutation, e mutate.Edit) (s starts.Start, fn *mutate.Function, err error) {
	fn = m.Function(e.File, e.Node)
	if fn == nil || m.Node(e.File, e.Node) == nil {
		return s, nil, mutate.Refuse(e, "another edit removed the go statement")
	}
	for _, s := range starts.Of(fn) {
		if fn.ID(s.Stmt) == e.Node && s.To != nil {
			return s, fn, nil
		}
	}
	return s, nil, mutate.Refuse(e, "there is no go statement")
}

// outermost is the statement before which the new channel is made: the
// outermost loop around the go statement, or that itself.
func outermost(fn *mutate.Function, s starts.Start) ast.Stmt {
	for _, st := range fn.Statements() {
		at := st.Stmt
		if l, ok := at.(*ast.LabeledStmt); ok {
			at = l.Stmt
		}
		switch at.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if st.Stmt.Pos() <= s.Stmt.Pos() && s.Stmt.End() <= st.Stmt.End() {
				return st.Stmt
			}
		}
	}
	return s.Stmt
}
