package stillcurrent

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/tree"
)

// An arming is a statement that makes a timer with a callback, or starts a goroutine that
// sleeps first.
type arming struct {
	fn      *mutate.Function
	info    *types.Info
	st      mutate.Statement
	delay   ast.Expr
	timer   ast.Expr      // what the timer is assigned to; nil: nothing
	made    *ast.CallExpr // of time.AfterFunc; nil: a goroutine
	lit     *ast.FuncLit  // the callback; nil: it is value
	does    []ast.Stmt    // what it does when the time is over
	value   ast.Expr
	call    *ast.CallExpr // of act, by the literal; nil: act is the literal or the value
	act     *mutate.Function
	section *mutate.Section
}

// armings lists those of a function whose callbacks have a critical section, in source order.
func armings(fn *mutate.Function) []*arming {
	var out []*arming
	a := new(arming) // most statements are none
	for _, st := range fn.Statements() {
		*a = arming{fn: fn, info: fn.File.Package.Info, st: st}
		if a.starts() && a.acts() {
			out, a = append(out, a), new(arming)
		}
	}
	return out
}

// armingsOf lists the armings of the program whose callbacks act by a function, by file and in
// source order. The list must not be changed.
func armingsOf(act *mutate.Function) []*arming {
	type actsBy struct{}
	return mutate.Once(act, actsBy{}, func() map[*mutate.Function][]*arming {
		found := make(map[*mutate.Function][]*arming)
		for _, fn := range act.OfProgram() {
			for _, a := range armings(fn) {
				found[a.act] = append(found[a.act], a)
			}
		}
		return found
	})[act]
}

// starts finds out what the statement starts.
func (a *arming) starts() bool {
	var callback ast.Expr
	switch s := a.st.Stmt.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return false
		}
		a.made, _ = ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		a.timer = s.Lhs[0]
	case *ast.ExprStmt:
		a.made, _ = ast.Unparen(s.X).(*ast.CallExpr)
	case *ast.GoStmt:
		a.lit, _ = ast.Unparen(s.Call.Fun).(*ast.FuncLit)
		return a.lit != nil && a.waits()
	}
	if a.made == nil || !calledAfter(a.info, a.made) {
		return false
	}
	a.delay, callback = a.made.Args[0], ast.Unparen(a.made.Args[1])
	if a.lit, _ = callback.(*ast.FuncLit); a.lit == nil {
		a.value = callback
		return true
	}
	a.does = a.lit.Body.List
	return true
}

// waits reports whether the literal that a goroutine runs waits for a time, first and perhaps for
// something else besides, and finds what it does then.
func (a *arming) waits() bool {
	list := a.lit.Body.List
	for len(list) > 0 {
		if _, deferred := list[0].(*ast.DeferStmt); !deferred {
			break
		}
		list = list[1:]
	}
	if len(list) == 0 {
		return false
	}
	if s, ok := list[0].(*ast.SelectStmt); ok {
		for _, c := range s.Body.List {
			if c := c.(*ast.CommClause); c.Comm != nil && a.elapses(c.Comm) {
				a.does = c.Body
			}
		}
		return a.does != nil
	}
	a.does = list[1:]
	return a.elapses(list[0])
}

// elapses reports whether a statement waits for a time and does nothing else.
func (a *arming) elapses(s ast.Stmt) bool {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	e := ast.Unparen(x.X)
	if call, ok := e.(*ast.CallExpr); ok {
		return isTime(a.info, call, "Sleep")
	}
	u, ok := e.(*ast.UnaryExpr)
	if !ok || u.Op != token.ARROW {
		return false
	}
	switch ch := ast.Unparen(u.X).(type) {
	case *ast.CallExpr:
		return isTime(a.info, ch, "After")
	case *ast.SelectorExpr: // t.C
		v := syntax.Variable(a.info, ch)
		return v != nil && v.IsField() && v.Name() == "C" && types.TypeString(a.info.TypeOf(ch.X), nil) == "*time.Timer"
	}
	return false
}

