package rules

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// An effect is something that a program does: a call, an assignment, a send or a
// close. Effects with the same key do the same.
type effect struct {
	what     string // for people: "the call of flush"
	in       string // key of the declared function around it; "" outside all
	at       token.Pos
	certain  bool     // done whenever its function gets as far
	internal bool     // to a variable of the function itself: unseen outside
	confined bool     // of a call: what its arguments refer to are variables of the function itself
	deferred bool     // of a call or send: a defer statement makes it
	text     string   // of a call or send, as it is written
	missing  bool     // not certain, but left out only where what is assigned is there already, or what is deleted is not
	once     bool     // a sync.Once has it done, for whoever comes first
	polled   bool     // of a send: it is made only if somebody receives at once, or there is room
	names    []string // keys of the variables that what is assigned to, sent to or closed is reached by
	handed   bool     // what is called, or the channel that is sent to or closed, is a parameter of the declared function
	channels []string // of a call: the elements of the channels that it is given
	guards   int      // how many conditions it is under: those around it, and those of the early exits before it
	against  bool     // it is done where the function of the original is left early
}

// A lending is a call of a function, by its key, that is given a channel; sends: which it
// can do nothing with but send, or close it.
type lending struct {
	element, to string
	sends       bool
}

// A function is a declared one with a body.
type function struct {
	info *types.Info
	decl *ast.FuncDecl
}

// effects are those of some files, and what else the rules compare.
type effects struct {
	done      map[string][]effect
	starts    []start
	clocks    []effect // calls that make time pass, "time.Sleep"
	recovers  []token.Pos
	busyWaits []token.Pos // loops that can go round without waiting or working
	defaults  int         // selects with a default case
	pools     int         // calls of Get of a sync.Pool
	lent      map[lending]int
	turns     turns

	functions    map[string][]function     // that are declared, by key
	usesChannels map[string]bool           // those that use channels
	starting     map[string]bool           // those that start goroutines, wait for the clock or recover
	synchronise  map[string]bool           // those that receive, or call what synchronises
	fields       map[string]map[string]int // how often functions name fields, by both keys; locks and the like are left out
	named        map[string]int            // how often functions are named, by key
	variables    variables
	waiting      map[string]giveUp   // how functions wait, by key
	receives     map[string][]string // keys of the channels that functions receive from, by key
	exits        exits
	returns      map[string][]token.Pos // of declared functions, by key; of their literals none
	origin       exits                  // of the original, where these are a mutant's effects
	values       map[string][]effect    // functions that are given away as values, by key
	receiving    receiving
	closed       map[*analysis.Package]map[*types.Var]bool // see closings
}

func newEffects() *effects {
	return &effects{lent: map[lending]int{}, done: map[string][]effect{}, functions: map[string][]function{}, usesChannels: map[string]bool{}, starting: map[string]bool{}, synchronise: map[string]bool{}, fields: map[string]map[string]int{}, named: map[string]int{}, variables: variables{}, waiting: map[string]giveUp{}, receives: map[string][]string{}, exits: exits{}, returns: map[string][]token.Pos{}, values: map[string][]effect{}, receiving: newReceiving(), closed: map[*analysis.Package]map[*types.Var]bool{}}
}

// Kinds of keys.
const (
	callKey   = "call "
	assignKey = "assign "
	sendKey   = "send "
	closeKey  = "close "
)

// methodName is a function's name in keys: a method is the same with another receiver, a
// pointer or not, and for all types of a generic one.
func methodName(fn *types.Func) string { return strings.Replace(fn.Origin().FullName(), "(*", "(", 1) }

