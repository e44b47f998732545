package join

import (
	"os"
	"path/filepath"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// One goroutine is joined by a channel first, but by a group where the
// function has one for others.
func TestHeat(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "in.go": joined} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
	for _, line := range []int{8, 18} { // the goroutines' writes
		n.Merge(analysis.Dynamic, evidence.Failure{Kind: evidence.Race, Stacks: []evidence.Stack{{
			Role:   "write",
			Frames: []evidence.Frame{{File: filepath.Join(dir, "in.go"), Line: line}},
		}}})
	}
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{Operator})
	if err != nil {
		t.Fatal(err)
	}
	forms := make(map[string][]string) // by function, as tried
	heat := make(map[string]float64)
	for _, e := range space.Edits() {
		forms[e.Func] = append(forms[e.Func], e.Form)
		heat[e.Func+" "+e.Form] = e.Worth()
	}
	for fn, want := range map[string][2]string{"alone": {channel, group}, "others": {group, channel}} {
		got := forms[fn]
		if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
			t.Errorf("%s is joined by %v, want %v", fn, got, want)
		}
		if first, second := heat[fn+" "+want[0]], heat[fn+" "+want[1]]; first <= second || second < 0.9*first {
			t.Errorf("%s: heat %v by %s, %v by %s; want a little less", fn, first, want[0], second, want[1])
		}
	}
}

const joined = `package p

import "sync"

func alone(n int) int {
	sum := 0
	go func() {
		sum = n
	}()
	return sum
}

func others(n int) int {
	var wg sync.WaitGroup
	wg.Go(func() { println(n) })
	sum := 0
	go func() {
		sum = n
	}()
	wg.Wait()
	return sum
}
`
