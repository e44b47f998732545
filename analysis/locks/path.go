package locks

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis/syntax"
)

// A Path is a variable as a function can name it: the local variable, parameter
// or receiver that it starts with, and the fields and elements that follow. Of a
// package variable there is no root; its text starts with the package's path.
// The zero Path is what has no name.
type Path struct {
	Root types.Object
	Text string // ".books.mu", "example.com/bank.registry.mu", ".mus[0]"
}

// A Lock is a lock as a function can name it.
type Lock struct {
	Path Path
	Key  string // the field, variable or element that it is, in whatever value: "example.com/bank.Account.mu"
	Expr string // as written
	RW   bool   // a sync.RWMutex, or an interface with its methods
	New  bool   // it is yet to be declared: nothing in the program holds it
	// Call is where the function itself calls one of its methods; nil where only
	// what it calls does.
	Call *ast.SelectorExpr
}

// anyElement stands in a path for an element that is not the same each time.
const anyElement = "[?]"

// String is the path as text, the positions of what indexes are left out.
func (p Path) String() string {
	text := position.ReplaceAllString(p.Text, "")
	if p.Root == nil {
		return text
	}
	return p.Root.Name() + text
}

// position is what makes names in indexes differ.
var position = regexp.MustCompile(`@[0-9]+`)

// id identifies a path as text.
func (p Path) id() string {
	if p.Root == nil {
		return p.Text
	}
	return p.Root.Name() + "@" + strconv.Itoa(int(p.Root.Pos())) + p.Text
}

func (p Path) known() bool {
	return (p.Root != nil || p.Text != "") && !strings.Contains(p.Text, anyElement)
}

func (p Path) with(text string) Path {
	if p.Root == nil && p.Text == "" || strings.Count(p.Text, ".")+strings.Count(text, ".") > maxFields {
		return Path{}
	}
	return Path{p.Root, p.Text + text}
}

// maxFields bounds the length of a path: that of a recursion grows with each call.
const maxFields = 12