// An effectCollector collects the effects of one file.
type effectCollector struct {
	*effects
	info *types.Info
	decl string   // key of the declared function, as of calls of it
	in   ast.Node // innermost function
	// copies are the names of what variables of functions were declared as copies of.
	copies map[types.Object]string
	// current are the variables of functions that say whether something is still the one it was.
	current   map[types.Object]bool
	deferring bool // a defer statement is being read
	polling   bool // a case of a select with a default is being read
	// onces are the literals that variables run once, by a sync.OnceFunc. Each call stands
	// for what the literal does.
	onces map[types.Object]*ast.FuncLit
	// was are the variables that hold what a field was.
	was map[types.Object]*types.Var
	// closed are the fields of the package that are set where a channel is closed.
	closed map[*types.Var]bool
	// stoppers are the variables that hold what context.AfterFunc returns.
	stoppers map[types.Object]bool
	// firstOnly are the literals that a sync.Once is given; once: one of them is being read.
	firstOnly map[*ast.FuncLit]bool
	once      bool
	// label is that of the loop that is being read; "": none.
	label string
	// missing are the places of effects that are left out only where nothing is to be done.
	missing map[token.Pos]bool
	// found are the elements, as they are written, of which variables say whether they are there.
	found map[types.Object]string
	// called are the names of functions that are called where they stand.
	called map[*ast.Ident]bool
	// clears are the deletes that take all elements out of a map.
	clears  map[token.Pos]bool
	guards  int  // see effect
	against bool // see effect
}

// read adds the effects of a file.
func (d *effects) read(f *analysis.File) {
	d.turns.add(f)
	r := &effectCollector{
		effects: d, info: f.Package.Info, copies: map[types.Object]string{}, current: map[types.Object]bool{},
		onces: map[types.Object]*ast.FuncLit{}, was: map[types.Object]*types.Var{}, missing: map[token.Pos]bool{}, firstOnly: map[*ast.FuncLit]bool{}, stoppers: map[types.Object]bool{}, found: map[types.Object]string{},
		called: map[*ast.Ident]bool{}, clears: map[token.Pos]bool{},
	}
	r.closed = d.closings(f)
	d.variables.add(f)
	d.giveUps(f)
	r.receivings(f)
	for _, decl := range f.AST.Decls {
		r.decl, r.in, r.guards = "", nil, 0
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Body != nil {
				if fn, ok := r.info.Defs[decl.Name].(*types.Func); ok {
					r.decl = callKey + methodName(fn)
				}
				r.in = decl
				r.functions[r.decl] = append(r.functions[r.decl], function{r.info, decl})
				r.receives[r.decl] = append(r.receives[r.decl], r.receivesIn(decl.Body)...)
				r.list(decl.Body.List, true)
			}
		case *ast.GenDecl:
			r.exprs(decl, true)
		}
	}
}

// has reports whether a function is declared.
func (d *effects) has(key string) bool { return len(d.functions[key]) > 0 }

// list reads statements until the rest is unreachable.
func (r *effectCollector) list(list []ast.Stmt, certain bool) {
	reached := true
	for _, s := range list {
		if _, ok := s.(*ast.LabeledStmt); ok {
			reached = true // by goto
		}
		if reached {
			r.stmt(s, certain)
			reached = !leaves(s)
			if exitsEarly(s) {
				r.guards++
			}
		}
	}
}

// leaves reports whether what follows a statement in its list is never reached.
func leaves(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}

func (r *effectCollector) stmt(s ast.Stmt, certain bool) {
	if _, ok := s.(*ast.ForStmt); !ok {
		r.label = ""
	}
	switch s := s.(type) {
	case nil:
	case *ast.BlockStmt:
		r.list(s.List, certain)
	case *ast.LabeledStmt:
		r.label = s.Label.Name
		r.stmt(s.Stmt, certain)
	case *ast.IfStmt:
		r.stmt(s.Init, certain)
		r.exprs(s.Cond, certain)
		ends, current := r.asksForEnd(s.Cond), r.asksForCurrent(s.Cond)
		r.missingIn(s)
		r.exits.add(r.decl, s)
		r.under(func() {
			r.against = r.origin.by(r.decl, s.Cond)
			r.list(s.Body.List, certain && (ends || current == token.EQL || r.origin.behind(r.decl, s.Cond)))
		})
		r.under(func() { r.stmt(s.Else, certain && (ends || current == token.NEQ)) })
	case *ast.ForStmt:
		if r.isBusyWait(s) {
			r.busyWaits = append(r.busyWaits, s.Pos())
		}
		r.stmt(s.Init, certain)
		r.exprs(s.Cond, certain)
		r.stmt(s.Post, certain)
		guards := r.guards
		r.list(s.Body.List, certain)
		r.guards = guards
	case *ast.RangeStmt:
		if t := r.info.TypeOf(s.X); t != nil {
			if _, ok := t.Underlying().(*types.Chan); ok {
				r.usesChannels[r.decl] = true
			}
		}
		r.exprs(s.X, certain)
		r.clearing(s)
		guards := r.guards
		r.list(s.Body.List, certain)
		r.guards = guards
	case *ast.SwitchStmt:
		r.stmt(s.Init, certain)
		r.exprs(s.Tag, certain)
		r.cases(s.Body)
	case *ast.TypeSwitchStmt:
		r.stmt(s.Init, certain)
		r.stmt(s.Assign, certain)
		r.cases(s.Body)
	case *ast.SelectStmt:
		r.selects(s, certain)
	case *ast.GoStmt:
		r.starts = append(r.starts, r.start(s.Call))
		r.starting[r.decl] = true
		r.exprs(s.Call, certain)
	case *ast.ReturnStmt:
		if _, declared := r.in.(*ast.FuncDecl); declared {
			r.returns[r.decl] = append(r.returns[r.decl], s.Pos())
		}
		r.simple(s, certain)
	case *ast.DeferStmt:
		outer := r.deferring
		r.deferring = true
		r.simple(s, certain)
		r.deferring = outer
	default:
		r.simple(s, certain)
	}
}

