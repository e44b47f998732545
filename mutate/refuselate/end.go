package refuselate

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// An end is how the values of a type are ended.
type end struct {
	by    *ast.FuncDecl // the method
	in    *analysis.File
	typ   *types.TypeName
	flag  *types.Var // says that it has been there; nil: nothing does yet
	name  string     // of the flag, or of the one to be
	asked question   // how it is asked for

	section *mutate.Section // of the method
	lock    string          // behind the name of a value: ".mu"
	key     string          // as analysis.Lock has it
	rw      bool

	goes map[*types.Var][]ending // fields that the method goes over, and what it does to each element

	reason *types.Var // parameter of the method that says why; nil: there is none, or the flag does not keep it
}

// A question is how an end is asked for: a format for the flag of a value.
type question string

const (
	isSet    question = "%s"
	isStored question = "%s.Load()"
	isNotNil question = "%s != nil"
	isClosed question = "<-%s" // in a select
)

// over matches names that say that something has ended.
var over = regexp.MustCompile(`(?i)clos|stop|shut|^end|ended|quit|exit|terminat|gone|done|dead|fail|^err|err$|cancel|drain`)

// enders are methods that end a value although no field says so, and the flags that they get.
var enders = map[string]string{"Close": "closed", "Stop": "stopped", "Shutdown": "stopped"}

// ends are those of the values of a type of the function's package.
func ends(fn *mutate.Function, typ *types.TypeName) []*end {
	type endsOf struct{ pkg *analysis.Package }
	return mutate.Once(fn, endsOf{fn.File.Package}, func() map[*types.TypeName][]*end {
		found := make(map[*types.TypeName][]*end)
		for _, of := range fn.OfPackage() {
			for _, e := range endsIn(of) {
				found[e.typ] = append(found[e.typ], e)
			}
		}
		for typ, list := range found {
			found[typ] = slices.DeleteFunc(list, func(e *end) bool { return e.takenBack(fn) || e.flag == nil && told(list) })
		}
		return found
	})[typ]
}

// told reports whether a flag says that a value has ended.
func told(list []*end) bool {
	return slices.ContainsFunc(list, func(e *end) bool { return e.flag != nil })
}

// endsIn are the ends that a method brings about.
func endsIn(fn *mutate.Function) (out []*end) {
	decl, recv, typ := method(fn)
	if recv == nil {
		return nil
	}
	for _, s := range fn.Sections() {
		lock, own := strings.CutPrefix(s.Lock.Expr, recv.Name())
		if !own || s.Again || lock != "" && lock[0] != '.' {
			continue
		}
		base := end{by: decl, in: fn.File, typ: typ, section: s, lock: lock, key: s.Lock.Key, rw: s.Lock.RW}
		reason := reasonOf(fn, decl)
		base.goes = goesOver(fn, recv, reason)
		if len(base.goes) == 0 {
			return nil
		}
		flags := set(fn, s, recv)
		for _, f := range flags {
			e := base
			e.flag, e.name, e.asked = f.flag, f.name, f.asked
			e.goes = maps.Clone(base.goes)
			delete(e.goes, f.flag)
			if reason != nil && f.asked == isNotNil && syntax.Is(fn.File.Package.Info, f.value, reason) {
				e.reason = reason
			}
			if len(e.goes) > 0 && (over.MatchString(f.flag.Name()) || over.MatchString(decl.Name.Name)) {
				out = append(out, &e)
			}
		}
		if len(flags) == 0 && !s.Read && empties(fn, s, recv, base.goes) {
			if e := base; e.nameFlag(fn, reason) {
				out = append(out, &e)
			}
		}
	}
	return out
}

// nameFlag names the flag that the end gets, which is the error that says why where the method is given one; it
// is false where the method ends no value for good, or no name is free.
func (e *end) nameFlag(fn *mutate.Function, reason *types.Var) bool {
	name, ok := enders[e.by.Name.Name]
	if !ok && !comesLast(fn) {
		return false
	}
	e.name, e.asked = cmp.Or(name, "ended"), isSet
	if reason != nil {
		e.reason, e.asked = reason, isNotNil
		if e.name = "err"; !free(e.typ, e.name) {
			e.name = "endErr"
		}
	}
	return free(e.typ, e.name)
}

