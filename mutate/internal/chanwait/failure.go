package chanwait

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// failure is the error that a function returns when it gives an operation up for an
// end, as text: what the package returns elsewhere for this end, the error of what has
// ended, or the error that functions beside this one return when it has. A context that
// the function was given has its own. An error is never made up; ok is false where there
// is none.
func failure(fn *mutate.Function, op Op, s End) (text string, ok bool) {
	owner, _, owned := s.field()
	if !owned && s.Context != "" {
		return s.Context + ".Err()", true
	}
	if text, ok := sibling(fn, op, s); ok {
		return text, true
	}
	if s.Context != "" {
		return s.Context + ".Err()", true
	}
	named := namedAt(fn, op, owner)
	if !owned || named == nil {
		return "", false
	}
	if says(fn, named, s) {
		return owner + ".Err()", true
	}
	return returned(fn, op, named)
}

// field parts an end into a value and the name of the value's field or method that it is;
// owned is false for a variable of its own.
func (s End) field() (owner, name string, owned bool) {
	if s.Context != "" {
		return cutLast(s.Context)
	}
	return cutLast(strings.TrimSuffix(s.Expr, "()"))
}

// namedAt is the named type, or what points to it, of an expression at an operation; nil
// if it has another type.
func namedAt(fn *mutate.Function, op Op, expr string) *types.Named {
	tv, err := types.Eval(fn.Program.Fset, fn.File.Package.Types, op.At.Pos(), expr)
	if err != nil {
		return nil
	}
	return namedOf(tv.Type)
}

func namedOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// sibling is the error that a select of the package returns in its case for the same end.
func sibling(fn *mutate.Function, op Op, s End) (text string, ok bool) {
	for _, g := range giveUps(fn) {
		if text, ok := g.carried(fn, op, s); ok {
			return text, true
		}
	}
	return "", false
}

// A giveUp is a case of a select that receives, and ends with the return of an error.
type giveUp struct {
	file *analysis.File
	from ast.Expr // the channel
	err  ast.Expr
}

// giveUps lists those of a function's package, tests left out.
func giveUps(fn *mutate.Function) []giveUp {
	type giveUpsOf struct{ pkg *analysis.Package }
	return mutate.Once(fn, giveUpsOf{fn.File.Package}, func() (found []giveUp) {
		for _, f := range fn.File.Package.Files {
			if f.Test {
				continue
			}
			ast.Inspect(f.AST, func(n ast.Node) bool {
				if clause, ok := n.(*ast.CommClause); ok {
					if g, ok := giveUpOf(f, clause); ok {
						found = append(found, g)
					}
				}
				return true
			})
		}
		return found
	})
}

func giveUpOf(f *analysis.File, clause *ast.CommClause) (g giveUp, ok bool) {
	receive, is := clause.Comm.(*ast.ExprStmt)
	if !is || len(clause.Body) == 0 || len(received(receive.X)) == 0 {
		return g, false
	}
	ret, is := clause.Body[len(clause.Body)-1].(*ast.ReturnStmt)
	if !is || len(ret.Results) == 0 {
		return g, false
	}
	g = giveUp{f, received(receive.X)[0], ast.Unparen(ret.Results[len(ret.Results)-1])}
	t := f.Package.Info.TypeOf(g.err)
	return g, t != nil && syntax.IsError(t) && !f.Package.Info.Types[g.err].IsNil()
}

// carried is the error of a case for the same end, as an operation can return it: it is
// the same wherever it stands in the package, or a method's of what has ended.
func (g giveUp) carried(fn *mutate.Function, op Op, s End) (text string, ok bool) {
	of, same := s.valueOf(fn, op, g.file, g.from)
	if !same {
		return "", false
	}
	if call, is := g.err.(*ast.CallExpr); is && len(call.Args) == 0 && of != nil {
		method, is := call.Fun.(*ast.SelectorExpr)
		if is && reason.MatchString(method.Sel.Name) && types.ExprString(method.X) == types.ExprString(of) {
			owner, _, _ := s.field()
			return owner + "." + method.Sel.Name + "()", true
		}
	}
	elsewhere := func(n ast.Node) bool {
		_, literal := n.(*ast.FuncLit)
		id, is := n.(*ast.Ident)
		return literal || is && !meansSame(fn, op, g.file, id)
	}
	return types.ExprString(g.err), !syntax.Any(g.err, elsewhere)
}

// reason matches the names of methods that say why something is over.
var reason = regexp.MustCompile(`(?i)err|cause|reason`)

