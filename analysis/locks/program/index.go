package program

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// An Index knows the functions of some packages and who calls whom by name.
type Index struct {
	Funcs  []*Func
	ByNode map[ast.Node]*Func
	ByName map[string]*Func // declared functions and literals

	Calls   map[*Func][]Site    // that a function makes itself
	Callers map[string][]Site   // by name of the callee
	Keys    map[*Func][]string  // of the locks that a function itself takes or releases
	impls   map[string][]string // methods that such a call may run, by dispatchKeys
	stored  map[string][]value  // functions that are assigned to a field or package variable
	Started map[*ast.FuncLit]bool
	starts  map[*ast.FuncLit][]ast.Node // of those that are started by a name: where
	Goes    map[string]bool             // names of the declared functions that are started
	dynamic []Site                      // calls of interfaces' methods
	asking  map[string][]Site           // the same by the method's name
	Applied []Site                      // calls of function values
	values  map[*Func][]Site            // interfaces' methods that a function names and does not call, as calls
	uses    map[*Func][]string          // functions that a function names, and the variables, by storeKey, that hold some
	called  map[*ast.Ident]bool
	Escaped map[types.Object]bool      // functions, and variables that hold some, that are started or used other than to be called or lent
	lent    map[types.Object][]Lending // functions that calls are given, see Lent

	conds   map[string][]value             // calls of sync.NewCond that are assigned to one
	sources map[string]*analysis.File      // by module-relative name
	decls   map[string]map[source]ast.Decl // the declarations of a file by their texts

	Own   map[string]bool  // paths of its packages
	reach map[*Func]*reach // see reaches
	users map[*Func][]*Func
}

// A Site is a call in a function.
type Site struct {
	In   *Func
	Call *ast.CallExpr
}

// A value is an expression in the function that it is evaluated in; nil: none.
type value struct {
	In   *Func
	file *analysis.File
	Expr ast.Expr
}

// newIndex indexes the declarations of some packages that only admits; nil admits all.
func newIndex(pkgs []*analysis.Package, only func(*analysis.File, ast.Decl) bool) *Index {
	ix := &Index{
		ByNode: make(map[ast.Node]*Func), ByName: make(map[string]*Func),
		Calls: make(map[*Func][]Site), Callers: make(map[string][]Site), Keys: make(map[*Func][]string),
		stored:  make(map[string][]value),
		asking:  make(map[string][]Site),
		Started: make(map[*ast.FuncLit]bool), starts: make(map[*ast.FuncLit][]ast.Node), Goes: make(map[string]bool), values: make(map[*Func][]Site), uses: make(map[*Func][]string),
		called: make(map[*ast.Ident]bool), Escaped: make(map[types.Object]bool), lent: make(map[types.Object][]Lending),
		Own: make(map[string]bool), conds: make(map[string][]value), sources: make(map[string]*analysis.File), decls: make(map[string]map[source]ast.Decl),
	}
	for _, pkg := range pkgs {
		ix.Own[pkg.Path] = true
		for _, f := range pkg.Files {
			ix.addFile(f, only)
		}
	}
	return ix
}

func (ix *Index) addFile(f *analysis.File, only func(*analysis.File, ast.Decl) bool) {
	for _, d := range f.AST.Decls {
		if only != nil && !only(f, d) {
			continue
		}
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			obj, _ := f.Package.Info.Defs[d.Name].(*types.Func)
			name := f.Package.Path + "." + d.Name.Name
			if obj != nil {
				name = obj.FullName()
			}
			fn := &Func{Name: ix.unused(name), File: f, Node: d, Type: d.Type, Body: d.Body, Object: obj}
			fn.Decl = fn
			fn.Recv = ix.signature(fn, d.Recv)
			ix.add(fn)
			ix.walk(f, fn, d.Body)
			if len(fn.Lits) > 0 {
				ix.startNamed(fn)
			}
		case *ast.GenDecl:
			ix.walk(f, nil, d)
		}
	}
}

// unused makes the names of init functions differ.
func (ix *Index) unused(name string) string {
	for i, first := 2, name; ix.ByName[name] != nil; i++ {
		name = first + "#" + strconv.Itoa(i)
	}
	return name
}

func (ix *Index) add(fn *Func) {
	fn.Id = len(ix.Funcs)
	ix.Funcs = append(ix.Funcs, fn)
	ix.ByNode[fn.Node] = fn
	ix.ByName[fn.Name] = fn
}

