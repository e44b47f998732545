package scenario

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// callText is a call of a function with arguments that a test's own lines give it, or with small
// values; false: there are none for a parameter.
func (m *maker) callText(d *donor, fn *types.Func, sig *types.Signature, callee, another string) (string, bool) {
	var args []string
	params := sig.Params()
	example := m.example(d, fn)
	for i := range params.Len() {
		t := params.At(i).Type()
		if d.typ != nil && types.Identical(t, d.typ) {
			args = append(args, another)
			continue
		}
		variadic := sig.Variadic() && i == params.Len()-1
		_, function := t.Underlying().(*types.Signature)
		// A test's context may end on its own, which would let a call end that nothing else does.
		endless := types.TypeString(t, nil) == "context.Context"
		if example != nil && !endless && (m.callback == "" || !function) && i < len(example.Args) && !example.Ellipsis.IsValid() {
			if text, ok := m.portable(d, example.Args[i]); ok {
				args = append(args, text)
				continue
			}
		}
		if variadic {
			t = t.(*types.Slice).Elem()
		}
		text, ok := m.small(d, t, 0)
		switch {
		case ok:
			args = append(args, text)
		case !variadic:
			return "", false
		}
	}
	return callee + "(" + strings.Join(args, ", ") + ")", true
}

// example is a call of a function in a test file of the donor's package: that of the maker's choice; nil:
// there is none.
func (m *maker) example(d *donor, fn *types.Func) *ast.CallExpr {
	if all := m.exampleCalls(d, fn); m.choice < len(all) {
		return all[m.choice]
	}
	return nil
}

// exampleCalls are calls of a function by tests with different arguments, those in the donor's own test first, and
// among these and the others those of which most arguments mean the same after the donor's preparation.
func (m *maker) exampleCalls(d *donor, fn *types.Func) (all []*ast.CallExpr) {
	type ranked struct {
		call    *ast.CallExpr
		foreign bool
		left    int // arguments that mean something else
		texts   []string
	}
	var found []ranked
	seen := make(map[string]bool)
	for _, c := range m.examples[fn.Origin()] {
		if c.file.Package != d.file.Package {
			continue
		}
		r := ranked{call: c.call, foreign: c.test != d.test || c.file != d.file}
		var texts []string
		for _, arg := range c.call.Args {
			text, ok := m.portable(d, arg)
			if !ok {
				r.left++
			}
			texts = append(texts, text)
		}
		r.texts = texts
		if key := strings.Join(texts, "\x00"); !seen[key] {
			seen[key] = true
			found = append(found, r)
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int {
		switch {
		case a.foreign != b.foreign && b.foreign:
			return -1
		case a.foreign != b.foreign:
			return 1
		}
		return cmp.Compare(a.left, b.left)
	})
	if len(found) > 2 { // the second is to come to something else than the first
		first := found[0].texts
		unlike := func(r ranked) (n int) {
			for i, text := range r.texts {
				if i < len(first) && (text == "nil") != (first[i] == "nil") {
					n++
				}
			}
			return n
		}
		slices.SortStableFunc(found[1:], func(a, b ranked) int {
			return cmp.Or(cmp.Compare(a.left, b.left), cmp.Compare(unlike(b), unlike(a)))
		})
	}
	for _, r := range found {
		all = append(all, r.call)
	}
	return all
}

// An exampleCall is a call of one of the module's functions by a test.
type exampleCall struct {
	file *analysis.File
	test string
	call *ast.CallExpr
}

// portable is the source of an argument that means the same after the donor's preparation;
// false: it needs what is not prepared.
func (m *maker) portable(d *donor, e ast.Expr) (string, bool) {
	f := m.fileOf(e)
	if f == nil || f.Package != d.file.Package {
		return "", false
	}
	_, literal := e.(*ast.FuncLit)
	if !literal && d.addresses(e) {
		return "", false // both calls would be given the same object
	}
	for v := range d.outer(e) {
		if literal && v != d.subject || !literal && v == d.subject {
			return "", false // both calls would change the same variable, or ask the value before they are made
		}
		if !d.locals[v] || v != d.subject && nilable(v.Type()) && !sharable(v.Type()) {
			return "", false // not prepared, or both calls would be given the same object
		}
	}
	if f != d.file && !m.sameImports(f, d.file, e) {
		return "", false
	}
	return source(f, e), true
}

// addresses says whether an expression takes the address of a variable of the donor other than the
// subject, or is a slice of one.
func (d *donor) addresses(e ast.Expr) bool {
	info := d.file.Package.Info
	return syntax.Any(e, func(n ast.Node) bool {
		var of ast.Expr
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op != token.AND {
				return false
			}
			of = n.X
		case *ast.SliceExpr:
			of = n.X
		default:
			return false
		}
		id, ok := ast.Unparen(of).(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := info.Uses[id].(*types.Var)
		return ok && d.locals[v] && v != d.subject
	})
}

// sharable says whether goroutines may use a value of a type that points to something at the same time.
func sharable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	}
	return types.TypeString(t, nil) == "context.Context"
}

