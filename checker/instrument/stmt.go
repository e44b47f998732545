package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"
)

// stmt is a statement.
func (r *rewriter) stmt(s ast.Stmt) string {
	if text, ok := r.forgetting(s); ok {
		return text
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		return r.assign(s)
	case *ast.IncDecStmt:
		return r.incDec(s)
	case *ast.SendStmt:
		return r.send(s)
	case *ast.GoStmt:
		if text := r.libraryLater(s, s.Call, r.rt+".GoAt("+r.site(s)+", ", ")"); text != "" {
			r.used = true
			return text
		}
		return r.goStmt(s)
	case *ast.ExprStmt:
		if text := r.logging(s); text != "" {
			return text
		}
	case *ast.DeferStmt:
		if text := r.libraryLater(s, s.Call, "defer ", "()"); text != "" {
			return text
		}
		if r.foreign(s.Call) != nil && len(s.Call.Args) == 0 {
			// The engine is told when the lock is released, not where that is deferred.
			return r.splice(s.Pos(), s.End(), part{s.Call.Pos(), s.Call.End(), "func() { " + r.value(s.Call) + " }()"})
		}
		r.deferred[s.Call] = true
	case *ast.SelectStmt:
		return r.selectStmt(s)
	case *ast.RangeStmt:
		return r.rangeStmt(s, nil)
	case *ast.LabeledStmt:
		return r.labeled(s)
	case *ast.IfStmt:
		r.inHeader(s.Init)
	case *ast.ForStmt:
		return r.forStmt(s, nil)
	case *ast.SwitchStmt:
		r.inHeader(s.Init)
	case *ast.TypeSwitchStmt:
		r.inHeader(s.Init)
		return r.typeSwitch(s)
	case *ast.DeclStmt:
		return r.genDecl(s.Decl.(*ast.GenDecl))
	case *ast.ReturnStmt:
		return r.returned(s)
	case *ast.BranchStmt, *ast.EmptyStmt:
		return r.raw(s)
	}
	return r.generic(s)
}

func (r *rewriter) inHeader(stmts ...ast.Stmt) {
	for _, s := range stmts {
		if s != nil {
			r.header[s] = true
		}
	}
}

// function is the body of a function.
func (r *rewriter) function(t *ast.FuncType, body *ast.BlockStmt) string {
	outer, results, last := r.targets, r.results, r.outcome
	r.results, r.outcome = t.Results, r.outcomes[t]
	r.targets = map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			r.targets[b.Label.Name] = true
		}
		return true
	})
	text := r.generic(body)
	if r.outcome != nil {
		if before := r.leaving(t, body) + strings.Join(r.outcome.order, ""); before != "" {
			text = "{ " + before + text[1:]
		}
	}
	r.targets, r.results, r.outcome = outer, results, last
	return text
}

// sees reports whether a variable's name means it at some position.
func (r *rewriter) sees(pos token.Pos, v *types.Var) bool {
	scope := r.pkg.Scope().Innermost(pos)
	if scope == nil {
		return false
	}
	_, o := scope.LookupParent(v.Name(), pos)
	return o == v
}

// namedResults are the names of a function's results, if they have any.
func namedResults(results *ast.FieldList) []*ast.Ident {
	var names []*ast.Ident
	if results != nil {
		for _, f := range results.List {
			names = append(names, f.Names...)
		}
	}
	return names
}

// labeled is a labelled statement. Statements that a loop needs before it go before
// its label.
func (r *rewriter) labeled(s *ast.LabeledStmt) string {
	switch loop := s.Stmt.(type) {
	case *ast.RangeStmt:
		return r.rangeStmt(loop, s)
	case *ast.ForStmt:
		return r.forStmt(loop, s)
	}
	return r.splice(s.Pos(), s.End(), part{s.Stmt.Pos(), s.Stmt.End(), r.stmt(s.Stmt)})
}

