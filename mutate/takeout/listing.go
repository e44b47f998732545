package takeout

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A listing is where a section lists what is in a field.
type listing struct {
	fn      *mutate.Function
	section *mutate.Section
	stmt    ast.Stmt
	batch   *types.Var
	typ     types.Type // of the field
	text    string     // the field as it is written there
	alias   bool       // the list is the field's memory
	key     string     // of a map that is listed in structs: the field of these that has the key
	value   string     // that has the value
	other   bool       // the list has elements of which the field cannot be made
	adds    bool       // others add to numbers in the map
}

// listed finds what lists a field in a section that does not write it.
func listed(fn *mutate.Function, s *mutate.Section, field *ast.SelectorExpr) (l listing, ok bool) {
	info := fn.File.Package.Info
	v := fieldNamed(fn, field)
	is := func(e ast.Expr) bool {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		return ok && sel.Sel.Name == field.Sel.Name && types.ExprString(sel.X) == types.ExprString(field.X) && syntax.Field(info, sel) != nil
	}
	if v == nil {
		return l, false
	}
	for _, stmt := range s.Body {
		if slices.ContainsFunc(syntax.Assigned(stmt), is) {
			return listing{}, false
		}
		next := listing{fn: fn, section: s, stmt: stmt, typ: v.Type(), text: types.ExprString(field)}
		if ok = next.copies(info, is) || next.loops(info, is); ok {
			l = next
		}
	}
	if l.batch == nil {
		return l, false
	}
	l.adds = added(fn, v)
	return l, true
}

// fieldNamed is the field that a selector names in a function, which may not have been written there.
func fieldNamed(fn *mutate.Function, field *ast.SelectorExpr) *types.Var {
	info := fn.File.Package.Info
	if v := syntax.Field(info, field); v != nil {
		return v
	}
	id, ok := field.X.(*ast.Ident)
	if !ok {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(info.Defs[id].Type(), true, fn.File.Package.Types, field.Sel.Name)
	v, _ := obj.(*types.Var)
	return v
}

// copies reports whether the statement assigns a copy of the field, or the field itself.
func (l *listing) copies(info *types.Info, is func(ast.Expr) bool) bool {
	switch s := l.stmt.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
			return false
		}
		if l.batch = local(info, s.Lhs[0]); l.batch == nil {
			return false
		}
		if is(s.Rhs[0]) {
			l.alias = true
			return true
		}
		call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		if !ok {
			return false
		}
		if syntax.Builtin(info, call) == "append" {
			return len(call.Args) == 2 && call.Ellipsis.IsValid() && is(call.Args[1]) && !is(call.Args[0])
		}
		f := syntax.Callee(info, call.Fun)
		return f != nil && f.Name() == "Clone" && f.Pkg() != nil && (f.Pkg().Path() == "slices" || f.Pkg().Path() == "maps") && is(call.Args[0])
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok || syntax.Builtin(info, call) != "copy" || !is(call.Args[1]) {
			return false
		}
		l.batch = local(info, call.Args[0])
		return l.batch != nil
	}
	return false
}

// loops reports whether the statement is a loop over the field that lists each element.
func (l *listing) loops(info *types.Info, is func(ast.Expr) bool) bool {
	loop, ok := l.stmt.(*ast.RangeStmt)
	if !ok || !is(loop.X) || len(loop.Body.List) != 1 {
		return false
	}
	assign, ok := loop.Body.List[0].(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return false
	}
	names := func(e ast.Expr, of ast.Expr) bool {
		id, ok := of.(*ast.Ident)
		return ok && id.Name != "_" && syntax.Is(info, e, info.ObjectOf(id))
	}
	if index, ok := ast.Unparen(assign.Lhs[0]).(*ast.IndexExpr); ok { // copied[k] = v
		l.batch = local(info, index.X)
		return l.batch != nil && names(index.Index, loop.Key) && names(assign.Rhs[0], loop.Value)
	}
	l.batch = local(info, assign.Lhs[0])
	call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
	if l.batch == nil || !ok || syntax.Builtin(info, call) != "append" || len(call.Args) != 2 || call.Ellipsis.IsValid() {
		return false
	}
	element := ast.Unparen(call.Args[1])
	if names(element, loop.Value) {
		l.other = isMap(info.TypeOf(loop.X))
		return true
	}
	l.other = true
	lit, ok := element.(*ast.CompositeLit)
	if !ok {
		return true
	}
	for i, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			body, isStruct := info.TypeOf(lit).Underlying().(*types.Struct)
			if !isStruct {
				break
			}
			kv = &ast.KeyValueExpr{Key: ast.NewIdent(body.Field(i).Name()), Value: e}
		}
		name, ok := kv.Key.(*ast.Ident)
		if !ok {
			continue
		}
		switch {
		case names(kv.Value, loop.Key):
			l.key = name.Name
		case names(kv.Value, loop.Value):
			l.value = name.Name
		}
	}
	l.other = l.key == "" || l.value == ""
	return true
}

// local is the local variable that an expression names; nil: it is none.
func local(info *types.Info, e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || syntax.PackageLevel(v) {
		return nil
	}
	return v
}

// added reports whether a function of the package adds to a number in a map.
func added(fn *mutate.Function, v *types.Var) bool {
	for _, of := range fn.OfPackage() {
		info := of.File.Package.Info
		for _, st := range of.Statements() {
			var at ast.Expr
			switch s := st.Stmt.(type) {
			case *ast.IncDecStmt:
				at = s.X
			case *ast.AssignStmt:
				if s.Tok == token.ADD_ASSIGN {
					at = s.Lhs[0]
				}
			}
			if index, ok := at.(*ast.IndexExpr); ok && syntax.Field(info, index.X) == v.Origin() {
				return true
			}
		}
	}
	return false
}

// putBack is the code by which a function puts a list back into the field; ok is false if none is known.
func (l listing) putBack(fn *mutate.Function, batch, field string) (code string, ok bool) {
	if l.other {
		return "", false
	}
	if !isMap(l.typ) {
		return fmt.Sprintf("%s = append(%s, %s...)", field, batch, field), true
	}
	head, key, value := fmt.Sprintf("for k, v := range %s {\n", batch), "k", "v"
	if l.key != "" {
		head, key, value = fmt.Sprintf("for _, e := range %s {\n", batch), "e."+l.key, "e."+l.value
	}
	if l.adds {
		return head + fmt.Sprintf("%s[%s] += %s\n}", field, key, value), true
	}
	return head + fmt.Sprintf("if _, newer := %s[%s]; !newer {\n%s[%s] = %s\n}\n}", field, key, field, key, value), true
}
