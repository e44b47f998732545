package mutate_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/expandafter"
	"mendel/mutate/expandbefore"
	"mendel/mutate/releasearound"
	"mendel/mutate/removeinner"
	"mendel/mutate/shrinkend"
	"mendel/mutate/shrinkstart"
	"mendel/mutate/swaplocks"
	"mendel/mutate/unlockbody"
	"mendel/mutate/unlockmethod"
	"mendel/mutate/unlockstatement"

	"github.com/aymanbagabas/go-udiff"
)

func TestScratch(t *testing.T) {
	dir := os.Getenv("DIR")
	if dir == "" {
		t.Skip()
	}
	p, err := analysis.Load(context.Background(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	n, err := analysis.Narrow(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range n.Variables {
		fmt.Println("shared", v.Name)
	}
	ops := []*mutate.Operator{swaplocks.Operator, expandafter.Operator, expandbefore.Operator, removeinner.Operator, unlockstatement.Operator, unlockmethod.Operator, unlockbody.Operator, shrinkend.Operator, shrinkstart.Operator, releasearound.Operator}
	s, err := mutate.NewSpace(p, n, ops)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range s.Edits() {
		if o := os.Getenv("OP"); o != "" && o != e.Operator {
			continue
		}
		fmt.Printf("=== %s %s:%d %s count=%d lock=%s flags=%v note=%q vars=%v\n", e.Operator, e.File, e.Line, e.Func, e.Count, e.Lock.Expr, e.Flags, e.Note, e.Vars)
		m, err := s.Mutant(context.Background(), []mutate.Edit{e})
		if err != nil {
			fmt.Println("REFUSED", err)
			continue
		}
		for name, src := range m.Files {
			fmt.Print(udiff.Unified("a", "b", string(p.File(name).Source), string(src)))
		}
	}
}