// typeSwitch is a type switch: the variable in its header is no variable.
func (r *rewriter) typeSwitch(s *ast.TypeSwitchStmt) string {
	var parts []part
	if s.Init != nil {
		parts = append(parts, part{s.Init.Pos(), s.Init.End(), r.stmt(s.Init)})
	}
	var guard ast.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		guard = a.Rhs[0]
	case *ast.ExprStmt:
		guard = a.X
	}
	parts = append(parts, part{guard.Pos(), guard.End(), r.value(guard)}, part{s.Body.Pos(), s.Body.End(), r.stmt(s.Body)})
	return r.splice(s.Pos(), s.End(), parts...)
}

// genDecl is a declaration; only the initial values of variables matter.
func (r *rewriter) genDecl(d *ast.GenDecl) string {
	if d.Tok != token.VAR {
		return r.raw(d)
	}
	var parts []part
	for _, s := range d.Specs {
		s, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		value := r.value
		if len(s.Names) == 2 && len(s.Values) == 1 {
			value = r.pair
		}
		for _, v := range s.Values {
			parts = append(parts, part{v.Pos(), v.End(), value(v)})
		}
	}
	return r.splice(d.Pos(), d.End(), parts...)
}

// send is c <- v. The element type is the channel's, so that v is converted as before.
func (r *rewriter) send(s *ast.SendStmt) string {
	r.used = true
	return r.rt + ".To(" + r.splice(s.Pos(), s.End(),
		part{s.Chan.Pos(), s.Chan.End(), r.value(s.Chan)},
		part{s.Arrow, s.Arrow + 2, ").Send("},
		part{s.Value.Pos(), s.Value.End(), r.value(s.Value)}) + ")"
}

// goStmt is a go statement. Function value and arguments are evaluated into
// variables first. Operands that need no evaluation (a declared function, a
// constant) stay in the call.
//
//	go f(x, 1)
//	{ z1 := f; z2 := x; sched.GoAt("f.go:1", func() { z1(z2, 1) }) }
func (r *rewriter) goStmt(s *ast.GoStmt) string {
	call := s.Call
	r.used = true
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok && len(call.Args) == 0 && lit.Type.Results == nil {
		return r.rt + ".GoAt(" + r.site(s) + ", " + r.splice(call.Fun.Pos(), call.Fun.End(), part{call.Fun.Pos(), call.Fun.End(), r.value(call.Fun)}) + ")" + r.moved(s.End(), call.Fun.End())
	}
	var before strings.Builder
	before.WriteString("{ ")
	last := s.Pos()
	hoist := func(text string, from, to token.Pos, names ...string) {
		before.WriteString(strings.Join(names, ", ") + " := " + r.moved(from, last) + text + "; ")
		last = to
	}
	function := r.raw(call.Fun)
	if holder, method := r.copying(call.Fun); holder != "" {
		z := r.fresh()
		hoist(holder, call.Fun.Pos(), call.Fun.End(), z)
		before.WriteString("_ = " + z + "." + method + "; ") // of nil it panics here
		function = r.call("Via", z) + "." + method           // the goroutine copies
	} else if receiver, method := r.bound(call.Fun); receiver != "" {
		z := r.fresh()
		hoist(receiver, call.Fun.Pos(), call.Fun.End(), z)
		function = z + method
	} else if !r.static(call.Fun) {
		function = r.fresh()
		hoist(r.value(call.Fun), call.Fun.Pos(), call.Fun.End(), function)
	}
	function = r.noted(call, function)
	args := r.goArguments(call, hoist)
	if call.Ellipsis.IsValid() {
		args[len(args)-1] += "..."
	}
	end := ") }) }"
	if b := r.builtin(call); b != "" {
		function, args = r.goBuiltin(b, call, args)
	}
	return before.String() + r.moved(s.Pos(), last) + r.rt + ".GoAt(" + r.site(s) + ", func() { " + function + "(" + strings.Join(args, ", ") + end + r.moved(s.End(), s.Pos())
}

