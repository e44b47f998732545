package validate

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
)

// A section is split when a value is read under a lock, the lock is released,
// and what follows from the value is written back under a later acquisition:
//
//	mu.Lock()                        mu.Lock()
//	n := total                       known := set[key]
//	mu.Unlock()                      mu.Unlock()
//	n++                              if !known {
//	mu.Lock()                        	install(key) // locks mu, writes set
//	total = n                        }
//	mu.Unlock()
//
// There is no data race, and yet another goroutine's update in between is lost.
// That the second section looks at the variable before it writes (double-checked
// locking) makes it whole. The locks of two values that have different names are two:
// what is read from one and written to the other is copied. Follows from means along assignments to local
// variables in the order of the text, by conditions around the second section,
// and by an early exit from the first. Calls are followed into the package, for a
// few levels. Aliases are not seen.

// A split is a section that a function has in two parts.
type split struct {
	function, lock, variable string // names with types: "Keyring.keys"
	read, written            token.Pos
	text                     string // from the read to the write
}

// same reports whether two splits are of the same function, lock and variable.
func (s split) same(o split) bool {
	return s.function == o.function && s.lock == o.lock && s.variable == o.variable
}

// splitsIn lists the splits in some files of a package.
func splitsIn(files []*analysis.File) []split {
	if len(files) == 0 {
		return nil
	}
	f := &splitFinder{info: files[0].Package.Info, declared: map[*types.Func]*ast.FuncDecl{}, writers: map[*types.Func][]guardedWrite{}}
	for _, file := range files[0].Package.Files {
		for _, d := range file.AST.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				if obj, ok := f.info.Defs[fd.Name].(*types.Func); ok {
					f.declared[obj] = fd
				}
			}
		}
	}
	var found []split
	for _, file := range files {
		for _, d := range file.AST.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				for _, s := range f.function(fd) {
					start := file.AST.FileStart
					s.text = string(file.Source[s.read-start : s.written-start])
					found = append(found, s)
				}
			}
		}
	}
	return found
}

// A splitFinder looks for splits in one package.
type splitFinder struct {
	info     *types.Info
	declared map[*types.Func]*ast.FuncDecl
	writers  map[*types.Func][]guardedWrite // what functions write under locks of their own; being examined: none
}

// A lockRegion is where a function holds a lock.
type lockRegion struct {
	lock  string
	of    types.Object // variable that leads to the lock: src of src.mu; nil if that is an expression
	stmts []ast.Stmt
}

func (r lockRegion) from() token.Pos { return r.stmts[0].Pos() }
func (r lockRegion) to() token.Pos   { return r.stmts[len(r.stmts)-1].End() }

// regions lists the regions of a body, in source order.
func (f *splitFinder) regions(body ast.Node) []lockRegion {
	var found []lockRegion
	each := func(list []ast.Stmt) {
		for i, s := range list {
			key, method, ok := f.lockCall(s)
			if !ok || method != "Lock" && method != "RLock" {
				continue
			}
			end := len(list)
			for j := i + 1; j < len(list); j++ {
				_, deferred := list[j].(*ast.DeferStmt)
				if k, m, ok := f.lockCall(list[j]); ok && !deferred && k == key && (m == "Unlock" || m == "RUnlock") {
					end = j
					break
				}
			}
			if stmts := list[i+1 : end]; len(stmts) > 0 {
				found = append(found, lockRegion{key, f.root(s), stmts})
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			each(n.List)
		case *ast.CaseClause:
			each(n.Body)
		case *ast.CommClause:
			each(n.Body)
		}
		return true
	})
	slices.SortStableFunc(found, func(a, b lockRegion) int { return cmp.Compare(a.from(), b.from()) })
	return found
}

// lockCall resolves a statement that is a call of a lock's method to a name of
// the lock that holds in the whole package.
func (f *splitFinder) lockCall(s ast.Stmt) (key, method string, ok bool) {
	if _, method, ok = lockCall(s); !ok {
		return "", "", false
	}
	ast.Inspect(s, func(n ast.Node) bool {
		if call, isCall := n.(*ast.CallExpr); isCall && key == "" {
			if sel, isSel := call.Fun.(*ast.SelectorExpr); isSel {
				key = f.name(sel.X)
			}
		}
		return true
	})
	return key, method, key != ""
}

// root is the variable with which the path to a lock begins that a statement takes;
// nil if that is not a path of fields.
func (f *splitFinder) root(s ast.Stmt) types.Object {
	var e ast.Expr
	if x, ok := s.(*ast.ExprStmt); ok {
		if call, ok := x.X.(*ast.CallExpr); ok {
			e = call.Fun
		}
	}
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.Ident:
			return f.info.ObjectOf(x)
		default:
			return nil
		}
	}
}

