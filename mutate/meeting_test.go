package mutate_test

import (
	"path/filepath"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/internal/operators"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// Of a large program, functions that meet one which a failure names are listed at once,
// and those that meet only one which uses what it is about with the others.
func TestMeetingWaits(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), []byte("module example.com/p\n\ngo 1.25\n"))
	writeFile(t, filepath.Join(dir, "p.go"), []byte(`package p

type counter struct {
	n, m       int
	one, other chan int
}

func (c *counter) named() {
	c.n++
	c.one <- 1
}

func (c *counter) user() {
	println(c.n)
	c.other <- 1
}

func (c *counter) meetsNamed() { c.m += <-c.one }

func (c *counter) meetsUser() { c.m += <-c.other }

func run() {
	c := &counter{one: make(chan int), other: make(chan int)}
	go c.named()
	go c.user()
	go c.meetsNamed()
	c.meetsUser()
}
`))
	p, n := mutatetest.Load(t, dir, []string{"counter.n", "counter.m"}, []string{"*"})
	at := []evidence.Frame{{Func: "example.com/p.(*counter).named", File: filepath.Join(dir, "p.go"), Line: 9}}
	n.Merge(analysis.Dynamic, evidence.Failure{Kind: evidence.Race, Stacks: []evidence.Stack{
		{Role: "write", Frames: at}, {Role: "previous write", Frames: at},
	}})
	space, err := mutate.NewSpace(p, n, operators.All(), mutate.FirstEdits(1))
	if err != nil {
		t.Fatal(err)
	}
	expect := func(name string, want bool) {
		t.Helper()
		got := false
		for _, e := range space.Edits() {
			got = got || e.Func == name && len(e.Parts) == 0
		}
		if got != want {
			t.Errorf("edits of %s are listed: %t", name, got)
		}
	}
	expect("(*counter).named", true)
	expect("(*counter).user", true)
	expect("(*counter).meetsNamed", true)
	expect("(*counter).meetsUser", false)
	for space.Widen() {
	}
	expect("(*counter).meetsUser", true)
}