// comesLast reports whether a method is called by goroutines only, as the last thing that each does: with the
// goroutine, what it served has come to its end.
func comesLast(fn *mutate.Function) bool {
	f, ok := fn.File.Package.Info.Defs[fn.Node.(*ast.FuncDecl).Name].(*types.Func)
	if !ok {
		return false
	}
	last := 0
	for _, of := range fn.OfPackage() {
		if !of.Started() {
			continue
		}
		for _, st := range of.Statements() {
			var call *ast.CallExpr
			switch s := st.Stmt.(type) {
			case *ast.DeferStmt:
				call = s.Call
			case *ast.ExprStmt:
				if leavesNext(of, st) {
					call, _ = s.X.(*ast.CallExpr)
				}
			}
			if call == nil {
				continue
			}
			if id := syntax.CalledName(call.Fun); id != nil && syntax.Declared(of.File.Package.Info.Uses[id]) == types.Object(f) {
				last++
			}
		}
	}
	return last > 0 && last == len(fn.Mentions(f))
}

// leavesNext reports whether a function ends behind a statement.
func leavesNext(fn *mutate.Function, st mutate.Statement) bool {
	if next := st.Index + 1; next < len(st.List) {
		_, returns := st.List[next].(*ast.ReturnStmt)
		return returns
	}
	return st.Owner == ast.Node(fn.Body)
}

// reasonOf is the parameter of a method that says why the value ends, its only one that is an error; nil: there
// is none.
func reasonOf(fn *mutate.Function, decl *ast.FuncDecl) (reason *types.Var) {
	for _, f := range decl.Type.Params.List {
		for _, name := range f.Names {
			v, ok := fn.File.Package.Info.Defs[name].(*types.Var)
			if !ok || !syntax.IsError(v.Type()) {
				continue
			}
			if reason != nil || name.Name == "_" {
				return nil
			}
			reason = v
		}
	}
	return reason
}

// method is the method with a pointer for a receiver, and a name for it, that a function is, or that a
// literal stands in which starts no goroutine; recv is nil for others.
func method(fn *mutate.Function) (decl *ast.FuncDecl, recv *types.Var, typ *types.TypeName) {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if around := fn.Around(); !ok && len(around) > 0 && !fn.Started() {
		decl, ok = around[0].Node.(*ast.FuncDecl)
	}
	if !ok || decl.Recv == nil || len(decl.Recv.List) != 1 || len(decl.Recv.List[0].Names) != 1 {
		return nil, nil, nil
	}
	recv, ok = fn.File.Package.Info.Defs[decl.Recv.List[0].Names[0]].(*types.Var)
	if !ok || recv.Name() == "_" {
		return nil, nil, nil
	}
	p, ok := recv.Type().(*types.Pointer)
	if !ok {
		return nil, nil, nil
	}
	return decl, recv, typeName(p.Elem())
}

// typeName is the name of a type without parameters of its own, or of what it points to; nil if it has none.
func typeName(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		return named.Origin().Obj()
	}
	return nil
}

// free reports whether a type has nothing with a name.
func free(typ *types.TypeName, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(typ.Type()), true, typ.Pkg(), name)
	return obj == nil
}

// A setting sets a flag of a value.
type setting struct {
	flag  *types.Var
	asked question
	value ast.Expr // nil: the flag is closed
	name  string   // of the flag, behind the value and a dot
}

