package lockmethod

import (
	_ "embed"
	"go/ast"
	"go/types"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/locking"
)

//go:embed doc.go
var doc string

// Operator locks the receiver's own mutex for a whole method.
var Operator = &mutate.Operator{
	Name:  "lockmethod",
	Doc:   doc,
	CORE:  "ASIM",
	Prior: map[evidence.Kind]float64{evidence.Race: 2, evidence.Deadlock: 0.5, evidence.Blocked: 0.5},
	Adds:  true,
	Edits: edits,
	Apply: apply,
}

func edits(fn *mutate.Function) []mutate.Edit {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) != 1 {
		return nil
	}
	name := receiverName(decl)
	if name == "" {
		return unnamed(fn, decl)
	}
	return locking.BodyEdits("lockmethod", fn, func(l analysis.Lock) bool {
		root, rest, _ := strings.Cut(l.Expr, ".")
		return root == name && !strings.Contains(rest, ".")
	})
}

// receiverName is the receiver's name, "" if it has none.
func receiverName(decl *ast.FuncDecl) string {
	names := decl.Recv.List[0].Names
	if len(names) == 0 || names[0].Name == "_" {
		return ""
	}
	return names[0].Name
}

// unnamed lists the edits of a method whose receiver has no name yet: one for
// each mutex of its type.
func unnamed(fn *mutate.Function, decl *ast.FuncDecl) []mutate.Edit {
	obj, ok := fn.File.Package.Info.Defs[decl.Name].(*types.Func)
	if !ok || !locking.Lockable(fn) {
		return nil
	}
	accesses := fn.Accesses(fn.Body.List...)
	if len(accesses) == 0 {
		return nil
	}
	var edits []mutate.Edit
	for _, l := range receiverLocks(obj, freeName(fn, decl)) {
		if fn.Conflict(l, fn.Body.List...) != "" || locking.StartsAcquirer(fn, l.Key, fn.Body.List) {
			continue
		}
		e := fn.NewEdit("lockmethod", fn.Node, fn.Body.List...)
		e.Lock, e.Note = &l, locking.Note(fn, accesses)
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

// apply names the receiver if need be and locks the body.
func apply(m *mutate.Mutation, e mutate.Edit) error {
	decl, ok := m.Node(e.File, e.Node).(*dst.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) != 1 || e.Lock == nil {
		return mutate.Refuse(e, "there is no such method")
	}
	recv := decl.Recv.List[0]
	if len(recv.Names) == 0 || recv.Names[0].Name == "_" {
		name, _, _ := strings.Cut(e.Lock.Expr, ".")
		recv.Names = []*dst.Ident{dst.NewIdent(name)}
	}
	return locking.Body(m, e)
}
