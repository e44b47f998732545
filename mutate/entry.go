package mutate

import (
	"go/ast"
	"go/types"
	"sync"

	"mendel/analysis"
	"mendel/mutate/internal/syntax"
)

// An Entry is what is known of a lock when a function is entered.
type Entry int

// Entries, each saying more than the one before.
const (
	Unheld Entry = iota // on some way, or nothing is known
	Alike               // one with its key is held on every way, maybe another value's
	Held                // the lock itself is held on every way
)

// EntryOf reports whether a section's lock is held already whenever the function
// is entered, so that the function need not take it, and cannot: every use of
// the function is a call, by name or by the method of an interface, that is made
// in a section of the lock or in a function of which the same is true.
func (fn *Function) EntryOf(s *Section) Entry {
	return fn.entry(fn.Path(s.expr), s, make(map[*Function]bool))
}

// entry is EntryOf for a lock that the function has a path for. A function that
// is being asked about adds nothing to itself: it is entered from elsewhere first.
func (fn *Function) entry(p Path, inner *Section, asked map[*Function]bool) Entry {
	asked[fn] = true
	sites, ok := fn.space.uses.of(fn)
	if !ok || len(sites) == 0 {
		return Unheld
	}
	least := Held
	for _, s := range sites {
		if least = min(least, s.entry(fn, p, inner, asked)); least == Unheld {
			break
		}
	}
	return least
}

// A site is a place where a function is entered.
type site struct {
	file *analysis.File
	call *ast.CallExpr
	lit  *ast.FuncLit // what runs in the call and has captured its lock; nil: what the call names
}

func (at site) entry(to *Function, p Path, inner *Section, asked map[*Function]bool) Entry {
	from := to.space.around(at.file, at.call)
	if from == nil {
		return Unheld
	}
	if at.lit == nil {
		p = Call{Expr: at.call, To: to, given: from.gives(at.call, to)}.Name(p)
	}
	statement := Innermost(from.Statements(), at.call).Stmt
	best := Unheld
	for _, s := range from.Sections() {
		if s.Lock.Key != inner.Lock.Key || s.Read && !inner.Read || !s.Covers(statement) {
			continue
		}
		if from.SameLock(p, s) {
			return Held
		}
		best = Alike
	}
	switch {
	case best != Unheld:
		return best
	case asked[from]:
		return Held
	}
	return from.entry(p, inner, asked)
}

// Covers reports whether what a statement of the function calls runs while the
// section's lock is held. A deferred call does when the release was deferred before.
func (s *Section) Covers(stmt ast.Stmt) bool {
	if _, deferred := stmt.(*ast.DeferStmt); deferred && (!s.Deferred || stmt.Pos() < s.Releases[0].Pos()) {
		return false
	}
	return s.Holds(stmt)
}

// around is the innermost function around a node that may be edited; nil if none is.
func (s *Space) around(f *analysis.File, n ast.Node) *Function {
	var innermost *Function
	for _, fn := range s.functionsOf(f.Rel) {
		if fn.Body.Pos() <= n.Pos() && n.End() <= fn.Body.End() {
			innermost = fn
		}
	}
	return innermost
}

// A useIndex knows where the functions of a program are entered. It is safe
// for concurrent use and does not depend on the narrowing.
type useIndex struct {
	program *analysis.Program

	once     sync.Once
	named    map[*types.Func][]site
	escaped  map[types.Object]bool // functions and variables started by go, or used other than to be called
	literals map[*ast.FuncLit][]site
	holder   map[*ast.FuncLit]types.Object // the variable that is declared to be a literal
	held     map[types.Object]*ast.FuncLit // the inverse
	dynamic  map[string][]dynamicCall      // by name of the interface's method
}

// A dynamicCall is a call of an interface's method.
type dynamicCall struct {
	site
	of *types.Interface
}

// of lists where a function is entered; ok is false where it may be entered in
// a way that is not seen.
func (ix *useIndex) of(fn *Function) (sites []site, ok bool) {
	ix.once.Do(ix.fill)
	if lit, literal := fn.Node.(*ast.FuncLit); literal {
		return ix.literals[lit], !ix.escaped[ix.holder[lit]]
	}
	f, ok := fn.File.Package.Info.Defs[fn.Node.(*ast.FuncDecl).Name].(*types.Func)
	if !ok || ix.escaped[f] {
		return nil, false
	}
	sites = append(sites, ix.named[f]...)
	if recv := f.Signature().Recv(); recv != nil {
		for _, c := range ix.dynamic[f.Name()] {
			if types.Implements(recv.Type(), c.of) {
				sites = append(sites, c.site)
			}
		}
	}
	return sites, true
}

func (ix *useIndex) fill() {
	ix.named = make(map[*types.Func][]site)
	ix.escaped = make(map[types.Object]bool)
	ix.literals = make(map[*ast.FuncLit][]site)
	ix.holder = make(map[*ast.FuncLit]types.Object)
	ix.held = make(map[types.Object]*ast.FuncLit)
	ix.dynamic = make(map[string][]dynamicCall)
	for _, pkg := range ix.program.Packages {
		for _, f := range pkg.Files {
			called := make(map[*ast.Ident]bool)
			syntax.Walk(f.AST, func(n ast.Node, path []ast.Node) {
				switch n := n.(type) {
				case *ast.CallExpr:
					if _, started := path[len(path)-1].(*ast.GoStmt); !started {
						ix.addCall(f, n, called)
					}
				case *ast.AssignStmt:
					for i, e := range n.Lhs {
						if id, ok := e.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
							ix.hold(pkg.Info.Defs[id], n.Rhs[i])
						}
					}
				case *ast.Ident:
					ix.addUse(pkg.Info.Uses[n], called[n])
				}
			})
		}
	}
}

// hold notes a local variable that is declared to be a function literal.
func (ix *useIndex) hold(v types.Object, value ast.Expr) {
	if lit, ok := ast.Unparen(value).(*ast.FuncLit); ok && v != nil {
		ix.holder[lit], ix.held[v] = v, lit
	}
}

// addUse notes a function, or a variable that holds one, that is used other
// than to be called.
func (ix *useIndex) addUse(used types.Object, called bool) {
	if called || used == nil {
		return
	}
	if f, ok := used.(*types.Func); ok {
		used = f.Origin()
	} else if ix.held[used] == nil {
		return
	}
	ix.escaped[used] = true
}

// addCall notes what a call runs before it returns, and that its name is called.
func (ix *useIndex) addCall(file *analysis.File, call *ast.CallExpr, called map[*ast.Ident]bool) {
	f := syntax.Callee(file.Package.Info, call.Fun)
	for _, lit := range runs(call, f) {
		ix.literals[lit] = append(ix.literals[lit], site{file, call, lit})
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if lit := ix.held[file.Package.Info.Uses[id]]; lit != nil {
			called[id] = true
			ix.literals[lit] = append(ix.literals[lit], site{file, call, lit})
		}
	}
	if f == nil {
		return
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		called[fun] = true
	case *ast.SelectorExpr:
		s := file.Package.Info.Selections[fun]
		if s != nil && s.Kind() != types.MethodVal { // of a method expression the receiver is an argument
			return
		}
		called[fun.Sel] = true
	}
	if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		if of, ok := recv.Type().Underlying().(*types.Interface); ok {
			ix.dynamic[f.Name()] = append(ix.dynamic[f.Name()], dynamicCall{site{file, call, nil}, of})
		}
		return
	}
	ix.named[f] = append(ix.named[f], site{file, call, nil})
}
