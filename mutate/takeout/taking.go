package takeout

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/typetext"
)

// A taking is a field that a section lists and a later one empties.
type taking struct {
	fn      *mutate.Function
	list    listing
	batch   *types.Var // what was listed, in the function
	anchor  ast.Stmt   // that lists, or calls what lists
	later   *mutate.Section
	empties ast.Stmt
	text    string // the field as it is written here
	between []ast.Stmt
	exits   []exit
	back    string // puts back what was listed
}

// An exit is a way out between the sections.
type exit struct {
	at   ast.Stmt // before which what was listed is put back
	held bool     // the lock is held there
}

// takings lists those of a function.
func takings(fn *mutate.Function) (out []*taking) {
	if fn.File.Test {
		return nil
	}
	type takingsOf struct{ fn *mutate.Function }
	return mutate.Once(fn, takingsOf{fn}, func() []*taking {
		for _, s := range fn.Sections() {
			if s.Read || s.Again {
				continue
			}
			for _, stmt := range s.Body {
				field := emptied(fn, stmt)
				if field == nil || !syntax.Plain(field) {
					continue
				}
				t := &taking{fn: fn, later: s, empties: stmt, text: types.ExprString(field)}
				if t.find(field) && t.plan() {
					out = append(out, t)
				}
			}
		}
		return out
	})
}

// emptied is the field that a statement empties; nil: it empties none.
func emptied(fn *mutate.Function, s ast.Stmt) *ast.SelectorExpr {
	info := fn.File.Package.Info
	switch s := s.(type) {
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && syntax.Builtin(info, call) == "clear" {
			return fieldOf(info, call.Args[0])
		}
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok != token.ASSIGN {
			return nil
		}
		field := fieldOf(info, s.Lhs[0])
		if field == nil || !isEmpty(info, s.Rhs[0], field) {
			return nil
		}
		return field
	}
	return nil
}

// fieldOf is the field that is a slice or a map which an expression selects; nil: it is none.
func fieldOf(info *types.Info, e ast.Expr) *ast.SelectorExpr {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || syntax.Field(info, sel) == nil {
		return nil
	}
	switch info.TypeOf(sel).Underlying().(type) {
	case *types.Slice, *types.Map:
		return sel
	}
	return nil
}

// isEmpty reports whether an expression is an empty value for a field: nil, new memory, or none of its own.
func isEmpty(info *types.Info, e ast.Expr, field ast.Expr) bool {
	e = ast.Unparen(e)
	if info.Types[e].IsNil() {
		return true
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		return syntax.Builtin(info, e) == "make" && (len(e.Args) < 2 || isZero(info, e.Args[1]) || isMap(info.TypeOf(e)))
	case *ast.SliceExpr:
		return syntax.Same(info, e.X, field) && e.Low == nil && e.High != nil && isZero(info, e.High)
	}
	return false
}

func isZero(info *types.Info, e ast.Expr) bool {
	tv := info.Types[e]
	return tv.Value != nil && tv.Value.String() == "0"
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// find finds what lists the field before the section that empties it, in the same statement list.
func (t *taking) find(field *ast.SelectorExpr) bool {
	info := t.fn.File.Package.Info
	v := syntax.Field(info, field)
	begin := -1
	for i, s := range t.later.List[:t.later.At] {
		for _, first := range t.fn.Sections() {
			if first.Acquire != s || !first.SameLock(t.later) || first.Deferred || first.Final == nil {
				continue
			}
			if l, ok := listed(t.fn, first, field); ok {
				t.list, t.batch, t.anchor = l, l.batch, l.stmt
				begin = slices.Index(t.later.List, first.Final)
			}
		}
		if l, batch, ok := t.calls(s, field); ok {
			t.list, t.batch, t.anchor = l, batch, s
			begin = i
		}
	}
	if begin < 0 {
		return false
	}
	t.between = t.later.List[begin+1 : t.later.At]
	for _, s := range slices.Concat(t.between, t.later.Body) {
		if s == t.empties {
			break
		}
		if t.uses(s, v) {
			return false
		}
	}
	return true
}

// uses reports whether code uses a field, itself or in functions of the package that it calls.
func (t *taking) uses(code ast.Stmt, v *types.Var) bool {
	seen := map[*mutate.Function]bool{}
	var in func(fn *mutate.Function, code ast.Stmt) bool
	in = func(fn *mutate.Function, code ast.Stmt) bool {
		info := fn.File.Package.Info
		if syntax.Any(code, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			return ok && syntax.Field(info, sel) == v
		}) {
			return true
		}
		for _, c := range fn.Calls(code) {
			if seen[c.To] {
				continue
			}
			seen[c.To] = true
			if slices.ContainsFunc(c.To.Body.List, func(s ast.Stmt) bool { return in(c.To, s) }) {
				return true
			}
		}
		return false
	}
	return in(t.fn, code)
}

