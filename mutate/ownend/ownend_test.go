package ownend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

const handingOn = `package poll

type wait func(done <-chan struct{}) <-chan int

func poll(done <-chan struct{}) <-chan int {
	ticks := make(chan int)
	go func() {
		defer close(ticks)
		<-done // blocked
	}()
	return ticks
}

func until(w wait, done <-chan struct{}) bool {
	// Ask first.
	ticks := w(done)
	_, open := <-ticks
	return open
}

func watching(w wait, done <-chan struct{}) bool {
	ticks := w(done)
	select {
	case <-ticks:
		return true
	case <-done:
	}
	return false
}

// Left out: it does not wait, what it returns goes on.
func start(w wait, done <-chan struct{}) { w(done) }

func stream(w wait, done <-chan struct{}) <-chan int {
	ticks := w(done)
	<-ticks
	return ticks
}

func Use() {
	done := make(chan struct{})
	defer close(done)
	println(until(poll, done), watching(poll, done), stream(poll, done))
	start(poll, done)
}
`

// What waits for a channel ends with the function that has handed it on.
func TestChannels(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "in.go")
	for file, text := range map[string]string{name: handingOn, filepath.Join(dir, "go.mod"): "module example.com/poll\n\ngo 1.25\n"} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
	listed := func() (diffs []string) {
		space, err := mutate.NewSpace(p, n, []*mutate.Operator{Operator})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range space.Edits() {
			m, err := space.Mutant(t.Context(), []mutate.Edit{e})
			if err != nil {
				t.Fatal(err)
			}
			diffs = append(diffs, e.Func+" "+e.Form+"\n"+added(handingOn, string(m.Files[p.File("in.go").Name])))
		}
		return diffs
	}
	if got := listed(); len(got) > 0 {
		t.Errorf("listed where nobody was seen waiting: %q", got)
	}
	line := 1 + strings.Count(handingOn[:strings.Index(handingOn, "// blocked")], "\n")
	stack := evidence.Stack{Role: "blocked: chan receive", Frames: []evidence.Frame{{File: name, Line: line}}}
	n.Merge(analysis.Dynamic, evidence.Failure{Kind: evidence.Blocked, Stacks: []evidence.Stack{stack}})
	want := []string{`until relay
	// what is started here ends when this function returns
	stop := make(chan struct{})
	returned := make(chan struct{})
	defer close(returned)
	go func() {
		defer close(stop)
		select {
		case <-done:
		case <-returned:
		}
	}()
	// Ask first.
	ticks := w(stop)
`, `watching channel
	// what is started here ends when this function returns
	stop := make(chan struct{})
	defer close(stop)
	ticks := w(stop)
`}
	if diff := cmp.Diff(want, listed()); diff != "" {
		t.Errorf("lines that edits add (-want +got):\n%s", diff)
	}
}

// added are the lines of a text from the first that another has not to the last.
func added(before, after string) string {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return strings.Join(b, "")
}
