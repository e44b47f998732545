package mutate

import (
	"go/ast"
	"go/types"
	"slices"
	"sync"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate/internal/blocking"
)

// An index answers questions about the whole original program: which
// functions use a variable, which call a function, which are started by go.
// It is safe for concurrent use.
type index struct {
	program      *analysis.Program
	narrowing    *Narrowed
	tests        bool // tests count as users; see IncludeTests
	written      writtenIndex
	waits        *blocking.Waits
	declarations lazy[map[*types.Func]*Function] // see declaration

	mu    sync.Mutex
	byVar map[*types.Var]*usage // guarded by mu; nil: to be made, because the narrowing grew
	names map[types.Object]string

	callers map[*types.Func][]caller // the declarations whose text calls it
	started map[ast.Node]bool        // *ast.FuncDecl and *ast.FuncLit that run in goroutines of their own

	mentions map[*types.Func][]Mention // see Function.Mentions
	methods  map[string]bool           // names of interfaces' methods that are named; true: outside of tests, too
}

// A caller is a declaration that calls a function.
type caller struct {
	function *types.Func // nil: a package variable's
	file     string      // module-relative
	decl     ast.Decl
}

// A usage is the names of the functions that use a variable, in source order.
type usage struct{ writers, readers []string }

func newIndex(p *analysis.Program, n *Narrowed) *index {
	ix := &index{
		program: p, narrowing: n, waits: blocking.NewWaits(p),
		callers:  make(map[*types.Func][]caller),
		started:  make(map[ast.Node]bool),
		mentions: make(map[*types.Func][]Mention),
		methods:  make(map[string]bool),
	}
	decls := make(map[*types.Func]*ast.FuncDecl)
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok {
					if obj, ok := pkg.Info.Defs[fd.Name].(*types.Func); ok {
						decls[obj] = fd
					}
				}
			}
		}
	}
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				ix.addNames(f, d, decls)
			}
		}
	}
	return ix
}

// addNames notes the functions that a declaration names, and which of them it calls and starts.
func (ix *index) addNames(file *analysis.File, d ast.Decl, decls map[*types.Func]*ast.FuncDecl) {
	info := file.Package.Info
	here := caller{file: file.Rel, decl: d}
	if fd, ok := d.(*ast.FuncDecl); ok {
		here.function, _ = info.Defs[fd.Name].(*types.Func)
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			ix.addName(file, n)
			return true
		case *ast.CallExpr:
			f := syntax.Callee(info, n.Fun)
			if list := ix.callers[f]; f != nil && (len(list) == 0 || list[len(list)-1].decl != d) {
				ix.callers[f] = append(list, here)
			}
		}
		fun := syntax.Started(info, n)
		if lit, ok := fun.(*ast.FuncLit); ok {
			ix.started[lit] = true
		} else if fd := decls[syntax.Callee(info, fun)]; fd != nil {
			ix.started[fd] = true
		}
		return true
	})
}

// addName notes the function that an identifier names, if it names one.
func (ix *index) addName(file *analysis.File, id *ast.Ident) {
	f, ok := file.Package.Info.Uses[id].(*types.Func)
	if !ok {
		return
	}
	ix.mentions[f.Origin()] = append(ix.mentions[f.Origin()], Mention{file, id})
	if syntax.InterfaceMethod(f) {
		ix.methods[f.Name()] = ix.methods[f.Name()] || !file.Test
	}
}

// usedOutsideTests reports whether a function is named outside of tests, or may
// be meant there by the method of an interface.
func (ix *index) usedOutsideTests(f *types.Func) bool {
	named := slices.ContainsFunc(ix.mentions[f], func(m Mention) bool { return !m.File.Test })
	return named || f.Signature().Recv() != nil && ix.methods[f.Name()]
}

// users are the functions that use a variable, those left out that only tests
// call, and not concurrently.
func (ix *index) users(v *types.Var) usage {
	ix.narrowing.variable(v)
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.fill()
	if u := ix.byVar[v.Origin()]; u != nil {
		return *u
	}
	return usage{}
}

// name is what the narrowing calls a variable, "Account.amount".
func (ix *index) name(v *types.Var) string {
	ix.narrowing.variable(v)
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.fill()
	if name, ok := ix.names[v.Origin()]; ok {
		return name
	}
	return v.Name()
}

// forget makes the index look at the narrowing again.
func (ix *index) forget() {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.byVar = nil
}

// fill makes the indexes of variables. ix.mu is held.
func (ix *index) fill() {
	if ix.byVar != nil {
		return
	}
	ix.byVar = make(map[*types.Var]*usage)
	ix.names = make(map[types.Object]string)
	_, _, variables := ix.narrowing.narrowing.Findings()
	for _, f := range variables {
		if f.Object != nil {
			ix.names[f.Object] = f.Name
		}
	}
	for _, pkg := range ix.program.Packages {
		for _, f := range pkg.Files {
			if !f.Test || ix.tests {
				ix.addUses(f)
			}
		}
	}
}

func (ix *index) addUses(f *analysis.File) {
	syntax.Functions(f, func(node ast.Node, _ *ast.FuncType, _ *ast.BlockStmt, name string) {
		if ix.quiet(f, node) {
			return
		}
		for _, a := range ix.unguarded(ix.narrowing.narrowing.SharedAmong(ix.program.Uses(f, node))) {
			v := a.Var.Origin()
			u := ix.byVar[v]
			if u == nil {
				u = new(usage)
				ix.byVar[v] = u
			}
			list := &u.readers
			if a.Write {
				list = &u.writers
			}
			if !slices.Contains(*list, name) {
				*list = append(*list, name)
			}
		}
	})
}