func (r *effectCollector) cases(body *ast.BlockStmt) {
	for _, c := range body.List {
		c := c.(*ast.CaseClause)
		for _, e := range c.List {
			r.exprs(e, false)
		}
		r.under(func() { r.list(c.Body, false) })
	}
}

// selects reads a select. Other goroutines decide which case is taken, so a case
// is no condition unless there is a default case, or no other case: who writes such a
// select means to wait for more, or not to wait. Whether a message is lost is the
// checker's question.
func (r *effectCollector) selects(s *ast.SelectStmt, certain bool) {
	inside := certain && !syntax.HasDefault(s) && len(s.Body.List) > 1
	r.usesChannels[r.decl] = true
	if syntax.HasDefault(s) {
		r.defaults++
	}
	for _, c := range s.Body.List {
		c := c.(*ast.CommClause)
		if c.Comm != nil {
			r.polling = syntax.HasDefault(s)
			r.stmt(c.Comm, certain)
			r.polling = false
		}
		r.under(func() { r.list(c.Body, inside) })
	}
}

// simple reads a statement without others inside.
func (r *effectCollector) simple(s ast.Stmt, certain bool) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			r.assigned(e, certain)
		}
		r.appended(s, certain)
		r.filled(s, certain)
		r.copied(s)
		r.lookedUp(s)
		if r.onceFunc(s) {
			return
		}
	case *ast.IncDecStmt:
		r.assigned(s.X, certain)
	case *ast.SendStmt:
		r.usesChannels[r.decl] = true
		r.add(sendKey+r.element(s.Chan), effect{what: "the send to " + types.ExprString(s.Chan), at: s.Pos(), certain: certain, text: types.ExprString(s.Chan) + " <- " + types.ExprString(s.Value), names: r.names(s.Chan), handed: r.isParam(s.Chan)})
	}
	r.exprs(s, certain)
}

func (r *effectCollector) add(key string, d effect) {
	d.in, d.deferred, d.missing, d.once, d.polled = r.decl, r.deferring, r.missing[d.at], r.once, r.polling
	d.guards, d.against = r.guards, r.against
	r.done[key] = append(r.done[key], d)
}

// assigned notes an assignment. Variables are told apart by their names: the copy
// that a goroutine gets has the same name.
func (r *effectCollector) assigned(e ast.Expr, certain bool) {
	if key, ok := r.variable(e); ok {
		r.add(assignKey+key, effect{what: "the assignment to " + types.ExprString(e), at: e.Pos(), certain: certain, internal: r.internal(e), names: r.names(e)})
	}
}

// appended notes that an append writes elements, as list[i] = x does: a list may be
// filled in either way.
func (r *effectCollector) appended(s *ast.AssignStmt, certain bool) {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return
	}
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return
	}
	if id, ok := call.Fun.(*ast.Ident); !ok || r.info.Uses[id] != types.Universe.Lookup("append") {
		return
	}
	if key, ok := r.variable(s.Lhs[0]); ok {
		r.add(assignKey+key+"[]", effect{what: "what is appended to " + types.ExprString(s.Lhs[0]), at: s.Pos(), certain: certain, internal: r.internal(s.Lhs[0]), names: r.names(s.Lhs[0])})
	}
}

