package taken

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/analysis/syntax"
)

// A way is how something is taken or given back: the name of a method, or else no name at all.
type way string

const (
	sends    way = "ch <- v"
	receives way = "<-ch"
	counts   way = "n++"
	discount way = "n--"
)

// backs are the ways by which is given back what a way takes. Methods stand for themselves.
var backs = map[way][]way{
	sends: {receives}, receives: {sends}, counts: {discount},
	"Acquire": {"Release"}, "TryAcquire": {"Release"}, "Get": {"Put"}, "Borrow": {"Return", "GiveBack"}, "Take": {"Return", "GiveBack", "Put"}, "Checkout": {"Checkin"},
}

// given are the ways that give something back.
var given = func() map[way]bool {
	all := make(map[way]bool)
	for _, list := range backs {
		for _, w := range list {
			all[w] = true
		}
	}
	return all
}()

// An Op takes something, or gives it back.
type Op struct {
	Key  string // of what it is taken from: the field or variable
	Of   ast.Expr
	On   string // that, as the source has it
	way  way
	call *ast.CallExpr // of a method
	val  ast.Expr      // what is sent
}

// GivesBack reports whether an operation gives back what another one takes.
func (o Op) GivesBack(take Op) bool {
	for _, w := range backs[take.way] {
		if o.way == w && o.Key == take.Key && o.Key != "" {
			return true
		}
	}
	return false
}

// Like reports whether two operations do the same to the same.
func (o Op) Like(other Op) bool { return o.way == other.way && o.Key == other.Key }

// OpOf is the operation that a statement is; ok is false if it is none. Values may be received into variables.
func OpOf(info *types.Info, s ast.Stmt) (o Op, ok bool) {
	switch s := s.(type) {
	case *ast.SendStmt:
		return on(info, s.Chan, Op{way: sends, val: s.Value})
	case *ast.IncDecStmt:
		w := counts
		if s.Tok == token.DEC {
			w = discount
		}
		return on(info, s.X, Op{way: w})
	case *ast.ExprStmt:
		return ofExpr(info, s.X)
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			return ofExpr(info, s.Rhs[0])
		}
	case *ast.IfStmt: // if err := s.Acquire(ctx, n); err != nil, if !s.TryAcquire(n)
		if a, isAssign := s.Init.(*ast.AssignStmt); isAssign && len(a.Rhs) == 1 {
			return ofExpr(info, a.Rhs[0])
		}
		if u, isNot := ast.Unparen(s.Cond).(*ast.UnaryExpr); isNot && u.Op == token.NOT && s.Init == nil {
			return ofExpr(info, u.X)
		}
	}
	return o, false
}

// ofExpr is the operation of an expression.
func ofExpr(info *types.Info, e ast.Expr) (o Op, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return on(info, e.X, Op{way: receives})
		}
	case *ast.CallExpr:
		return ofCall(info, e)
	}
	return o, false
}

// ofCall is the operation of a call: of a method of a value that has both what takes and what gives back, or of Add
// of an atomic counter or a wait group.
func ofCall(info *types.Info, call *ast.CallExpr) (o Op, ok bool) {
	sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	f := syntax.Callee(info, call.Fun)
	if !isSel || f == nil || f.Signature().Recv() == nil {
		return o, false
	}
	w := way(f.Name())
	switch full := f.FullName(); {
	case full == "(*sync.WaitGroup).Add" && one(info, call, "1"):
		return on(info, sel.X, Op{way: counts})
	case full == "(*sync.WaitGroup).Done":
		return on(info, sel.X, Op{way: discount})
	case strings.HasPrefix(full, "(*sync/atomic.") && w == "Add" && one(info, call, "1"):
		return on(info, sel.X, Op{way: counts})
	case strings.HasPrefix(full, "(*sync/atomic.") && w == "Add" && one(info, call, "-1"):
		return on(info, sel.X, Op{way: discount})
	case strings.HasPrefix(full, "(*sync.Pool)."):
		return o, false // a pool makes anew what is missing
	}
	if !given[w] && !paired(info, sel, w) {
		return o, false
	}
	return on(info, sel.X, Op{way: w, call: call})
}

// paired reports whether a value has the methods that take and give back.
func paired(info *types.Info, sel *ast.SelectorExpr, take way) bool {
	for _, back := range backs[take] {
		m, _, _ := types.LookupFieldOrMethod(info.TypeOf(sel.X), true, info.ObjectOf(sel.Sel).Pkg(), string(back))
		if _, has := m.(*types.Func); has {
			return true
		}
	}
	return false
}

// one reports whether the only argument of a call has a value.
func one(info *types.Info, call *ast.CallExpr, value string) bool {
	return len(call.Args) == 1 && info.Types[call.Args[0]].Value != nil && info.Types[call.Args[0]].Value.ExactString() == value
}

// on completes an operation on an expression; ok is false if that is not a variable, or fields of one.
func on(info *types.Info, e ast.Expr, o Op) (Op, bool) {
	if !syntax.Plain(e) {
		return o, false
	}
	o.Of, o.On, o.Key = e, types.ExprString(e), keyOf(info, e)
	return o, o.Key != ""
}

// keyOf names the field or variable that an expression is, the same in all versions of a program; "": it is none.
func keyOf(info *types.Info, e ast.Expr) string {
	v := syntax.Variable(info, e)
	if v == nil {
		return ""
	}
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && v.IsField() {
		return ownerOf(info.TypeOf(sel.X)) + "." + v.Name()
	}
	if syntax.PackageLevel(v) {
		return v.Pkg().Path() + "." + v.Name()
	}
	return "local " + v.Name()
}

// ownerOf names a type, or what a pointer points to, without type arguments.
func ownerOf(t types.Type) string {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return types.TypeString(n.Origin(), nil)
	}
	return types.TypeString(t, nil)
}

// token reports whether an operation is one on a channel that counts: its elements say nothing; or no operation on a
// channel.
func (o Op) token(info *types.Info, s ast.Stmt) bool {
	var ch ast.Expr
	switch o.way {
	case sends:
		ch = s.(*ast.SendStmt).Chan
		if !syntax.Constant(info, o.val) {
			return false
		}
	case receives:
		x, plain := s.(*ast.ExprStmt)
		if !plain {
			return false
		}
		ch = ast.Unparen(x.X).(*ast.UnaryExpr).X
	default:
		return true
	}
	c, ok := types.Unalias(info.TypeOf(ch)).Underlying().(*types.Chan)
	if !ok {
		return false
	}
	switch elem := c.Elem().Underlying().(type) {
	case *types.Struct:
		return elem.NumFields() == 0
	case *types.Basic:
		return elem.Info()&types.IsBoolean != 0
	}
	return false
}