// sameImports says whether the package names in an expression of one file mean the same in another.
func (m *maker) sameImports(from, to *analysis.File, e ast.Expr) bool {
	same := true
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if pkg, ok := from.Package.Info.Uses[id].(*types.PkgName); ok && importName(to, pkg.Imported().Path()) != pkg.Name() {
			same = false
		}
		return true
	})
	return same
}

// importName is the name by which a file knows a package; "": it does not import it.
func importName(f *analysis.File, path string) string {
	for _, s := range f.AST.Imports {
		if strings.Trim(s.Path.Value, `"`) != path {
			continue
		}
		if s.Name != nil {
			return s.Name.Name
		}
		if pkg, ok := f.Package.Info.Implicits[s].(*types.PkgName); ok {
			return pkg.Name()
		}
	}
	return ""
}

// small is the source of a small value of a type; false: there is none that a call could use.
func (m *maker) small(d *donor, t types.Type, depth int) (string, bool) {
	if depth > 3 {
		return "", false
	}
	switch types.TypeString(t, nil) {
	case "context.Context":
		return m.imported(d, "context") + ".Background()", true
	case "error":
		return m.imported(d, "errors") + `.New("mendel")`, true
	case "time.Duration":
		return m.imported(d, "time") + ".Millisecond", true
	case "time.Time":
		return m.imported(d, "time") + ".Unix(1, 0)", true
	case "io.Reader":
		return m.imported(d, "strings") + `.NewReader("a\nb\n")`, true
	case "io.Writer":
		return m.imported(d, "io") + ".Discard", true
	case "net/http.ResponseWriter":
		return m.imported(d, "net/http/httptest") + ".NewRecorder()", true
	case "*net/http.Request":
		return m.imported(d, "net/http/httptest") + `.NewRequest("GET", "/", nil)`, true
	case "*testing.T", "testing.TB":
		return d.t, true
	}
	name, ok := m.typeName(d, t)
	if !ok {
		return "", false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return name + `("a")`, true
		case u.Info()&types.IsBoolean != 0:
			return name + "(true)", true
		case u.Info()&types.IsNumeric != 0:
			return name + "(1)", true
		}
	case *types.Slice:
		if e, ok := m.small(d, u.Elem(), depth+1); ok {
			return name + "{" + e + "}", true
		}
		return name + "{}", true
	case *types.Map, *types.Array:
		return name + "{}", true
	case *types.Struct:
		return name + "{}", true
	case *types.Pointer:
		if _, isStruct := u.Elem().Underlying().(*types.Struct); isStruct {
			return "&" + strings.TrimPrefix(name, "*") + "{}", true
		}
	case *types.Chan:
		if u.Dir() == types.SendRecv {
			return "make(" + name + ", 1)", true
		}
		if e, ok := m.typeName(d, u.Elem()); ok {
			return "make(chan " + e + ", 1)", true
		}
	case *types.Interface:
		if u.Empty() || u.NumMethods() == 0 && u.IsMethodSet() {
			return "1", true
		}
		return m.implementation(d, u)
	case *types.Signature:
		return m.function(d, u, name, depth)
	}
	return "", false
}

