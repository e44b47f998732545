package memory

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// Handouts finds exported methods that return a slice or map which is the value's own, or a copy of a struct that
// has such a one, and whose elements other methods change in their place, where the patch has a method of the type
// give away a copy instead, or takes a lock around one use of what a method gives away.
func Handouts(c *pair.Change) (found []pair.Finding) {
	mended := map[string]bool{} // by type
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		variant := was == nil && strings.HasSuffix(fn.Name.Name, "Locked") // a part of another method now
		if variant && copies(fn) > 0 || was != nil && c.Changed(fn) && fn.Name.IsExported() && copies(fn) > copies(was) {
			mended[pair.ReceiverOf(fn)] = true
		}
	}
	changing := changedInPlace(c.After)
	for _, fn := range c.After.Funcs {
		mended[borrows(c, fn, changing)] = true
	}
	delete(mended, "")
	if len(mended) == 0 {
		return nil
	}
	for _, fn := range c.After.Funcs {
		if !fn.Name.IsExported() || !mended[pair.ReceiverOf(fn)] {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CompositeLit:
				if !exported(fn.Info().TypeOf(n)) {
					return true
				}
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						e = kv.Value
					}
					if text := givenAway(c, fn, e, changing); text != "" {
						found = append(found, c.At(fn, e.Pos(), itself, text))
					}
				}
			case *ast.CallExpr:
				if syntax.Builtin(fn.Info(), n) == "append" {
					for _, e := range n.Args[1:] {
						if name := sharing(fn, e, changing); name != "" {
							found = append(found, c.At(fn, e.Pos(), shares, types.ExprString(e), name))
						}
					}
				}
			case *ast.ReturnStmt:
				for _, e := range n.Results {
					if name := sharing(fn, e, changing); name != "" {
						found = append(found, c.At(fn, e.Pos(), shares, types.ExprString(e), name))
					}
					if text := givenAway(c, fn, e, changing); text != "" {
						found = append(found, c.At(fn, e.Pos(), itself, text))
					}
				}
			}
			return true
		})
	}
	return found
}

// itself is what is said of memory that others get without a copy.
const itself = "%s is given away itself, and goes on changing: the patch gives away a copy elsewhere"

// exported says whether a type is one that other packages can name.
func exported(t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Exported()
}

// takenOut says whether an expression is a field of a local variable in a function that takes something out of
// a map: what it gives away then is the caller's.
func takenOut(fn *pair.Function, e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := fn.Info().Uses[id].(*types.Var)
	return ok && v.Kind() == types.LocalVar && syntax.Any(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && syntax.Builtin(fn.Info(), call) == "delete"
	})
}

// Pointers finds exported methods that give away a pointer to one of the value's own structs, or a list or map
// of such, where the patch has another method of the type give away copies of those structs.
func Pointers(c *pair.Change) (found []pair.Finding) {
	mended := map[[2]string]bool{} // by the types of the receiver and of the struct
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) || !fn.Name.IsExported() || pair.ReceiverOf(fn) == "" {
			continue
		}
		had := clonesOf(was)
		for of, n := range clonesOf(fn) {
			if n > had[of] {
				mended[[2]string{pair.ReceiverOf(fn), of}] = true
			}
		}
	}
	for _, fn := range c.After.Funcs {
		if !fn.Name.IsExported() || len(mended) == 0 || fn.Type.Results == nil {
			continue
		}
		cloned := clonesOf(fn)
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if _, lit := n.(*ast.FuncLit); lit {
				return false
			}
			var given []ast.Expr
			switch n := n.(type) {
			case *ast.ReturnStmt:
				given = n.Results
			case *ast.CallExpr:
				if syntax.Builtin(fn.Info(), n) == "append" {
					given = n.Args[1:]
				}
			}
			for _, e := range given {
				if star, ok := ast.Unparen(e).(*ast.StarExpr); ok {
					of := structOf(fn.Info().TypeOf(star.X))
					if cloned[of] == 0 && mended[[2]string{pair.ReceiverOf(fn), of}] && syntax.Shares(fn.Info().TypeOf(star)) {
						found = append(found, c.At(fn, e.Pos(), "%s is copied, and not its slices and maps: the patch copies those elsewhere", types.ExprString(star.X)))
					}
					continue
				}
				of := structOf(fn.Info().TypeOf(e))
				if of == "" || cloned[of] > 0 || !mended[[2]string{pair.ReceiverOf(fn), of}] {
					continue
				}
				if _, ok := n.(*ast.ReturnStmt); ok && isOwn(fn, e) {
					found = append(found, c.At(fn, e.Pos(), itself, types.ExprString(e)))
				}
			}
			return true
		})
	}
	return found
}

// clonesOf counts the calls of a function that copy a struct by a method of it, by the types.
func clonesOf(fn *pair.Function) map[string]int {
	n := map[string]int{}
	ast.Inspect(fn.Body, func(x ast.Node) bool {
		call, ok := x.(*ast.CallExpr)
		if !ok || len(call.Args) > 0 {
			return true
		}
		f := syntax.Callee(fn.Info(), call.Fun)
		if f == nil || f.Signature().Recv() == nil || !slices.Contains([]string{"Clone", "clone", "Copy", "copy"}, f.Name()) {
			return true
		}
		if of := structOf(f.Signature().Recv().Type()); of != "" {
			n[of]++
		}
		return true
	})
	return n
}