// signature fills in the parameters, and returns the receiver.
func (ix *Index) signature(fn *Func, recv *ast.FieldList) types.Object {
	for _, field := range fn.Type.Params.List {
		for _, name := range field.Names {
			fn.Params = append(fn.Params, fn.Info().Defs[name])
		}
		if len(field.Names) == 0 {
			fn.Params = append(fn.Params, nil)
		}
	}
	if recv != nil && len(recv.List) == 1 && len(recv.List[0].Names) == 1 {
		return fn.Info().Defs[recv.List[0].Names[0]]
	}
	return nil
}

// walk adds what is in a function, or outside of functions where fn is nil.
func (ix *Index) walk(f *analysis.File, fn *Func, root ast.Node) {
	var path []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if lit, ok := n.(*ast.FuncLit); ok {
			ix.addLiteral(f, fn, lit)
			return false
		}
		switch n := n.(type) {
		case *ast.Ident:
			ix.addUse(f.Package.Info, fn, n, path)
		case *ast.SelectorExpr:
			if call, ok := path[len(path)-1].(*ast.CallExpr); fn != nil && !(ok && call.Fun == n) && interfaceOf(f.Package.Info, n) != nil {
				ix.values[fn] = append(ix.values[fn], Site{fn, &ast.CallExpr{Fun: n}})
			}
		case *ast.CallExpr:
			ix.addCall(f, fn, n, len(path) > 0 && isGo(path[len(path)-1]))
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					ix.store(f, fn, to, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, to := range n.Names {
				if len(n.Names) == len(n.Values) {
					ix.store(f, fn, to, n.Values[i])
				}
			}
		case *ast.KeyValueExpr:
			ix.store(f, fn, n.Key, n.Value)
		}
		path = append(path, n)
		return true
	})
}

func isGo(n ast.Node) bool { _, ok := n.(*ast.GoStmt); return ok }

func (ix *Index) addLiteral(f *analysis.File, fn *Func, lit *ast.FuncLit) {
	l := &Func{File: f, Node: lit, Type: lit.Type, Body: lit.Body, Up: fn}
	if fn != nil {
		fn.Lits = append(fn.Lits, l)
		l.Name, l.Decl = fn.Name+"$"+strconv.Itoa(len(fn.Lits)), fn.Decl
	} else {
		l.Name, l.Decl = ix.unused(f.Package.Path+".glob$"+f.Rel), l
	}
	ix.signature(l, nil)
	ix.add(l)
	ix.walk(f, l, lit.Body)
}

// addCall notes a call.
func (ix *Index) addCall(f *analysis.File, fn *Func, call *ast.CallExpr, started bool) {
	info := f.Package.Info
	if started {
		ix.start(info, call.Fun)
	}
	if syntax.StartsArgument(call) {
		for _, arg := range call.Args {
			ix.start(info, arg)
		}
	}
	if fn == nil || started {
		return
	}
	ix.called[syntax.CalledName(call.Fun)] = true
	s := Site{In: fn, Call: call}
	ix.Calls[fn] = append(ix.Calls[fn], s)
	if op, ok := LockMethod(info, call.Fun); ok {
		if key := KeyOf(info, op.Sel); !slices.Contains(ix.Keys[fn], key) {
			ix.Keys[fn] = append(ix.Keys[fn], key)
		}
		return
	}
	if callee := syntax.Callee(info, call.Fun); callee != nil {
		if syntax.InterfaceMethod(callee) {
			ix.dynamic = append(ix.dynamic, s)
			ix.asking[callee.Name()] = append(ix.asking[callee.Name()], s)
		}
		ix.Callers[callee.FullName()] = append(ix.Callers[callee.FullName()], s)
	} else if tv := info.Types[call.Fun]; tv.IsValue() && IsFunc(tv.Type) {
		ix.Applied = append(ix.Applied, s)
	}
}

// start notes a function that is started.
func (ix *Index) start(info *types.Info, fun ast.Expr) {
	if lit, ok := ast.Unparen(fun).(*ast.FuncLit); ok {
		ix.Started[lit] = true
	} else if f := syntax.Callee(info, fun); f != nil {
		ix.Goes[f.Origin().FullName()] = true
	}
}

