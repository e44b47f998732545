package captures

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/guards"
	"mendel/mutate/fact/typetext"
)

// copies lists what a statement with a body reads of what a section's lock guards, to
// be copied before the lock is released: an if, switch or loop over a list that calls
// others. Under the lock nobody else could change any of it, so that a copy serves as well.
//
//	                              names := slices.Clone(s.names)
//	for _, n := range s.names {   s.mu.Unlock()
//		s.tell(n)               →   for _, n := range names {
//	}                                 s.tell(n)
//	s.mu.Unlock()                 }
//
// ok is false where the lock guards anything that is written, that does not belong to
// the value which has the lock, or that is used in another way than to be read at once.
func copies(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt) (captures []Capture, ok bool) {
	switch stmt.(type) {
	case *ast.RangeStmt, *ast.IfStmt, *ast.SwitchStmt, *ast.BlockStmt:
	default:
		return nil, false
	}
	if fn.Reassigns(s.Lock.Expr, stmt) || !effects.Of(fn, s, stmt).MayWait() {
		return nil, false
	}
	shot := &snapshot{fn: fn, section: s, stmt: stmt, guarded: guards.Of(fn, s, stmt)}
	for _, a := range shot.guarded {
		if a.Write || !shot.add(a) {
			return nil, false
		}
	}
	if len(shot.captures) > maxSnapshot || shot.kept() {
		return nil, false
	}
	return shot.captures, true
}

// maxSnapshot is how many variables are copied for one statement. Guessed: with more
// the copy deserves a type of its own.
const maxSnapshot = 3

// A snapshot is copies in the making.
type snapshot struct {
	fn       *mutate.Function
	section  *mutate.Section
	stmt     ast.Stmt
	guarded  []analysis.Access
	captures []Capture
}

// add captures the variable of an access, or the elements that it is a field of.
func (shot *snapshot) add(a analysis.Access) bool {
	fn := shot.fn
	if r, ok := shot.ranged(a.Expr); ok {
		return shot.elements(r)
	}
	e := ast.Unparen(a.Expr)
	if fn.Path(e).Root == nil || a.Var.IsField() && fn.Base(e).String() != syntax.LockOwner(shot.section.Lock) {
		return false
	}
	if i := slices.IndexFunc(shot.captures, func(c Capture) bool { return syntax.Same(fn.File.Package.Info, c.Expr, e) }); i >= 0 {
		shot.captures[i].Also = append(shot.captures[i].Also, e)
		return shot.readAtOnce(e)
	}
	clone := clonePackage(fn, e)
	if clone == "" && !capturable(fn, shot.section, e) || !shot.readAtOnce(e) {
		return false
	}
	return shot.capture(Capture{Expr: e, Name: captureName(fn, e), Clone: clone})
}

func (shot *snapshot) capture(c Capture) bool {
	if slices.ContainsFunc(shot.captures, func(o Capture) bool { return o.Name == c.Name }) {
		return false // two of one name: hard to read
	}
	shot.captures = append(shot.captures, c)
	return true
}

// readAtOnce reports whether the value of a map or slice is only read where it is: an
// element, its length, what is ranged over. Of other types the value is a copy already.
func (shot *snapshot) readAtOnce(e ast.Expr) bool {
	info := shot.fn.File.Package.Info
	reads := false
	syntax.Walk(shot.stmt, func(n ast.Node, path []ast.Node) {
		if n != ast.Node(e) || len(path) == 0 {
			return
		}
		switch parent := path[len(path)-1].(type) {
		case *ast.UnaryExpr:
			reads = parent.Op.String() != "&"
		case *ast.IndexExpr:
			reads = parent.X == e || clonePackage(shot.fn, e) == ""
		case *ast.RangeStmt:
			reads = parent.X == e
		case *ast.CallExpr:
			reads = clonePackage(shot.fn, e) == "" || readsArgument(info, parent)
		default:
			reads = clonePackage(shot.fn, e) == ""
		}
	})
	return reads
}

// readers are functions of packages slices and maps that only read what they are given.
var readers = []string{
	"slices.All", "slices.Backward", "slices.Clone", "slices.Contains", "slices.ContainsFunc", "slices.Index",
	"slices.IndexFunc", "slices.Max", "slices.Min", "slices.Sorted", "slices.Values",
	"maps.All", "maps.Clone", "maps.Keys", "maps.Values",
}

