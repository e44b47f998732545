package refuselate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
)

// A late is a statement of a function that may store in a value which has ended.
type late struct {
	fn      *mutate.Function
	end     *end
	store   store
	value   string          // the value, as it is written
	section *mutate.Section // that stores; nil: there is none
	within  bool            // the question comes before the store, not at the beginning of the section
	leaves  string          // how the function is left
}

// A store puts something into a field.
type store struct {
	mutate.Statement
	of     ast.Expr   // the value
	field  *types.Var // of it
	key    ast.Expr   // of a map; nil: there is none
	stored []ast.Expr
}

// lates lists the stores of a function that may come too late, one for each section and end.
func lates(fn *mutate.Function) (out []*late) {
	if fn.File.Test {
		return nil
	}
	type place struct {
		at  ast.Stmt
		end *end
	}
	seen := map[place]bool{}
	for _, s := range stores(fn) {
		typ := typeName(fn.File.Package.Info.TypeOf(s.of))
		if typ == nil || typ.Pkg() != fn.File.Package.Types {
			continue
		}
		for _, e := range ends(fn, typ) {
			if _, goes := e.goes[s.field]; !goes || syntax.Within(fn.Node, ast.Node(e.by)) {
				continue
			}
			l := &late{fn: fn, end: e, store: s, value: types.ExprString(s.of)}
			if !l.place() || l.asks() {
				continue
			}
			p := place{l.at(), e}
			if seen[p] || !l.refuse() {
				continue
			}
			seen[p] = true
			out = append(out, l)
		}
	}
	return out
}

// at is the statement behind or around which the question comes.
func (l *late) at() ast.Stmt {
	if l.section != nil && !l.within {
		return l.section.Acquire
	}
	return l.store.Stmt
}

// place finds the section that stores; it is false if the store cannot get one.
func (l *late) place() bool {
	lock := l.value + l.end.lock
	for _, s := range l.fn.Sections() {
		if s.Lock.Expr == lock && s.Holds(l.store.Stmt) {
			if s.Read || s.Again || s.Deferred && !s.DefersAtOnce() {
				return false
			}
			l.section = s // the innermost
		}
	}
	if l.section != nil {
		return true
	}
	if held(l.fn, l.end.key) {
		return false
	}
	assign, ok := l.store.Stmt.(*ast.AssignStmt)
	return (!ok || assign.Tok == token.ASSIGN) && !slices.ContainsFunc(l.fn.Sections(), func(s *mutate.Section) bool { return s.Holds(l.store.Stmt) })
}

// held reports whether a function is called under a lock, or says so by its name.
func held(fn *mutate.Function, key string) bool {
	if decl, ok := fn.Node.(*ast.FuncDecl); ok && strings.HasSuffix(decl.Name.Name, "Locked") {
		return true
	}
	for _, from := range fn.Callers() {
		for _, s := range from.Sections() {
			if s.Lock.Key == key && slices.ContainsFunc(from.Calls(s.Body...), func(c mutate.Call) bool { return c.To == fn }) {
				return true
			}
		}
	}
	return false
}

// asks reports whether the function asks for the end in the section, before it stores.
func (l *late) asks() bool {
	if l.end.flag == nil {
		return false
	}
	if l.section == nil {
		return false
	}
	info := l.fn.File.Package.Info
	return syntax.Any(l.fn.Body, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		return ok && l.section.Acquire.End() <= sel.Pos() && sel.Pos() < l.store.Stmt.End() && syntax.Field(info, sel) == l.end.flag
	})
}

// stores lists the statements of a function that store in a field of a value that others know, also by a method of
// the value that it calls under a lock.
func stores(fn *mutate.Function) (out []store) {
	type storesOf struct{ fn *mutate.Function }
	return mutate.Once(fn, storesOf{fn}, func() []store {
		for _, st := range fn.Statements() {
			out = append(out, storesIn(fn, st)...)
			for _, c := range fn.Calls(st.Stmt) {
				sel, ok := ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr)
				_, recv, _ := method(c.To)
				if callOf(st.Stmt) != c.Expr || !ok || recv == nil || c.To == fn {
					continue
				}
				for _, inner := range c.To.Statements() {
					for _, s := range storesIn(c.To, inner) {
						if syntax.Is(c.To.File.Package.Info, s.of, recv) {
							out = append(out, store{Statement: st, of: sel.X, field: s.field})
						}
					}
				}
			}
		}
		return slices.DeleteFunc(out, func(s store) bool { return fn.Path(s.of).Root == nil || local(fn, s.of) })
	})
}