// variable names what an expression denotes: a field with its type, a
// variable by its name.
func (r *effectCollector) variable(e ast.Expr) (string, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name, e.Name != "_"
	case *ast.SelectorExpr:
		if s := r.info.Selections[e]; s != nil {
			recv := s.Recv()
			if p, ok := recv.Underlying().(*types.Pointer); ok {
				recv = p.Elem() // a receiver may become a pointer
			}
			if named, ok := types.Unalias(recv).(*types.Named); ok && named.TypeArgs() != nil && named.Obj().Pkg() != nil {
				return named.Obj().Pkg().Path() + "." + named.Obj().Name() + "." + e.Sel.Name, true // whatever its arguments
			}
			return types.TypeString(recv, nil) + "." + e.Sel.Name, true
		}
		return e.Sel.Name, true
	case *ast.IndexExpr:
		key, ok := r.variable(e.X)
		return key + "[]", ok
	case *ast.StarExpr:
		return r.variable(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return r.variable(e.X)
		}
	}
	return "", false
}

// internal reports whether an assigned expression is a variable of the innermost
// function.
func (r *effectCollector) internal(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || r.in == nil {
		return false
	}
	obj := r.info.ObjectOf(id)
	return obj == nil || r.in.Pos() <= obj.Pos() && obj.Pos() < r.in.End()
}

func (r *effectCollector) element(ch ast.Expr) string {
	if t := r.info.TypeOf(ch); t != nil {
		if c, ok := t.Underlying().(*types.Chan); ok {
			return types.TypeString(c.Elem(), nil)
		}
	}
	return "?"
}

// exprs reads the expressions of a node, function literals among them.
func (r *effectCollector) exprs(n ast.Node, certain bool) {
	if n == nil {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			in, once, guards := r.in, r.once, r.guards
			r.in, r.once = n, r.once || r.firstOnly[n]
			r.list(n.Body.List, certain)
			r.in, r.once, r.guards = in, once, guards
			return false
		case *ast.CallExpr:
			r.call(n, certain)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				r.usesChannels[r.decl], r.synchronise[r.decl] = true, true
			}
		case *ast.ChanType:
			r.usesChannels[r.decl] = true
		case *ast.SelectorExpr:
			r.field(n)
		case *ast.Ident:
			if fn, ok := r.info.Uses[n].(*types.Func); ok {
				key := callKey + methodName(fn)
				r.named[key]++
				if !r.called[n] {
					r.values[key] = append(r.values[key], effect{what: "the call of " + fn.Name(), in: r.decl, at: n.Pos(), guards: r.guards})
				}
			}
		}
		return true
	})
}

// field notes that a field is named.
func (r *effectCollector) field(e *ast.SelectorExpr) {
	s := r.info.Selections[e]
	if s == nil || s.Kind() != types.FieldVal {
		return
	}
	if named, ok := types.Unalias(s.Type()).(*types.Named); ok && isPackage(named.Obj(), "sync") {
		return
	}
	key, _ := r.variable(e)
	if r.fields[r.decl] == nil {
		r.fields[r.decl] = map[string]int{}
	}
	r.fields[r.decl][key]++
}

// namings counts how often all functions name a field.
func (d *effects) namings(field string) (n int) {
	for _, fields := range d.fields {
		n += fields[field]
	}
	return n
}

// call notes a call by what is called.
func (r *effectCollector) call(call *ast.CallExpr, certain bool) {
	if r.info.Types[call.Fun].IsType() {
		return
	}
	d := effect{at: call.Pos(), certain: certain, text: types.ExprString(call)}
	if id := syntax.CalledName(call.Fun); id != nil {
		r.called[id] = true
	}
	switch callee := r.callee(call).(type) {
	case *types.Builtin:
		r.builtin(call, callee.Name(), d)
	case *types.Func:
		r.function(call, callee.Origin(), d)
	case *types.Var:
		if lit := r.onces[callee]; lit != nil {
			r.list(lit.Body.List, certain)
			return
		}
		if named, ok := callee.Type().(*types.Named); ok && isPackage(named.Obj(), "context") {
			return // context.CancelFunc
		}
		if r.stoppers[callee] {
			return
		}
		name := cmp.Or(r.copies[callee], callee.Name())
		d.what, d.handed = "the call of "+name, r.isParam(call.Fun)
		r.add(callKey+name, d)
	}
}

