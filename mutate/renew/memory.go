package renew

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A memory is what a variable or field refers to: it is emptied, and others may have it.
type memory struct {
	variable *types.Var
	emptied  []*place // in source order
	given    []gift
	in       []*types.Var // slices whose elements refer to it: who has them has it, too
}

func (m *memory) has(s ast.Stmt) bool {
	return s != nil && slices.ContainsFunc(m.emptied, func(p *place) bool { return p.stmt == s })
}

// enough leaves the places behind which somebody may have the memory: where each function that gives it away empties the
// variable itself, what others empty is nobody's.
func (m *memory) enough() {
	gives := func(p *place) bool {
		return slices.ContainsFunc(m.given, func(g gift) bool { return g.decl == p.decl })
	}
	for _, g := range m.given {
		if !slices.ContainsFunc(m.emptied, func(p *place) bool { return p.decl == g.decl }) {
			return
		}
	}
	m.emptied = slices.DeleteFunc(m.emptied, func(p *place) bool { return !gives(p) })
}

// A gift is where others get the memory.
type gift struct {
	file *analysis.File
	decl *ast.FuncDecl
	at   ast.Expr
}

// A place empties a variable.
type place struct {
	file     *analysis.File
	decl     *ast.FuncDecl
	stmt     ast.Stmt
	variable ast.Expr // as it stands there
	old      ast.Expr // what is replaced; nil: the statement
	fresh    string   // what it gets instead
}

func (p *place) function() string { return analysis.FuncName(p.decl) }

// memoriesKey is the key under which the memories of a program are remembered.
type memoriesKey struct{}

// A survey finds the memories of a program.
type survey struct {
	all   map[*types.Var]*memory
	made  map[*types.Var]ast.Expr // what a variable is made as, where it is made in one way only
	other map[*types.Var]bool     // it is made in several ways
	kept  map[*types.Var]bool     // it goes into a pool
}

// memories lists what is emptied and given away, by place.
func memories(program *analysis.Program) []*memory {
	s := &survey{all: map[*types.Var]*memory{}, made: map[*types.Var]ast.Expr{}, other: map[*types.Var]bool{}, kept: map[*types.Var]bool{}}
	each := func(visit func(f *analysis.File, decl *ast.FuncDecl)) {
		for _, pkg := range program.Packages {
			for _, f := range pkg.Files {
				if f.Test {
					continue
				}
				for _, d := range f.AST.Decls {
					if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
						visit(f, decl)
					}
				}
			}
		}
	}
	each(s.empties)
	if len(s.all) == 0 {
		return nil
	}
	each(s.uses)
	each(s.leads)
	var found []*memory
	for v, m := range s.all {
		if len(m.given) > 0 && !s.kept[v] && s.renews(m) {
			m.enough()
			found = append(found, m)
		}
	}
	slices.SortFunc(found, func(a, b *memory) int { return cmp.Compare(a.emptied[0].variable.Pos(), b.emptied[0].variable.Pos()) })
	return found
}

// empties notes where a function empties variables.
func (s *survey) empties(f *analysis.File, decl *ast.FuncDecl) {
	info := f.Package.Info
	add := func(stmt ast.Stmt, variable, old ast.Expr) {
		v := syntax.Variable(info, variable)
		if v == nil || !syntax.Plain(variable) {
			return
		}
		v = v.Origin()
		if s.all[v] == nil {
			s.all[v] = &memory{variable: v}
		}
		s.all[v].emptied = append(s.all[v].emptied, &place{file: f, decl: decl, stmt: stmt, variable: variable, old: old})
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) != len(n.Rhs) || n.Tok != token.ASSIGN {
				break
			}
			for i := range n.Lhs {
				if old := emptied(info, n.Lhs[i], n.Rhs[i]); old != nil {
					add(n, n.Lhs[i], old)
				}
			}
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok && syntax.Builtin(info, call) == "clear" {
				if _, isMap := info.TypeOf(call.Args[0]).Underlying().(*types.Map); isMap {
					add(n, call.Args[0], nil)
				}
			}
		}
		return true
	})
}

// emptied is the part of a value that empties the variable which gets it; nil: it does not.
func emptied(info *types.Info, to, value ast.Expr) ast.Expr {
	value = ast.Unparen(value)
	switch e := value.(type) {
	case *ast.SliceExpr:
		if zero(info, e.Low) && e.High != nil && zero(info, e.High) && same(e.X, to) {
			if _, ok := info.TypeOf(e.X).Underlying().(*types.Slice); ok {
				return e
			}
		}
	case *ast.CallExpr:
		if syntax.Builtin(info, e) == "append" {
			return emptied(info, to, e.Args[0])
		}
	}
	return nil
}

// zero reports whether a bound of a slice is 0, written or not.
func zero(info *types.Info, e ast.Expr) bool {
	return e == nil || info.Types[e].Value != nil && info.Types[e].Value.String() == "0"
}

// same reports whether two expressions of names and selectors are written alike.
func same(a, b ast.Expr) bool { return syntax.Plain(a) && types.ExprString(a) == types.ExprString(b) }