// calledAfter reports whether a call is of time.AfterFunc, or of what stands for it where tests
// bring their own clock: it is called after and takes a duration and a function.
func calledAfter(info *types.Info, call *ast.CallExpr) bool {
	if len(call.Args) != 2 {
		return false
	}
	if isTime(info, call, "AfterFunc") {
		return true
	}
	name := syntax.CalledName(call.Fun)
	sig, ok := info.TypeOf(call.Fun).(*types.Signature)
	if name == nil || !ok || sig.Variadic() || !strings.HasPrefix(strings.ToLower(name.Name), "after") {
		return false
	}
	callback, ok := sig.Params().At(1).Type().Underlying().(*types.Signature)
	return ok && callback.Params().Len() == 0 && callback.Results().Len() == 0 && types.TypeString(sig.Params().At(0).Type(), nil) == "time.Duration"
}

// isTime reports whether a call is of a function of package time.
func isTime(info *types.Info, call *ast.CallExpr, name string) bool {
	f := syntax.Callee(info, call.Fun)
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == "time" && f.Name() == name && f.Signature().Recv() == nil
}

// acts finds the function of the callback that takes the lock.
func (a *arming) acts() bool {
	if a.lit != nil {
		if a.act = a.fn.OfNode(a.lit); a.act == nil {
			return false
		}
		if a.section = first(a.act, a.does); a.section != nil {
			return !checks(a)
		}
		if len(a.does) == 0 {
			return false
		}
		last, ok := a.does[len(a.does)-1].(*ast.ExprStmt)
		if !ok {
			return false
		}
		if a.call, ok = ast.Unparen(last.X).(*ast.CallExpr); !ok {
			return false
		}
		a.act = declared(a.fn, syntax.Callee(a.info, a.call.Fun))
	} else {
		a.act = declared(a.fn, syntax.Callee(a.info, a.value))
	}
	if a.act == nil || a.act.Type.Results != nil {
		return false
	}
	a.section = first(a.act, a.act.Body.List)
	return a.section != nil && !checks(a)
}

// first is the first section of a function that begins in a statement list; nil: none.
func first(fn *mutate.Function, list []ast.Stmt) *mutate.Section {
	for _, s := range fn.Sections() {
		if !s.Read && slices.Contains(list, s.Acquire) {
			return s
		}
	}
	return nil
}

// checks reports whether a section compares two values first, none of which is
// nil or a constant, and leaves, or does all the rest if they are equal.
func checks(a *arming) bool {
	info := a.act.File.Package.Info
	for i, s := range a.section.Body {
		cond, ok := s.(*ast.IfStmt)
		if !ok || !leaves(cond.Body) && (i < len(a.section.Body)-1 || cond.Else != nil) {
			continue
		}
		if syntax.Any(cond.Cond, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				return syntax.Compares(n.Op) && info.Types[n.X].Value == nil && info.Types[n.Y].Value == nil &&
					!info.Types[n.X].IsNil() && !info.Types[n.Y].IsNil()
			case *ast.CallExpr:
				sel, ok := n.Fun.(*ast.SelectorExpr)
				return ok && (sel.Sel.Name == "Before" || sel.Sel.Name == "After")
			}
			return false
		}) {
			return true
		}
	}
	return false
}

// leaves reports whether a block ends with a return.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	_, returns := b.List[len(b.List)-1].(*ast.ReturnStmt)
	return returns
}

// declared is the function of the program that an object is, if it may be edited.
func declared(fn *mutate.Function, f *types.Func) *mutate.Function {
	if f == nil {
		return nil
	}
	return fn.Declared(f.Origin())
}

// siblings are the armings with the same callback, this one among them; alone is false if the
// callback is used in another way, too.
func (a *arming) siblings() (all []*arming, alone bool) {
	decl, ok := a.act.Node.(*ast.FuncDecl)
	if !ok {
		return []*arming{a}, true
	}
	obj, ok := a.act.File.Package.Info.Defs[decl.Name].(*types.Func)
	all = armingsOf(a.act)
	return all, ok && len(all) == len(a.fn.Mentions(obj))
}

// first reports whether the arming is the first of its callback.
func (a *arming) first() bool {
	all, _ := a.siblings()
	return all[0].st.Stmt == a.st.Stmt
}

// decl is the declaration around the arming.
func (a *arming) decl() *ast.FuncDecl {
	for _, d := range a.fn.File.AST.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && syntax.Within(ast.Node(a.st.Stmt), ast.Node(d)) {
			return d
		}
	}
	return nil
}

