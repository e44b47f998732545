package analysis

import (
	"go/ast"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Callers are found through interfaces, function values and deferred calls; who only
// starts a goroutine is none.
func TestCallers(t *testing.T) {
	p := loadText(t, acquiring)
	f := p.File("acq.go")
	got := make(map[string][]int)
	for _, d := range f.AST.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := p.index().byNode[fn].name
		for _, c := range p.Callers(fn) {
			got[name] = append(got[name], p.Fset.Position(c.Lparen).Line)
		}
	}
	want := map[string][]int{
		"(*A).Work":  {36, 42, 54},
		"(*B).Work":  {44},
		"(*B).outer": {38, 43},
		"all":        {54},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines of the calls (-want +got):\n%s", diff)
	}
}