// below is what follows a prefix in a path.
func (p Path) below(prefix Path) (rest string, ok bool) {
	if p.Root != prefix.Root || prefix.Root == nil && prefix.Text == "" {
		return "", false
	}
	rest, ok = strings.CutPrefix(p.Text, prefix.Text)
	return rest, ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

var lockMethods = []string{"Lock", "Unlock", "RLock", "RUnlock", "TryLock", "TryRLock"}

// An operation is the selection of a lock's method.
type operation struct {
	sel      *ast.SelectorExpr
	method   string
	embedded string // fields between the selected value and the lock: ".Mutex"
}

// lockMethod resolves an expression that selects a lock's method.
func lockMethod(info *types.Info, fun ast.Expr) (operation, bool) {
	sel, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	if !ok || !slices.Contains(lockMethods, sel.Sel.Name) {
		return operation{}, false
	}
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return operation{}, false
	}
	f, ok := s.Obj().(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Params().Len() > 0 || f.Pkg().Path() != "sync" && !syntax.InterfaceMethod(f) {
		return operation{}, false
	}
	return operation{sel, f.Name(), fieldNames(s.Recv(), s.Index()[:len(s.Index())-1])}, true
}

// fieldNames are the names of fields that an index path goes through, each with a dot.
func fieldNames(t types.Type, index []int) string {
	var names strings.Builder
	for _, i := range index {
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok || i >= st.NumFields() {
			break
		}
		names.WriteString("." + st.Field(i).Name())
		t = st.Field(i).Type()
	}
	return names.String()
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// anyKey is the key of a lock that may be any: a sync.Locker's.
const anyKey = "*"

// keyOf is the key of the lock whose method is selected.
func keyOf(info *types.Info, sel *ast.SelectorExpr) string {
	s := info.Selections[sel]
	if key := lastField(s.Recv(), s.Index()[:len(s.Index())-1]); key != "" {
		return withOwner(info, sel.X, key)
	}
	if types.IsInterface(s.Recv()) {
		return anyKey
	}
	return exprKey(info, sel.X)
}

// exprKey is the key of the variable that an expression names.
func exprKey(info *types.Info, e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return variableKey(info.ObjectOf(e))
	case *ast.StarExpr:
		return exprKey(info, e.X)
	case *ast.UnaryExpr:
		return exprKey(info, e.X)
	case *ast.IndexExpr:
		return exprKey(info, e.X) + "[]"
	case *ast.SelectorExpr:
		if s := info.Selections[e]; s != nil && s.Kind() == types.FieldVal {
			return withOwner(info, e.X, lastField(s.Recv(), s.Index()))
		}
		return variableKey(info.ObjectOf(e.Sel))
	}
	return anyKey
}

// withOwner is the key of a field; of one of a struct type without a name it begins with that
// of the variable which has the type.
func withOwner(info *types.Info, owner ast.Expr, key string) string {
	if key != "" && key[0] != '.' {
		return key
	}
	outer := exprKey(info, owner)
	if outer == anyKey {
		return key
	}
	return outer + key
}

// variableKey is the key of a variable; a local one may point to any lock.
func variableKey(obj types.Object) string {
	v, ok := obj.(*types.Var)
	if !ok || v.Pkg() == nil {
		return anyKey
	}
	if v.Parent() == v.Pkg().Scope() {
		return v.Pkg().Path() + "." + v.Name()
	}
	if t := types.Unalias(v.Type()); types.IsInterface(t) || deref(t) != t {
		return anyKey
	}
	return v.Pkg().Path() + ":" + v.Name()
}

// isMutex reports whether a type is one of package sync's locks, or a pointer to one.
func isMutex(t types.Type) bool {
	name := types.TypeString(deref(t), nil)
	return name == "sync.Mutex" || name == "sync.RWMutex"
}

// lastField is the key of the last field on an index path; "" if there is none, or it is a
// lock that a struct type without a name embeds.
func lastField(t types.Type, index []int) string {
	key := ""
	for _, i := range index {
		owner := deref(t)
		st, ok := owner.Underlying().(*types.Struct)
		if !ok || i >= st.NumFields() {
			return key
		}
		field := st.Field(i)
		t = field.Type()
		n, named := types.Unalias(owner).(*types.Named)
		if named && n.Obj().Pkg() != nil {
			key = n.Obj().Pkg().Path() + "." + n.Obj().Name()
		}
		if !named && field.Embedded() && isMutex(t) {
			continue // the struct without a name is the lock
		}
		key += "." + field.Name()
	}
	return key
}

// maxAliases bounds how many local names are followed from one to the next.
const maxAliases = 8

// path is the path of an expression in a function.
func (m *Names) path(fn *Func, e ast.Expr) Path {
	p, known := m.paths[e]
	if !known {
		p = m.pathOf(fn, e, maxAliases)
		m.paths[e] = p
	}
	return p
}

func (m *Names) pathOf(fn *Func, e ast.Expr, left int) Path {
	info := fn.info()
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return m.identPath(fn, e, left)
	case *ast.StarExpr:
		return m.pathOf(fn, e.X, left)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return m.pathOf(fn, e.X, left)
		}
	case *ast.TypeAssertExpr:
		return m.pathOf(fn, e.X, left)
	case *ast.IndexExpr:
		return m.pathOf(fn, e.X, left).with(m.element(fn, e.Index, left))
	case *ast.SelectorExpr:
		s := info.Selections[e]
		if s == nil {
			return variablePath(info.ObjectOf(e.Sel))
		}
		if s.Kind() != types.FieldVal {
			return Path{}
		}
		if e.Sel.Name == "L" && left > 0 {
			if p, ok := m.condLock(fn, e, left); ok {
				return p
			}
		}
		return m.pathOf(fn, e.X, left).with(fieldNames(s.Recv(), s.Index()))
	case *ast.CallExpr:
		if left > 0 {
			return m.callPath(fn, e, left)
		}
	}
	return Path{}
}