// timerField is the field that the timer is stored in; nil: none.
func (a *arming) timerField() *types.Var {
	if a.timer == nil {
		return nil
	}
	if _, ok := ast.Unparen(a.timer).(*ast.SelectorExpr); !ok {
		return nil
	}
	if v := syntax.Variable(a.info, a.timer); v != nil && v.IsField() {
		return v.Origin()
	}
	return nil
}

// A timerCall is a call of a method of a timer.
type timerCall struct {
	fn   *mutate.Function
	st   mutate.Statement
	call *ast.CallExpr
	of   ast.Expr // "h" of h.timer
	bare bool     // the call is the statement
}

// timerCalls lists the calls of a method of a timer in a field.
func (a *arming) timerCalls(field *types.Var, method string) (all []timerCall) {
	for _, fn := range a.fn.OfPackage() {
		info := fn.File.Package.Info
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if _, lit := n.(*ast.FuncLit); lit {
				return false
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != method {
				return true
			}
			timer, ok := ast.Unparen(sel.X).(*ast.SelectorExpr)
			if v := syntax.Variable(info, sel.X); ok && v != nil && v.Origin() == field {
				st := mutate.Innermost(fn.Statements(), call)
				x, _ := st.Stmt.(*ast.ExprStmt)
				all = append(all, timerCall{fn, st, call, timer.X, x != nil && ast.Unparen(x.X) == ast.Expr(call)})
			}
			return true
		})
	}
	return all
}

// known reports whether an expression of names, selectors and indices means at the beginning of the section
// what it means later: nothing of it is declared there.
func (a *arming) known(e ast.Expr) bool {
	info := a.act.File.Package.Info
	return !syntax.Any(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			v, ok := info.Uses[n].(*types.Var)
			return ok && !v.IsField() && v.Pos() > a.section.Acquire.Pos() && v.Pos() < a.act.Node.End() && v.Pos() >= a.act.Node.Pos()
		case *ast.CallExpr, *ast.FuncLit:
			return true
		}
		return false
	})
}

// guard puts what leaves the section unless a condition holds at its beginning.
func (a *arming) guard(m *mutate.Mutation, e mutate.Edit, init, gone string) error {
	file, after := a.act.File.Rel, a.section.Acquire
	release := ""
	if a.section.Deferred {
		if !a.section.DefersAtOnce() {
			return mutate.Refuse(e, "the lock is not released at once")
		}
		after = a.section.Releases[0]
	} else {
		release = a.section.Lock.Expr + ".Unlock()\n"
	}
	anchor := m.StmtOf(file, after)
	if anchor == nil {
		return mutate.Refuse(e, "another edit removed the lock")
	}
	return m.InsertSnippet(file, anchor, true, "// "+e.Note+"\nif "+init+gone+" {\n"+release+"return\n}")
}

// pass gives the callback one more argument at each arming, and the function that it calls a
// parameter for it.
func pass(m *mutate.Mutation, e mutate.Edit, all []*arming, args []string, param, typ string) error {
	act := all[0].act
	if decl, ok := m.Of(act.File.Rel, act.Node).(*dst.FuncDecl); ok {
		decl.Type.Params.List = append(decl.Type.Params.List, &dst.Field{Names: []*dst.Ident{dst.NewIdent(param)}, Type: tree.Expr(typ)})
	}
	for i, a := range all {
		switch {
		case a.call != nil:
			call, ok := m.Of(a.fn.File.Rel, a.call).(*dst.CallExpr)
			if !ok {
				return mutate.Refuse(e, "another edit removed the call")
			}
			call.Args = append(call.Args, tree.Expr(args[i]))
		case a.value != nil:
			value := m.Of(a.fn.File.Rel, a.value)
			lit := tree.Expr("func() { " + types.ExprString(a.value) + "(" + args[i] + ") }")
			if value == nil {
				return mutate.Refuse(e, "another edit removed the callback")
			}
			if err := m.Replace(a.fn.File.Rel, value, lit); err != nil {
				return mutate.Refuse(e, "%v", err)
			}
		}
	}
	return nil
}
