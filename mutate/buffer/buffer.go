package buffer

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/chanwait"
	"mendel/mutate/internal/syncops"
	"mendel/mutate/internal/tree"
)

//go:embed doc.go
var doc string

// Operator makes room in channels.
var Operator = &mutate.Operator{
	Name: "buffer",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 3, evidence.Blocked: 4, evidence.Timeout: 3,
		evidence.Race: 0.2, evidence.Panic: 0.3, evidence.TestFailure: 0.5,
	},
	Faults:   []evidence.Fault{evidence.SenderAlone, evidence.BufferSize},
	Needs:    "make of a channel that others send to, of which the size is a constant",
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

// What becomes the comment.
const (
	noteOne   = "buffered: the sender must not wait for its receiver"
	noteCount = "room for all senders: the receiver may have left"
	noteMore  = "room for senders whose receiver has left"
)

// edits lists, for each make of a channel that is sent to, the sizes to try.
func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	statements := fn.Statements()
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if c := made(fn, n); c != nil && len(c.Sends) > 0 {
				if len(sizes(fn, n, c)) == 0 {
					fn.Decline(n, "there is room for all that is sent, the receiver is what waits, or it is a semaphore of which the size is given")
				}
				at := mutate.Innermost(statements, n)
				for i, s := range sizes(fn, n, c) {
					e := fn.NewEdit("buffer", n)
					e.Expr, e.Note = s.expr, s.note
					if at.Stmt != nil {
						e.Other = fn.ID(at.Stmt)
					}
					// The plainer of two that fit equally is tried first.
					e.Heat = heat(fn, c, e.Heat)
					e.Doubt(alone * s.fits * (1 - 0.01*float64(i)))
					if postpones(fn, n, c) || s.short {
						e.Flags = []mutate.Flag{mutate.Postpones}
					}
					if again(fn, n, c) {
						e.Doubt(postponed)
					}
					out = append(out, e)
				}
			}
		}
		return true
	})
	return out
}

// made is the channel that a call makes; nil if it makes none.
func made(fn *mutate.Function, call *ast.CallExpr) *mutate.Channel {
	if syntax.Builtin(fn.File.Package.Info, call) != "make" {
		return nil
	}
	return fn.Channel(call)
}

// postpones reports whether room in a channel is used up sooner or later: a method sends to
// a channel of its receiver, as often as it is called, or a loop does, itself or in goroutines
// that it starts, and they wait until there is room. Where the sends can be counted it is not.
func postpones(fn *mutate.Function, call *ast.CallExpr, c *mutate.Channel) bool {
	if _, known := count(fn, call, c); known || !slices.ContainsFunc(c.Sends, func(u mutate.ChannelUse) bool { return !last(u) }) {
		return false
	}
	return slices.ContainsFunc(c.Sends, func(u mutate.ChannelUse) bool {
		return u.Select == nil && u.Fn != nil && !u.Test &&
			(ofReceiver(u.Fn, u.Expr) || repeats(u) || !fn.Loops(call) && syncops.StartedInLoop(u.Fn))
	})
}

// last reports whether a send is the last thing that a function does which runs once for the channel: with others of this
// kind in the function it makes one value.
func last(u mutate.ChannelUse) bool {
	if u.Fn == nil || u.Test || u.Select != nil {
		return false
	}
	once, more := syncops.Once(u.Fn, u.Fn.Path(u.Expr))
	return once && !more && slices.ContainsFunc(u.Fn.Statements(), func(st mutate.Statement) bool {
		if ast.Node(st.Stmt) != u.Node || st.Index+1 >= len(st.List) {
			return false
		}
		_, returns := st.List[st.Index+1].(*ast.ReturnStmt)
		return returns
	})
}

// repeats reports whether a loop sends again and again to a channel that it has not got in the
// same turn.
func repeats(u mutate.ChannelUse) bool {
	root := u.Fn.Path(u.Expr).Root
	return root != nil && syntax.Any(u.Fn.Body, func(n ast.Node) bool {
		body := syncops.LoopBody(statement(n))
		return body != nil && syntax.Within(u.Node, ast.Node(body)) && (root.Pos() < body.Pos() || root.Pos() >= body.End())
	})
}

// statement is a node that is one; nil if it is none.
func statement(n ast.Node) ast.Stmt {
	s, _ := n.(ast.Stmt)
	return s
}

// ofReceiver reports whether an expression is a field of the receiver of the method that a
// function is, or is in.
func ofReceiver(fn *mutate.Function, e ast.Expr) bool {
	path := fn.Path(e)
	if path.Root == nil {
		return false
	}
	for _, d := range fn.File.AST.Decls {
		if m, ok := d.(*ast.FuncDecl); ok && m.Recv != nil && m.Pos() <= e.Pos() && e.End() <= m.End() {
			for _, f := range m.Recv.List {
				return slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return fn.File.Package.Info.Defs[id] == path.Root })
			}
		}
	}
	return false
}