// copied notes declarations of variables that hold functions: a call of the copy is one of
// what it was copied from.
func (r *effectCollector) copied(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE || len(s.Lhs) != len(s.Rhs) {
		return
	}
	for i, e := range s.Lhs {
		name, ok := e.(*ast.Ident)
		if call, is := ast.Unparen(s.Rhs[i]).(*ast.CallExpr); ok && is {
			if fn, is := r.callee(call).(*types.Func); is && fn.FullName() == "context.AfterFunc" {
				r.stoppers[r.info.Defs[name]] = true
			}
		}
		if ok && r.asksForCurrent(s.Rhs[i]) == token.EQL {
			r.current[r.info.Defs[name]] = true
		}
		if v := syntax.Field(r.info, s.Rhs[i]); ok && v != nil && r.info.Defs[name] != nil {
			r.was[r.info.Defs[name]] = v
		}
		from, isVar := r.object(s.Rhs[i]).(*types.Var)
		if !ok || !isVar || r.info.Defs[name] == nil {
			continue
		}
		if _, function := from.Type().Underlying().(*types.Signature); function {
			r.copies[r.info.Defs[name]] = cmp.Or(r.copies[from], from.Name())
		}
	}
}

// onceFunc notes a declaration of a variable by sync.OnceFunc of a literal.
func (r *effectCollector) onceFunc(s *ast.AssignStmt) bool {
	if s.Tok != token.DEFINE || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return false
	}
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	fn, named := r.callee(call).(*types.Func)
	lit, literal := call.Args[0].(*ast.FuncLit)
	id, isName := s.Lhs[0].(*ast.Ident)
	if !named || !literal || !isName || fn.FullName() != "sync.OnceFunc" {
		return false
	}
	r.onces[r.info.Defs[id]] = lit
	return true
}

// callee returns the builtin, function, method or variable that is called; nil
// if there is no name for it.
func (r *effectCollector) callee(call *ast.CallExpr) types.Object {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	return r.object(fun)
}

// isParam reports whether an expression is a parameter of the declared function around it.
func (r *effectCollector) isParam(e ast.Expr) bool {
	decl := r.functions[r.decl]
	if len(decl) == 0 {
		return false
	}
	v, ok := r.object(e).(*types.Var)
	params := decl[len(decl)-1].decl.Type.Params
	return ok && params.Pos() <= v.Pos() && v.Pos() < params.End()
}

// object is what a name or selector stands for; nil for other expressions.
func (r *effectCollector) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return r.info.Uses[e]
	case *ast.SelectorExpr:
		return r.info.Uses[e.Sel]
	}
	return nil
}

func (r *effectCollector) builtin(call *ast.CallExpr, name string, d effect) {
	switch name {
	case "recover":
		r.recovers = append(r.recovers, call.Pos())
		r.starting[r.decl] = true
	case "close":
		d.what, d.certain = "the close of "+types.ExprString(call.Args[0]), false // it may be guarded against a second
		d.names, d.handed = r.names(call.Args[0]), r.isParam(call.Args[0])
		r.usesChannels[r.decl] = true
		r.add(closeKey+r.element(call.Args[0]), d)
	case "panic", "copy", "delete", "clear", "print", "println":
		d.what = "the call of " + name
		key := callKey + name
		if name == "clear" || r.clears[call.Pos()] { // new memory does as well
			if v, ok := r.variable(call.Args[0]); ok {
				key, d.internal, d.names = assignKey+v, r.internal(call.Args[0]), r.names(call.Args[0])
			}
		}
		if name == "copy" {
			r.elements(call.Args[0], d.certain)
			if _, ok := r.variable(call.Args[0]); ok && !r.internal(call.Args[0]) {
				return // a new list with these elements does as well
			}
		}
		r.add(key, d)
	}
}

