package program

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"mendel/analysis"
)

// A Program is the functions of a program, and who calls whom. It does not change.
type Program struct {
	Fset *token.FileSet
	Base *Program // the original, of a mutant

	Affected map[string]bool // names of the functions that a mutant changes, and of all that may come to call them
	Fresh    map[string]bool // keys of the locks that those use which it changes, before or after

	Scope map[string]bool // paths of packages that queries about the whole program are limited to; nil: all

	once  sync.Once
	index *Index
	fill  func() *Index

	mine sync.Once // fills in own
	own  []*Func   // see shipped
}

// New indexes a program on first use.
func New(p *analysis.Program) *Program {
	o := &Program{Fset: p.Fset}
	o.fill = func() *Index {
		ix := newIndex(p.Packages, nil)
		for _, pkg := range p.Packages {
			for _, f := range pkg.Files {
				ix.sources[f.Rel], ix.decls[f.Rel] = f, make(map[source]ast.Decl)
				for _, d := range f.AST.Decls {
					ix.decls[f.Rel][sourceOf(p.Fset, f, d)] = d
				}
			}
		}
		ix.dispatch(p.Callees)
		ix.link()
		return ix
	}
	return o
}

// Index makes the index on first use.
func (m *Program) Index() *Index {
	m.once.Do(func() { m.index = m.fill() })
	return m.index
}

// Of finds the function of a declaration or literal; nil if the model has none.
func (m *Program) Of(node ast.Node) *Func {
	if fn := m.Index().ByNode[node]; fn != nil || m.Base == nil {
		return fn
	}
	return m.Base.Of(node)
}

// Named finds a function by name; nil if there is none.
func (m *Program) Named(name string) *Func {
	if fn := m.Index().ByName[name]; fn != nil || m.Base == nil {
		return fn
	}
	return m.Base.Named(name)
}

// In lists the functions whose text stands in a file of the program, or of a mutant of it; what
// a mutant leaves as it is are the original's.
func (m *Program) In(f *analysis.File) []*Func {
	var list []*Func
	for _, d := range f.AST.Decls {
		if m.Base != nil && !m.Differs(f, d) {
			d = m.Base.Index().decls[f.Rel][m.text(f, d)]
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if fn := m.Of(n); fn != nil {
				list = append(list, fn)
			}
			return true
		})
	}
	return slices.Clip(list)
}

// Unaffected reports whether all that is asked of a function is as in the original.
func (m *Program) Unaffected(fn *Func) bool { return m.Base != nil && !m.Affected[fn.Name] }

// A Func is a declared function or a function literal.
type Func struct {
	Name string // unique in the program, and the same in its mutants: "(*example.com/bank.Account).Deposit", with "$1" for a literal
	File *analysis.File
	Node ast.Node // *ast.FuncDecl or *ast.FuncLit
	Type *ast.FuncType
	Body *ast.BlockStmt
	Decl *Func // the declared function around a literal; itself of others
	Up   *Func // the function around a literal, nil of others

	Object *types.Func
	Recv   types.Object
	Params []types.Object
	Lits   []*Func // literals directly in it
	Id     int     // in the index
}

// TakesFunction reports whether the function has a parameter, or a receiver, that is one.
func (fn *Func) TakesFunction() bool {
	return fn.Recv != nil && IsFunc(fn.Recv.Type()) ||
		slices.ContainsFunc(fn.Params, func(p types.Object) bool { return p != nil && IsFunc(p.Type()) })
}

// Label names a function for people: "(*Account).Deposit".
func (fn *Func) Label() string {
	if fn.Decl == nil {
		return fn.Name
	}
	decl, ok := fn.Decl.Node.(*ast.FuncDecl)
	if !ok || fn.Decl.Object == nil {
		return fn.Name
	}
	name := decl.Name.Name
	if recv := fn.Decl.Object.Signature().Recv(); recv != nil {
		t := recv.Type()
		star := ""
		if Deref(t) != t {
			star = "*"
		}
		key := TypeKey(t)
		name = "(" + star + key[strings.LastIndex(key, ".")+1:] + ")." + name
	}
	return name
}

// Literals are all in a function, those in others too.
func (fn *Func) Literals() []*Func {
	var list []*Func
	for _, lit := range fn.Lits {
		list = append(append(list, lit), lit.Literals()...)
	}
	return list
}

