package analysis

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A Lock is a mutex as it can be written at a place.
type Lock struct {
	Expr string   `json:"expr"`          // "a.mu", "registryMu", or "a" when the mutex is embedded
	Key  string   `json:"key"`           // identity whatever the expression: "example.com/bank.Account.mu"
	RW   bool     `json:"rw,omitempty"`  // a sync.RWMutex
	New  *NewLock `json:"new,omitempty"` // must be declared first; nil: it exists
}

var lockMethods = []string{"Lock", "Unlock", "RLock", "RUnlock", "TryLock", "TryRLock"}

// LockOf resolves the receiver of a call such as a.mu.Lock() to the lock and
// the method ("Lock", "Unlock", "RLock", "RUnlock", "TryLock", ...); ok is
// false when the call is not one on a sync.Mutex, sync.RWMutex, sync.Locker or a
// type of the module whose Lock and Unlock do nothing but lock a mutex in it.
// Embedded mutexes, method values' receivers, pointers and parentheses are seen through.
func (p *Program) LockOf(f *File, call *ast.CallExpr) (l Lock, method string, ok bool) {
	recv, s, method := p.lockCall(f, call)
	if recv == nil {
		return Lock{}, "", false
	}
	l, ok = p.lockAt(f, recv, s)
	return l, method, ok
}

// lockField is the mutex field, or the variable, that a call on a lock ends in.
func (p *Program) lockField(f *File, call *ast.CallExpr) *types.Var {
	recv, s, _ := p.lockCall(f, call)
	if recv == nil {
		return nil
	}
	chain := append(p.chain(f, recv), embeddedPath(s)...)
	for i := len(chain) - 1; i >= 0; i-- {
		if v := chain[i].v; v != nil && p.owns(v) {
			return v.Origin()
		}
	}
	return nil
}

// lockCall takes a call of a method of a lock apart; recv is nil for other calls.
func (p *Program) lockCall(f *File, call *ast.CallExpr) (recv ast.Expr, s *types.Selection, method string) {
	recv, s, fn := p.selectedLock(f, call)
	if recv == nil || !p.isLockMethod(fn) {
		return nil, nil, ""
	}
	return recv, s, fn.Name()
}

// selectedLock takes a call of a method apart that has the name of a lock's;
// recv is nil for other calls.
func (p *Program) selectedLock(f *File, call *ast.CallExpr) (recv ast.Expr, s *types.Selection, fn *types.Func) {
	info := f.Package.Info
	fun := ast.Unparen(call.Fun)
	if id, isIdent := fun.(*ast.Ident); isIdent {
		fun = p.methodValue(f, id)
	}
	sel, isSel := fun.(*ast.SelectorExpr)
	if !isSel {
		return nil, nil, nil
	}
	s = info.Selections[sel]
	if s == nil || s.Kind() == types.FieldVal {
		return nil, nil, nil
	}
	fn, isFunc := s.Obj().(*types.Func)
	if !isFunc || fn.Pkg() == nil || !slices.Contains(lockMethods, fn.Name()) {
		return nil, nil, nil
	}
	recv = sel.X
	if s.Kind() == types.MethodExpr {
		if len(call.Args) != 1 {
			return nil, nil, nil
		}
		recv = call.Args[0]
	}
	return recv, s, fn
}

// methodValue finds what a local variable such as unlock in
// "unlock := a.mu.Unlock" stands for; nil if it is assigned more than once.
func (p *Program) methodValue(f *File, id *ast.Ident) ast.Expr {
	v, ok := f.Package.Info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == nil || v.Parent() == f.Package.Types.Scope() {
		return nil
	}
	if _, isFunc := v.Type().Underlying().(*types.Signature); !isFunc {
		return nil
	}
	var value ast.Expr
	assignments := 0
	ast.Inspect(around(f, id, v), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if l, ok := lhs.(*ast.Ident); ok && f.Package.Info.ObjectOf(l) == v {
					assignments++
					if len(n.Lhs) == len(n.Rhs) {
						value = ast.Unparen(n.Rhs[i])
					}
				}
			}
		case *ast.ValueSpec:
			for i, l := range n.Names {
				if f.Package.Info.Defs[l] == v && i < len(n.Values) {
					assignments++
					value = ast.Unparen(n.Values[i])
				}
			}
		case *ast.UnaryExpr:
			if l, ok := ast.Unparen(n.X).(*ast.Ident); ok && n.Op == token.AND && f.Package.Info.Uses[l] == v {
				assignments = 2
			}
		}
		return true
	})
	if assignments != 1 {
		return nil
	}
	return value
}

// around is the part of a file in which a local variable that is named there may be assigned to.
func around(f *File, id *ast.Ident, v *types.Var) ast.Node {
	if v.Pkg() == f.Package.Types {
		for _, d := range f.AST.Decls {
			if d.Pos() <= id.Pos() && id.End() <= d.End() {
				return d
			}
		}
	}
	return f.AST
}

