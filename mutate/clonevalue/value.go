package clonevalue

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/outward"
)

// A value is a type whose values are copied.
type value struct {
	named   *types.Named
	plain   bool // not pointers to them are given away, but copies that share slices and maps
	name    string
	method  string   // that copies it
	exists  bool     // the method is there already
	changed []string // the fields that are changed in an owner's value
	heat    float64  // of the hottest place that uses its fields
	met     bool     // a failure is where somebody uses a value that he was given
}

// valueOf is what a type is copied by; nil: it cannot be, or need not be, since nobody changes its values.
func valueOf(fn *mutate.Function, named *types.Named, plain bool) *value {
	type valueKey struct {
		named *types.Named
		plain bool
	}
	return mutate.Once(fn, valueKey{named, plain}, func() *value {
		v := &value{named: named, plain: plain, name: named.Obj().Name()}
		if !copyable(named, map[types.Type]bool{}) || !v.findChanges(fn) {
			return nil
		}
		if !v.findMethod(fn) {
			return nil
		}
		return v
	})
}

// copyable says whether values of a type may be copied: there is no lock or atomic variable in them.
func copyable(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return true
	}
	seen[t] = true
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
		switch n.Obj().Pkg().Path() {
		case "sync", "sync/atomic":
			return false
		case "time", "net/url", "math/big":
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if !copyable(f.Type(), seen) {
				return false
			}
		}
	case *types.Array:
		return copyable(u.Elem(), seen)
	}
	return true
}

// findChanges finds the fields of the value, and of the structs in it, that are changed in values which somebody
// may have been given.
func (v *value) findChanges(fn *mutate.Function) bool {
	fields := map[*types.Var]bool{}
	fieldsOf(v.named, fields)
	for _, g := range fn.OfPackage() {
		if g.File.Test {
			continue
		}
		if !v.plain && !v.findAssigned(g, fields) {
			return false
		}
		ast.Inspect(g.Body, func(n ast.Node) bool {
			v.findInPlace(g, n, fields)
			sel, ok := n.(*ast.SelectorExpr)
			if ok && fields[fieldOf(g, sel)] {
				h, _ := g.Narrowing.HeatAt(sel.Pos())
				switch {
				case !given(g, sel.X):
					h *= nearby
				case h >= nearby:
					v.met = true
				}
				v.heat = max(v.heat, h)
			}
			return true
		})
	}
	slices.Sort(v.changed)
	return len(v.changed) > 0
}

// findAssigned finds the fields that a function assigns to; false: values are for their users to change.
func (v *value) findAssigned(fn *mutate.Function, fields map[*types.Var]bool) bool {
	for _, st := range fn.Statements() {
		for _, lhs := range syntax.Assigned(st.Stmt) {
			if v.forUsers(fn, lhs) {
				return false
			}
			if f := fieldIn(fn, lhs); f != nil && fields[f] && !fn.Fresh(fieldAccess(lhs)) {
				v.change(fn, f)
			}
		}
	}
	return true
}

// findInPlace finds the fields whose elements a node changes: what a copy shares.
func (v *value) findInPlace(fn *mutate.Function, n ast.Node, fields map[*types.Var]bool) {
	for _, e := range syntax.InPlace(fn.File.Package.Info, n) {
		for _, e := range append(readFrom(fn, e), e) {
			if sel, ok := e.(*ast.SelectorExpr); ok && fields[fieldOf(fn, sel)] && !fn.Fresh(e) {
				v.change(fn, fieldOf(fn, sel))
			}
		}
	}
}

// readFrom lists what a function assigns to a local variable: a slice or map has that one's elements.
func readFrom(fn *mutate.Function, e ast.Expr) (all []ast.Expr) {
	if !local(fn, e) {
		return nil
	}
	info := fn.File.Package.Info
	v := info.ObjectOf(ast.Unparen(e).(*ast.Ident))
	for _, st := range fn.Statements() {
		s, ok := st.Stmt.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != len(s.Rhs) {
			continue
		}
		for i, lhs := range s.Lhs {
			if id, ok := lhs.(*ast.Ident); ok && info.ObjectOf(id) == v {
				all = append(all, ast.Unparen(s.Rhs[i]))
			}
		}
	}
	return all
}

func (v *value) change(fn *mutate.Function, f *types.Var) {
	if name := fn.VarName(f); !slices.Contains(v.changed, name) {
		v.changed = append(v.changed, name)
	}
}