// Offered reports whether other packages may call the function.
func (fn *Func) Offered() bool {
	if fn.Object == nil || !fn.Object.Exported() || fn.Object.Pkg().Name() == "main" {
		return false
	}
	recv := fn.Object.Signature().Recv()
	if recv == nil {
		return true
	}
	n, ok := types.Unalias(Deref(recv.Type())).(*types.Named)
	return !ok || n.Obj().Exported()
}

// Info is what is known of the types in the function.
func (fn *Func) Info() *types.Info { return fn.File.Package.Info }

// WithLiterals are a function and all literals in it.
func (fn *Func) WithLiterals() []*Func { return append([]*Func{fn}, fn.Literals()...) }

// Again reports whether a call in a function may lead to it again, or to a literal
// of the same declaration.
func (m *Program) Again(fn *Func) bool {
	root, was := m.asOriginal(fn)
	return was != nil && (was.Decl != was || len(was.Lits) > 0 || root.reach[was].cyclic)
}

// asOriginal is what the index of the original knows a function as; nil if it has none.
func (m *Program) asOriginal(fn *Func) (*Index, *Func) {
	if m.Base == nil {
		return m.Index(), fn
	}
	return m.Base.Index(), m.Base.Named(fn.Name)
}

// Leads reports whether a function is on a cycle of calls with another.
func (m *Program) Leads(from, to *Func) bool {
	root, a := m.asOriginal(from)
	_, b := m.asOriginal(to)
	return a != nil && b != nil && (root.reach[a] == root.reach[b] || from.Decl == to.Decl)
}

// Sites are the calls of a declared function by name or by the method of an interface.
func (m *Program) Sites(fn *Func) []Site {
	if fn.Object == nil {
		return nil
	}
	return m.Index().Callers[fn.Name]
}

// Implementations are the module's methods that a call of an interface's method may run.
func (m *Program) Implementations(fn *Func, fun ast.Expr) []string {
	ix := m.Index()
	if m.Base != nil {
		ix = m.Base.Index()
	}
	keys := Site{In: fn, Call: &ast.CallExpr{Fun: fun}}.dispatchKeys()
	known := ix.ByName[fn.Name] != nil
	for _, key := range keys {
		if list := ix.impls[key]; list != nil || known {
			return list
		}
	}
	return nil
}

// Calls are the calls that a function makes itself.
func (m *Program) Calls(fn *Func) []Site {
	if m.Index().ByNode[fn.Node] == nil && m.Base != nil {
		return m.Base.Calls(fn)
	}
	return m.Index().Calls[fn]
}

// Changed are the declared functions that a mutant changes.
func (m *Program) Changed() []*Func {
	return slices.DeleteFunc(slices.Clone(m.Index().Funcs), func(fn *Func) bool { return fn.Decl != fn })
}

// Has reports whether a mutant changes a declared function of the original.
func (m *Program) Has(decl *Func) bool { return m.Index().ByName[decl.Name] != nil }

// MethodsOf are the methods of the program that a call through an interface may run.
func (m *Program) MethodsOf(call *ast.CallExpr) (list []*Func) {
	for _, fn := range m.Index().Funcs {
		if fn.Object != nil && !fn.File.Test && slices.ContainsFunc(m.DynamicSites(fn), func(s Site) bool { return s.Call == call }) {
			list = append(list, fn)
		}
	}
	return list
}

// DynamicSites are the calls through interfaces that may run a method, by the types alone: who
// gives a constructor an option is often not in the program.
func (m *Program) DynamicSites(fn *Func) (sites []Site) {
	recv := fn.Object.Signature().Recv()
	if recv == nil {
		return nil
	}
	for _, s := range m.Index().asking[fn.Object.Name()] {
		sel, ok := ast.Unparen(s.Call.Fun).(*ast.SelectorExpr)
		if !ok {
			continue
		}
		if of := interfaceOf(s.In.Info(), sel); of != nil && types.Implements(pointerTo(recv.Type()), of) {
			sites = append(sites, s)
		}
	}
	return sites
}

// Keys are those of the locks that the program's functions take or release.
func (m *Program) Keys() map[string]bool {
	found := make(map[string]bool)
	for _, keys := range m.Index().Keys {
		for _, key := range keys {
			found[key] = true
		}
	}
	return found
}

// Shipped are the program's functions, those of tests and of generated files left out, and
// of packages beyond the scope.
func (m *Program) Shipped() []*Func {
	m.mine.Do(func() {
		for _, fn := range m.Index().Funcs {
			if !fn.File.Test && !fn.File.Generated && (m.Scope == nil || m.Scope[fn.File.Package.Path]) {
				m.own = append(m.own, fn)
			}
		}
	})
	return m.own
}
