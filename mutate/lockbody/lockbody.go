package lockbody

import (
	_ "embed"
	"go/ast"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/locking"
)

//go:embed doc.go
var doc string

// Operator locks any lock in scope for a whole function.
var Operator = &mutate.Operator{
	Name:  "lockbody",
	Doc:   doc,
	CORE:  "ASM",
	Prior: map[evidence.Kind]float64{evidence.Deadlock: 0.5, evidence.Blocked: 0.5},
	Adds:  true,
	Edits: edits,
	Apply: locking.Body,
}

func edits(fn *mutate.Function) []mutate.Edit {
	return locking.BodyEdits("lockbody", fn, func(l analysis.Lock) bool { return !receivers(fn, l) })
}

// receivers reports whether a lock is the method's receiver's own, which is
// lockmethod's business.
func receivers(fn *mutate.Function, l analysis.Lock) bool {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) == 0 || len(decl.Recv.List[0].Names) == 0 {
		return false
	}
	root, rest, _ := strings.Cut(l.Expr, ".")
	return root == decl.Recv.List[0].Names[0].Name && !strings.Contains(rest, ".")
}