// given says whether a variable has what a call has returned, or an element of that: whoever uses its fields
// has been given the value.
func given(fn *mutate.Function, e ast.Expr) bool {
	root := fn.Path(e).Root
	if root == nil {
		return false
	}
	info := fn.File.Package.Info
	is := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && info.ObjectOf(id) == root
	}
	called := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && len(fn.Calls(&ast.ExprStmt{X: call})) > 0
	}
	return slices.ContainsFunc(fn.Statements(), func(st mutate.Statement) bool {
		switch s := st.Stmt.(type) {
		case *ast.RangeStmt:
			return s.Value != nil && is(s.Value) && called(s.X)
		case *ast.AssignStmt:
			return len(s.Rhs) == 1 && is(s.Lhs[0]) && called(s.Rhs[0])
		}
		return false
	})
}

// forUsers says whether an exported method of the value changes it: whoever is given one may do that, and means
// the owner's.
func (v *value) forUsers(fn *mutate.Function, lhs ast.Expr) bool {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || !outward.Called(fn) {
		return false
	}
	p := fn.Path(fieldAccess(lhs))
	r, ok := p.Root.(*types.Var)
	return ok && r.Kind() == types.RecvVar && p.Rest != "" && pointee(r.Type()) == v.named
}

// fieldsOf adds the fields of a struct, and of those of its package in it.
func fieldsOf(t types.Type, fields map[*types.Var]bool) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if !fields[f] {
				fields[f] = true
				fieldsOf(f.Type(), fields)
			}
		}
	case *types.Slice:
		fieldsOf(u.Elem(), fields)
	case *types.Array:
		fieldsOf(u.Elem(), fields)
	case *types.Map:
		fieldsOf(u.Elem(), fields)
	}
}

// fieldAccess is the selector of a field that an expression assigns to, or to an element of.
func fieldAccess(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	for {
		ix, ok := e.(*ast.IndexExpr)
		if !ok {
			return e
		}
		e = ast.Unparen(ix.X)
	}
}

func fieldIn(fn *mutate.Function, e ast.Expr) *types.Var {
	sel, ok := fieldAccess(e).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if t := fn.File.Package.Info.TypeOf(sel.X); t == nil || pointee(t) == nil {
		return nil // of a copy
	}
	return fieldOf(fn, sel)
}

func fieldOf(fn *mutate.Function, sel *ast.SelectorExpr) *types.Var {
	return syntax.Field(fn.File.Package.Info, sel)
}

// given is the type of what is given away.
func (v *value) given() types.Type {
	if v.plain {
		return v.named
	}
	return types.NewPointer(v.named)
}

// findMethod finds the type's own method that copies a value, or a name for a new one.
func (v *value) findMethod(fn *mutate.Function) bool {
	for _, name := range []string{"clone", "Clone", "copy", "Copy"} {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(v.named), true, v.named.Obj().Pkg(), name)
		f, ok := obj.(*types.Func)
		if !ok {
			if obj != nil && name == "clone" {
				return false
			}
			continue
		}
		sig := f.Signature()
		if sig.Params().Len() == 0 && sig.Results().Len() == 1 && syntax.SameGeneric(sig.Results().At(0).Type(), v.given()) {
			v.method, v.exists = name, true
			return true
		}
		if name == "clone" {
			return false
		}
	}
	v.method = "clone"
	return true
}

// declare declares the method, unless it is there.
func (v *value) declare(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function) error {
	if v.exists {
		return nil
	}
	home, decl := v.home(fn)
	file := home.File.Rel
	edited, err := m.File(file)
	if err != nil || edited.HasMethod(v.name, v.method) {
		return err
	}
	behind, ok := m.Node(file, home.ID(decl)).(*dst.FuncDecl)
	if !ok {
		return mutate.Refuse(e, "another edit removed %s", home.Name)
	}
	self := v.receiver()
	b := &builder{m: m, file: file, of: v.named.Obj().Pkg()}
	b.line("// %s is a copy of %s that shares nothing with it that changes.", v.method, self)
	var of dst.Expr = dst.NewIdent(v.name)
	if v.plain {
		b.line("func f() %s {", v.name)
		b.copies(self, v.named, 0)
		b.line("return %s\n}", self)
	} else {
		of = &dst.StarExpr{X: of}
		b.line("func f() *%s {", v.name)
		b.line("if %s == nil {\nreturn nil\n}", self)
		b.line("c := *%s", self)
		b.copies("c", v.named, 0)
		b.line("return &c\n}")
	}
	if b.err != nil {
		return b.err
	}
	recv := &dst.FieldList{List: []*dst.Field{{Names: []*dst.Ident{dst.NewIdent(self)}, Type: of}}}
	return edited.InsertFunc(behind, v.method, recv, b.text.String())
}