// name names what is neither local nor nameless: a field by the type that it is
// selected from, a package variable by itself; of an embedded lock, its owner.
func (f *splitFinder) name(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		if s := f.info.Selections[e]; s != nil && s.Kind() == types.FieldVal {
			return typeName(s.Recv()) + "." + e.Sel.Name
		}
		return f.name(e.Sel)
	case *ast.Ident:
		v, ok := f.info.ObjectOf(e).(*types.Var)
		switch {
		case !ok || v.Pkg() == nil:
		case v.Parent() == v.Pkg().Scope():
			return v.Name()
		case v.IsField():
			return v.Name()
		default: // the owner of an embedded lock
			if name := typeName(v.Type()); name != "Mutex" && name != "RWMutex" {
				return name
			}
		}
	case *ast.StarExpr:
		return f.name(e.X)
	case *ast.UnaryExpr:
		return f.name(e.X)
	}
	return ""
}

// typeName is the name of a type, or of what a pointer leads to; "" without one.
func typeName(t types.Type) string {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}

// variable names a field or package variable that is shared; "" for others.
func (f *splitFinder) variable(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := f.info.ObjectOf(e).(*types.Var); ok && v.Pkg() != nil && !v.IsField() && v.Parent() == v.Pkg().Scope() {
			return v.Name()
		}
	case *ast.SelectorExpr:
		if s := f.info.Selections[e]; s == nil || s.Kind() == types.FieldVal {
			return f.name(e)
		}
	}
	return ""
}

// used are the variables that some statements mention, and those that they write.
func (f *splitFinder) used(nodes ...ast.Node) (mentioned, written map[string]token.Pos) {
	mentioned, written = map[string]token.Pos{}, map[string]token.Pos{}
	write := func(e ast.Expr) {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.IndexExpr:
				e = x.X
				continue
			case *ast.StarExpr:
				e = x.X
				continue
			}
			break
		}
		if name := f.variable(ast.Unparen(e)); name != "" {
			written[name] = e.Pos()
		}
	}
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					write(e)
				}
			case *ast.IncDecStmt:
				write(n.X)
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "delete" || id.Name == "clear") && len(n.Args) > 0 {
					write(n.Args[0])
				}
			}
			if e, ok := n.(ast.Expr); ok {
				if name := f.variable(e); name != "" && mentioned[name] == token.NoPos {
					mentioned[name] = e.Pos()
				}
			}
			return true
		})
	}
	return mentioned, written
}

// function lists the splits of one function.
func (f *splitFinder) function(decl *ast.FuncDecl) []split {
	var found []split
	regions := f.regions(decl.Body)
	for _, first := range regions {
		mentioned, _ := f.used(nodesOf(first.stmts)...)
		for _, w := range f.later(decl.Body, regions, first) {
			read := mentioned[w.variable]
			if w.lock != first.lock || w.of != nil && first.of != nil && w.of != first.of || !read.IsValid() || w.rechecks || !f.follows(decl.Body, first, w) {
				continue
			}
			s := split{function: declName(decl), lock: w.lock, variable: w.variable, read: read, written: w.at}
			if !slices.ContainsFunc(found, s.same) {
				found = append(found, s)
			}
		}
	}
	return found
}

func nodesOf(stmts []ast.Stmt) []ast.Node {
	nodes := make([]ast.Node, len(stmts))
	for i, s := range stmts {
		nodes[i] = s
	}
	return nodes
}

func declName(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return decl.Name.Name
	}
	return "(" + types.ExprString(decl.Recv.List[0].Type) + ")." + decl.Name.Name
}

// A guardedWrite is a write under a lock, in a region or a call.
type guardedWrite struct {
	lock, variable string
	of             types.Object // as of the region; nil for a call
	rechecks       bool         // the section asks about the variable itself
	at             token.Pos
	node           []ast.Node // the region's statements, or the call
}

// later lists the writes under the lock of a region that come behind it.
func (f *splitFinder) later(body ast.Node, regions []lockRegion, first lockRegion) []guardedWrite {
	var writes []guardedWrite
	for _, r := range regions {
		if r.from() > first.to() {
			writes = append(writes, f.writes(r)...)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.CallExpr:
			if n.Pos() <= first.to() {
				return true
			}
			for _, w := range f.callWrites(n) {
				w.at, w.node, w.of = n.Pos(), []ast.Node{n}, nil
				writes = append(writes, w)
			}
		}
		return true
	})
	return writes
}