// A size is what a channel's capacity may become.
type size struct {
	expr, note string
	fits       float64 // the belief in the edit
	short      bool    // less than all that is sent
}

// guessed is for places more than somebody has chosen; chosen, not measured.
const guessed = 0.6

// postponed is what is left of the belief where more may be sent than any room holds:
// what blocks now blocks later. Chosen, not measured.
const postponed = 0.4

// again reports whether a receiver takes one value after the other until it ends, and
// others may send any number: they need to learn that it has ended.
func again(fn *mutate.Function, call *ast.CallExpr, c *mutate.Channel) bool {
	if _, known := count(fn, call, c); known {
		return false
	}
	receives := slices.Concat(c.Receives, c.Ranges)
	return len(receives) > 0 && !slices.ContainsFunc(receives, func(u mutate.ChannelUse) bool {
		_, ranges := u.Node.(*ast.RangeStmt)
		return !ranges && (u.Fn == nil || !u.Fn.Loops(u.Node))
	})
}

func sizes(fn *mutate.Function, call *ast.CallExpr, c *mutate.Channel) []size {
	if chanwait.Semaphore(c) {
		return limit(fn, call)
	}
	number, known := count(fn, call, c)
	if len(call.Args) == 1 || chanwait.Capacity(fn, call) == 0 {
		s := number.String()
		out := []size{{"1", noteOne, 1, known && s != "1"}}
		switch {
		case !known:
			out = append(out, size{expr: "2", note: noteMore, fits: guessed})
		case s != "1":
			out = append(out, size{expr: s, note: noteCount, fits: 1})
		}
		return out
	}
	if evidence := seen(fn, c); evidence.receiver && !evidence.sender {
		return nil
	}
	if known && number.per.path.Root == nil && int64(number.n) <= chanwait.Capacity(fn, call) {
		return nil // there is room for all
	}
	out := []size{{expr: added(fn, call, 1), note: noteMore, fits: guessed}, {expr: added(fn, call, 2), note: noteMore, fits: guessed}}
	if known && number.per.path.Root != nil && plain(fn, call.Args[1]) {
		out = append(out, size{expr: operand(call.Args[1]) + "+" + number.String(), note: noteCount, fits: 1})
	}
	return out
}

// limit is the size of a semaphore that is made smaller than the number which it is
// made from. How many may be in at a time is not ours to choose otherwise.
func limit(fn *mutate.Function, call *ast.CallExpr) []size {
	less, ok := ast.Unparen(call.Args[1]).(*ast.BinaryExpr)
	if !ok || less.Op != token.SUB || !syntax.Constant(fn.File.Package.Info, less.Y) || syntax.Constant(fn.File.Package.Info, less.X) {
		return nil
	}
	return []size{{expr: types.ExprString(less.X), fits: guessed}}
}

// plain reports whether len of something can be added to an expression.
func plain(fn *mutate.Function, e ast.Expr) bool {
	t, ok := types.Unalias(fn.File.Package.Info.TypeOf(e)).(*types.Basic)
	return ok && (t.Kind() == types.Int || t.Info()&types.IsUntyped != 0)
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	call, ok := m.Node(e.File, e.Node).(*dst.CallExpr)
	if !ok {
		return mutate.Refuse(e, "another edit removed the make")
	}
	was, _ := m.Syntax(e.File, e.Node).(*ast.CallExpr)
	if was == nil || len(call.Args) != len(was.Args) || len(was.Args) > 1 && m.Of(e.File, was.Args[1]) != call.Args[1] {
		return mutate.Refuse(e, "the channel has another capacity already")
	}
	call.Args = append(call.Args[:1], tree.Expr(e.Expr))
	comment(m, e)
	return nil
}

// comment puts the note behind the field of a literal that the make is the value
// of, if that has a line of its own, or else above the statement.
func comment(m *mutate.Mutation, e mutate.Edit) {
	at, _ := m.Node(e.File, e.Other).(dst.Stmt)
	if at == nil || e.Note == "" {
		return
	}
	text, call := "// "+e.Note, m.Node(e.File, e.Node)
	decs := &at.Decorations().Start
	dst.Inspect(at, func(n dst.Node) bool {
		if kv, ok := n.(*dst.KeyValueExpr); ok && kv.Value == call && kv.Decs.Before == dst.NewLine && kv.Decs.After == dst.NewLine {
			// Behind it, because a line above would break up the alignment of the fields.
			if decs = &kv.Decs.End; len(*decs) > 0 {
				decs = &kv.Decs.Start
			}
		}
		return true
	})
	if all := decs.All(); len(all) == 0 || all[len(all)-1] != text {
		decs.Append(text)
	}
}