// addUse notes that a function names another, or a variable that holds one.
func (ix *Index) addUse(info *types.Info, fn *Func, id *ast.Ident, path []ast.Node) {
	defer delete(ix.called, id)
	switch obj := info.Uses[id].(type) {
	case *types.Func:
		if !ix.called[id] && !ix.lends(fn, obj, id, path) {
			ix.Escaped[obj.Origin()] = true
		}
	case *types.Var:
		if !ix.called[id] && IsFunc(obj.Type()) {
			ix.Escaped[obj] = true
		}
	}
	if fn == nil {
		return
	}
	switch obj := info.Uses[id].(type) {
	case *types.Func:
		ix.uses[fn] = append(ix.uses[fn], obj.Origin().FullName())
	case *types.Var:
		if IsFunc(obj.Type()) {
			if key := StoreKey(info, id); key != "" {
				ix.uses[fn] = append(ix.uses[fn], key)
			}
		}
	}
}

// store notes a function, or a new condition variable, that is assigned to a
// field or package variable.
func (ix *Index) store(f *analysis.File, fn *Func, to, from ast.Expr) {
	info := f.Package.Info
	t := info.TypeOf(from)
	if t == nil {
		return
	}
	key := StoreKey(info, to)
	switch {
	case key == "":
	case IsFunc(t):
		ix.stored[key] = append(ix.stored[key], value{fn, f, from})
	case NewCond(from) != nil:
		ix.conds[key] = append(ix.conds[key], value{fn, f, from})
	}
}

// StoreKey identifies a field or package variable; "" of anything else.
func StoreKey(info *types.Info, e ast.Expr) string {
	v := syntax.Variable(info, e)
	if v == nil || v.Pkg() == nil {
		return ""
	}
	v = v.Origin()
	switch {
	case v.IsField(): // one for all fields of a name in a package: where they are declared differs in a mutant
		return v.Pkg().Path() + ".field." + v.Name()
	case v.Parent() == v.Pkg().Scope():
		return v.Pkg().Path() + "." + v.Name()
	}
	return ""
}

// interfaceOf is the interface whose method an expression selects; nil if it selects none.
func interfaceOf(info *types.Info, sel *ast.SelectorExpr) *types.Interface {
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return nil
	}
	t, _ := s.Recv().Underlying().(*types.Interface)
	return t
}

// pointerTo is the type of pointers to a receiver, which has all methods of its type.
func pointerTo(recv types.Type) types.Type {
	if _, pointer := recv.(*types.Pointer); pointer {
		return recv
	}
	return types.NewPointer(recv)
}

// dispatch fills in what calls of interfaces' methods may run. Of one that is not
// called where it is named that is the method of all types with the interface's methods.
func (ix *Index) dispatch(resolve func(*ast.CallExpr) []ast.Node) {
	ix.impls = make(map[string][]string)
	add := func(s Site, fn *Func) {
		for _, key := range s.dispatchKeys() {
			if !slices.Contains(ix.impls[key], fn.Name) {
				ix.impls[key] = append(ix.impls[key], fn.Name)
			}
		}
	}
	for _, s := range ix.dynamic {
		for _, node := range resolve(s.Call) {
			fn := ix.ByNode[node]
			if fn == nil {
				continue
			}
			add(s, fn)
			ix.Callers[fn.Name] = append(ix.Callers[fn.Name], s)
		}
	}
	methods := make(map[string][]*Func)
	for _, fn := range ix.Funcs {
		if fn.Object != nil && fn.Object.Signature().Recv() != nil {
			methods[fn.Object.Name()] = append(methods[fn.Object.Name()], fn)
		}
	}
	for _, fn := range ix.Funcs {
		for _, s := range ix.values[fn] {
			sel := s.Call.Fun.(*ast.SelectorExpr)
			for _, to := range methods[sel.Sel.Name] {
				if types.Implements(pointerTo(to.Object.Signature().Recv().Type()), interfaceOf(fn.Info(), sel)) {
					add(s, to)
				}
			}
		}
	}
}

// dispatchKeys are by what a call of an interface's method is known in a mutant:
// its text in the declared function or, of a new function, in the package.
func (s Site) dispatchKeys() []string {
	text := " " + types.ExprString(s.Call.Fun)
	keys := []string{s.In.File.Package.Path + text}
	if s.In.Decl != nil {
		keys = append([]string{s.In.Decl.Name + text}, keys...)
	}
	return keys
}