// function is a literal of a function type that returns small values.
func (m *maker) function(d *donor, sig *types.Signature, name string, depth int) (string, bool) {
	var params, results, values []string
	for i := range sig.Params().Len() {
		t, ok := m.typeName(d, sig.Params().At(i).Type())
		if !ok {
			return "", false
		}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			t = "..." + strings.TrimPrefix(t, "[]")
		}
		params = append(params, t)
	}
	for i := range sig.Results().Len() {
		r := sig.Results().At(i).Type()
		t, ok := m.typeName(d, r)
		if !ok {
			return "", false
		}
		v := "nil"
		if handling(r) != failure {
			if v, ok = m.small(d, r, depth+1); !ok {
				return "", false
			}
		}
		results, values = append(results, t), append(values, v)
	}
	text := "func(" + strings.Join(params, ", ") + ")"
	var body string
	if m.callback != "" {
		body = " " + m.callback + "; "
	}
	if len(results) > 0 {
		return text + " (" + strings.Join(results, ", ") + ") {" + body + " return " + strings.Join(values, ", ") + " }", true
	}
	return text + " {" + strings.TrimSuffix(body, "; ") + " }", true
}

// implementation is a value of a type of the donor's package that has an interface's methods and
// needs no constructor: the fakes of tests first.
func (m *maker) implementation(d *donor, u *types.Interface) (string, bool) {
	var names []string
	scope := d.file.Package.Types.Scope()
	for _, n := range scope.Names() {
		o, ok := scope.Lookup(n).(*types.TypeName)
		if !ok || o.IsAlias() {
			continue
		}
		if named, ok := o.Type().(*types.Named); !ok || named.TypeParams().Len() > 0 || types.IsInterface(named) {
			continue
		}
		_, isStruct := o.Type().Underlying().(*types.Struct)
		f := m.program.File(m.program.Fset.Position(o.Pos()).Filename)
		switch {
		case !isStruct || f == nil || !f.Test:
		case types.Implements(o.Type(), u):
			names = append(names, n+"{}")
		case types.Implements(types.NewPointer(o.Type()), u):
			names = append(names, "&"+n+"{}")
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "", false
	}
	return names[0], true
}

// typeName is a type as the donor's file can write it; false: it cannot.
func (m *maker) typeName(d *donor, t types.Type) (string, bool) {
	ok := true
	text := types.TypeString(t, func(p *types.Package) string {
		if p == d.file.Package.Types {
			return ""
		}
		return m.imported(d, p.Path())
	})
	var visit func(t types.Type, depth int)
	visit = func(t types.Type, depth int) {
		if depth > 6 {
			return
		}
		switch t := types.Unalias(t).(type) {
		case *types.Named:
			if o := t.Obj(); o.Pkg() != nil && o.Pkg() != d.file.Package.Types && !o.Exported() || o.Parent() != nil && o.Pkg() != nil && o.Parent() != o.Pkg().Scope() {
				ok = false
			}
			for i := range t.TypeArgs().Len() {
				visit(t.TypeArgs().At(i), depth+1)
			}
		case *types.TypeParam:
			ok = false
		case *types.Pointer:
			visit(t.Elem(), depth+1)
		case *types.Slice:
			visit(t.Elem(), depth+1)
		case *types.Map:
			visit(t.Key(), depth+1)
			visit(t.Elem(), depth+1)
		case *types.Chan:
			visit(t.Elem(), depth+1)
		case *types.Signature:
			for i := range t.Params().Len() {
				visit(t.Params().At(i).Type(), depth+1)
			}
			for i := range t.Results().Len() {
				visit(t.Results().At(i).Type(), depth+1)
			}
		}
	}
	visit(t, 0)
	if _, composite := types.Unalias(t).(*types.Signature); composite {
		return "(" + text + ")", ok
	}
	return text, ok
}

// typeNameOf is the type of a donor's variable as its file can write it.
func (m *maker) typeNameOf(d *donor) string {
	name, _ := m.typeName(d, d.typ)
	return name
}

// imported is the name of a package in the donor's file, which comes to import it if it does not.
func (m *maker) imported(d *donor, path string) string {
	if name := importName(d.file, path); name != "" && name != "." && name != "_" {
		return name
	}
	name := path[strings.LastIndex(path, "/")+1:]
	if m.imports[d.file] == nil {
		m.imports[d.file] = map[string]string{}
	}
	m.imports[d.file][path] = name
	return name
}
