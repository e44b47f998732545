package handback

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/held"
	"mendel/mutate/fact/scope"
)

// An abandon is a select of somebody who waits in a list for what comes on a channel of his own, and may give up.
type abandon struct {
	fn      *mutate.Function
	choice  *ast.SelectStmt
	list    *entry
	channel string   // as the select has it
	value   bool     // something comes on it; else it is closed, or gets a mere token
	leaves  []*leave // the cases in which he gives up
	giver   string   // the call that gives what came on; "\x00" stands for it; "": there is none
	comm    string   // the receive, as the select has it
	body    string   // what follows it
	taken   string   // both, one after the other; "": they cannot be
}

// An entry is how somebody enters a list.
type entry struct {
	field    string // "p.waiting"
	variable *types.Var
	of       types.Object // "p"
	waiter   string       // "r"
	key      string       // of a map; "": it is none
	lock     string       // "p.mu"
	lockKey  string
}

// A leave is how one case gives up.
type leave struct {
	of      *abandon
	clause  *ast.CommClause
	helper  *mutate.Function // leaves the list; nil: the case does it itself, or nobody does
	removal *removal         // nil: nobody leaves the list
	before  ast.Stmt         // the first statement of the section that leaves it
	after   ast.Stmt         // the last one, or the call of the helper
	certain bool             // all send under the lock: the channel can be asked
}

// abandons lists the selects of a function in which something may be lost.
func abandons(fn *mutate.Function) (out []*abandon) {
	if fn.File.Test {
		return nil
	}
	for _, st := range fn.Statements() {
		choice, ok := st.Stmt.(*ast.SelectStmt)
		if !ok {
			continue
		}
		for _, c := range choice.Body.List {
			if a := abandonOf(fn, choice, c.(*ast.CommClause)); a != nil {
				out = append(out, a)
			}
		}
	}
	return out
}

// abandonOf finds what may be lost where a case of a select receives; nil: nothing.
func abandonOf(fn *mutate.Function, choice *ast.SelectStmt, received *ast.CommClause) *abandon {
	channel := receives(received.Comm)
	if channel == nil || len(choice.Body.List) < 2 {
		return nil
	}
	path := fn.Path(channel)
	root, ok := path.Root.(*types.Var)
	if !ok || root.Pos() < fn.Body.Pos() || root.Pos() > choice.Pos() {
		return nil // it is not his own
	}
	a := &abandon{fn: fn, choice: choice, channel: path.String()}
	if a.list = entered(fn, root, choice); a.list == nil {
		return nil
	}
	locked, ok := a.senders(channel)
	if !ok {
		return nil
	}
	for _, c := range choice.Body.List {
		clause := c.(*ast.CommClause)
		if clause == received || clause.Comm == nil || !leaving(fn, clause.Body) || syntax.Any(clause, a.isReceive) {
			continue
		}
		if l := a.leaveOf(clause, locked); l != nil {
			a.leaves = append(a.leaves, l)
		}
	}
	if len(a.leaves) == 0 {
		return nil
	}
	a.findGiver(channel)
	a.findTaken(received)
	return a
}

// receives is the channel that a case receives from; nil: it does not.
func receives(comm ast.Stmt) ast.Expr {
	var from ast.Expr
	switch s := comm.(type) {
	case *ast.ExprStmt:
		from = s.X
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			from = s.Rhs[0]
		}
	}
	if u, ok := ast.Unparen(from).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return u.X
	}
	return nil
}

// isReceive reports whether code receives from the channel.
func (a *abandon) isReceive(n ast.Node) bool {
	u, ok := n.(*ast.UnaryExpr)
	return ok && u.Op == token.ARROW && a.fn.Path(u.X).String() == a.channel
}

// leaving reports whether statements end in a return.
func leaving(fn *mutate.Function, list []ast.Stmt) bool {
	return len(list) > 0 && exits.Terminates(fn, list[len(list)-1])
}

// entered is how a variable of the function gets into a list, under a lock, before the select; nil: it does not.
func entered(fn *mutate.Function, waiter *types.Var, before ast.Stmt) *entry {
	info := fn.File.Package.Info
	for _, st := range fn.Statements() {
		if st.Stmt.Pos() > before.Pos() {
			break
		}
		at, key, ok := adds(info, st.Stmt, func(e ast.Expr) bool { return stands(fn, e, waiter) })
		if !ok {
			continue
		}
		for _, s := range fn.Sections() {
			owner := fn.Path(at.X)
			if s.Read || !s.Holds(st.Stmt) || owner.Root == nil || owner.Root == types.Object(waiter) {
				continue
			}
			e := &entry{field: fn.Path(at).String(), variable: syntax.Field(info, at), of: owner.Root, waiter: waiter.Name(), lock: s.Lock.Expr, lockKey: s.Lock.Key}
			if syntax.Names(info, st.Stmt, waiter) == (holder(fn, waiter) != nil) {
				e.waiter = "" // it has no name, or two
			} else if v := holder(fn, waiter); v != nil {
				e.waiter = v.Name()
			}
			if key != nil {
				if !syntax.Plain(key) || !scope.Means(fn, key, before.Pos()) {
					return nil
				}
				e.key = types.ExprString(key)
			}
			return e
		}
	}
	return nil
}