// writes lists what a region writes.
func (f *splitFinder) writes(r lockRegion) []guardedWrite {
	var out []guardedWrite
	_, written := f.used(nodesOf(r.stmts)...)
	asked := map[string]bool{}
	for _, s := range r.stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			for _, cond := range conditions(n) {
				names, _ := f.used(cond)
				for name := range names {
					asked[name] = true
				}
			}
			return true
		})
	}
	for name, at := range written {
		out = append(out, guardedWrite{r.lock, name, r.of, asked[name], at, nodesOf(r.stmts)})
	}
	slices.SortFunc(out, func(a, b guardedWrite) int { return cmp.Compare(a.at, b.at) })
	return out
}

// conditions are what a statement decides by.
func conditions(n ast.Node) []ast.Node {
	var conds []ast.Node
	add := func(n ast.Node, present bool) {
		if present {
			conds = append(conds, n)
		}
	}
	switch n := n.(type) {
	case *ast.IfStmt:
		add(n.Init, n.Init != nil)
		add(n.Cond, true)
	case *ast.ForStmt:
		add(n.Cond, n.Cond != nil)
	case *ast.RangeStmt:
		add(n.X, true)
	case *ast.SwitchStmt:
		add(n.Init, n.Init != nil)
		add(n.Tag, n.Tag != nil)
	case *ast.CaseClause:
		for _, e := range n.List {
			add(e, true)
		}
	}
	return conds
}

// callWrites lists what a call of the package writes under locks that it takes.
func (f *splitFinder) callWrites(call *ast.CallExpr) []guardedWrite {
	fn := callee(f.info, call)
	if fn == nil {
		return nil
	}
	fn = fn.Origin()
	decl := f.declared[fn]
	if decl == nil {
		return nil
	}
	if known, ok := f.writers[fn]; ok {
		return known
	}
	f.writers[fn] = nil // of a recursion
	var writes []guardedWrite
	for _, r := range f.regions(decl.Body) {
		writes = append(writes, f.writes(r)...)
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.CallExpr:
			writes = append(writes, f.callWrites(n)...)
		}
		return true
	})
	f.writers[fn] = writes
	return writes
}

// follows reports whether a later write depends on what a region read: by the
// values of local variables, or because the function is left early.
func (f *splitFinder) follows(body ast.Node, first lockRegion, w guardedWrite) bool {
	tainted := map[types.Object]bool{}
	mentions := func(n ast.Node, in bool) bool {
		found := false
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				found = found || tainted[f.info.ObjectOf(n)] || in && f.variable(n) == w.variable
			case *ast.SelectorExpr:
				found = found || in && f.variable(n) == w.variable
			}
			return !found
		})
		return found
	}
	follows := false
	var path []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		in := first.from() <= n.Pos() && n.Pos() < first.to()
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Pos() >= first.from() && slices.ContainsFunc(n.Rhs, func(e ast.Expr) bool { return mentions(e, in) }) {
				f.taint(tainted, n.Lhs)
			}
		case *ast.RangeStmt:
			if in && mentions(n.X, in) {
				f.taint(tainted, []ast.Expr{n.Key, n.Value})
			}
		case *ast.ReturnStmt:
			between := first.from() <= n.Pos() && n.Pos() < w.at
			follows = follows || between && decided(path, func(cond ast.Node) bool { return mentions(cond, in) })
		}
		if slices.Contains(w.node, n) {
			follows = follows || mentions(n, false) || decided(path, func(cond ast.Node) bool { return mentions(cond, false) })
		}
		return true
	})
	return follows
}

// decided reports whether a condition on the path to a node satisfies is.
func decided(path []ast.Node, is func(ast.Node) bool) bool {
	return slices.ContainsFunc(path, func(n ast.Node) bool { return slices.ContainsFunc(conditions(n), is) })
}

// taint marks local variables that are assigned to.
func (f *splitFinder) taint(tainted map[types.Object]bool, assigned []ast.Expr) {
	for _, e := range assigned {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			tainted[f.info.ObjectOf(id)] = true
		}
	}
}

// splits lists in words what the mutant splits and the original does not, and
// what stays split although the mutant changes it.
func (s *sources) splits(before, after []split) []string {
	var out []string
	for _, a := range after {
		if slices.ContainsFunc(before, func(b split) bool { return a.same(b) && a.text == b.text }) {
			continue
		}
		read, written := s.lineAfter(a.read), s.lineAfter(a.written)
		out = append(out, fmt.Sprintf("%s is read in %s (%s:%d) and written back under a later acquisition of %s (line %d)",
			a.variable, a.function, s.rel(read.file), read.number, a.lock, written.number))
	}
	return out
}