// lockAt names the lock that a method, selected as s, is called on.
func (p *Program) lockAt(f *File, recv ast.Expr, s *types.Selection) (Lock, bool) {
	recv = strip(recv)
	chain := p.chain(f, recv)
	if chain == nil {
		return Lock{}, false
	}
	chain = append(chain, embeddedPath(s)...)
	last := chain[len(chain)-1].typ
	own, _ := p.lockTypeOf(deref(last))
	l := Lock{Expr: exprText(recv), Key: p.keyOf(chain), RW: isRW(last) || own.rw}
	if alias, ok := p.condLock(chain); ok {
		l.Key, l.RW = alias.Key, alias.RW
	}
	return l, true
}

// strip takes off what a selector or a method call would add by itself: parentheses, & and *.
func strip(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return e
			}
			e = x.X
		default:
			return e
		}
	}
}

// exprText writes an expression of names, selectors and indexes without the
// dereferences that Go inserts by itself.
func exprText(e ast.Expr) string {
	switch e := strip(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return exprText(e.X) + "." + e.Sel.Name
	default:
		return types.ExprString(e)
	}
}

// A link is one variable on the way to a lock: the variable at the start, then fields.
type link struct {
	v     *types.Var
	owner types.Type // of a field: the struct type it was selected from
	typ   types.Type
	index bool   // an element of what comes before; v is nil
	call  string // the function whose result this is, with "()"
}

// chain follows an expression from the variable or call it starts with to its
// last field or element; nil for other expressions.
func (p *Program) chain(f *File, e ast.Expr) []link {
	info := f.Package.Info
	switch e := strip(e).(type) {
	case *ast.Ident:
		if v, ok := info.ObjectOf(e).(*types.Var); ok {
			return []link{{v: v, typ: v.Type()}}
		}
	case *ast.SelectorExpr:
		s := info.Selections[e]
		if s == nil {
			if v, ok := info.Uses[e.Sel].(*types.Var); ok {
				return []link{{v: v, typ: v.Type()}}
			}
			return nil
		}
		if s.Kind() != types.FieldVal {
			return nil
		}
		return append(p.chain(f, e.X), fieldPath(s.Recv(), s.Index())...)
	case *ast.IndexExpr:
		return append(p.chain(f, e.X), link{index: true, typ: info.TypeOf(e)})
	case *ast.CallExpr:
		return []link{{call: types.ExprString(e.Fun) + "()", typ: info.TypeOf(e)}}
	case *ast.TypeAssertExpr:
		return p.chain(f, e.X)
	}
	return nil
}

// fieldPath are the fields that an index path, as in types.Selection, goes through.
func fieldPath(t types.Type, index []int) []link {
	var path []link
	for _, i := range index {
		owner := deref(t)
		st, ok := owner.Underlying().(*types.Struct)
		if !ok || i >= st.NumFields() {
			return path
		}
		v := st.Field(i)
		path = append(path, link{v: v, owner: owner, typ: v.Type()})
		t = v.Type()
	}
	return path
}

// embeddedPath are the embedded fields between the receiver expression of a
// promoted method and the field that has the method.
func embeddedPath(s *types.Selection) []link {
	index := s.Index()
	return fieldPath(s.Recv(), index[:len(index)-1])
}

// keyOf is the identity of the lock at the end of a chain. A field is known by
// the module's named struct type it is declared in, whichever variable it is
// reached through; a mutex embedded in an unnamed struct by that struct.
func (p *Program) keyOf(chain []link) string {
	key := ""
	for _, l := range chain {
		switch {
		case l.call != "":
			key = l.call
		case l.index:
			key += "[]"
		case l.owner == nil:
			key = p.variableKey(l.v)
		default:
			n, _ := types.Unalias(l.owner).(*types.Named)
			switch {
			case n != nil && p.owns(n.Obj()):
				key = p.typeKey(n) + "." + l.v.Name()
			case n == nil && l.v.Embedded() && isMutex(l.typ):
				// the unnamed struct is the lock
			default:
				key += "." + l.v.Name()
			}
		}
	}
	return key
}

func (p *Program) typeKey(n *types.Named) string {
	obj := n.Origin().Obj()
	if obj.Pkg() == nil {
		return obj.Name()
	}
	if obj.Parent() != obj.Pkg().Scope() { // two functions may declare the same name
		return obj.Pkg().Path() + "." + p.localName(obj)
	}
	return obj.Pkg().Path() + "." + obj.Name()
}

func (p *Program) variableKey(v *types.Var) string {
	if v.Pkg() == nil {
		return v.Name()
	}
	if v.Parent() == v.Pkg().Scope() {
		return v.Pkg().Path() + "." + v.Name()
	}
	known, ok := p.localKeys.Load(v)
	if !ok {
		known, _ = p.localKeys.LoadOrStore(v, v.Pkg().Path()+"."+p.localName(v))
	}
	return known.(string)
}

