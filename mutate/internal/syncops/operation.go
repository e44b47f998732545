package syncops

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A Kind is what a statement does for or to other goroutines.
type Kind string

// Kinds of operations.
const (
	Send    Kind = "send"
	Receive Kind = "receive"
	Range   Kind = "range" // receives until the channel is closed
	Close   Kind = "close"
	Wait    Kind = "wait"    // for a wait group
	Done    Kind = "done"    // of a wait group
	Notify  Kind = "notify"  // Signal or Broadcast of a condition variable
	Lock    Kind = "lock"    // or RLock
	Unlock  Kind = "unlock"  // or RUnlock
	Start   Kind = "start"   // of a goroutine, here or in a function called
	Release Kind = "release" // ends what others work for: cancel(), x.Close(), x.Stop()
)

// Blocks reports whether an operation may wait for another goroutine.
func (k Kind) Blocks() bool {
	switch k {
	case Send, Receive, Range, Wait, Lock:
		return true
	}
	return false
}

// An Operation is what a statement does.
type Operation struct {
	Kind Kind
	// On is the channel, wait group, condition variable or lock; of a start or
	// release what is called.
	On   ast.Expr
	Stmt ast.Stmt
}

// Of is the operation that a statement is, deferred ones included; ok is false
// if it is none or does more than one.
func Of(fn *mutate.Function, s ast.Stmt) (op Operation, ok bool) {
	switch s := s.(type) {
	case *ast.SendStmt:
		return Operation{Send, s.Chan, s}, true
	case *ast.GoStmt:
		return Operation{Start, s.Call.Fun, s}, true
	case *ast.RangeStmt:
		if IsChan(fn, s.X) {
			return Operation{Range, s.X, s}, true
		}
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			return ofExpr(fn, s, s.Rhs[0])
		}
	case *ast.ExprStmt:
		return ofExpr(fn, s, s.X)
	case *ast.DeferStmt:
		return ofExpr(fn, s, s.Call)
	}
	return Operation{}, false
}

func ofExpr(fn *mutate.Function, s ast.Stmt, e ast.Expr) (op Operation, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return Operation{Receive, e.X, s}, true
		}
	case *ast.CallExpr:
		kind, on := ofCall(fn, s, e)
		return Operation{kind, on, s}, kind != ""
	}
	return Operation{}, false
}

func ofCall(fn *mutate.Function, s ast.Stmt, call *ast.CallExpr) (Kind, ast.Expr) {
	if ch, ok := Closed(fn, call); ok {
		return Close, ch
	}
	sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	f := syntax.Callee(fn.File.Package.Info, call.Fun)
	if method && f != nil {
		if kind := methods[f.FullName()]; kind != "" {
			return kind, sel.X
		}
	}
	for _, c := range fn.Calls(s) {
		if starts(c.To, make(map[*mutate.Function]bool)) {
			return Start, call.Fun
		}
	}
	switch {
	case method && f != nil && len(call.Args) == 0 && slices.Contains(Releasing, f.Name()):
		return Release, call.Fun
	case Cancels(fn, call):
		return Release, call.Fun
	}
	return "", nil
}

// methods are the methods of package sync that are operations.
var methods = map[string]Kind{
	"(*sync.WaitGroup).Wait":                    Wait,
	"(*sync.WaitGroup).Done":                    Done,
	"(*sync.WaitGroup).Go":                      Start,
	"(*golang.org/x/sync/errgroup.Group).Go":    Start,
	"(*golang.org/x/sync/errgroup.Group).TryGo": Start,
	"(*golang.org/x/sync/errgroup.Group).Wait":  Wait,
	"(*sync.Cond).Signal":                       Notify,
	"(*sync.Cond).Broadcast":                    Notify,
	"(*sync.Mutex).Lock":                        Lock,
	"(*sync.Mutex).Unlock":                      Unlock,
	"(*sync.RWMutex).Lock":                      Lock, "(*sync.RWMutex).Unlock": Unlock,
	"(*sync.RWMutex).RLock": Lock, "(*sync.RWMutex).RUnlock": Unlock,
	"(sync.Locker).Lock": Lock, "(sync.Locker).Unlock": Unlock,
}

// Releasing are the methods that end a value, or what other goroutines work for.
var Releasing = []string{"Close", "Stop", "Cancel", "Release", "Shutdown"}

// Cancels reports whether a call is one of a context's cancel function.
func Cancels(fn *mutate.Function, call *ast.CallExpr) bool {
	named, ok := types.Unalias(TypeOf(fn, call.Fun)).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context" &&
		(named.Obj().Name() == "CancelFunc" || named.Obj().Name() == "CancelCauseFunc")
}

// starts reports whether a function, or one that it calls, starts a goroutine.
func starts(fn *mutate.Function, seen map[*mutate.Function]bool) bool {
	if seen[fn] {
		return false
	}
	seen[fn] = true
	type startsIn struct{ fn *mutate.Function }
	found := mutate.Once(fn, startsIn{fn}, func() (found bool) {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			found = found || syntax.Started(fn.File.Package.Info, n) != nil
			return !found
		})
		return found
	})
	return found || slices.ContainsFunc(fn.Calls(fn.Body.List...), func(c mutate.Call) bool { return starts(c.To, seen) })
}

// Closed is the channel that a call closes; ok is false if it is another call.
func Closed(fn *mutate.Function, call *ast.CallExpr) (ch ast.Expr, ok bool) {
	if syntax.Builtin(fn.File.Package.Info, call) != "close" || len(call.Args) != 1 {
		return nil, false
	}
	return call.Args[0], true
}

// TypeOf is the type of an expression of the function's file; it is never nil.
func TypeOf(fn *mutate.Function, e ast.Expr) types.Type {
	if t := fn.File.Package.Info.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

// IsChan reports whether an expression is a channel.
func IsChan(fn *mutate.Function, e ast.Expr) bool {
	_, ok := TypeOf(fn, e).Underlying().(*types.Chan)
	return ok
}

// LoopBody is the body of a loop; nil for any other statement.
func LoopBody(s ast.Stmt) *ast.BlockStmt {
	switch s := s.(type) {
	case *ast.ForStmt:
		return s.Body
	case *ast.RangeStmt:
		return s.Body
	}
	return nil
}
