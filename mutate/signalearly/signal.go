package signalearly

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/syncops"
)

// A signal is what some paths of a function do to let others go on.
type signal struct {
	syncops.Operation
	channel *mutate.Channel // of a send or close
	path    mutate.Path
	all     syncops.Given // those that give this signal
	loop    ast.Stmt      // the loop in each iteration of which it is given, or nil
	helper  string        // the call, of a method that gives it
}

// signals lists the signals of a function that none of its defers gives, in
// source order.
func signals(fn *mutate.Function) []*signal {
	var found []*signal
	for _, st := range fn.Statements() {
		op, ok := syncops.Of(fn, st.Stmt)
		helper := ""
		if !ok {
			if op, ok = helperCall(fn, st.Stmt); ok {
				helper = types.ExprString(st.Stmt.(*ast.ExprStmt).X)
			}
		}
		if _, deferred := st.Stmt.(*ast.DeferStmt); !ok || deferred || !signalling(op.Kind) {
			continue
		}
		path := fn.Path(op.On)
		if path.Root == nil || helper == "" && defers(fn, path) || helper != "" && defersCall(fn, helper) {
			continue
		}
		s := &signal{Operation: op, path: path, loop: turn(fn, op), helper: helper}
		if s.loop == nil && fn.Loops(st.Stmt) {
			continue // messages
		}
		if known := same(found, s); known != nil {
			known.all = append(known.all, st)
			continue
		}
		s.all = syncops.Given{st}
		if op.Kind == syncops.Send || op.Kind == syncops.Close {
			s.channel = fn.Channel(op.On)
		}
		if op.Kind != syncops.Close || s.produces(fn) {
			found = append(found, s)
		}
	}
	return found
}

// produces reports whether a function that closes a channel has to, whenever it leaves: it
// is a goroutine, or sends what there is to receive, once.
func (s *signal) produces(fn *mutate.Function) bool {
	if fn.Started() {
		return true
	}
	once, again := syncops.Once(fn, s.path)
	return once && !again && syncops.Produces(fn, s.channel)
}

func signalling(k syncops.Kind) bool {
	switch k {
	case syncops.Send, syncops.Close, syncops.Done, syncops.Notify:
		return true
	}
	return false
}

func same(known []*signal, s *signal) *signal {
	for _, k := range known {
		if k.Kind == s.Kind && k.path == s.path && k.loop == s.loop && k.helper == s.helper {
			return k
		}
	}
	return nil
}

// defers reports whether the function defers something that names a path.
func defers(fn *mutate.Function, path mutate.Path) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			ast.Inspect(d, func(n ast.Node) bool {
				e, ok := n.(ast.Expr)
				found = found || ok && fn.Path(e) == path
				return !found
			})
		}
		_, literal := n.(*ast.FuncLit)
		return !found && !literal
	})
	return found
}

// defersCall reports whether the function defers a call.
func defersCall(fn *mutate.Function, call string) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		d, ok := n.(*ast.DeferStmt)
		return ok && types.ExprString(d.Call) == call
	})
}

// turn is the innermost loop around a signal if it declares what the signal is given on,
// so that it belongs to one iteration; nil if it does not. Done in a loop over a channel is
// for one value of it.
func turn(fn *mutate.Function, op syncops.Operation) (loop ast.Stmt) {
	root := fn.Path(op.On).Root
	for _, st := range fn.Statements() {
		s := st.Stmt
		if l, ok := s.(*ast.LabeledStmt); ok {
			s = l.Stmt
		}
		if !syntax.Within(op.Stmt, s) {
			continue
		}
		switch s.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loop = nil
			over, ranges := s.(*ast.RangeStmt)
			if s.Pos() <= root.Pos() && root.Pos() < s.End() || op.Kind == syncops.Done && ranges && syncops.IsChan(fn, over.X) {
				loop = s
			}
		}
	}
	return loop
}

// exits lists the statements that leave what the signal belongs to.
func (s *signal) exits(fn *mutate.Function) []ast.Stmt {
	if s.loop == nil {
		return exits.Of(fn, fn.Body.List...)
	}
	var found []ast.Stmt
	for _, exit := range exits.Of(fn, syncops.LoopBody(s.loop).List...) {
		if b, ok := exit.(*ast.BranchStmt); ok && (b.Label != nil || b.Tok != token.CONTINUE && s.Kind != syncops.Done) {
			continue
		}
		found = append(found, exit)
	}
	return found
}

// text is how an exit, or the end if there is none, gives the signal; ok is false if it cannot.
func (s *signal) text(fn *mutate.Function, exit ast.Stmt) (text string, ok bool) {
	switch stmt := s.Stmt.(type) {
	case *ast.ExprStmt:
		return types.ExprString(stmt.X), true
	case *ast.SendStmt:
		value, ok := s.value(fn, stmt, exit)
		return types.ExprString(stmt.Chan) + " <- " + value, ok
	}
	return "", false
}

// value is what to send: the same if it means the same there, else an error
// that has just been found, else the zero value.
func (s *signal) value(fn *mutate.Function, send *ast.SendStmt, exit ast.Stmt) (text string, ok bool) {
	at := fn.Body.Rbrace
	if exit != nil {
		at = exit.Pos()
	}
	elem := syncops.TypeOf(fn, send.Chan).Underlying().(*types.Chan).Elem()
	if types.Identical(elem, types.Universe.Lookup("error").Type()) {
		if name := failed(fn, exit); name != "" {
			return name, true
		}
		return "nil", true
	}
	if syntax.Constant(fn.File.Package.Info, send.Value) {
		return types.ExprString(send.Value), true
	}
	return typetext.Zero(fn, elem, at)
}

// failed is the name of the error that an exit stands in the check of; "" if it
// stands in none.
func failed(fn *mutate.Function, exit ast.Stmt) string {
	name := ""
	if exit == nil {
		return name
	}
	for _, st := range fn.Statements() {
		check, ok := st.Stmt.(*ast.IfStmt)
		if !ok || !syntax.Within(exit, check.Body) {
			continue
		}
		cond, ok := check.Cond.(*ast.BinaryExpr)
		if !ok || cond.Op != token.NEQ || !fn.File.Package.Info.Types[cond.Y].IsNil() {
			continue
		}
		id, ok := cond.X.(*ast.Ident)
		if ok && types.Identical(syncops.TypeOf(fn, id), types.Universe.Lookup("error").Type()) && scope.Means(fn, id, exit.Pos()) {
			name = id.Name
		}
	}
	return name
}
