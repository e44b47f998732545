package rules

import (
	"os"
	"path/filepath"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/mutate"
)

// Of a given patch, a call of what only reads is no work; all else is. Of a mutant it is
// work as before.
func TestOnlyReads(t *testing.T) {
	const head = `package p

import (
	"slices"
	"sync"
)

type T struct {
	mu    sync.Mutex
	list  []int
	count int
}

func (t *T) Len() int { t.mu.Lock(); defer t.mu.Unlock(); return len(t.list) }

func (t *T) Fill(dst []int) { t.mu.Lock(); copy(dst, t.list); t.mu.Unlock() }

func (t *T) Count() int { t.count++; return t.count }

func (t *T) Deep() int { return t.Len() + t.Count() }

func (t *T) Both() { t.mu.Lock(); t.count++; use(1); t.mu.Unlock() }

func use(x ...int) { sink = append(sink, x...) }

var sink []int

var shared = make([]int, 9)

var _ = slices.Max[[]int]

`
	for _, c := range []struct {
		name, before, after string
		gone                bool // by the rule
	}{
		{"reads", "func F(t *T) { use(t.Len()) }", "func F(t *T) { use(0) }", false},
		{"fills what is its own", "func F(t *T) { own := make([]int, 9); t.Fill(own); use(own...) }", "func F(t *T) { own := make([]int, 9); use(own...) }", false},
		{"fills what is shared", "func F(t *T) { t.Fill(shared) }", "func F(t *T) {}", true},
		{"a library's", "func F(t *T) { use(slices.Clone(shared)...) }", "func F(t *T) { use(shared...) }", false},
		{"a library's that writes", "func F(t *T) { slices.Sort(shared) }", "func F(t *T) {}", true},
		{"counts", "func F(t *T) { use(t.Count()) }", "func F(t *T) { use(0) }", true},
		{"calls what counts", "func F(t *T) { use(t.Deep()) }", "func F(t *T) { use(0) }", true},
		{"does itself what it called", "func F(t *T) { t.Both() }", "func F(t *T) { t.count++; use(1) }", false},
		{"does half of it", "func F(t *T) { t.Both() }", "func F(t *T) { t.count++ }", true},
		{"does it once of twice", "func F(t *T) { t.Both(); t.Both() }", "func F(t *T) { t.count++; use(1) }", true},
		{"uses", "func F(t *T) { use(t.Len()) }", "func F(t *T) { _ = t.Len() }", true},
	} {
		p := load(t, head+c.before+"\n")
		m, err := mutate.Given(p, map[string][]byte{p.File("p.go").Name: []byte(head + c.after + "\n")})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		change, err := Of(p, m)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if b := change.Breach(); (b != nil) != c.gone {
			t.Errorf("%s: breach %v, want one: %v", c.name, b, c.gone)
		}
		m.Edits[0].Operator = "reorder"
		if change, err = Of(p, m); err != nil || change.Breach() == nil {
			t.Errorf("%s, of a mutant: no breach, %v", c.name, err)
		}
	}
}

// load loads a program of one file, p.go.
func load(t *testing.T, source string) *analysis.Program {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module p\n\ngo 1.25\n", "p.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := analysistest.Load(t.Context(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