func (m *Names) identPath(fn *Func, id *ast.Ident, left int) Path {
	obj := fn.info().ObjectOf(id)
	if v, ok := obj.(*types.Var); ok && left > 0 {
		if value := m.localsOf(fn).alias[v]; value != nil {
			if p := m.pathOf(fn, value, left-1); p.known() {
				return p
			}
		}
	}
	return variablePath(obj)
}

func variablePath(obj types.Object) Path {
	v, ok := obj.(*types.Var)
	switch {
	case !ok:
		return Path{}
	case v.Pkg() != nil && v.Parent() == v.Pkg().Scope():
		return Path{Text: v.Pkg().Path() + "." + v.Name()}
	}
	return Path{Root: v}
}

// element is the text for an index.
func (m *Names) element(fn *Func, index ast.Expr, left int) string {
	if tv, ok := fn.info().Types[index]; ok && tv.Value != nil {
		return "[" + tv.Value.ExactString() + "]"
	}
	if p := m.pathOf(fn, index, left); p.known() {
		return "[" + p.id() + "]"
	}
	return anyElement
}

// callPath is the path of what a call returns: of a conversion its operand, of
// a function that only returns something that something's path in the caller's terms.
func (m *Names) callPath(fn *Func, call *ast.CallExpr, left int) Path {
	if fn.info().Types[call.Fun].IsType() && len(call.Args) == 1 {
		return m.pathOf(fn, call.Args[0], left-1)
	}
	f := syntax.Callee(fn.info(), call.Fun)
	if f == nil {
		return Path{}
	}
	to := m.declared(f)
	if to == nil || len(to.Body.List) != 1 {
		return Path{}
	}
	ret, ok := to.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return Path{}
	}
	p := m.pathOf(to, ret.Results[0], left-1)
	if p.Root == nil {
		return p
	}
	for _, b := range m.given(fn, call, to) {
		if rest, ok := p.below(b.as); ok && b.path.known() {
			return b.path.with(rest)
		}
	}
	return Path{}
}

// condLock is the lock of a condition variable, c.L, where it was made by sync.NewCond.
func (m *Names) condLock(fn *Func, sel *ast.SelectorExpr, left int) (Path, bool) {
	t := fn.info().TypeOf(sel.X)
	if t == nil || types.TypeString(deref(t), nil) != "sync.Cond" {
		return Path{}, false
	}
	cond := m.pathOf(fn, sel.X, left-1)
	if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok {
		if arg := newCond(m.localsOf(fn).alias[fn.info().ObjectOf(id)]); arg != nil {
			return m.pathOf(fn, arg, left-1), true
		}
	}
	last, ok := ast.Unparen(sel.X).(*ast.SelectorExpr)
	if !ok {
		return Path{}, false
	}
	return m.condField(cond, storeKey(fn.info(), last), last.Sel.Name, left)
}

// condField is the lock of a condition variable that is a field, known by its
// storeKey: what the program gives sync.NewCond where it assigns to it, as a
// field beside it.
func (m *Names) condField(cond Path, key, name string, left int) (Path, bool) {
	owner, ok := strings.CutSuffix(cond.Text, "."+name)
	if !ok || !cond.known() {
		return Path{}, false
	}
	for _, v := range m.conds(key) {
		if v.in == nil {
			continue
		}
		lock := m.pathOf(v.in, newCond(v.expr), left-1)
		if lock.known() && lock.Text != "" {
			return Path{cond.Root, owner + lock.Text[strings.LastIndex(lock.Text, "."):]}, true
		}
	}
	return Path{}, false
}

// newCond is the argument of sync.NewCond; nil of anything else.
func newCond(e ast.Expr) ast.Expr {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "NewCond" {
		return call.Args[0]
	}
	return nil
}