// valueOf is what an expression of a file is a field or method of, where it is that of an
// end; nil if it is a variable of its own. same is false for another one.
func (s End) valueOf(fn *mutate.Function, op Op, f *analysis.File, e ast.Expr) (of ast.Expr, same bool) {
	e = ast.Unparen(e)
	same = s.channel != nil && fn.Channel(e) == s.channel
	if call, ok := e.(*ast.CallExpr); ok {
		e = ast.Unparen(call.Fun)
		if done, ok := e.(*ast.SelectorExpr); ok && s.Context != "" {
			e = ast.Unparen(done.X)
		}
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return nil, same
	}
	owner, name, owned := s.field()
	named, here := namedOf(f.Package.Info.TypeOf(sel.X)), namedAt(fn, op, owner)
	return sel.X, same || owned && sel.Sel.Name == name && named != nil && here != nil && named.Obj() == here.Obj()
}

// meansSame reports whether a name of a file of the package means the same at an operation.
func meansSame(fn *mutate.Function, op Op, f *analysis.File, id *ast.Ident) bool {
	obj := f.Package.Info.Uses[id]
	inner := fn.File.Package.Types.Scope().Innermost(op.At.Pos())
	if obj == nil || inner == nil {
		return false
	}
	if v, ok := obj.(*types.Var); ok && v.IsField() {
		return true
	}
	if _, method := obj.(*types.Func); method && obj.Parent() == nil || obj.Pkg() != nil && obj.Pkg() != f.Package.Types {
		return true // selected from what is looked at, too
	}
	_, here := inner.LookupParent(id.Name, op.At.Pos())
	if pkg, ok := obj.(*types.PkgName); ok {
		own, ok := here.(*types.PkgName)
		return ok && own.Imported() == pkg.Imported()
	}
	return here == obj && obj.Parent() != nil && (obj.Parent() == types.Universe || obj.Parent() == f.Package.Types.Scope())
}

// says reports whether values of a type have an Err that is set before an end comes: a
// field that it returns is set by whoever closes the channel, before that. Of a channel
// that is unknown, the method is believed.
func says(fn *mutate.Function, named *types.Named, s End) bool {
	obj, _, _ := types.LookupFieldOrMethod(named, true, fn.File.Package.Types, "Err")
	method, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	sig := method.Signature()
	if sig.Params().Len() > 0 || sig.Results().Len() != 1 || !syntax.IsError(sig.Results().At(0).Type()) {
		return false
	}
	fields := fieldsOf(fn, method)
	switch {
	case s.closer != nil:
		return setsAlways(s.closer, s.closer.Body, nil, fields)
	case s.channel == nil:
		return s.found
	}
	return !slices.ContainsFunc(s.channel.Closes, func(u mutate.ChannelUse) bool {
		return !u.Test && !setsBefore(u, fields)
	})
}

// fieldsOf are the fields that a method of the program names, itself or in what it calls.
func fieldsOf(fn *mutate.Function, method *types.Func) map[*types.Var]bool {
	found := make(map[*types.Var]bool)
	of := fn.Declared(method.Origin())
	if of == nil {
		return found
	}
	named := []*mutate.Function{of}
	for first, round := 0, 0; round < 2; round++ {
		next := len(named)
		for _, of := range named[first:next] {
			for _, c := range of.Calls(of.Body.List...) {
				named = append(named, c.To)
			}
		}
		first = next
	}
	for _, of := range named {
		ast.Inspect(of.Node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := of.File.Package.Info.Uses[id].(*types.Var); ok && v.IsField() {
					found[v.Origin()] = true
				}
			}
			return true
		})
	}
	return found
}

// setsBefore reports whether one of some fields is set whenever a channel is closed: in
// front of the close or, where that is deferred, of each return.
func setsBefore(u mutate.ChannelUse, fields map[*types.Var]bool) bool {
	if u.Fn == nil {
		return false
	}
	path, _ := astutil.PathEnclosingInterval(u.Fn.File.AST, u.Node.Pos(), u.Node.End())
	at := u.Node
	for _, n := range path {
		switch n := n.(type) {
		case *ast.DeferStmt:
			at = nil
		case *ast.FuncDecl:
			return setsAlways(u.Fn, n.Body, at, fields)
		}
	}
	return false
}

