package naming

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"

	"mendel/analysis/locks/program"
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
const AnyElement = "[?]"

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

// ID identifies a path as text.
func (p Path) ID() string {
	if p.Root == nil {
		return p.Text
	}
	return p.Root.Name() + "@" + strconv.Itoa(int(p.Root.Pos())) + p.Text
}

// Known reports whether a path has a name, and leads to one variable.
func (p Path) Known() bool {
	return (p.Root != nil || p.Text != "") && !strings.Contains(p.Text, AnyElement)
}

// With is a path that goes on; the zero Path if it has no name, or would be too long.
func (p Path) With(text string) Path {
	if p.Root == nil && p.Text == "" || strings.Count(p.Text, ".")+strings.Count(text, ".") > maxFields {
		return Path{}
	}
	return Path{p.Root, p.Text + text}
}

// maxFields bounds the length of a path: that of a recursion grows with each call.
const maxFields = 12

// Below is what follows a prefix in a path.
func (p Path) Below(prefix Path) (rest string, ok bool) {
	if p.Root != prefix.Root || prefix.Root == nil && prefix.Text == "" {
		return "", false
	}
	rest, ok = strings.CutPrefix(p.Text, prefix.Text)
	return rest, ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// maxAliases bounds how many local names are followed from one to the next.
const MaxAliases = 8

// PathOf is the path of an expression in a function.
func (m *Names) PathOf(fn *program.Func, e ast.Expr) Path {
	p, known := m.paths[e]
	if !known {
		p = m.pathOf(fn, e, MaxAliases)
		m.paths[e] = p
	}
	return p
}

func (m *Names) pathOf(fn *program.Func, e ast.Expr, left int) Path {
	info := fn.Info()
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
		return m.pathOf(fn, e.X, left).With(m.element(fn, e.Index, left))
	case *ast.SelectorExpr:
		s := info.Selections[e]
		if s == nil {
			return VariablePath(info.ObjectOf(e.Sel))
		}
		if s.Kind() != types.FieldVal {
			return Path{}
		}
		if e.Sel.Name == "L" && left > 0 {
			if p, ok := m.condLock(fn, e, left); ok {
				return p
			}
		}
		return m.pathOf(fn, e.X, left).With(program.FieldNames(s.Recv(), s.Index()))
	case *ast.CallExpr:
		if left > 0 {
			return m.callPath(fn, e, left)
		}
	}
	return Path{}
}

func (m *Names) identPath(fn *program.Func, id *ast.Ident, left int) Path {
	obj := fn.Info().ObjectOf(id)
	if v, ok := obj.(*types.Var); ok && left > 0 {
		if value := m.LocalsOf(fn).Alias[v]; value != nil {
			if p := m.pathOf(fn, value, left-1); p.Known() {
				return p
			}
		}
	}
	return VariablePath(obj)
}

// VariablePath is the path of a variable.
func VariablePath(obj types.Object) Path {
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
func (m *Names) element(fn *program.Func, index ast.Expr, left int) string {
	if tv, ok := fn.Info().Types[index]; ok && tv.Value != nil {
		return "[" + tv.Value.ExactString() + "]"
	}
	if p := m.pathOf(fn, index, left); p.Known() {
		return "[" + p.ID() + "]"
	}
	return AnyElement
}

// callPath is the path of what a call returns: of a conversion its operand, of
// a function that only returns something that something's path in the caller's terms.
func (m *Names) callPath(fn *program.Func, call *ast.CallExpr, left int) Path {
	if fn.Info().Types[call.Fun].IsType() && len(call.Args) == 1 {
		return m.pathOf(fn, call.Args[0], left-1)
	}
	f := syntax.Callee(fn.Info(), call.Fun)
	if f == nil {
		return Path{}
	}
	to := m.Declared(f)
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
	for _, b := range m.Given(fn, call, to) {
		if rest, ok := p.Below(b.As); ok && b.Path.Known() {
			return b.Path.With(rest)
		}
	}
	return Path{}
}

// condLock is the lock of a condition variable, c.L, where it was made by sync.NewCond.
func (m *Names) condLock(fn *program.Func, sel *ast.SelectorExpr, left int) (Path, bool) {
	t := fn.Info().TypeOf(sel.X)
	if t == nil || types.TypeString(program.Deref(t), nil) != "sync.Cond" {
		return Path{}, false
	}
	cond := m.pathOf(fn, sel.X, left-1)
	if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok {
		if arg := program.NewCond(m.LocalsOf(fn).Alias[fn.Info().ObjectOf(id)]); arg != nil {
			return m.pathOf(fn, arg, left-1), true
		}
	}
	last, ok := ast.Unparen(sel.X).(*ast.SelectorExpr)
	if !ok {
		return Path{}, false
	}
	return m.condField(cond, program.StoreKey(fn.Info(), last), last.Sel.Name, left)
}

// condField is the lock of a condition variable that is a field, known by its
// storeKey: what the program gives sync.NewCond where it assigns to it, as a
// field beside it.
func (m *Names) condField(cond Path, key, name string, left int) (Path, bool) {
	owner, ok := strings.CutSuffix(cond.Text, "."+name)
	if !ok || !cond.Known() {
		return Path{}, false
	}
	for _, v := range m.Conds(key) {
		if v.In == nil {
			continue
		}
		lock := m.pathOf(v.In, program.NewCond(v.Expr), left-1)
		if lock.Known() && lock.Text != "" {
			return Path{cond.Root, owner + lock.Text[strings.LastIndex(lock.Text, "."):]}, true
		}
	}
	return Path{}, false
}
