package chanwait

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/mutate"
)

// An End is a channel in scope that says, by being closed, that nobody waits
// any more.
type End struct {
	Expr    string // "ctx.Done()", "s.quit"
	Context string // the context whose Done it is: "ctx"; "" for others

	channel *mutate.Channel // nil: unknown
	found   bool            // it is there already
	closer  *mutate.Function
	score   int
}

// NewEnd is an end that an edit makes: a channel that a function closes when it returns.
func NewEnd(expr string, closer *mutate.Function) End { return End{Expr: expr, closer: closer} }

// ClosedBy reports whether a function closes the channel.
func (s End) ClosedBy(fn *mutate.Function) bool {
	return s.channel != nil && slices.ContainsFunc(s.channel.Closes, func(u mutate.ChannelUse) bool { return u.Fn == fn })
}

// known is an end with all that is known of it, where an operation may be given up for it.
func known(fn *mutate.Function, op Op, s End) End {
	if s.closer != nil {
		return s
	}
	for _, found := range Ends(fn, op) {
		if found.Expr == s.Expr {
			return found
		}
	}
	return s
}

// maxEnds is how many ends of one place are worth trying.
const maxEnds = 3

// Ends lists what an operation may be given up for, the likeliest first: a
// channel that somebody closes or, of struct{}, that is only received from; the
// Done of a context; a method without arguments that returns such a channel to
// receive from. They are variables in scope, or fields and methods of these or
// of a field.
func Ends(fn *mutate.Function, op Op) []End {
	f := &finder{fn: fn, op: op, seen: make(map[string]bool)}
	scope := fn.File.Package.Types.Scope()
	for s := scope.Innermost(op.At.Pos()); s != nil && s != scope.Parent(); s = s.Parent() {
		for _, name := range s.Names() {
			v, ok := s.Lookup(name).(*types.Var)
			if !ok || name == "_" || !f.visible(v) {
				continue
			}
			f.value(name, v)
		}
	}
	slices.SortStableFunc(f.found, func(a, b End) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.Expr), len(b.Expr)), strings.Compare(a.Expr, b.Expr))
	})
	return f.apart()
}

// apart are the first ends of which no two are one channel of one variable.
func (f *finder) apart() []End {
	type origin struct {
		channel *mutate.Channel
		root    string
	}
	known := make(map[origin]bool)
	var out []End
	for _, s := range f.found {
		root, _, _ := strings.Cut(s.Expr, ".")
		from := origin{s.channel, root}
		if s.channel != nil && known[from] {
			continue
		}
		known[from] = true
		if out = append(out, s); len(out) == maxEnds {
			break
		}
	}
	return out
}

// A finder looks for ends.
type finder struct {
	fn    *mutate.Function
	op    Op
	seen  map[string]bool
	found []End
}

// visible reports whether a variable has its name and a value at the operation.
func (f *finder) visible(v *types.Var) bool {
	inner := f.fn.File.Package.Types.Scope().Innermost(f.op.At.Pos())
	_, obj := inner.LookupParent(v.Name(), f.op.At.Pos())
	return obj == v
}

// value looks at a variable.
func (f *finder) value(text string, v *types.Var) {
	if f.seen[text] {
		return
	}
	f.seen[text] = true
	s := source{pkg: f.fn.File.Package.Types, typ: types.Unalias(v.Type())}
	if p, ok := s.typ.(*types.Pointer); ok { // of which there are many for one type
		s.typ, s.pointer = types.Unalias(p.Elem()), true
	}
	for _, l := range mutate.Once(f.fn, s, s.leaves) {
		if l.v == nil {
			l.v = v
		}
		if l.context {
			f.add(End{Expr: text + l.suffix + ".Done()", Context: text + l.suffix, score: 3})
		} else {
			f.channel(text+l.suffix, l.elem, f.fn.ChannelOf(l.v))
		}
	}
}

// channel adds a channel if it is an end.
func (f *finder) channel(text string, elem types.Type, c *mutate.Channel) {
	s := End{Expr: text, channel: c}
	if strings.HasSuffix(text, "()") { // a method is there to be asked
		s.score++
	}
	if c == nil { // made elsewhere
		if !Empty(elem) {
			return
		}
		s.score++
		f.add(s)
		return
	}
	if len(c.Sends) > 0 || f.op.Uses(f.fn, c) || f.waitsFor(c) {
		return
	}
	switch {
	case len(c.Closes) > 0:
		if f.closesItself(c) {
			return
		}
		s.score += 2
	case !Empty(elem):
		return
	case len(c.Makes) > 0 && !c.Escapes:
		s.score-- // nobody is seen to close it
	}
	f.add(s)
}

// closesItself reports whether only the function that would wait for a channel
// closes it.
func (f *finder) closesItself(c *mutate.Channel) bool {
	for _, u := range c.Closes {
		if u.Node.Pos() < f.fn.Node.Pos() || f.fn.Node.End() <= u.Node.Pos() {
			return false
		}
	}
	return true
}

// waitsFor reports whether the operation is a select that has the channel already.
func (f *finder) waitsFor(c *mutate.Channel) bool {
	sel, ok := f.op.At.(*ast.SelectStmt)
	return ok && slices.ContainsFunc(c.Receives, func(u mutate.ChannelUse) bool { return u.Select == sel })
}

// add adds an end unless the operation waits for it already. Those beside
// the operation's channel, as n.done is beside n.status, come first.
func (f *finder) add(s End) {
	for _, e := range f.op.Chan {
		text := types.ExprString(e)
		if text == s.Expr {
			return
		}
		if base, _, ok := cutLast(text); ok && strings.HasPrefix(s.Expr, base+".") {
			s.score += 2
		}
	}
	s.score -= strings.Count(s.Expr, ".")
	s.found = true
	f.found = append(f.found, s)
}

// cutLast parts an expression from what is selected from it.
func cutLast(text string) (base, name string, ok bool) {
	i := strings.LastIndex(text, ".")
	if i < 0 {
		return "", text, false
	}
	return text[:i], text[i+1:], true
}

// Empty reports whether a type is struct{}.
func Empty(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	return ok && st.NumFields() == 0
}