// site is the spawn site of a go statement, after which goroutines are named.
func (r *rewriter) site(s *ast.GoStmt) string {
	p := r.fset.PositionFor(s.Pos(), true)
	return strconv.Quote(filepath.Base(p.Filename) + ":" + strconv.Itoa(p.Line))
}

// goArguments evaluates the arguments of a go statement and returns those of the call.
func (r *rewriter) goArguments(call *ast.CallExpr, hoist func(text string, from, to token.Pos, names ...string)) []string {
	var args []string
	if len(call.Args) == 1 {
		if tuple, ok := r.typeOf(call.Args[0]).(*types.Tuple); ok {
			for range tuple.Len() {
				args = append(args, r.fresh())
			}
			hoist(r.value(call.Args[0]), call.Args[0].Pos(), call.Args[0].End(), args...)
			return args
		}
	}
	for _, a := range call.Args {
		if tv := r.info.Types[a]; tv.Value != nil || tv.IsNil() || tv.IsType() {
			args = append(args, r.raw(a))
			continue
		}
		if r.inferred(a) {
			args = append(args, r.raw(a))
			continue
		}
		text, method := r.bound(a)
		if text == "" {
			text = r.value(a)
		}
		if name := r.untyped(a); name != "" {
			text = name + "(" + text + ")"
		}
		z := r.fresh()
		hoist(text, a.Pos(), a.End(), z)
		args = append(args, z+method)
	}
	return args
}

// goBuiltin is a predeclared function called in a goroutine of its own.
func (r *rewriter) goBuiltin(name string, call *ast.CallExpr, args []string) (string, []string) {
	switch {
	case name == "close":
		return r.rt + ".Close", args
	case name == "copy" && len(args) == 2:
		return r.goCopy(call), args
	case name == "clear" && !isMap(r.typeOf(call.Args[0])):
		return r.rt + ".ClearSlice", args
	case name == "delete":
		return r.rt + ".Map(" + args[0] + ").Delete", args[1:]
	case name == "clear" && isMap(r.typeOf(call.Args[0])):
		return r.rt + ".Map(" + args[0] + ").Clear", nil
	}
	return name, args
}

// goCopy is copy in a goroutine of its own.
func (r *rewriter) goCopy(call *ast.CallExpr) string {
	switch kind(r.typeOf(call.Args[1])).(type) {
	case *types.Slice:
		return r.rt + ".Copy"
	case *types.Basic:
		return r.rt + ".CopyString"
	}
	return "copy"
}

// static reports whether the called function needs no evaluation: it is declared,
// predeclared, an instance, or a method expression.
func (r *rewriter) static(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return r.static(e.X)
	case *ast.IndexListExpr:
		return r.static(e.X)
	case *ast.SelectorExpr:
		if s := r.info.Selections[e]; s != nil {
			return s.Kind() == types.MethodExpr
		}
	}
	switch r.object(e).(type) {
	case *types.Func, *types.Builtin:
		return standIns[r.known(r.object(e))] == ""
	}
	return false
}

// untyped is the name of the type that an untyped comparison or shift takes from its
// context; "" when a variable gets it anyway.
func (r *rewriter) untyped(e ast.Expr) string {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return ""
	}
	switch b.Op {
	case token.SHL, token.SHR:
		if r.info.Types[b.X].Value == nil {
			return ""
		}
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return ""
	}
	switch t := types.Unalias(r.typeOf(e)).(type) {
	case *types.Basic:
		return t.Name()
	case *types.Named:
		if t.TypeArgs().Len() == 0 && t.Obj().Pkg() != nil && t.Obj().Parent() == t.Obj().Pkg().Scope() && r.declares(t.Obj()) {
			return t.Obj().Name()
		}
	}
	return ""
}

// declares reports whether the file's own package declares an object.
func (r *rewriter) declares(o types.Object) bool { return o.Pkg() == r.pkg }
