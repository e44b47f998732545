package drain

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/syncops"
)

//go:embed doc.go
var doc string

// Operator receives what is left in a channel whose receiver stops early.
var Operator = &mutate.Operator{
	Name: "drain",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Blocked: 3, evidence.Deadlock: 3, evidence.Timeout: 2,
		evidence.Race: 0.2, evidence.Panic: 0.3, evidence.TestFailure: 0.4,
	},
	Faults:   []evidence.Fault{evidence.SenderAlone},
	Needs:    "receiver that may stop before the senders of its channel do",
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

// The ways to drain, as Edit.Form.
const (
	formDefer = "defer"
	formGo    = "go"
	formAfter = "after"
	// The senders are told to end, by a context of the loop's own, and a channel without a name gets one.
	formCancel      = "cancel"
	formCancelAfter = "cancel after"
)

// endless is what an edit keeps of its belief when nothing bounds what a sender sends: all
// of it would be read, and thrown away. Chosen, not measured.
const endless = 0.3

// unclosed is what an edit keeps of its heat when nobody closes the channel; chosen, not measured.
const unclosed = 0.5

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, st := range fn.Statements() {
		loop := unlabelled(st.Stmt)
		for _, ch := range received(fn, loop) {
			c := fn.Channel(ch)
			if !drainable(fn, c, loop) {
				continue
			}
			if over, ok := loop.(*ast.RangeStmt); ok && len(c.Closes) > 0 {
				out = append(out, told(fn, st, over, c)...)
			}
			if scope.Means(fn, ch, st.Stmt.Pos()) {
				out = append(out, forms(fn, st.Stmt, loop, ch, c)...)
			}
		}
	}
	return out
}

// unlabelled is a statement without its label.
func unlabelled(s ast.Stmt) ast.Stmt {
	if l, ok := s.(*ast.LabeledStmt); ok {
		return l.Stmt
	}
	return s
}

// exits are how a loop is left early; ok is false where a goto does.
func leaving(fn *mutate.Function, loop ast.Stmt) (returns, breaks []ast.Stmt, ok bool) {
	for _, exit := range exits.Of(fn, syncops.LoopBody(loop).List...) {
		b, branch := exit.(*ast.BranchStmt)
		switch {
		case !branch:
			returns = append(returns, exit)
		case b.Tok == token.BREAK:
			breaks = append(breaks, exit)
		case b.Tok == token.GOTO:
			return nil, nil, false
		}
	}
	return returns, breaks, true
}

// told lists the edits of a loop over what a call of the program's sends, which is told to end or has no
// name yet.
func told(fn *mutate.Function, st mutate.Statement, over *ast.RangeStmt, c *mutate.Channel) []mutate.Edit {
	s, ok := sourceOf(fn, st, over)
	if !ok || s.given == "" && s.name != "" || fn.Loops(st.Stmt) || s.name != "" && fn.Reassigns(s.name, over.Body.List...) {
		return nil
	}
	returns, breaks, ok := leaving(fn, over)
	form := formCancel
	switch {
	case !ok || len(returns)+len(breaks) == 0:
		return nil
	case len(returns) == 0:
		form = formCancelAfter
	}
	e := s.edit(fn, form, c)
	e.Heat = syncops.Heat(fn, e.Heat, senders(fn, c)...)
	// What the call starts may be without end, unless something there asks the context.
	asks := s.given != "" && asksContext(fn.Declared(syntax.Callee(fn.File.Package.Info, s.call.Fun)), maxAsked)
	if !asks && slices.ContainsFunc(c.Sends, unbounded) {
		e.Doubt(endless)
		e.Flags, e.Sure = []mutate.Flag{mutate.Discards}, false
	}
	return []mutate.Edit{e}
}

// together lists, for each deferred drain of a goroutine that also forgets to
// tell when it stops early, the edit of both: a sender that can go on may wait
// for the receiver's end next.
func together(w *mutate.Whole) []mutate.Edit {
	var out []mutate.Edit
	for _, d := range w.EditsOf("drain") {
		if d.Form != formDefer {
			continue
		}
		for _, e := range w.EditsOf("deferclose") {
			if (e.Form == "move" || e.Form == "send") && e.File == d.File && e.Func == d.Func {
				out = append(out, mutate.Composite("drain", d, e))
			}
		}
	}
	return out
}

// received lists the channels that a loop receives from, again and again.
func received(fn *mutate.Function, loop ast.Stmt) []ast.Expr {
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		if syncops.IsChan(fn, loop.X) {
			return []ast.Expr{loop.X}
		}
	case *ast.ForStmt:
		if loop.Cond == nil {
			return receives(fn, loop)
		}
	}
	return nil
}

// receives lists the channels that statements of a loop's body, or cases of a
// select there, receive from.
func receives(fn *mutate.Function, loop *ast.ForStmt) []ast.Expr {
	var found []ast.Expr
	seen := make(map[mutate.Path]bool)
	add := func(s ast.Stmt) {
		op, ok := syncops.Of(fn, s)
		if !ok || op.Kind != syncops.Receive {
			return
		}
		if p := fn.Path(op.On); p.Root != nil && !seen[p] {
			seen[p] = true
			found = append(found, op.On)
		}
	}
	for _, s := range loop.Body.List {
		sel, ok := s.(*ast.SelectStmt)
		if !ok {
			add(s)
			continue
		}
		for _, c := range sel.Body.List {
			if comm := c.(*ast.CommClause).Comm; comm != nil {
				add(comm)
			}
		}
	}
	return found
}

