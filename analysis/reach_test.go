package analysis

import (
	"fmt"
	"testing"

	"mendel/analysis/evidence"
)

// Lines reach the races that have an access on them, or a call that led to it. What a
// mutant fails by, other failures, and a race seen again do not count.
func TestReach(t *testing.T) {
	p := loadText(t, `
-- go.mod --
module example.com/list

go 1.24
-- list.go --
package list

type List struct{ n, last int }

func (l *List) push() {
	l.n++
	l.last = l.n
}

func (l *List) Add() {
	l.push()
}
`)
	n, err := Narrow(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	file := p.File("list.go")
	if got := n.Reach(file, 1, 99).Share(); got != 1 {
		t.Errorf("without a race the share is %v, want 1", got)
	}
	failure := func(kind evidence.Kind, line int, called bool) evidence.Failure {
		frames := []evidence.Frame{{Func: "example.com/list.(*List).push", File: file.Name, Line: line}}
		if called {
			frames = append(frames, evidence.Frame{Func: "example.com/list.(*List).Add", File: file.Name, Line: 11})
		}
		return evidence.Failure{Kind: kind, Signature: fmt.Sprint(line), Stacks: []evidence.Stack{{Role: "write", Frames: frames}}}
	}
	n.Merge(Dynamic, failure(evidence.Race, 6, true), failure(evidence.Race, 7, true), failure(evidence.Race, 6, true), failure(evidence.Panic, 3, false))
	n.Merge(Dynamic, failure(evidence.Race, 12, false))
	n.Learn(Dynamic, failure(evidence.Race, 3, false))
	for _, c := range []struct {
		first, last int
		want        float64
	}{
		{6, 6, 2. / 4}, {6, 7, 3. / 4}, {11, 11, 3. / 4}, {11, 12, 1}, {3, 3, 1. / 4}, {5, 12, 1},
	} {
		if got := n.Reach(file, c.first, c.last).Share(); got != c.want {
			t.Errorf("lines %d to %d: %v, want %v", c.first, c.last, got, c.want)
		}
	}
	if got := n.Reach(file, 6, 6).With(n.Reach(file, 12, 12)).Share(); got != 3./4 {
		t.Errorf("both together: %v", got)
	}
}