// set lists the flags of the receiver that a section sets so that they tell an end, or that have been set when
// it begins and need no lock.
func set(fn *mutate.Function, s *mutate.Section, recv types.Object) (out []setting) {
	info := fn.File.Package.Info
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if _, later := n.(*ast.FuncLit); later {
			return false
		}
		st, at := settingOf(info, n)
		if st == nil || !tells(info, *st) || fn.Path(at).Root != recv || !direct(info, at) {
			return true
		}
		st.name = syntax.Below(info, ast.Unparen(at).(*ast.SelectorExpr))
		inside := !s.Read && slices.ContainsFunc(s.Body, func(stmt ast.Stmt) bool { return syntax.Within(n, ast.Node(stmt)) })
		if inside || n.End() <= s.Acquire.Pos() && (st.asked == isStored || st.asked == isClosed) {
			out = append(out, *st)
		}
		return true
	})
	return out
}

// direct reports whether a field is one of the value that is named, not of one inside.
func direct(info *types.Info, e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	_, ok = ast.Unparen(syntax.Owner(info, sel.X)).(*ast.Ident)
	return ok
}

// settingOf is the setting of a field that a node is, and the field as it is written; nil: it is none.
func settingOf(info *types.Info, n ast.Node) (*setting, ast.Expr) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
			break
		}
		for i, l := range n.Lhs {
			v := syntax.Field(info, l)
			if v == nil {
				continue
			}
			switch t := v.Type().Underlying().(type) {
			case *types.Basic:
				if t.Kind() == types.Bool {
					return &setting{flag: v, asked: isSet, value: n.Rhs[i]}, l
				}
			case *types.Interface:
				if types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
					return &setting{flag: v, asked: isNotNil, value: n.Rhs[i]}, l
				}
			case *types.Chan:
				return &setting{flag: v, asked: isClosed, value: n.Rhs[i]}, l
			}
		}
	case *ast.CallExpr:
		if syntax.Builtin(info, n) == "close" {
			if v := syntax.Field(info, n.Args[0]); v != nil {
				return &setting{flag: v, asked: isClosed}, n.Args[0]
			}
			break
		}
		sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if !ok {
			break
		}
		v := syntax.Field(info, sel.X)
		if v == nil || types.TypeString(v.Type(), nil) != "sync/atomic.Bool" {
			break
		}
		switch sel.Sel.Name {
		case "Store", "Swap", "CompareAndSwap":
			return &setting{flag: v, asked: isStored, value: n.Args[len(n.Args)-1]}, sel.X
		}
	}
	return nil, nil
}

// tells reports whether a setting tells an end: true, an error, or the close of a channel on
// which nothing is sent.
func tells(info *types.Info, s setting) bool {
	switch s.asked {
	case isSet, isStored:
		tv := info.Types[s.value]
		return tv.Value != nil && tv.Value.String() == "true"
	case isNotNil:
		return !info.Types[s.value].IsNil()
	}
	ch, ok := s.flag.Type().Underlying().(*types.Chan)
	if s.value != nil || !ok {
		return false
	}
	st, ok := ch.Elem().Underlying().(*types.Struct)
	return ok && st.NumFields() == 0
}

// takenBack reports whether somebody sets the flag of an end to something else: the value is begun again.
func (e *end) takenBack(fn *mutate.Function) bool {
	type takenBackOf struct{ pkg *analysis.Package }
	return e.flag != nil && mutate.Once(fn, takenBackOf{fn.File.Package}, func() map[*types.Var]bool {
		found := make(map[*types.Var]bool)
		for _, f := range fn.File.Package.Files {
			ast.Inspect(f.AST, func(n ast.Node) bool {
				if st, _ := settingOf(f.Package.Info, n); st != nil && !tells(f.Package.Info, *st) {
					found[st.flag] = true
				}
				return true
			})
		}
		return found
	})[e.flag]
}

// An ending is what the method does to what is in a field: code with the name of an element.
type ending struct {
	code    string
	element string // "": the code stands for the field itself
	key     bool   // the element is a key of a map
	reason  bool   // the code names the reason of the end
}

// maxCalls is how deep methods of the receiver are followed that the method calls.
const maxCalls = 2