// stands reports whether an expression stands for one who waits: the variable with his channel, a struct of it, or a
// variable for such a struct.
func stands(fn *mutate.Function, e ast.Expr, waiter *types.Var) bool {
	info := fn.File.Package.Info
	if syntax.Is(info, e, waiter) || structOf(info, e, waiter) {
		return true
	}
	v := holder(fn, waiter)
	return v != nil && syntax.Is(info, e, v)
}

// structOf reports whether an expression makes a struct, or a pointer to one, with a variable in it.
func structOf(info *types.Info, e ast.Expr, v *types.Var) bool {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	return ok && slices.ContainsFunc(lit.Elts, func(elt ast.Expr) bool {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = kv.Value
		}
		return syntax.Is(info, elt, v)
	})
}

// holder is the variable that is declared with a struct of another one; nil: there is none.
func holder(fn *mutate.Function, of *types.Var) *types.Var {
	info := fn.File.Package.Info
	for _, st := range fn.Statements() {
		assign, ok := st.Stmt.(*ast.AssignStmt)
		if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || !structOf(info, assign.Rhs[0], of) {
			continue
		}
		if v, ok := info.Defs[assign.Lhs[0].(*ast.Ident)].(*types.Var); ok {
			return v
		}
	}
	return nil
}

// adds says to which field a statement adds one who waits, and with which key of a map.
func adds(info *types.Info, stmt ast.Stmt, is func(ast.Expr) bool) (at *ast.SelectorExpr, key ast.Expr, ok bool) {
	field := func(e ast.Expr) *ast.SelectorExpr {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok || syntax.Field(info, sel) == nil {
			return nil
		}
		return sel
	}
	var call *ast.CallExpr
	switch s := stmt.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return nil, nil, false
		}
		if index, ok := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr); ok {
			at = field(index.X)
			return at, index.Index, at != nil && (is(s.Rhs[0]) || is(index.Index))
		}
		if call, ok = ast.Unparen(s.Rhs[0]).(*ast.CallExpr); !ok {
			return nil, nil, false
		}
		if syntax.Builtin(info, call) == "append" {
			at = field(s.Lhs[0])
			return at, nil, at != nil && slices.ContainsFunc(call.Args[1:], is) && syntax.Field(info, call.Args[0]) == syntax.Field(info, at)
		}
	case *ast.ExprStmt:
		if call, ok = s.X.(*ast.CallExpr); !ok {
			return nil, nil, false
		}
	default:
		return nil, nil, false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "PushBack" && sel.Sel.Name != "PushFront" {
		return nil, nil, false
	}
	at = field(sel.X)
	return at, nil, at != nil && slices.ContainsFunc(call.Args, is)
}

// senders looks at who sends to the channel, or closes it: they have to take the one who waits off the list before, and to
// wait until he takes what they send. It says whether all do so under the lock of the list.
func (a *abandon) senders(channel ast.Expr) (locked, ok bool) {
	c := a.fn.Channel(channel)
	if c == nil || c.Escapes || len(c.Sends)+len(c.Closes) == 0 {
		return false, false
	}
	room := len(c.Makes) > 0
	for _, made := range c.Makes {
		call, isCall := made.Node.(*ast.CallExpr)
		room = room && isCall && len(call.Args) == 2
	}
	count := 0
	for _, u := range slices.Concat(c.Sends, c.Closes) {
		if u.Fn == nil || u.Fn.File.Test {
			return false, false
		}
		_, closes := u.Node.(*ast.CallExpr)
		locked := slices.ContainsFunc(u.Fn.Sections(), func(s *mutate.Section) bool { return s.Lock.Key == a.list.lockKey && s.Holds(u.Stmt) }) ||
			held.ByCaller(u.Fn, a.list.lockKey)
		if u.Select != nil || locked && !closes && !room || !a.takesOff(u.Fn, 2) {
			return false, false
		}
		if locked {
			count++
		}
	}
	return count == len(c.Sends)+len(c.Closes), true
}

