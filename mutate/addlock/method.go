package addlock

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locking"
)

// unnamed lists the edits of a method whose receiver has no name yet: one for
// each mutex of its type.
func unnamed(fn *mutate.Function) []mutate.Edit {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || locking.Receiver(fn) != "" || !locking.Lockable(fn) {
		return nil
	}
	obj, ok := fn.File.Package.Info.Defs[decl.Name].(*types.Func)
	accesses := fn.Changing(fn.Body.List...)
	if !ok || len(accesses) == 0 {
		return nil
	}
	var edits []mutate.Edit
	for _, l := range receiverLocks(obj, freeName(fn, decl)) {
		if held.Conflict(fn, l, fn.Body.List...) != "" || locking.StartsAcquirer(fn, l.Key, fn.Body.List) {
			continue
		}
		e := locking.Whole(fn, locking.Candidate{Lock: l}, locking.Note(fn, accesses))
		e.Form = locking.Method
		edits = append(edits, e)
	}
	return edits
}

// receiverLocks lists the mutexes of a pointer receiver's struct.
func receiverLocks(method *types.Func, name string) []analysis.Lock {
	p, ok := method.Signature().Recv().Type().(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok {
		return nil
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var locks []analysis.Lock
	for f := range st.Fields() {
		t := f.Type().String()
		if t != "sync.Mutex" && t != "sync.RWMutex" {
			continue
		}
		obj := named.Origin().Obj()
		locks = append(locks, analysis.Lock{
			Expr: name + "." + f.Name(),
			Key:  obj.Pkg().Path() + "." + obj.Name() + "." + f.Name(),
			RW:   t == "sync.RWMutex",
		})
	}
	return locks
}

// freeName is the first letter of the receiver's type, in lower case, with a
// number where something in the method or outside it has that name.
func freeName(fn *mutate.Function, decl *ast.FuncDecl) string {
	used := make(map[string]bool)
	ast.Inspect(decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	typeName := strings.TrimLeft(fn.Name, "(*")
	r, _ := utf8.DecodeRuneInString(typeName)
	name := string(unicode.ToLower(r))
	free := name
	for n := 2; used[free] || fn.File.Package.Types.Scope().Lookup(free) != nil; n++ {
		free = name + strconv.Itoa(n)
	}
	return free
}

// nameReceiver gives the receiver, if it has no name, the one that the lock is
// reached by.
func nameReceiver(m *mutate.Mutation, e mutate.Edit) error {
	decl, ok := m.Node(e.File, e.Node).(*dst.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) != 1 || e.Lock == nil {
		return mutate.Refuse(e, "there is no such method")
	}
	recv := decl.Recv.List[0]
	if len(recv.Names) == 0 || recv.Names[0].Name == "_" {
		name, _, _ := strings.Cut(e.Lock.Expr, ".")
		recv.Names = []*dst.Ident{dst.NewIdent(name)}
	}
	return nil
}
