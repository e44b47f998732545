package initbeforego

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// A failure where the channel is closed names neither the goroutine nor its start: what
// moves is as hot as what uses it, and the shorter form is worth more.
func TestHeat(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "in.go": closed} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, n := mutatetest.Load(t, dir, []string{"S.stop"}, nil)
	line := 1 + strings.Count(closed[:strings.Index(closed, "close(")], "\n")
	n.Merge(analysis.Dynamic, evidence.Failure{Kind: evidence.Panic, Stacks: []evidence.Stack{{
		Role:   "panic",
		Frames: []evidence.Frame{{File: filepath.Join(dir, "in.go"), Line: line}},
	}}})
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{Operator})
	if err != nil {
		t.Fatal(err)
	}
	edits := space.Edits()
	if len(edits) != 2 {
		t.Fatalf("there are %d edits, want both forms", len(edits))
	}
	plain, second := edits[0], edits[1]
	if plain.Form != "" || second.Form != handed || plain.Worth() <= second.Worth() {
		t.Errorf("first %q, worth %v, then %q, worth %v; want the plain form first", plain.Form, plain.Worth(), second.Form, second.Worth())
	}
	if plain.Heat != 1 {
		t.Errorf("the heat is %v, want that of the close, 1", plain.Heat)
	}
}

const closed = `package p

type S struct{ stop chan int }

func (s *S) Start() { go s.run() }

func (s *S) run() {
	s.stop = make(chan int)
	<-s.stop
}

func (s *S) Stop() {
	close(s.stop)
}
`