// calls is what lists the field in a method that a statement calls for it, and where the statement puts that.
func (t *taking) calls(s ast.Stmt, field *ast.SelectorExpr) (l listing, batch *types.Var, ok bool) {
	info := t.fn.File.Package.Info
	assign, ok := s.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return l, nil, false
	}
	call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return l, nil, false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	id, named := assign.Lhs[0].(*ast.Ident)
	if !ok || !named || !syntax.Same(info, sel.X, field.X) {
		return l, nil, false
	}
	f := syntax.Callee(info, call.Fun)
	of := t.fn.Declared(f)
	batch, isVar := info.ObjectOf(id).(*types.Var)
	if of == nil || of == t.fn || !isVar || len(of.Mentions(f)) != 1 {
		return l, nil, false
	}
	decl, ok := of.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) != 1 || len(decl.Recv.List[0].Names) != 1 {
		return l, nil, false
	}
	own := &ast.SelectorExpr{X: decl.Recv.List[0].Names[0], Sel: field.Sel}
	for _, section := range of.Sections() {
		if section.Lock.Key != t.later.Lock.Key || section.Again {
			continue
		}
		if l, ok := listed(of, section, own); ok && returned(of, l.batch) {
			return l, batch, true
		}
	}
	return l, nil, false
}

// returned reports whether all that a function returns is a variable.
func returned(fn *mutate.Function, v *types.Var) bool {
	found := false
	for _, st := range fn.Statements() {
		ret, ok := st.Stmt.(*ast.ReturnStmt)
		if !ok {
			continue
		}
		if len(ret.Results) != 1 || !syntax.Is(fn.File.Package.Info, ret.Results[0], v) {
			return false
		}
		found = true
	}
	return found
}

// plan finds the ways out, and how what was listed is put back on them.
func (t *taking) plan() bool {
	for _, out := range exits.Of(t.fn, t.between...) {
		if t.nothing(out) {
			continue
		}
		st := mutate.Innermost(t.fn.Statements(), out)
		if st.Stmt != out {
			return false
		}
		e := exit{at: out, held: slices.ContainsFunc(t.fn.Sections(), func(s *mutate.Section) bool { return s.SameLock(t.later) && s.Holds(out) })}
		if st.Index > 0 && !e.held { // a section before it serves
			for _, s := range t.fn.Sections() {
				if before := st.List[st.Index-1]; s.Final == before && s.SameLock(t.later) && !s.Read {
					e = exit{at: before, held: true}
				}
			}
		}
		t.exits = append(t.exits, e)
	}
	if len(t.exits) == 0 {
		return true
	}
	var ok bool
	t.back, ok = t.list.putBack(t.fn, t.batch.Name(), t.text)
	return ok
}

// nothing reports whether a way out is one for an empty list.
func (t *taking) nothing(out ast.Stmt) bool {
	info := t.fn.File.Package.Info
	return slices.ContainsFunc(t.fn.Statements(), func(st mutate.Statement) bool {
		check, ok := st.Stmt.(*ast.IfStmt)
		if !ok || !syntax.Within(out, ast.Stmt(check.Body)) {
			return false
		}
		cond, ok := ast.Unparen(check.Cond).(*ast.BinaryExpr)
		if !ok || cond.Op != token.EQL {
			return false
		}
		if syntax.Is(info, cond.X, t.batch) {
			return info.Types[cond.Y].IsNil()
		}
		call, ok := ast.Unparen(cond.X).(*ast.CallExpr)
		return ok && syntax.Builtin(info, call) == "len" && syntax.Is(info, call.Args[0], t.batch) && isZero(info, cond.Y)
	})
}

// emptying is the statement that empties the field where it is listed: as the later section does, but for
// memory that the list has now.
func (t *taking) emptying() string {
	here := t.list.text
	text := strings.ReplaceAll(t.fn.Text(t.empties), t.text, here)
	if !t.list.alias {
		return text
	}
	info := t.fn.File.Package.Info
	if assign, ok := t.empties.(*ast.AssignStmt); ok {
		if _, cuts := ast.Unparen(assign.Rhs[0]).(*ast.SliceExpr); !cuts {
			return text
		}
	}
	if typ, ok := typetext.Of(t.list.fn, t.list.typ, t.list.stmt.Pos()); ok && isMap(info.TypeOf(emptied(t.fn, t.empties))) {
		return here + " = make(" + typ + ")"
	}
	return here + " = nil"
}
