package analysis

import (
	"go/ast"
	"go/token"
	"go/types"
)

// freshness finds which uses of fields are of objects that no other goroutine
// can know yet: structs that are a local variable whose address has not been
// taken, and what a local variable points to that was made in the same function
// and has not been handed on.
type freshness struct {
	ids     *index
	escapes map[*function]map[*types.Var]token.Pos
}

func newFreshness(ids *index) *freshness {
	return &freshness{ids: ids, escapes: map[*function]map[*types.Var]token.Pos{}}
}

// fresh reports whether a use is of a field of such an object.
func (fr *freshness) fresh(u useOf) bool {
	v := fr.base(u)
	if v == nil {
		return false
	}
	until, ok := fr.of(u.fn)[v]
	return ok && u.Expr.Pos() < until
}

// base is the local variable that holds (or points to) the object whose field
// is used, nil when another pointer lies between.
func (fr *freshness) base(u useOf) *types.Var {
	info := u.fn.file.Package.Info
	owner := u.Owner()
	if owner == nil {
		return nil
	}
	x := strip(owner)
	for {
		inner, ok := x.(*ast.SelectorExpr)
		if !ok {
			break
		}
		if s := info.Selections[inner]; s == nil || isPointer(info.TypeOf(inner)) {
			return nil
		}
		x = strip(inner.X)
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := info.Uses[id].(*types.Var)
	return v
}

// of finds, for each local variable of a function that is a struct or is
// declared with a new object, the position from which others may know it.
func (fr *freshness) of(fn *function) map[*types.Var]token.Pos {
	if known, ok := fr.escapes[fn]; ok {
		return known
	}
	found := map[*types.Var]token.Pos{}
	fr.escapes[fn] = found
	if fn.body == nil {
		return found
	}
	info := fn.file.Package.Info
	ast.Inspect(fn.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == fn.node
		case *ast.Ident:
			if v, ok := info.Defs[n].(*types.Var); ok && isStruct(v.Type()) {
				found[v] = fn.body.End()
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
				for i, l := range n.Lhs {
					if v, ok := info.Defs[l.(*ast.Ident)].(*types.Var); ok && makesNew(info, n.Rhs[i]) {
						found[v] = fn.body.End()
					}
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				v, ok := info.Defs[name].(*types.Var)
				if ok && len(n.Values) == len(n.Names) && makesNew(info, n.Values[i]) {
					found[v] = fn.body.End()
				}
			}
		}
		return true
	})
	e := &escapeFinder{info: info, body: fn.body, until: found}
	e.walk(fn.body, token.NoPos)
	return found
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// makesNew reports whether an expression makes the object that it denotes.
func makesNew(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		_, isLit := ast.Unparen(e.X).(*ast.CompositeLit)
		return e.Op == token.AND && isLit
	case *ast.CallExpr:
		b, ok := calledObject(info, e).(*types.Builtin)
		return ok && b.Name() == "new"
	}
	return false
}

// An escapeFinder finds the first use of each variable that lets others know
// the object: of a pointer anything but the selection of a field, of a struct
// what takes its address.
type escapeFinder struct {
	info  *types.Info
	body  *ast.BlockStmt
	until map[*types.Var]token.Pos
}

// walk looks at a node; inside a function literal, or a composite literal, what
// escapes does so where the literal begins.
func (e *escapeFinder) walk(root ast.Node, as token.Pos) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if !as.IsValid() {
				e.walk(n.Body, n.Pos())
				return false
			}
		case *ast.SelectorExpr:
			return e.selector(n, as)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				e.taken(n.X, as)
			}
		case *ast.Ident:
			if v := e.info.Uses[n]; v != nil && (as.IsValid() || !isStruct(v.Type())) {
				e.escape(n, as)
			}
		}
		return true
	})
}

// selector looks at x.f; it reports whether x is to be examined too.
func (e *escapeFinder) selector(n *ast.SelectorExpr, as token.Pos) bool {
	s := e.info.Selections[n]
	if s == nil {
		return true
	}
	if s.Kind() == types.FieldVal {
		_, isName := strip(n.X).(*ast.Ident)
		return !isName || as.IsValid()
	}
	if fn, ok := s.Obj().(*types.Func); ok && isPointer(fn.Signature().Recv().Type()) {
		e.taken(n.X, as)
	}
	return true
}

// taken notes that the address of a part of a variable is taken.
func (e *escapeFinder) taken(x ast.Expr, as token.Pos) {
	if id := rootName(x); id != nil {
		e.escape(id, as)
	}
}

func (e *escapeFinder) escape(id *ast.Ident, as token.Pos) {
	pos := id.Pos()
	v, ok := e.info.Uses[id].(*types.Var)
	if !ok {
		return
	}
	until, tracked := e.until[v]
	if !tracked {
		return
	}
	if as.IsValid() {
		pos = as
	}
	if loop := OuterLoop(e.body, pos, v.Pos()); loop.IsValid() {
		pos = loop // what comes earlier in the loop runs again later
	}
	e.until[v] = min(until, pos)
}

// rootName is the name that an expression of selectors and indexes starts with.
func rootName(x ast.Expr) *ast.Ident {
	for {
		switch y := strip(x).(type) {
		case *ast.Ident:
			return y
		case *ast.SelectorExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		default:
			return nil
		}
	}
}

// OuterLoop is where the outermost loop begins that contains pos and not beyond; NoPos if there is none: what
// comes earlier in that loop runs again after what stands at pos.
func OuterLoop(body *ast.BlockStmt, pos, beyond token.Pos) token.Pos {
	found := token.NoPos
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || n.End() <= pos || found.IsValid() {
			return false
		}
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if beyond < n.Pos() || n.End() <= beyond {
				found = n.Pos()
			}
		}
		return true
	})
	return found
}