// function notes a call of a declared function or method.
func (r *effectCollector) function(call *ast.CallExpr, fn *types.Func, d effect) {
	name := fn.Name()
	switch {
	case startsGoroutine(fn):
		r.starts = append(r.starts, r.start(call))
		r.starting[r.decl] = true
	case PassesTime(fn):
		d.what = fn.Pkg().Name() + "." + name
		r.clocks = append(r.clocks, d)
		r.starting[r.decl] = true
	case isPackage(fn, "sync/atomic"):
		r.atomic(call, fn, d)
	case isPackage(fn, "sync") && name == "Do" && len(call.Args) == 1: // a Once's
		if lit, ok := ast.Unparen(call.Args[0]).(*ast.FuncLit); ok {
			r.firstOnly[lit] = true
		}
		if named, ok := r.object(call.Args[0]).(*types.Func); ok {
			d.what = "the call of " + named.Name()
			r.add(callKey+methodName(named), d)
		}
	case synchronises(fn):
		r.synchronise[r.decl] = true
		if fn.FullName() == "(*sync.Pool).Get" {
			r.pools++
		}
	default:
		d.what, d.confined, d.channels = "the call of "+name, r.confined(call), r.channelsOf(call)
		r.add(callKey+methodName(fn), d)
		r.lends(call, fn)
	}
}

// lends notes the channels that a call gives to a function.
func (r *effectCollector) lends(call *ast.CallExpr, fn *types.Func) {
	params := fn.Signature().Params()
	for i, arg := range call.Args {
		if element := r.element(arg); element != "?" && i < params.Len() {
			ch, _ := params.At(i).Type().Underlying().(*types.Chan)
			r.lent[lending{element, callKey + methodName(fn), ch != nil && ch.Dir() == types.SendOnly}]++
		}
	}
}

// channelsOf are the elements of the channels that a call is given.
func (r *effectCollector) channelsOf(call *ast.CallExpr) (elements []string) {
	for _, arg := range call.Args {
		if element := r.element(arg); element != "?" {
			elements = append(elements, element)
		}
	}
	return elements
}

// confined reports whether the arguments of a call that refer to memory are variables
// of the innermost function.
func (r *effectCollector) confined(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		t := r.info.TypeOf(arg)
		if t == nil {
			return false
		}
		if _, basic := t.Underlying().(*types.Basic); basic {
			continue
		}
		if _, isVar := ast.Unparen(arg).(*ast.Ident); !isVar || !r.internal(arg) {
			return false
		}
	}
	return true
}

// atomic notes what an atomic operation assigns.
func (r *effectCollector) atomic(call *ast.CallExpr, fn *types.Func, d effect) {
	if strings.HasPrefix(fn.Name(), "Load") {
		return
	}
	var target ast.Expr
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		target = sel.X
	} else if len(call.Args) > 0 {
		target = call.Args[0]
	}
	if target == nil {
		return
	}
	if key, ok := r.variable(target); ok {
		d.what, d.names = "the assignment to "+types.ExprString(target), r.names(target)
		r.add(assignKey+key, d)
	}
}

func isPackage(obj types.Object, path string) bool {
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == path
}

// startsGoroutine recognises wg.Go, group.Go and the like.
func startsGoroutine(fn *types.Func) bool {
	switch fn.Name() {
	case "Go", "TryGo":
		return isPackage(fn, "sync") || isPackage(fn, "golang.org/x/sync/errgroup")
	case "AfterFunc":
		return isPackage(fn, "time") || isPackage(fn, "context")
	}
	return false
}

// PassesTime recognises calls that wait for the clock, or for other goroutines to
// run by chance.
func PassesTime(fn *types.Func) bool {
	switch fn.Name() {
	case "Sleep", "After", "Tick", "NewTimer", "NewTicker":
		return isPackage(fn, "time") && fn.Signature().Recv() == nil
	case "Gosched":
		return isPackage(fn, "runtime")
	case "WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause":
		return isPackage(fn, "context")
	}
	return false
}

// synchronises recognises calls that are no work: of packages for
// synchronisation, and of methods with the names of a lock's.
func synchronises(fn *types.Func) bool {
	for _, path := range []string{"sync", "context", "time", "runtime", "golang.org/x/sync/errgroup", "golang.org/x/sync/semaphore"} {
		if isPackage(fn, path) {
			return true
		}
	}
	switch strings.ToLower(fn.Name()) {
	case "lock", "unlock", "rlock", "runlock", "trylock", "tryrlock":
		return true
	}
	return false
}