// localName names what a function declares: "Transfer.mu@31:2", with the
// function's receiver and the line and column of the declaration.
func (p *Program) localName(obj types.Object) string {
	pos := p.Fset.Position(obj.Pos())
	name := obj.Name()
	if f := p.fileAt(obj.Pos()); f != nil {
		if fn := enclosingDecl(f, obj.Pos()); fn != nil {
			name = FuncName(fn) + "." + name
		}
	}
	return fmt.Sprintf("%s@%d:%d", name, pos.Line, pos.Column)
}

// enclosingDecl is the top-level function around a position; nil outside of functions.
func enclosingDecl(f *File, pos token.Pos) *ast.FuncDecl {
	fn, ok := declAround(f, pos).(*ast.FuncDecl)
	if !ok || pos == fn.End() {
		return nil
	}
	return fn
}

// FuncName names a declared function as Go people write it: "Open", "(*Account).Transfer".
func FuncName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t := ast.Unparen(fn.Recv.List[0].Type)
	star := ""
	if s, ok := t.(*ast.StarExpr); ok {
		t, star = ast.Unparen(s.X), "*"
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	name := types.ExprString(t)
	if star != "" {
		return "(*" + name + ")." + fn.Name.Name
	}
	return name + "." + fn.Name.Name
}

func isMutex(t types.Type) bool {
	n := namedOf(t)
	if n == nil || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "sync" {
		return false
	}
	return n.Obj().Name() == "Mutex" || n.Obj().Name() == "RWMutex"
}

func isRW(t types.Type) bool { return isMutex(t) && namedOf(t).Obj().Name() == "RWMutex" }

// isLocker reports whether a type is sync.Locker or another interface of exactly its methods.
func isLocker(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok || i.NumMethods() != 2 {
		return false
	}
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return false
	}
	for m := range i.Methods() {
		if sig := m.Signature(); sig.Params().Len()+sig.Results().Len() > 0 {
			return false
		}
	}
	return i.Method(0).Name() == "Lock" && i.Method(1).Name() == "Unlock"
}

// findConds finds what each sync.Cond of the program uses as its L:
// "c := sync.NewCond(&b.mu)", the same in a struct literal or an assignment to
// a field, and "sync.Cond{L: &mu}".
func (p *Program) findConds() map[*types.Var]Lock {
	found := map[*types.Var]Lock{}
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			eachAssignment(pkg.Info, f.AST, func(v *types.Var, value ast.Expr) {
				arg := condArgument(pkg.Info, value)
				if arg == nil {
					return
				}
				if chain := p.chain(f, arg); chain != nil {
					t := chain[len(chain)-1].typ
					found[v.Origin()] = Lock{Expr: exprText(arg), Key: p.keyOf(chain), RW: isRW(t)}
				}
			})
		}
	}
	return found
}

// condArgument is x of sync.NewCond(x) and of sync.Cond{L: x}; nil for other expressions.
func condArgument(info *types.Info, e ast.Expr) ast.Expr {
	switch e := strip(e).(type) {
	case *ast.CallExpr:
		if fn, ok := calledObject(info, e).(*types.Func); ok && fn.FullName() == "sync.NewCond" && len(e.Args) == 1 {
			return e.Args[0]
		}
	case *ast.CompositeLit:
		n := namedOf(info.TypeOf(e))
		if n == nil || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "sync" || n.Obj().Name() != "Cond" {
			return nil
		}
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok && types.ExprString(kv.Key) == "L" {
				return kv.Value
			}
		}
	}
	return nil
}

// condLock is the lock behind a chain that ends in the field L of a sync.Cond.
func (p *Program) condLock(chain []link) (Lock, bool) {
	if len(chain) < 2 || chain[len(chain)-2].v == nil {
		return Lock{}, false
	}
	last := chain[len(chain)-1]
	if last.v == nil || last.v.Name() != "L" || last.v.Pkg() == nil || last.v.Pkg().Path() != "sync" {
		return Lock{}, false
	}
	l, ok := p.conds()[chain[len(chain)-2].v.Origin()]
	return l, ok
}

// eachAssignment calls back for each variable or field that is given a value:
// by assignment, declaration or as an element of a keyed struct literal.
func eachAssignment(info *types.Info, root ast.Node, visit func(v *types.Var, value ast.Expr)) {
	give := func(to, value ast.Expr) {
		var obj types.Object
		switch to := ast.Unparen(to).(type) {
		case *ast.Ident:
			obj = info.ObjectOf(to)
		case *ast.SelectorExpr:
			obj = info.ObjectOf(to.Sel)
		}
		if v, ok := obj.(*types.Var); ok {
			visit(v, value)
		}
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					give(n.Lhs[i], n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i := range n.Names {
				if len(n.Names) == len(n.Values) {
					give(n.Names[i], n.Values[i])
				}
			}
		case *ast.CompositeLit:
			if _, isStruct := deref(info.TypeOf(n)).Underlying().(*types.Struct); !isStruct {
				return true
			}
			for _, elt := range n.Elts {
				if kv, ok := elt.(*ast.KeyValueExpr); ok {
					give(kv.Key, kv.Value)
				}
			}
		}
		return true
	})
}
