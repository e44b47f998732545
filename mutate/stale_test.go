package mutate_test

import (
	"bytes"
	"context"
	"go/ast"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/internal/operators"
	"mendel/mutate"
	"mendel/mutate/addunlock"
	"mendel/mutate/deferdone"
	"mendel/mutate/guard"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/lockcaller"
	"mendel/mutate/newdone"
	"mendel/mutate/rlock"
	"mendel/mutate/selectdone"
	"mendel/mutate/uselock"
)

// What Extend lists after the narrowing grew is what a new space lists, heats and
// all, although it asks only about functions near to what is new.
func TestExtendIsAsNew(t *testing.T) {
	packages := corpus(t, slices.Concat(sectionOperators, []*mutate.Operator{
		addunlock.Operator, rlock.Operator, uselock.Operator, lockcaller.Operator, guard.Operator,
		deferdone.Operator, newdone.Operator, selectdone.Operator,
	}))
	maps.DeleteFunc(packages, func(_ string, src []byte) bool { return bytes.Contains(src, []byte("example.com/golden")) }) // of several
	p, _ := mutatetest.Load(t, writeModule(t, packages), []string{"*"}, []string{"*"})
	n, err := analysis.Narrow(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	space, err := mutate.NewSpace(p, n, operators.All())
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	grown := 0
	for round := range 3 {
		for range 4 {
			if failure := madeUp(p, random); round == 0 {
				n.Merge(analysis.Dynamic, failure) // of the original: what all edits reach is another share
			} else {
				n.Learn(analysis.Dynamic, failure)
			}
		}
		before := slices.Clone(space.Edits())
		added := space.Extend()
		now := map[string]bool{}
		for _, e := range space.Edits() {
			now[e.Key().String()] = true
		}
		gone := 0 // composite edits give way to those with what has come
		for _, e := range before {
			if !now[e.Key().String()] {
				heir := func(o mutate.Edit) bool {
					// guard unites as many variables as there is room for, the newly named ones among them.
					common := slices.ContainsFunc(e.Vars, func(v string) bool { return slices.Contains(o.Vars, v) })
					return o.Operator == e.Operator && len(o.Parts) > 0 && common
				}
				if gone++; len(e.Parts) == 0 || !slices.ContainsFunc(space.Edits(), heir) {
					t.Errorf("gone: %+v", e)
				}
			}
		}
		if len(space.Edits()) != len(before)-gone+len(added) {
			t.Errorf("%d edits, %d of them gone, and %d new ones make %d", len(before), gone, len(added), len(space.Edits()))
		}
		grown += len(added)
		again, err := mutate.NewSpace(p, n, operators.All())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(space.Edits(), again.Edits()) {
			for i, e := range again.Edits() {
				if i >= len(space.Edits()) || !reflect.DeepEqual(space.Edits()[i], e) {
					t.Fatalf("edit %d of %d and %d: %+v, in a new space %+v", i, len(space.Edits()), len(again.Edits()), space.Edits()[min(i, len(space.Edits())-1)], e)
				}
			}
			t.Fatal("there are edits that a new space does not list")
		}
	}
	if grown == 0 {
		t.Error("nothing was added: the test does not test much")
	}
}

// Operators are asked again about the functions that asked about what has changed,
// what is remembered for them included, and about no others.
func TestExtendAsksAgain(t *testing.T) {
	const src = `package p

type A struct{ x int }

func (a *A) set() { a.x = 1 }
func (a *A) get() int { return a.x }

type B struct{ y int }

func (b *B) set() { b.y = 1 }

func (b *B) get() int {
	return b.y
}

func through(b *B) { b.set() }
func beside(a *A) { a.set() }
`
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/p\n\ngo 1.25\n"))
	write(t, filepath.Join(dir, "p.go"), []byte(src))
	p, n := mutatetest.Load(t, dir, []string{"A.x"}, []string{"*"})
	asked := make(map[string]int)
	type body struct{ *mutate.Function }
	look := &mutate.Operator{Name: "look", Edits: func(fn *mutate.Function) []mutate.Edit {
		asked[fn.Name]++
		for _, c := range fn.Calls(fn.Body.List...) {
			mutate.Remember(fn, body{c.To}, func() int { return len(c.To.Accesses(c.To.Body.List...)) })
		}
		fn.Accesses(fn.Body.List...)
		return nil
	}}
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{look})
	if err != nil {
		t.Fatal(err)
	}
	space.Extend()
	if len(asked) != 6 || asked["through"] != 1 {
		t.Fatalf("asked %v, want all six functions once", asked)
	}
	clear(asked)
	race := evidence.Failure{Kind: evidence.Race, Message: "made up"}
	for _, line := range []int{10, 13} {
		race.Stacks = append(race.Stacks, evidence.Stack{Role: "write", Frames: []evidence.Frame{{File: filepath.Join(dir, "p.go"), Line: line}}})
	}
	if n.Merge(analysis.Dynamic, race) == 0 {
		t.Fatal("the race adds nothing to the narrowing")
	}
	space.Extend()
	want := map[string]int{"(*B).set": 1, "(*B).get": 1, "through": 1}
	if !maps.Equal(asked, want) {
		t.Errorf("asked again: %v, want %v", asked, want)
	}
}

// madeUp is a race, or a goroutine that is blocked, at two lines of functions.
func madeUp(p *analysis.Program, random *rand.Rand) evidence.Failure {
	var bodies []*ast.FuncDecl
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
					bodies = append(bodies, fd)
				}
			}
		}
	}
	kind := []evidence.Kind{evidence.Race, evidence.Blocked}[random.IntN(2)]
	failure := evidence.Failure{Kind: kind, Message: "made up"}
	for _, role := range map[evidence.Kind][]string{
		evidence.Race:    {"write", "previous read"},
		evidence.Blocked: {"blocked: sync.Mutex.Lock", "blocked: chan send"},
	}[kind] {
		fd := bodies[random.IntN(len(bodies))]
		first, last := p.Fset.Position(fd.Pos()), p.Fset.Position(fd.End())
		failure.Stacks = append(failure.Stacks, evidence.Stack{Role: role, Frames: []evidence.Frame{
			{File: first.Filename, Line: first.Line + random.IntN(last.Line-first.Line+1)},
		}})
	}
	return failure
}
