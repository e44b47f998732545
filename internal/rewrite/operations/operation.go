package operations

import (
	"go/ast"
	"go/types"
)

// A Kind says what an operation is.
type Kind int

// Kinds of operations.
const (
	None        Kind = iota
	Read             // of a variable
	Write            // to a variable
	Update           // of a variable: x += y, x++
	MapRead          // of a map as a whole
	MapWrite         //
	MapUpdate        //
	AtomicRead       // by package sync/atomic or of a sync.Map
	AtomicWrite      // which may read too
	Lock             //
	Unlock           //
	RLock            //
	RUnlock          //
	TryLock          //
	TryRLock         //
	GroupAdd         // to a wait group
	GroupDone        //
	GroupWait        //
	GroupGo          // starts a goroutine in a group
	CondWait         //
	Signal           //
	Broadcast        //
	Once             // Do of a sync.Once, or what shares the results of calls
	Acquire          // of a semaphore
	Release          //
	Send             //
	Receive          // <-c; those in the cases of a select belong to it
	Range            // over a channel; the loop's variables belong to it
	Close            //
	Select           //
	Go               // a go statement
	Given            // a function literal that is given to who runs it in a goroutine
	Subtest          // testing's Run
)

// IsAccess reports whether it is an access to memory that synchronises nothing.
func (k Kind) IsAccess() bool { return Read <= k && k <= MapUpdate }

// A Form says how the function of an operation is used.
type Form int

// Forms.
const (
	Called   Form = iota
	Deferred      // by a defer statement
	Started       // by a go statement
	Value         // not called where it stands
)

// An Operation is one of what a goroutine does with others.
type Operation struct {
	Kind Kind
	Form Form
	Node ast.Node // the statement or expression
	On   ast.Expr // the lock, channel, variable, map; of Go the function; nil of Select

	Var   *types.Var // of an access: the variable, field, or that by which the place is reached; may be nil
	By    ast.Expr   // what is assigned, added, sent; nil: 1 of x++, or one of several results
	Pair  bool       // of Receive: v, ok := <-c
	Func  *types.Func
	Call  *ast.CallExpr    // of the function; nil: it is a Value
	Path  []*types.Var     // embedded fields from On to what has the method
	Named bool             // the names of these can be written here
	Of    *types.Selection // of the method; nil: a function
}

// Type is the name of the type whose method a function is: "RWMutex"; "" of no method.
func Type(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return ""
	}
	t := recv.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// methods are the kinds of functions by package, type and name.
var methods = map[string]map[string]map[string]Kind{
	"sync": {
		"WaitGroup": {"Add": GroupAdd, "Done": GroupDone, "Wait": GroupWait, "Go": GroupGo},
		"Cond":      {"Wait": CondWait, "Signal": Signal, "Broadcast": Broadcast},
		"Once":      {"Do": Once},
	},
	"testing": {"T": {"Run": Subtest}, "B": {"Run": Subtest}},
	"golang.org/x/sync/errgroup": {
		"Group": {"Wait": GroupWait, "Go": GroupGo, "TryGo": GroupGo},
	},
	"golang.org/x/sync/semaphore": {
		"Weighted": {"Acquire": Acquire, "TryAcquire": Acquire, "Release": Release},
	},
	"golang.org/x/sync/singleflight": {
		"Group": {"Do": Once, "DoChan": Once},
	},
}

// locking are the methods of what is locked like a mutex.
var locking = map[string]Kind{
	"Lock": Lock, "Unlock": Unlock, "RLock": RLock, "RUnlock": RUnlock, "TryLock": TryLock, "TryRLock": TryRLock,
}

// KindOf is the kind of a function's or method's call; None if it is no operation.
func KindOf(fn *types.Func) Kind {
	if fn == nil {
		return None
	}
	fn = fn.Origin()
	name, of := fn.Name(), Type(fn)
	if k := locking[name]; k != None && isLocker(fn) {
		return k
	}
	pkg := fn.Pkg()
	if pkg == nil {
		return None
	}
	if pkg.Path() == "sync/atomic" || pkg.Path() == "sync" && of == "Map" {
		return atomic(name)
	}
	return methods[pkg.Path()][of][name]
}

// atomic tells reads from what may write.
func atomic(name string) Kind {
	if len(name) >= len("Load") && name[:len("Load")] == "Load" && name != "LoadOrStore" && name != "LoadAndDelete" || name == "Range" {
		return AtomicRead
	}
	return AtomicWrite
}

// isLocker reports whether a function is a method of what has methods Lock and Unlock
// without parameters, as a mutex has.
func isLocker(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Recv() == nil || sig.Params().Len() > 0 || sig.Results().Len() > 1 {
		return false
	}
	t := sig.Recv().Type()
	for _, name := range []string{"Lock", "Unlock"} {
		o, _, _ := types.LookupFieldOrMethod(t, true, fn.Pkg(), name)
		m, ok := o.(*types.Func)
		if !ok || m.Signature().Params().Len() > 0 || m.Signature().Results().Len() > 0 {
			return false
		}
	}
	return true
}

// IsLibrary reports whether the function is one of packages sync and sync/atomic
// themselves.
func (op Operation) IsLibrary() bool {
	p := op.Func.Pkg()
	return p != nil && (p.Path() == "sync" || p.Path() == "sync/atomic")
}