// local reports whether a value is one that the function has made.
func local(fn *mutate.Function, of ast.Expr) bool {
	id, ok := ast.Unparen(of).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := fn.File.Package.Info.Uses[id].(*types.Var)
	return ok && fn.Body.Pos() <= v.Pos() && v.Pos() < fn.Body.End()
}

// adders are methods of containers that add something.
var adders = map[string]bool{"PushBack": true, "PushFront": true, "Push": true, "Add": true, "Insert": true, "Put": true, "Set": true, "Store": true, "Go": true, "LoadOrStore": true}

// storesIn lists what one statement stores.
func storesIn(fn *mutate.Function, st mutate.Statement) (out []store) {
	info := fn.File.Package.Info
	base := func(e ast.Expr) (of ast.Expr, v *types.Var) {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			sel = elementOf(fn, e)
		}
		if sel == nil || syntax.Field(info, sel) == nil {
			return nil, nil
		}
		return syntax.Owner(info, sel.X), syntax.Field(info, sel)
	}
	assign, isAssign := st.Stmt.(*ast.AssignStmt)
	if isAssign && assign.Tok == token.ASSIGN && len(assign.Lhs) == len(assign.Rhs) {
		for i, l := range assign.Lhs {
			s := store{Statement: st}
			if index, ok := ast.Unparen(l).(*ast.IndexExpr); ok {
				l, s.key = index.X, index.Index
			}
			if s.of, s.field = base(l); s.of == nil {
				continue
			}
			var adds bool
			if s.stored, adds = added(info, assign.Rhs[i], s.key != nil); adds {
				out = append(out, s)
			}
		}
	}
	var call *ast.CallExpr
	switch s := st.Stmt.(type) {
	case *ast.ExprStmt:
		call, _ = s.X.(*ast.CallExpr)
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			call, _ = ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		}
	}
	if call == nil {
		return out
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !adders[sel.Sel.Name] {
		return out
	}
	if of, v := base(sel.X); of != nil && !atomic(v) {
		out = append(out, store{Statement: st, of: of, field: v, stored: call.Args})
	} else if len(call.Args) > 1 { // heap.Push(&q.items, item)
		at := ast.Unparen(call.Args[0])
		if u, ok := at.(*ast.UnaryExpr); ok && u.Op == token.AND {
			at = u.X
		}
		if of, v := base(at); of != nil {
			out = append(out, store{Statement: st, of: of, field: v, stored: call.Args[1:]})
		}
	}
	return out
}

// elementOf is the field of which a local variable is an element: a map within a map, or a slice; nil: it is none.
func elementOf(fn *mutate.Function, e ast.Expr) (field *ast.SelectorExpr) {
	info := fn.File.Package.Info
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := info.Uses[id].(*types.Var)
	if !ok {
		return nil
	}
	if _, isMap := v.Type().Underlying().(*types.Map); !isMap {
		return nil
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 || info.ObjectOf(identOf(assign.Lhs[0])) != v {
			return true
		}
		if index, ok := ast.Unparen(assign.Rhs[0]).(*ast.IndexExpr); ok && field == nil {
			field, _ = ast.Unparen(index.X).(*ast.SelectorExpr)
		}
		return true
	})
	return field
}

// identOf is a name; nil: the expression is none.
func identOf(e ast.Expr) *ast.Ident {
	id, _ := e.(*ast.Ident)
	return id
}

// atomic reports whether a variable is one of package sync/atomic, whose methods only set numbers and flags.
func atomic(v *types.Var) bool {
	named, ok := types.Unalias(v.Type()).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync/atomic"
}

// added is what the value of an assignment adds to a field; ok is false where it takes something away, or only
// makes room.
func added(info *types.Info, e ast.Expr, element bool) (stored []ast.Expr, ok bool) {
	e = ast.Unparen(e)
	if info.Types[e].IsNil() || info.Types[e].Value != nil && !element {
		return nil, false
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		switch syntax.Builtin(info, e) {
		case "append":
			if e.Ellipsis != token.NoPos || len(e.Args) < 2 {
				return nil, false
			}
			return e.Args[1:], true
		case "make", "new":
			return nil, element
		}
		if id := syntax.CalledName(e.Fun); id != nil && (strings.HasPrefix(id.Name, "Delete") || strings.HasPrefix(id.Name, "Clone")) {
			return nil, false
		}
	case *ast.CompositeLit:
		return nil, element
	case *ast.SliceExpr:
		return nil, false
	}
	return []ast.Expr{e}, true
}

// condition is what the question asks.
func (l *late) condition() string {
	return strings.Replace(string(l.end.asked), "%s", l.value+"."+l.end.name, 1)
}