// closings are the fields that are set to true right before a channel of the same value is closed, anywhere in the
// package of a file.
func (d *effects) closings(f *analysis.File) map[*types.Var]bool {
	if d.closed[f.Package] == nil {
		d.closed[f.Package] = map[*types.Var]bool{}
		for _, file := range f.Package.Files {
			addClosings(f.Package.Info, file.AST, d.closed[f.Package])
		}
	}
	if !slices.Contains(f.Package.Files, f) {
		addClosings(f.Package.Info, f.AST, d.closed[f.Package])
	}
	return d.closed[f.Package]
}

// addClosings adds the fields of one file.
func addClosings(info *types.Info, f *ast.File, closed map[*types.Var]bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		if !ok {
			return true
		}
		for i, stmt := range block.List[:max(0, len(block.List)-1)] {
			set, ok := stmt.(*ast.AssignStmt)
			if !ok || len(set.Lhs) != 1 || len(set.Rhs) != 1 {
				continue
			}
			flag, is := ast.Unparen(set.Lhs[0]).(*ast.SelectorExpr)
			value, named := ast.Unparen(set.Rhs[0]).(*ast.Ident)
			next, plain := block.List[i+1].(*ast.ExprStmt)
			if !is || !named || !plain || info.Uses[value] != types.Universe.Lookup("true") {
				continue
			}
			call, ok := next.X.(*ast.CallExpr)
			if !ok || syntax.Builtin(info, call) != "close" {
				continue
			}
			ch, ok := ast.Unparen(call.Args[0]).(*ast.SelectorExpr)
			if v := syntax.Field(info, flag); ok && v != nil && types.ExprString(ch.X) == types.ExprString(flag.X) {
				closed[v] = true
			}
		}
		return true
	})
}

// asksForEnd reports whether a condition asks an atomic variable or a context, or is that a channel has not been
// closed. Work that such a condition leaves out is cancelled, not lost.
func (r *effectCollector) asksForEnd(cond ast.Expr) bool {
	if not, ok := ast.Unparen(cond).(*ast.UnaryExpr); ok && not.Op == token.NOT {
		if v := syntax.Field(r.info, not.X); v != nil && r.closed[v] {
			return true
		}
	}
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			callee := r.callee(call)
			found = found || isPackage(callee, "sync/atomic") || isPackage(callee, "context")
		}
		return !found
	})
	return found
}

// asksForCurrent reports how a condition compares what is in a field, map or package variable
// with a pointer that the function has: token.EQL or token.NEQ; any other token if
// it does not. Work that is left out where another one has taken the place is for that one to do.
func (r *effectCollector) asksForCurrent(cond ast.Expr) token.Token {
	switch e := ast.Unparen(cond).(type) {
	case *ast.Ident:
		if r.current[r.info.Uses[e]] {
			return token.EQL
		}
	case *ast.BinaryExpr:
		switch {
		case e.Op == token.LAND && (r.asksForCurrent(e.X) == token.EQL || r.asksForCurrent(e.Y) == token.EQL):
			return token.EQL
		case (e.Op == token.EQL || e.Op == token.NEQ) && (r.stored(e.X) && r.own(e.Y) || r.own(e.X) && r.stored(e.Y) || r.asWas(e.X, e.Y) || r.asWas(e.Y, e.X)):
			return e.Op
		}
	}
	return token.ILLEGAL
}

// asWas reports whether an expression is a field that counts, and another one a variable of the function with what it was.
func (r *effectCollector) asWas(now, was ast.Expr) bool {
	v := syntax.Field(r.info, now)
	id, ok := ast.Unparen(was).(*ast.Ident)
	if v == nil || !ok || r.was[r.info.Uses[id]] != v {
		return false
	}
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// stored reports whether an expression is a pointer in a field, map or package variable.
func (r *effectCollector) stored(e ast.Expr) bool {
	if !syntax.Pointer(r.info.TypeOf(e)) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr, *ast.SelectorExpr:
		return true
	case *ast.Ident:
		v, ok := r.info.Uses[e].(*types.Var)
		return ok && v.Parent() == v.Pkg().Scope()
	}
	return false
}

// own reports whether an expression is a pointer in a variable of a function.
func (r *effectCollector) own(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || !syntax.Pointer(r.info.TypeOf(e)) {
		return false
	}
	v, ok := r.info.Uses[id].(*types.Var)
	return ok && v.Parent() != v.Pkg().Scope()
}