// readsArgument reports whether a call does no more with a map or slice than to read it.
func readsArgument(info *types.Info, call *ast.CallExpr) bool {
	if name := syntax.Builtin(info, call); name != "" {
		return name == "len" || name == "cap"
	}
	f := syntax.Callee(info, call.Fun)
	return f != nil && slices.Contains(readers, f.FullName())
}

// ranged is the loop over a list of pointers, if an expression is a field of the element
// that the loop has got.
func (shot *snapshot) ranged(e ast.Expr) (*ast.RangeStmt, bool) {
	r, ok := shot.stmt.(*ast.RangeStmt)
	sel, field := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || !field || r.Value == nil {
		return nil, false
	}
	return r, shot.isElement(r, sel.X)
}

// isElement reports whether an expression is the variable with a loop's element.
func (shot *snapshot) isElement(r *ast.RangeStmt, e ast.Expr) bool {
	id, ok := r.Value.(*ast.Ident)
	return ok && shot.fn.File.Package.Info.ObjectOf(id) != nil && syntax.Is(shot.fn.File.Package.Info, e, shot.fn.File.Package.Info.ObjectOf(id))
}

// elements captures what the elements of a list point to.
func (shot *snapshot) elements(r *ast.RangeStmt) bool {
	fn, info := shot.fn, shot.fn.File.Package.Info
	at := slices.IndexFunc(shot.captures, func(c Capture) bool { return c.Expr == r.X })
	if at >= 0 && shot.captures[at].Elements != "" {
		return true
	}
	element, pointer := info.TypeOf(r.Value).Underlying().(*types.Pointer)
	if !pointer || clonePackage(fn, r.X) == "" || analysis.HoldsLock(element.Elem()) || !shot.onlyFields(r) {
		return false
	}
	if fn.Base(r.X).String() != syntax.LockOwner(shot.section.Lock) {
		return false
	}
	text, ok := elementsText(fn, r.X, element.Elem())
	if !ok {
		return false
	}
	if at >= 0 {
		shot.captures[at].Elements, shot.captures[at].Element = text, types.ExprString(r.Value)
		return len(shot.captures[at].Also) == 0
	}
	return shot.capture(Capture{
		Expr: r.X, Name: captureName(fn, r.X), Clone: clonePackage(fn, r.X), Elements: text, Element: types.ExprString(r.Value),
	})
}

// elementsText is the type of a list with what its elements point to.
func elementsText(fn *mutate.Function, list ast.Expr, element types.Type) (string, bool) {
	var t types.Type
	switch u := fn.File.Package.Info.TypeOf(list).Underlying().(type) {
	case *types.Slice:
		t = types.NewSlice(element)
	case *types.Map:
		t = types.NewMap(u.Key(), element)
	}
	return typetext.Of(fn, t, list.Pos())
}

// onlyFields reports whether a loop reads fields of its element and does nothing else
// with it.
func (shot *snapshot) onlyFields(r *ast.RangeStmt) bool {
	info := shot.fn.File.Package.Info
	only := true
	syntax.Walk(r.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || !shot.isElement(r, id) || len(path) == 0 {
			return
		}
		sel, ok := path[len(path)-1].(*ast.SelectorExpr)
		only = only && ok && info.Selections[sel] != nil && info.Selections[sel].Kind() == types.FieldVal
	})
	syntax.Walk(r.Body, func(n ast.Node, _ []ast.Node) {
		s, ok := n.(ast.Stmt)
		if !ok {
			return
		}
		for _, to := range syntax.Assigned(s) {
			only = only && shot.fn.Path(to).Root != shot.fn.File.Package.Info.ObjectOf(r.Value.(*ast.Ident))
		}
	})
	return only
}

// kept reports whether a function literal in the statement, which may run later, names
// anything that is captured.
func (shot *snapshot) kept() bool {
	return syntax.Any(shot.stmt, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		return ok && slices.ContainsFunc(shot.guarded, func(a analysis.Access) bool {
			return syntax.Names(shot.fn.File.Package.Info, lit, a.Var)
		})
	})
}