// question is the code that asks, and leaves where the value has ended. With release it lets the lock go before.
func (l *late) question(release bool) string {
	var b strings.Builder
	cond := l.condition()
	var does []string
	for _, code := range l.cleanup() {
		if !l.forgotten(code) {
			does = append(does, code)
		}
	}
	does = append(does, l.leaves)
	if flag := l.value + "." + l.end.name; release && l.end.asked == isNotNil && strings.Contains(strings.Join(does, "\n"), flag) {
		// Behind the release the error is read no more.
		cond = "err := " + flag + "; err != nil"
		for i := range does {
			does[i] = strings.ReplaceAll(does[i], flag, "err")
		}
	}
	if l.end.asked == isClosed {
		b.WriteString("select {\ncase " + cond + ":\n")
	} else {
		b.WriteString("if " + cond + " {\n")
	}
	if release {
		b.WriteString(l.value + l.end.lock + ".Unlock()\n")
	}
	b.WriteString(strings.Join(does, "\n") + "\n")
	if l.end.asked == isClosed {
		b.WriteString("default:\n")
	}
	b.WriteString("}")
	return b.String()
}

// cleanup ends what was to be stored as the method ends what it finds, where that has a name already.
func (l *late) cleanup() (code []string) {
	for _, e := range l.end.goes[l.store.field] {
		stored := l.store.stored
		if e.key {
			stored = nil
			if l.store.key != nil {
				stored = []ast.Expr{l.store.key}
			}
		}
		for _, s := range stored {
			if !syntax.Plain(s) || !l.known(s) || e.reason && l.end.reason == nil {
				continue
			}
			text := strings.Replace(e.code, "\x00", types.ExprString(s), 1)
			if e.element != "" {
				text = renamed(e.code, e.element, types.ExprString(s))
			}
			if e.reason {
				text = renamed(text, l.end.reason.Name(), l.value+"."+l.end.name)
			}
			if !slices.Contains(code, text) {
				code = append(code, text)
			}
		}
	}
	return code
}

// forgotten reports whether code only closes a channel of what the function has made and gives to nobody.
func (l *late) forgotten(code string) bool {
	call, ok := strings.CutPrefix(code, "close(")
	if !ok {
		return false
	}
	root, _, _ := strings.Cut(strings.TrimSuffix(call, ")"), ".")
	made := false
	ast.Inspect(l.fn.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		made = made || ok && id.Name == root && l.fn.File.Package.Info.Defs[id] != nil
		return !made
	})
	return made && renamed(l.leaves, root, "") == l.leaves
}

// known reports whether an expression means at the question what it means where it is stored, and is no mere value.
func (l *late) known(e ast.Expr) bool {
	t := l.fn.File.Package.Info.TypeOf(e)
	if t == nil {
		return false
	}
	if _, basic := t.Underlying().(*types.Basic); basic {
		return false
	}
	return scope.Means(l.fn, e, l.at().Pos()) && l.fn.Path(e).Root.Pos() < l.at().Pos()
}

// declare adds the flag to the type and sets it in the method, if there is none. Another edit may have done so.
func (e *end) declare(m *mutate.Mutation, edit mutate.Edit) error {
	if e.flag != nil {
		return nil
	}
	file, fields := structOf(e)
	if fields == nil {
		return mutate.Refuse(edit, "the type is no struct")
	}
	typ, value := "bool", "true"
	if e.reason != nil {
		typ, value = "error", e.reason.Name()
	}
	added, err := addField(m, edit, file, fields, e.name, typ, "set by "+e.by.Name.Name)
	if !added {
		return err
	}
	var behind ast.Stmt = e.section.Acquire
	if e.section.Deferred {
		behind = e.section.Releases[0]
	}
	anchor := m.StmtOf(e.in.Rel, behind)
	if anchor == nil {
		return mutate.Refuse(edit, "another edit changed %s", e.by.Name.Name)
	}
	return m.InsertSnippet(e.in.Rel, anchor, true, e.by.Recv.List[0].Names[0].Name+"."+e.name+" = "+value)
}

// structOf is the declaration of a type's fields; nil: there is none.
func structOf(e *end) (*analysis.File, *ast.StructType) {
	var at *analysis.File
	var fields *ast.StructType
	for _, f := range e.in.Package.Files {
		ast.Inspect(f.AST, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && f.Package.Info.Defs[spec.Name] == e.typ {
				at = f
				fields, _ = spec.Type.(*ast.StructType)
			}
			return fields == nil
		})
	}
	return at, fields
}