// setsAlways reports whether code of a function's file sets one of some fields in front of
// a node, on every way to it that the statements around it show; nil stands for all returns.
func setsAlways(fn *mutate.Function, body *ast.BlockStmt, at ast.Node, fields map[*types.Var]bool) bool {
	set := make(map[ast.Node]token.Pos) // by what the statement is in: the first
	syntax.Walk(body, func(n ast.Node, path []ast.Node) {
		if len(path) > 0 && setsField(fn, n, fields) {
			if in := listAround(path); set[in] == token.NoPos {
				set[in] = n.Pos()
			}
		}
	})
	always := true
	need := func(pos token.Pos, path []ast.Node) {
		always = always && slices.ContainsFunc(path, func(n ast.Node) bool { return set[n] != token.NoPos && set[n] < pos })
	}
	syntax.Walk(body, func(n ast.Node, path []ast.Node) {
		_, returns := n.(*ast.ReturnStmt)
		inside := !slices.ContainsFunc(path, func(n ast.Node) bool { _, literal := n.(*ast.FuncLit); return literal })
		if n == at || at == nil && returns && inside {
			need(n.Pos(), path)
		}
	})
	if at == nil && !endless(body) {
		need(body.End(), []ast.Node{body})
	}
	return always
}

// endless reports whether a body's end is a loop without a condition that nothing breaks.
func endless(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	last := body.List[len(body.List)-1]
	if _, returns := last.(*ast.ReturnStmt); returns {
		return true
	}
	loop, ok := last.(*ast.ForStmt)
	return ok && loop.Cond == nil && !syntax.Any(loop.Body, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		return ok && b.Tok == token.BREAK
	})
}

// listAround is what the innermost statement list in a path belongs to.
func listAround(path []ast.Node) ast.Node {
	for _, n := range slices.Backward(path) {
		switch n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			return n
		}
	}
	return nil
}

// setsField reports whether a node assigns to one of some fields, or stores in it.
func setsField(fn *mutate.Function, n ast.Node, fields map[*types.Var]bool) bool {
	field := func(e ast.Expr) bool {
		v := syntax.Variable(fn.File.Package.Info, e)
		return v != nil && fields[v.Origin()]
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Tok == token.ASSIGN && slices.ContainsFunc(n.Lhs, field)
	case *ast.CallExpr:
		sel, ok := n.Fun.(*ast.SelectorExpr)
		return ok && (sel.Sel.Name == "Store" || sel.Sel.Name == "CompareAndSwap") && field(sel.X)
	}
	return false
}

// ended matches the names of errors that say that something is over.
var ended = regexp.MustCompile(`(?i)clos|stop|shut|ended|quit|exit|terminat|gone|done`)

// SaysEnd reports whether the name of an error says that something is over: ErrClosed, errStopped.
func SaysEnd(name string) bool { return ended.MatchString(name) }

// returned is the error variable of the package that methods of a type return when a
// value of it has ended, by its name; the function's own comes first.
func returned(fn *mutate.Function, op Op, named *types.Named) (text string, ok bool) {
	type errorsOf struct{}
	errors := mutate.Once(fn, errorsOf{}, func() map[*types.TypeName][]errorOf {
		found := make(map[*types.TypeName][]errorOf)
		for _, of := range fn.OfProgram() {
			if decl, is := of.Node.(*ast.FuncDecl); is && decl.Recv != nil && len(decl.Recv.List) == 1 && !of.File.Test {
				if t := namedOf(of.File.Package.Info.TypeOf(decl.Recv.List[0].Type)); t != nil {
					found[t.Obj()] = append(found[t.Obj()], endErrors(of)...)
				}
			}
		}
		return found
	})
	for _, e := range slices.Concat(endErrors(fn), errors[named.Obj()]) {
		if e.file.Package == fn.File.Package && meansSame(fn, op, e.file, e.name) {
			return e.name.Name, true
		}
	}
	return "", false
}

// An errorOf is an error variable of a package that a function returns.
type errorOf struct {
	file *analysis.File
	name *ast.Ident
}

// endErrors are those of a function whose names say that something is over.
func endErrors(fn *mutate.Function) (found []errorOf) {
	info := fn.File.Package.Info
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		ret, ok := n.(*ast.ReturnStmt)
		if !ok || len(ret.Results) == 0 {
			return true
		}
		id, ok := ast.Unparen(ret.Results[len(ret.Results)-1]).(*ast.Ident)
		if !ok || !ended.MatchString(id.Name) {
			return true
		}
		v, ok := info.Uses[id].(*types.Var)
		if ok && v.Parent() == fn.File.Package.Types.Scope() && syntax.IsError(v.Type()) {
			found = append(found, errorOf{fn.File, id})
		}
		return true
	})
	return found
}
