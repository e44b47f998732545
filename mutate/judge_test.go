package mutate_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/internal/operators"
	"mendel/internal/sample"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// nests is a program in which an edit adds locks to functions that others call
// with locks held, by name and through an interface, in tests too.
var nests = map[string]string{
	"a.go": orders + `
type taker interface{ take() }

type store struct {
	mu sync.Mutex
	n  int
}

func (s *store) take() { s.n++; n++ }

func (s *store) size() int { s.mu.Lock(); defer s.mu.Unlock(); return s.n }

func (s *store) both() { s.mu.Lock(); s.take(); b.Lock(); s.n++; b.Unlock(); s.mu.Unlock() }

func through(t taker) { b.Lock(); defer b.Unlock(); t.take(); inner() }

func later(f func()) { c.Lock(); f(); n++; c.Unlock() }

func inOrder() { b.Lock(); c.Lock(); n++; c.Unlock(); b.Unlock() }

func run() { go inOrder(); go later(inner); go through(&store{}); go new(store).both() }
`,
	"b.go":      "package p\n\nfunc other(s *store) { b.Lock(); defer b.Unlock(); s.take(); a.Lock(); n++; a.Unlock() }\n",
	"a_test.go": "package p\n\nfunc inTest(s *store) { c.Lock(); s.take(); outer(); c.Unlock() }\n",
}

// withOtherLocks adds edits that no operator offers: with the locks of the
// package in the place of others, wrong ones too.
func withOtherLocks(edits []mutate.Edit) []mutate.Edit {
	locks := make(map[string]*analysis.Lock)
	for _, e := range edits {
		if e.Lock != nil && e.Lock.New == nil && !strings.Contains(e.Lock.Expr, ".") {
			locks[e.Lock.Key] = e.Lock
		}
	}
	all := slices.Clone(edits)
	for _, e := range edits {
		if e.Operator != "addlock" {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(locks)) {
			if e.Lock.Key != key {
				e.Lock = locks[key]
				all = append(all, e)
			}
		}
	}
	return all
}

// sets are each edit alone and, if asked for, each that takes a section away
// together with each that adds one.
func sets(edits []mutate.Edit, pairs bool) [][]mutate.Edit {
	var all [][]mutate.Edit
	for _, e := range edits {
		all = append(all, []mutate.Edit{e})
		for _, other := range edits {
			if pairs && e.Operator == "removelock" && other.Operator == "addlock" {
				all = append(all, []mutate.Edit{e, other})
			}
		}
	}
	return all
}

// The filter of edits that are not built says the same of sketches and of whole trees, and
// nothing that the model of the mutant's source does not say.
func TestForeseen(t *testing.T) {
	dirs := []string{t.TempDir()}
	writeFile(t, filepath.Join(dirs[0], "go.mod"), []byte("module example.com/p\n\ngo 1.25\n"))
	for name, src := range nests {
		writeFile(t, filepath.Join(dirs[0], name), []byte(src))
	}
	for _, subject := range sample.Of(1, []string{"jobqueue", "cache4j", "sessions"}) {
		dirs = append(dirs, filepath.Join("..", "subjects", subject))
	}
	flags := make(map[mutate.Flag]int)
	for i, dir := range dirs {
		p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
		space, err := mutate.NewSpace(p, n, operators.All())
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range sets(withOtherLocks(space.Edits()), i == 0) {
			foreseen := foreseen(t, space, set...)
			if len(foreseen) == 0 && i > 0 {
				continue // to build all mutants takes long
			}
			m, err := space.Mutant(t.Context(), set)
			if err != nil {
				continue // refused
			}
			for _, f := range foreseen {
				if !slices.Contains(m.Flags, f) {
					t.Errorf("%s: %v: the filter foresees %s, and the mutant has %v", dir, set, f, m.Flags)
				}
			}
			for _, f := range m.Flags {
				flags[f]++
			}
		}
	}
	if flags[mutate.Nested] == 0 || flags[mutate.Blocks] == 0 {
		t.Errorf("flags %v: some are not tried at all", flags)
	}
}

// foreseen is what the filter says of some edits, of sketches as of whole trees.
func foreseen(t *testing.T, space *mutate.Space, edits ...mutate.Edit) []mutate.Flag {
	t.Helper()
	flags, ok := space.Foreseen(edits...)
	sketched, also := space.ForeseenBySketch(edits...)
	if ok != also || !slices.Equal(flags, sketched) {
		t.Errorf("%v: by sketches %v (made: %t), by trees %v (made: %t)", edits, sketched, also, flags, ok)
	}
	return flags
}
