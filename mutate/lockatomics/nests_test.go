package lockatomics_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/lockatomics"
)

// What ticket does between its operations is for each case to say.
const tickets = `package p

import "sync/atomic"

var left atomic.Int64

func ticket() bool {
	n := left.Load()
	if n == 0 {
		between()
	}
	left.Store(n - 1)
	return true
}

func refill() {
	if left.Load() == 0 {
		left.Store(10)
	}
}

func again() { refill() }
`

// No composite edit locks the package's lock in a function and in one that is called under it.
func TestNests(t *testing.T) {
	for _, c := range []struct {
		name, between string
		together      bool // both functions may be locked
	}{
		{"direct", "func between() { refill() }", false},
		{"indirect", "func between() { again() }", false},
		{"elsewhere", "func between() { println() }\n\nfunc other() { again() }", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": tickets + "\n" + c.between + "\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
			space, err := mutate.NewSpace(p, n, []*mutate.Operator{lockatomics.Operator, addlock.Operator})
			if err != nil {
				t.Fatal(err)
			}
			listed, together := false, false
			for _, e := range space.Edits() {
				if e.Operator != "lockatomics" {
					continue
				}
				locks := func(fn string) bool {
					return slices.ContainsFunc(e.Parts, func(part mutate.Edit) bool { return part.Func == fn })
				}
				listed = listed || locks("ticket")
				together = together || locks("ticket") && locks("refill")
			}
			if !listed || together != c.together {
				t.Errorf("ticket is locked: %t; together with refill: %t, want %t", listed, together, c.together)
			}
		})
	}
}