// goesOver finds the fields of the receiver that a method mentions, itself or in methods of it that it
// calls, and that may hold what is to be ended.
func goesOver(fn *mutate.Function, recv types.Object, reason *types.Var) map[*types.Var][]ending {
	goes := make(map[*types.Var][]ending)
	seen := map[*mutate.Function]bool{}
	var look func(fn *mutate.Function, recv types.Object, depth int)
	look = func(fn *mutate.Function, recv types.Object, depth int) {
		if seen[fn] || recv == nil {
			return
		}
		seen[fn] = true
		if depth > 0 {
			reason = nil
		}
		collect(fn, recv, reason, goes)
		if depth == maxCalls {
			return
		}
		for _, c := range fn.Calls(fn.Body.List...) {
			sel, ok := ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr)
			if ok && syntax.Is(fn.File.Package.Info, sel.X, recv) {
				_, own, _ := method(c.To)
				look(c.To, own, depth+1)
			}
		}
	}
	look(fn, recv, 0)
	return goes
}

// collect adds the fields of the receiver that a function mentions, and the endings in it.
func collect(fn *mutate.Function, recv types.Object, reason *types.Var, goes map[*types.Var][]ending) {
	info := fn.File.Package.Info
	from := map[types.Object]*types.Var{} // local variables, and the field that they come from
	own := func(e ast.Node) (of *types.Var) {
		ast.Inspect(e, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if ok && of == nil && syntax.Is(info, syntax.Owner(info, sel.X), recv) {
				if v := syntax.Field(info, sel); v != nil && holds(v.Type()) {
					of = v
				}
			}
			if id, ok := n.(*ast.Ident); ok && of == nil && info.Uses[id] != nil {
				of = from[info.Uses[id]]
			}
			return of == nil
		})
		return of
	}
	add := func(v *types.Var, e ...ending) { goes[v] = append(goes[v], e...) }
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if v := own(n); v != nil && syntax.Is(info, syntax.Owner(info, n.X), recv) {
				add(v)
			}
		case *ast.AssignStmt:
			for i, r := range n.Rhs {
				if len(n.Lhs) != len(n.Rhs) {
					break
				}
				if id, ok := n.Lhs[i].(*ast.Ident); ok && info.ObjectOf(id) != nil {
					if v := own(r); v != nil {
						from[info.ObjectOf(id)] = v
					}
				}
			}
		case *ast.RangeStmt:
			if v := own(n.X); v != nil {
				for _, c := range endingsOf(fn, n, reason) {
					add(v, c)
				}
				for _, l := range []ast.Expr{n.Key, n.Value} { // what they are collected in
					if id, ok := l.(*ast.Ident); ok && info.ObjectOf(id) != nil {
						from[info.ObjectOf(id)] = v
					}
				}
			}
		case *ast.CallExpr:
			for _, at := range ended(n, info) {
				if v := syntax.Field(info, at); v != nil && direct(info, at) && fn.Path(at).Root == recv && holds(v.Type()) {
					add(v, ending{code: strings.Replace(types.ExprString(n), types.ExprString(at), "\x00", 1)})
				}
			}
		}
		return true
	})
}

// holds reports whether a field of a type may hold what is to be ended: mere values do not.
func holds(t types.Type) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" {
		return named.Obj().Name() == "WaitGroup" || named.Obj().Name() == "Map"
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return typeName(p.Elem()) == nil || holds(p.Elem())
	}
	_, basic := t.Underlying().(*types.Basic)
	return !basic
}

// ended is what a call ends: of x.Close(), close(x) or x() it is x.
func ended(call *ast.CallExpr, info *types.Info) []ast.Expr {
	if syntax.Builtin(info, call) == "close" {
		return call.Args
	}
	if len(call.Args) > 0 {
		return nil
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if over.MatchString(sel.Sel.Name) {
			if _, method := info.Uses[sel.Sel].(*types.Func); method {
				return []ast.Expr{sel.X}
			}
			return []ast.Expr{sel}
		}
		return nil
	}
	return []ast.Expr{call.Fun}
}

