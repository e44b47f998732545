package closeguard

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator guards the sends and closes of a channel.
var Operator = &mutate.Operator{
	Name: "closeguard",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Panic: 6, evidence.Race: 2, evidence.TestFailure: 1,
		evidence.Blocked: 1, evidence.Deadlock: 1, evidence.Timeout: 0.5,
	},
	Faults:   []evidence.Fault{evidence.CloseDuringSend, evidence.DoubleClose, evidence.BlockedHoldingLock},
	Needs:    "send to, or close of, a channel that is a field of a value others close",
	Together: together,
	Apply:    apply,
	Adds:     true,
}

// The places of an edit, as the Form of its parts.
const (
	formClose = "close"
	formSend  = "send"
	formEnd   = "end" // a send by a select that the function returns from

	formCounted = "counted" // a send that leaves the lock, and counts itself
	formLater   = "later"   // a close that waits for those
)

// together lists an edit for each channel that can be guarded.
func together(w *mutate.Whole) (out []mutate.Edit) {
	for _, c := range w.Channels() {
		parts := partsOf(c)
		if parts == nil && mayWait(c) {
			if parts = waitingParts(c); parts == nil {
				parts = countedParts(w, c)
			}
		}
		if parts != nil {
			out = append(out, mutate.Composite("closeguard", parts...))
		} else if mayWait(c) {
			for _, failing := range []bool{true, false} {
				if parts := leavingParts(c, failing); parts != nil {
					out = append(out, mutate.Composite("closeguard", parts...))
				}
			}
		}
	}
	return out
}

// partsOf are the edits of all sends and closes of a channel; nil if they cannot all be guarded.
func partsOf(c *mutate.Channel) (parts []mutate.Edit) {
	if c.Escapes || len(c.Sends) == 0 || len(c.Closes) == 0 {
		return nil
	}
	var field *types.Var
	held := map[string]int{}
	for _, u := range slices.Concat(c.Sends, c.Closes) {
		if u.Test || u.Fn == nil {
			return nil
		}
		e, of, ok := part(u)
		if !ok || field != nil && of != field {
			return nil
		}
		field = of
		parts = append(parts, e)
		for _, l := range u.Fn.HeldAt(u.Stmt) {
			held[l.Key]++
		}
	}
	for _, n := range held {
		if n == len(parts) {
			return nil
		}
	}
	return parts
}

// part is the edit of one use.
func part(u mutate.ChannelUse) (e mutate.Edit, field *types.Var, ok bool) {
	fn := u.Fn
	sel, owner, ok := channelField(u)
	if !ok {
		return e, nil, false
	}
	if field = syntax.Field(fn.File.Package.Info, sel); !free(owner, flagOf(field)) {
		return e, nil, false
	}
	var at ast.Stmt = u.Stmt
	form := formClose
	if _, send := u.Node.(*ast.SendStmt); send {
		if u.Select == nil || !syntax.HasDefault(u.Select) {
			return e, nil, false
		}
		at = u.Select
		if form, ok = sendForm(fn, u.Select); !ok {
			return e, nil, false
		}
	} else if _, plain := at.(*ast.ExprStmt); !plain {
		return e, nil, false
	}
	l, ok := fn.Program.NewValue(fn.File, at, analysis.Access{Var: field, Expr: sel}, "sync.Mutex", field.Name()+"Mu", "Mu")
	if !ok {
		return e, nil, false
	}
	e = fn.NewEdit("closeguard", at, at)
	e.Form, e.Lock, e.Expr, e.Sure = form, &l, types.ExprString(sel), true
	return e, field, true
}

// ownerOf is the named struct type that a field is selected from, the generic one where it is an instance.
func ownerOf(t types.Type) *types.TypeName {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	return named.Origin().Obj()
}

// flagOf is the name of the field that says whether a channel is closed.
func flagOf(field *types.Var) string { return field.Name() + "Closed" }

// free reports whether a type has nothing of a name.
func free(t *types.TypeName, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t.Type()), true, t.Pkg(), name)
	return obj == nil
}

// sendForm is how a select is guarded: by itself, if no case leaves it, or to the end of the function,
// which then ends with it.
func sendForm(fn *mutate.Function, s *ast.SelectStmt) (form string, ok bool) {
	leaves := syntax.Any(s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.DeferStmt, *ast.LabeledStmt:
			return true
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			return n.Label != nil || !within(s, n)
		}
		return false
	})
	if !leaves {
		return formSend, true
	}
	list := fn.Body.List
	at := slices.Index(list, ast.Stmt(s))
	if at < 0 || at < len(list)-2 {
		return "", false
	}
	if at == len(list)-2 {
		if _, returns := list[at+1].(*ast.ReturnStmt); !returns {
			return "", false
		}
	}
	body := defaultOf(s)
	if len(body) == 0 {
		return "", false
	}
	_, returns := body[len(body)-1].(*ast.ReturnStmt)
	return formEnd, returns
}

// within reports whether a break or continue ends a statement in a select, and no case of it.
func within(s *ast.SelectStmt, b *ast.BranchStmt) bool {
	return syntax.Any(s.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return n.Pos() <= b.Pos() && b.End() <= n.End()
		}
		return false
	})
}

// defaultOf are the statements of a select's default case.
func defaultOf(s *ast.SelectStmt) []ast.Stmt {
	for _, c := range s.Body.List {
		if clause, ok := c.(*ast.CommClause); ok && clause.Comm == nil {
			return clause.Body
		}
	}
	return nil
}