// structOf is the struct that a pointer leads to, or the pointers of a list, map or first result; "": there is none.
func structOf(t types.Type) string {
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		t = tuple.At(0).Type()
	}
	if t == nil {
		return ""
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		t = u.Elem()
	case *types.Map:
		t = u.Elem()
	}
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return ""
	}
	if _, ok := p.Elem().Underlying().(*types.Struct); !ok {
		return ""
	}
	return types.TypeString(p.Elem(), nil)
}

// shares says what a copy is that is not deep enough.
const shares = "%s is a copy that shares %s with the value's own, which goes on changing: the patch gives away a copy"

// sharing is a field that a plain copy of one of the value's own structs shares with it, or all the elements of a
// copied list or map of such, if its elements are changed in their place; "": there is none.
func sharing(fn *pair.Function, e ast.Expr, changing map[pair.Field]bool) string {
	t := fn.Info().TypeOf(e)
	if t == nil {
		return ""
	}
	if _, isStruct := t.Underlying().(*types.Struct); !isStruct {
		if t = elementOf(t); t == nil {
			return ""
		}
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || !ownCopy(fn, e) {
		return ""
	}
	for f := range st.Fields() {
		if refers(f.Type()) && changing[pair.Field{Owner: types.TypeString(t, nil), Name: f.Name()}] {
			return f.Name()
		}
	}
	return ""
}

// ownCopy says whether an expression is a plain copy of one of the value's own structs, or a list or map of such:
// an element, or a variable that has been read from a field, and whose own fields the function leaves.
func ownCopy(fn *pair.Function, e ast.Expr) bool {
	info := fn.Info()
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		f := syntax.Callee(info, call.Fun)
		return f != nil && f.Pkg() != nil && f.Name() == "Clone" && (f.Pkg().Path() == "slices" || f.Pkg().Path() == "maps") &&
			len(call.Args) == 1 && isOwn(fn, call.Args[0])
	}
	if _, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		return isOwn(fn, e)
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v := info.ObjectOf(id)
	is := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && info.ObjectOf(id) == v
	}
	read, kept := false, true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			read = read || n.Value != nil && is(n.Value) && isOwn(fn, n.X)
		case *ast.AssignStmt:
			read = read || is(n.Lhs[0]) && len(n.Rhs) == 1 && isOwn(fn, n.Rhs[0])
			for _, lhs := range n.Lhs {
				if sel, ok := lhs.(*ast.SelectorExpr); ok && is(sel.X) {
					kept = false
				}
			}
		}
		return true
	})
	return read && kept
}

// elementOf is the type of a list's or map's elements; nil for other types.
func elementOf(t types.Type) types.Type {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Map:
		return t.Elem()
	}
	return nil
}

// isOwn says whether an expression is a field of the receiver, an element of one, or what an unexported method of
// the receiver returns.
func isOwn(fn *pair.Function, e ast.Expr) bool {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok {
		f := syntax.Callee(fn.Info(), call.Fun)
		return f != nil && !f.Exported() && f.Signature().Recv() != nil && strings.TrimPrefix(types.TypeString(f.Signature().Recv().Type(), nil), "*") == pair.ReceiverOf(fn)
	}
	if ix, ok := e.(*ast.IndexExpr); ok {
		e = ix.X
	}
	_, ok := pair.FieldOf(fn.Info(), e)
	return ok
}

// copies counts the places at which a function copies something: by a call, by an append to nothing, or by a loop that puts
// each element into a new map.
func copies(fn *pair.Function) (n int) {
	info := fn.Info()
	ast.Inspect(fn.Body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.CallExpr:
			if f := syntax.Callee(info, x.Fun); f != nil && slices.Contains([]string{"Clone", "clone", "Copy", "copy", "Collect"}, f.Name()) {
				n++
			}
			switch syntax.Builtin(info, x) {
			case "copy":
				n++
			case "append":
				if x.Ellipsis.IsValid() && isEmpty(info, x.Args[0]) {
					n++
				}
			}
		case *ast.RangeStmt:
			if copiesEach(x) {
				n++
			}
		}
		return true
	})
	return n
}

// isEmpty reports whether a list has no elements: nil, one that is converted from it, or a literal of none.
func isEmpty(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		return len(e.Args) == 1 && info.Types[e.Fun].IsType() && isEmpty(info, e.Args[0])
	}
	return info.Types[e].IsNil()
}

// copiesEach reports whether a loop does nothing but put each element under its key elsewhere.
func copiesEach(loop *ast.RangeStmt) bool {
	if loop.Key == nil || loop.Value == nil || len(loop.Body.List) != 1 {
		return false
	}
	a, ok := loop.Body.List[0].(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 || types.ExprString(a.Rhs[0]) != types.ExprString(loop.Value) {
		return false
	}
	ix, ok := a.Lhs[0].(*ast.IndexExpr)
	return ok && types.ExprString(ix.Index) == types.ExprString(loop.Key)
}

// refers says whether a type is a slice or map.
func refers(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}