// drainable reports whether others send on a channel that a loop receives from,
// and may close it.
func drainable(fn *mutate.Function, c *mutate.Channel, loop ast.Stmt) bool {
	if c == nil || len(syncops.In(fn, c.Closes)) > 0 {
		return false
	}
	if own := len(syncops.In(fn, c.Sends)); own > 0 && own == len(c.Sends) {
		return false
	}
	_, over := loop.(*ast.RangeStmt)
	return over || len(c.Closes) > 0 && len(c.Sends) > 0
}

// unbounded reports whether a send is in a loop of its function that only what comes from
// elsewhere may end: one without a condition, or over a channel or iterator.
func unbounded(u mutate.ChannelUse) (found bool) {
	if u.Fn == nil {
		return false
	}
	for _, st := range u.Fn.Statements() {
		loop := st.Stmt
		if l, ok := loop.(*ast.LabeledStmt); ok {
			loop = l.Stmt
		}
		if loop.Pos() > u.Node.Pos() || u.Node.End() > loop.End() {
			continue
		}
		switch loop := loop.(type) {
		case *ast.ForStmt:
			found = found || loop.Cond == nil
		case *ast.RangeStmt:
			_, iterates := u.Fn.File.Package.Info.TypeOf(loop.X).Underlying().(*types.Signature)
			found = found || iterates || syncops.IsChan(u.Fn, loop.X)
		}
	}
	return found
}

// maxAsked is how many calls deep a question to a context is looked for.
const maxAsked = 3

// asksContext reports whether a function, or one that it calls by name, asks a context whether it has ended:
// that what others are called with is given one need not end it.
func asksContext(fn *mutate.Function, calls int) bool {
	if fn == nil {
		return false
	}
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		f := syntax.Callee(fn.File.Package.Info, call.Fun)
		switch {
		case f == nil:
			return false
		case f.FullName() == "(context.Context).Done" || f.FullName() == "(context.Context).Err":
			return true
		}
		return calls > 0 && asksContext(fn.Declared(f), calls-1)
	})
}

// senders are the sends on a channel or, where none is known, those on others
// with its type of elements: it may be known to them as another type.
func senders(fn *mutate.Function, c *mutate.Channel) []mutate.ChannelUse {
	if len(c.Sends) > 0 {
		return c.Sends
	}
	var found []mutate.ChannelUse
	for _, pkg := range fn.Program.Packages {
		for _, f := range pkg.Files {
			ast.Inspect(f.AST, func(n ast.Node) bool {
				s, ok := n.(*ast.SendStmt)
				if !ok {
					return true
				}
				if t := pkg.Info.TypeOf(s.Chan); t != nil && types.Identical(elem(t), c.Elem) {
					found = append(found, mutate.ChannelUse{Expr: s.Chan, Node: s, Stmt: s})
				}
				return true
			})
		}
	}
	return found
}

func elem(t types.Type) types.Type {
	if c, ok := t.Underlying().(*types.Chan); ok {
		return c.Elem()
	}
	return nil
}

func forms(fn *mutate.Function, stmt, loop ast.Stmt, ch ast.Expr, c *mutate.Channel) []mutate.Edit {
	returns, breaks, ok := leaving(fn, loop)
	if !ok {
		return nil
	}
	var out []mutate.Edit
	add := func(form string, at, covered ast.Stmt) {
		e := fn.NewEdit("drain", at, covered)
		e.Form, e.Expr, e.Flags = form, types.ExprString(ch), []mutate.Flag{mutate.Discards}
		if len(c.Closes) == 0 {
			e.Heat *= unclosed
		}
		e.Heat = syncops.Heat(fn, e.Heat, senders(fn, c)...)
		if slices.ContainsFunc(c.Sends, unbounded) {
			e.Doubt(endless)
		}
		out = append(out, e)
	}
	if len(returns) > 0 && !fn.Loops(stmt) && !fn.Reassigns(types.ExprString(ch), syncops.LoopBody(loop).List...) {
		add(formDefer, stmt, loop)
	}
	if len(returns) == 1 {
		add(formGo, returns[0], returns[0])
	}
	if len(breaks) > 0 && len(returns) == 0 {
		add(formAfter, stmt, loop)
	}
	return out
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == formCancel || e.Form == formCancelAfter {
		return applySource(m, e)
	}
	at := m.Stmt(e.File, e.Node)
	rest := "for range " + e.Expr + " { // let the senders end\n}"
	switch e.Form {
	case formDefer:
		rest = "defer func() {\n" + rest + "\n}()"
	case formGo:
		rest = "go func() {\n" + rest + "\n}()"
	}
	return m.InsertSnippet(e.File, at, e.Form == formAfter, rest)
}