// endingsOf is what a loop over a field does to its elements.
func endingsOf(fn *mutate.Function, loop *ast.RangeStmt, reason *types.Var) (out []ending) {
	info := fn.File.Package.Info
	_, isMap := info.TypeOf(loop.X).Underlying().(*types.Map)
	for i, l := range []ast.Expr{loop.Key, loop.Value} {
		id, ok := l.(*ast.Ident)
		if !ok || id.Name == "_" || i == 0 && !isMap {
			continue
		}
		obj := info.ObjectOf(id)
		for _, s := range loop.Body.List {
			if obj == nil || !syntax.Names(info, s, obj) {
				continue
			}
			told := reason != nil && syntax.Names(info, s, reason)
			if code := tellsReason(s); told && code != nil && only(info, code, obj, reason) {
				out = append(out, ending{code: fn.Text(code), element: id.Name, key: i == 0, reason: true})
				continue
			}
			call := callOf(s)
			if call == nil || !syntax.Names(info, call, obj) || !only(info, call, obj) {
				continue
			}
			if len(ended(call, info)) == 0 && !ofElement(info, call, obj) {
				continue
			}
			out = append(out, ending{code: types.ExprString(call), element: id.Name, key: i == 0})
		}
	}
	return out
}

// tellsReason is what a statement does that can tell an element the reason of the end: a call, a send, or
// an assignment to a field; nil: it is another statement.
func tellsReason(s ast.Stmt) ast.Node {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if _, calls := s.X.(*ast.CallExpr); calls {
			return s
		}
	case *ast.SendStmt:
		return s
	case *ast.AssignStmt:
		if len(s.Lhs) == 1 && s.Tok == token.ASSIGN {
			return s
		}
	}
	return nil
}

// callOf is the call that a statement makes and whose result it does not need; nil: there is none.
func callOf(s ast.Stmt) *ast.CallExpr {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ := s.X.(*ast.CallExpr)
		return call
	case *ast.AssignStmt:
		if id, ok := s.Lhs[0].(*ast.Ident); ok && len(s.Lhs) == 1 && (id.Name == "_" || over.MatchString(id.Name)) {
			call, _ := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
			return call
		}
	case *ast.IfStmt: // if err := c.Close(); err != nil
		if s.Init != nil {
			return callOf(s.Init)
		}
	}
	return nil
}

// ofElement reports whether a call is one of an element's method that ends it.
func ofElement(info *types.Info, call *ast.CallExpr, obj types.Object) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && over.MatchString(sel.Sel.Name) && syntax.Names(info, sel.X, obj)
}

// only reports whether code names nothing but some variables and what the package declares.
func only(info *types.Info, code ast.Node, variables ...types.Object) bool {
	return !syntax.Any(code, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			_, literal := n.(*ast.FuncLit)
			return literal
		}
		obj := info.Uses[id]
		if obj == nil || slices.Contains(variables, obj) {
			return false
		}
		v, isVar := obj.(*types.Var)
		return isVar && !v.IsField() && (v.Pkg() == nil || v.Parent() != v.Pkg().Scope())
	})
}

// empties reports whether a section ends or forgets what is in a field: a method that does so and sets no
// flag ends a value all the same.
func empties(fn *mutate.Function, s *mutate.Section, recv types.Object, goes map[*types.Var][]ending) bool {
	for v, list := range goes {
		if len(list) > 0 && list[0].element != "" && mentions(fn, s, recv, v) {
			return true
		}
	}
	return false
}

// mentions reports whether a section names a field of the receiver.
func mentions(fn *mutate.Function, s *mutate.Section, recv types.Object, v *types.Var) bool {
	info := fn.File.Package.Info
	return slices.ContainsFunc(s.Body, func(stmt ast.Stmt) bool {
		return syntax.Any(stmt, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			return ok && syntax.Is(info, syntax.Owner(info, sel.X), recv) && syntax.Field(info, sel) == v
		})
	})
}