// takesOff reports whether a function, or one that it calls, takes somebody off the list.
func (a *abandon) takesOff(fn *mutate.Function, depth int) bool {
	if fn == nil || depth == 0 {
		return false
	}
	if takes(fn, a.list.variable) {
		return true
	}
	return slices.ContainsFunc(fn.Calls(fn.Body.List...), func(c mutate.Call) bool { return c.To != a.fn && a.takesOff(c.To, depth-1) })
}

// takes reports whether a function makes a list shorter.
func takes(fn *mutate.Function, list *types.Var) bool {
	info := fn.File.Package.Info
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if syntax.Field(info, l) != list || len(n.Rhs) != len(n.Lhs) {
					continue
				}
				call, ok := ast.Unparen(n.Rhs[i]).(*ast.CallExpr)
				if !ok || syntax.Builtin(info, call) != "append" || call.Ellipsis != token.NoPos {
					return true
				}
			}
		case *ast.CallExpr:
			if syntax.Builtin(info, n) == "delete" {
				return syntax.Field(info, n.Args[0]) == list
			}
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			return ok && sel.Sel.Name == "Remove" && syntax.Field(info, sel.X) == list
		}
		return false
	})
}

// findGiver finds the method by which what came on the channel is given to others: a sender's, or one that calls it, with
// nothing but the value for an argument, or what the function has under the same name.
func (a *abandon) findGiver(channel ast.Expr) {
	c := a.fn.Channel(channel)
	info := a.fn.File.Package.Info
	typ, ok := types.Unalias(info.TypeOf(channel)).Underlying().(*types.Chan)
	if !ok {
		return
	}
	st, isStruct := typ.Elem().Underlying().(*types.Struct)
	a.value = !isStruct || st.NumFields() > 0
	owner := a.list.of.Type()
	best := 0
	for _, fn := range a.fn.OfPackage() {
		decl, ok := fn.Node.(*ast.FuncDecl)
		if !ok || decl.Recv == nil || fn == a.fn || fn.File.Test || len(decl.Recv.List) == 0 || len(decl.Recv.List[0].Names) == 0 {
			continue
		}
		obj, _ := fn.File.Package.Info.Defs[decl.Name].(*types.Func)
		if obj == nil || !syntax.SameGeneric(obj.Signature().Recv().Type(), owner) {
			continue
		}
		sends := func(fn *mutate.Function) bool {
			return slices.ContainsFunc(slices.Concat(c.Sends, c.Closes), func(u mutate.ChannelUse) bool { return u.Fn == fn })
		}
		if !sends(fn) && !slices.ContainsFunc(fn.Calls(fn.Body.List...), func(call mutate.Call) bool { return sends(call.To) }) {
			continue
		}
		rank := 1
		if decl.Name.IsExported() {
			rank = 2
		}
		if args, ok := a.arguments(obj.Signature(), typ.Elem()); ok && rank > best && !held.ByCaller(fn, a.list.lockKey) {
			best = rank
			a.giver = a.list.of.Name() + "." + decl.Name.Name + "(" + args + ")"
		}
	}
}

// arguments are those that a method is called with to give on what came; ok is false if it wants others.
func (a *abandon) arguments(sig *types.Signature, elem types.Type) (text string, ok bool) {
	if sig.Variadic() {
		return "", false
	}
	gave := false
	for p := range sig.Params().Variables() {
		arg := ""
		switch {
		case a.value && !gave && types.AssignableTo(elem, p.Type()):
			arg, gave = "\x00", true
		default:
			own := a.parameter(p)
			if own == "" {
				return "", false
			}
			arg = own
		}
		if text != "" {
			text += ", "
		}
		text += arg
	}
	return text, gave || !a.value
}

// parameter is the parameter of the function that has a name and type; "": there is none.
func (a *abandon) parameter(like *types.Var) string {
	info := a.fn.File.Package.Info
	for _, f := range a.fn.Type.Params.List {
		for _, name := range f.Names {
			if name.Name == like.Name() && syntax.SameGeneric(info.TypeOf(name), like.Type()) {
				return name.Name
			}
		}
	}
	return ""
}

// given is the code that gives on what an expression has.
func (a *abandon) given(value string) string {
	if a.value {
		return replaced(a.giver, value)
	}
	return value + "\n" + a.giver
}

// findTaken finds the code that takes what came too late as if it had come in time.
func (a *abandon) findTaken(received *ast.CommClause) {
	if !leaving(a.fn, received.Body) || len(received.Body) > mostTaken {
		return
	}
	first, last := received.Body[0], received.Body[len(received.Body)-1]
	a.comm = a.fn.Text(received.Comm)
	a.body = string(a.fn.File.Source[first.Pos()-a.fn.File.AST.FileStart : last.End()-a.fn.File.AST.FileStart])
	a.taken = a.comm + "\n" + a.body
}

// mostTaken is how many statements are written twice at most. Guessed.
const mostTaken = 4