// uses notes where a function gives memory away, what variables are made as, and what goes into pools.
func (s *survey) uses(f *analysis.File, decl *ast.FuncDecl) {
	info := f.Package.Info
	syntax.Walk(decl.Body, func(n ast.Node, path []ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					s.make(info, lhs, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if len(n.Names) == len(n.Values) {
					s.make(info, name, n.Values[i])
				}
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				if v, ok := info.Uses[id].(*types.Var); ok && v.IsField() {
					s.make(info, id, n.Value)
				}
			}
		case ast.Expr:
			v := syntax.Variable(info, n)
			if v == nil || s.all[v.Origin()] == nil {
				return
			}
			if sel, ok := path[len(path)-1].(*ast.SelectorExpr); ok && sel.Sel == n {
				return // the selector is looked at
			}
			switch e, parent := whole(n, path); {
			case pooled(info, e, parent):
				s.kept[v.Origin()] = true
			case gives(info, e, parent):
				s.all[v.Origin()].given = append(s.all[v.Origin()].given, gift{f, decl, n})
			}
		}
	})
}

// leads notes which slices a function appends to whose elements refer to memory: what it has from a call that was given
// the memory, or a part of the memory.
//
//	p, a.counts = hist.AppendTo(a.counts)
//	a.points = append(a.points, p)
func (s *survey) leads(f *analysis.File, decl *ast.FuncDecl) {
	info := f.Package.Info
	from := map[types.Object][]*types.Var{} // local variables, and the memory that they refer to
	refers := func(e ast.Expr) (all []*types.Var) {
		syntax.Walk(e, func(n ast.Node, path []ast.Node) {
			if call, ok := n.(*ast.CallExpr); ok && (syntax.Builtin(info, call) == "len" || syntax.Builtin(info, call) == "cap") {
				return
			}
			e, ok := n.(ast.Expr)
			if !ok || slices.ContainsFunc(path, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				return ok && (syntax.Builtin(info, call) == "len" || syntax.Builtin(info, call) == "cap")
			}) {
				return
			}
			v := syntax.Variable(info, e)
			if v == nil {
				return
			}
			all = append(all, from[v]...)
			if s.all[v.Origin()] != nil {
				all = append(all, v.Origin())
			}
		})
		return all
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, l := range assign.Lhs {
			r := assign.Rhs[min(i, len(assign.Rhs)-1)]
			if id, ok := l.(*ast.Ident); ok && info.ObjectOf(id) != nil {
				if v, isVar := info.ObjectOf(id).(*types.Var); isVar && s.all[v] == nil && mayRefer(v.Type()) {
					from[v] = append(from[v], refers(r)...)
				}
			}
			call, isCall := ast.Unparen(r).(*ast.CallExpr)
			to := syntax.Variable(info, l)
			if !isCall || to == nil || syntax.Builtin(info, call) != "append" || call.Ellipsis.IsValid() {
				continue
			}
			for _, element := range call.Args[1:] {
				for _, v := range refers(element) {
					if m := s.all[v]; v != to.Origin() && mayRefer(info.TypeOf(element)) && !slices.Contains(m.in, to.Origin()) {
						m.in = append(m.in, to.Origin())
					}
				}
			}
		}
		return true
	})
}

// mayRefer reports whether a value of a type may refer to memory of a slice or map: it is one, or a struct with one.
func mayRefer(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return syntax.Shares(t)
}

// make notes what a variable gets, if that is made there.
func (s *survey) make(info *types.Info, to, value ast.Expr) {
	v := syntax.Variable(info, to)
	if v == nil || s.all[v.Origin()] == nil {
		return
	}
	v, value = v.Origin(), ast.Unparen(value)
	switch e := value.(type) {
	case *ast.CallExpr:
		if syntax.Builtin(info, e) != "make" {
			return
		}
	case *ast.CompositeLit:
		if len(e.Elts) > 0 {
			return
		}
	default:
		return
	}
	if known := s.made[v]; known != nil && types.ExprString(known) != types.ExprString(value) {
		s.other[v] = true
	}
	s.made[v] = value
}

// whole is an expression with what is sliced from it, x[1:3], and what is around that.
func whole(e ast.Expr, path []ast.Node) (ast.Expr, ast.Node) {
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.ParenExpr:
			e = n
		case *ast.SliceExpr:
			if n.X != e {
				return e, n
			}
			e = n
		default:
			return e, n
		}
	}
	return e, nil
}