// home is the function behind which the method is declared: the type's last method in the first file that
// has some, or the one that gives a value away.
func (v *value) home(fn *mutate.Function) (*mutate.Function, *ast.FuncDecl) {
	var home *mutate.Function
	var at *ast.FuncDecl
	for _, g := range fn.OfPackage() {
		decl, ok := g.Node.(*ast.FuncDecl)
		if !ok || decl.Recv == nil || g.File.Test || home != nil && home.File != g.File {
			continue
		}
		t := g.File.Package.Info.TypeOf(decl.Recv.List[0].Type)
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if syntax.SameGeneric(t, v.named) {
			home, at = g, decl
		}
	}
	if home == nil {
		return fn, fn.Node.(*ast.FuncDecl)
	}
	return home, at
}

// receiver is the name of the method's receiver: that of the type's other methods, or its first letter.
func (v *value) receiver() string {
	for f := range v.named.Methods() {
		if name := f.Signature().Recv().Name(); name != "" && name != "_" && name != "c" {
			return name
		}
	}
	r, _ := utf8.DecodeRuneInString(v.name)
	if name := string(unicode.ToLower(r)); name != "c" {
		return name
	}
	return "v"
}

// A builder writes the method.
type builder struct {
	m    *mutate.Mutation
	file string
	of   *types.Package
	text strings.Builder
	err  error
}

func (b *builder) line(format string, args ...any) { fmt.Fprintf(&b.text, format+"\n", args...) }

// maxDepth bounds how deep in a value slices and maps are copied.
const maxDepth = 4

// copies writes the statements that copy what a variable of a type, which is a copy itself, shares with the original.
func (b *builder) copies(path string, t types.Type, depth int) {
	if !b.shares(t, depth) {
		return
	}
	index := string(rune('i' + depth))
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if f.Name() != "_" {
				b.copies(path+"."+f.Name(), f.Type(), depth)
			}
		}
	case *types.Slice:
		b.line("%s = %s.Clone(%s)", path, b.importing("slices"), path)
		if b.shares(u.Elem(), depth+1) {
			b.line("for %s := range %s {", index, path)
			b.copies(path+"["+index+"]", u.Elem(), depth+1)
			b.line("}")
		}
	case *types.Array:
		b.line("for %s := range %s {", index, path)
		b.copies(path+"["+index+"]", u.Elem(), depth+1)
		b.line("}")
	case *types.Map:
		b.line("%s = %s.Clone(%s)", path, b.importing("maps"), path)
		if b.shares(u.Elem(), depth+1) {
			elem := "elem" + strings.TrimPrefix(strconv.Itoa(depth), "0")
			b.line("for key, %s := range %s {", elem, path)
			if pkg := b.flat(u.Elem(), depth+1); pkg != "" {
				b.line("%s[key] = %s.Clone(%s)", path, b.importing(pkg), elem)
			} else {
				b.copies(elem, u.Elem(), depth+1)
				b.line("%s[key] = %s", path, elem)
			}
			b.line("}")
		}
	}
}

// flat is the package that copies a slice or map whose elements share nothing; "": the type is another one.
func (b *builder) flat(t types.Type, depth int) string {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if !b.shares(u.Elem(), depth+1) {
			return "slices"
		}
	case *types.Map:
		if !b.shares(u.Elem(), depth+1) {
			return "maps"
		}
	}
	return ""
}

// shares says whether copies of a value of a type share something that a copy of the method's does not.
func (b *builder) shares(t types.Type, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Array:
		return b.shares(u.Elem(), depth+1)
	case *types.Struct:
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != b.of {
			return false
		}
		for f := range u.Fields() {
			if b.shares(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

func (b *builder) importing(path string) string {
	name, err := b.m.Import(b.file, path)
	if err != nil && b.err == nil {
		b.err = err
	}
	return name
}