// gives reports whether an expression's value goes elsewhere by what is around it: into a call, another variable,
// a result, a channel or a literal.
func gives(info *types.Info, e ast.Expr, parent ast.Node) bool {
	switch n := parent.(type) {
	case *ast.CallExpr:
		if n.Fun == e {
			return false
		}
		switch syntax.Builtin(info, n) {
		case "":
			f := syntax.Callee(info, n.Fun)
			return f == nil || f.Pkg() == nil || !slices.Contains(borrowers, f.Pkg().Path()) || strings.HasPrefix(f.Name(), "New")
		case "append":
			return n.Args[0] != e && !n.Ellipsis.IsValid()
		}
	case *ast.AssignStmt:
		i := slices.Index(n.Rhs, e)
		if i < 0 || len(n.Lhs) != len(n.Rhs) || emptied(info, n.Lhs[i], n.Rhs[i]) != nil {
			return false
		}
		id, ok := n.Lhs[i].(*ast.Ident)
		return !ok || id.Name != "_"
	case *ast.ValueSpec:
		return slices.Contains(n.Values, e)
	case *ast.ReturnStmt:
		return true
	case *ast.SendStmt:
		return n.Value == e
	case *ast.KeyValueExpr:
		return n.Value == e
	case *ast.CompositeLit:
		return n.Type != e
	}
	return false
}

// borrowers are packages whose functions do not keep the slices and maps that they are given, but for those that make
// something of them: bytes.NewBuffer.
var borrowers = []string{"sort", "slices", "maps", "bytes", "strings", "fmt", "strconv", "io", "encoding/binary", "unicode/utf8", "hash/crc32"}

// pooled reports whether an expression goes into a sync.Pool.
func pooled(info *types.Info, e ast.Expr, parent ast.Node) bool {
	call, ok := parent.(*ast.CallExpr)
	if !ok || call.Fun == e {
		return false
	}
	f := syntax.Callee(info, call.Fun)
	return f != nil && f.FullName() == "(*sync.Pool).Put"
}

// renews fills in what the places of a memory get; ok is false where that cannot be written.
func (s *survey) renews(m *memory) bool {
	made := s.made[m.variable]
	for _, p := range m.emptied {
		p.fresh = ""
		if made != nil && !s.other[m.variable] && means(p, made) {
			p.fresh = text(made)
		}
		if _, isMap := m.variable.Type().Underlying().(*types.Map); p.fresh == "" && isMap {
			return false
		}
		if p.fresh == "" {
			p.fresh = "nil"
			if call := p.appends(); call != nil { // append(nil, ...) has no type
				t, ok := m.variable.Type().(*types.Slice)
				if !ok {
					return false
				}
				b, basic := t.Elem().(*types.Basic)
				if !basic {
					return false
				}
				p.fresh = "[]" + b.Name() + "(nil)"
			}
		}
	}
	return true
}

// appends is the call that appends to the emptied variable; nil: there is none.
func (p *place) appends() *ast.CallExpr {
	a, ok := p.stmt.(*ast.AssignStmt)
	if !ok {
		return nil
	}
	value := ast.Unparen(a.Rhs[slices.Index(a.Lhs, p.variable)])
	if value == p.old {
		return nil
	}
	call, _ := value.(*ast.CallExpr)
	return call
}

// means reports whether an expression means at a place what it means where it stands: its names are declared there,
// and local ones in the same function and never set again.
func means(p *place, made ast.Expr) bool {
	info := p.file.Package.Info
	scope := p.file.Package.Types.Scope().Innermost(p.stmt.Pos())
	if scope == nil {
		return false
	}
	ok := true
	ast.Inspect(made, func(n ast.Node) bool {
		id, isName := n.(*ast.Ident)
		if !isName {
			if sel, is := n.(*ast.SelectorExpr); is { // a package's name alone is looked up
				root, isName := sel.X.(*ast.Ident)
				if _, imported := info.Uses[root].(*types.PkgName); !isName || !imported {
					ok = ok && syntax.Plain(sel) && root != nil
				}
			}
			return ok
		}
		obj := info.ObjectOf(id)
		if obj == nil {
			ok = false
			return false
		}
		if v, isVar := obj.(*types.Var); isVar && v.IsField() {
			return true
		}
		if f, isPackage := obj.(*types.PkgName); isPackage {
			ok = ok && f.Parent() == info.Scopes[p.file.AST]
			return false
		}
		if obj.Pkg() != nil && obj.Parent() == nil {
			return true // selected from a package
		}
		_, there := scope.LookupParent(id.Name, p.stmt.Pos())
		if there != obj && !sameParameter(there, obj) {
			ok = false
		}
		if v, isVar := obj.(*types.Var); isVar && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() && set(info, p.decl, v) {
			ok = false
		}
		return ok
	})
	return ok
}

// sameParameter reports whether two methods call one parameter of their receiver's type by the same name.
func sameParameter(a, b types.Object) bool {
	if a == nil || b == nil || a.Name() != b.Name() {
		return false
	}
	p, ok := a.Type().(*types.TypeParam)
	q, also := b.Type().(*types.TypeParam)
	return ok && also && p.Index() == q.Index()
}

// set reports whether a function sets a variable after it was declared.
func set(info *types.Info, decl *ast.FuncDecl, v *types.Var) bool {
	return syntax.Any(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return syntax.Is(info, e, v) })
		case *ast.IncDecStmt:
			return syntax.Is(info, n.X, v)
		case *ast.UnaryExpr:
			return n.Op == token.AND && syntax.Is(info, n.X, v)
		}
		return false
	})
}

// text is an expression as Go writes it.
func text(e ast.Expr) string {
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), e); err != nil {
		return ""
	}
	return b.String()
}
