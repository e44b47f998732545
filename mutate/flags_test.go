package mutate_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/internal/mutatetest"
)

// spaceOf loads a package from its files, all variables of which are shared,
// with the operators that add locks.
func spaceOf(t *testing.T, files map[string]string, operators ...*mutate.Operator) *mutate.Space {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), []byte("module example.com/p\n\ngo 1.25\n"))
	for name, src := range files {
		writeFile(t, filepath.Join(dir, name), []byte(src))
	}
	p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
	if len(operators) == 0 {
		operators = []*mutate.Operator{addlock.Operator}
	}
	space, err := mutate.NewSpace(p, n, operators)
	if err != nil {
		t.Fatal(err)
	}
	return space
}

// mustBuild builds a mutant that must not be refused.
func mustBuild(t *testing.T, space *mutate.Space, edits ...mutate.Edit) *mutate.Mutant {
	t.Helper()
	m, err := space.Mutant(context.Background(), edits)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// pick finds the edit with a description such as "run.func1 body mu 0".
func pick(t *testing.T, space *mutate.Space, what string) mutate.Edit {
	t.Helper()
	var all []string
	for _, e := range space.Edits() {
		text := fmt.Sprintf("%s %s %s %d", e.Func, e.Form, e.Lock.Expr, e.Count)
		if text == what {
			return e
		}
		all = append(all, text)
	}
	t.Fatalf("there is no edit %q, but\n%s", what, strings.Join(all, "\n"))
	return mutate.Edit{}
}

const flagged = `package p

import (
	"os"
	"sync"
	"time"
)

var (
	mu, other sync.Mutex
	total     int
	list      []int
)

func work() { time.Sleep(0) }

func start(ch chan int) {
	var wg sync.WaitGroup
	wg.Add(4)
	go func() { // func1
		defer wg.Done()
		total++
	}()
	go func() { // func2
		defer wg.Done()
		work()
		total++
	}()
	go func() { // func3
		for range 3 {
			total++
		}
		wg.Done()
	}()
	go func() { // func4
		defer wg.Done()
		x := 1
		for range 3 {
			total += x
		}
		println("done")
	}()
	wg.Go(func() { // func5
		work()
		total = 0
	})
	go named()
	wg.Wait()
}

func named() {
	work()
	list = append(list, total)
}

func notStarted() {
	work()
	list = nil
}

func holds() {
	other.Lock()
	total++
	other.Unlock()
}

func callsHolder() {
	total = 1
	holds()
}

var third sync.Mutex

func inverts() {
	third.Lock()
	total++
	third.Unlock()
}

func inverted() {
	mu.Lock()
	third.Lock()
	total++
	third.Unlock()
	mu.Unlock()
}

func waits(ch chan int, c *sync.Cond, f *os.File) {
	total = <-ch
	total = 2
	ch <- total
	select {
	case total = <-ch:
	default:
	}
	select {
	case total = <-ch:
	}
	total, _ = f.Write(nil)
}
`

// Flags are properties of what is held where, not of the operator.
func TestFlags(t *testing.T) {
	space := spaceOf(t, map[string]string{"p.go": flagged})
	for _, tt := range []struct {
		edit string
		want []mutate.Flag
	}{
		// One assignment is all the goroutine does: no body worth the name.
		{"start.func1 body mu 0", nil},
		{"start.func2 body mu 0", []mutate.Flag{mutate.Serialises}},
		{"start.func2 statement mu 1", nil},
		{"start.func3 body mu 0", []mutate.Flag{mutate.Serialises}},
		// The one loop of the body, whole, and one iteration of it.
		{"start.func4 statement mu 1", []mutate.Flag{mutate.Serialises}},
		{"start.func5 body mu 0", []mutate.Flag{mutate.Serialises}},
		{"named body mu 0", []mutate.Flag{mutate.Serialises}},
		{"notStarted body mu 0", nil},
		// other is nested in mu now, and mu nowhere in other.
		{"holds body mu 0", nil},
		{"callsHolder body mu 0", nil},
		{"inverts statement mu 1", []mutate.Flag{mutate.Nested}},
		{"inverts body mu 0", nil},
		{"callsHolder statement mu 1", nil},
		{"waits body mu 0", []mutate.Flag{mutate.Blocks}},
	} {
		m := mustBuild(t, space, pick(t, space, tt.edit))
		if !slices.Equal(m.Flags, tt.want) {
			t.Errorf("%s: flags %v, want %v", tt.edit, m.Flags, tt.want)
		}
	}
}

// Only what waits makes a section wait, and a select with a default does not.
func TestBlocks(t *testing.T) {
	space := spaceOf(t, map[string]string{"p.go": flagged})
	want := map[string]bool{
		"total = <-ch": true, "total = 2": false, "ch <- total": true, "select with default": false,
		"select": true, "total, _ = f.Write(nil)": true,
	}
	got := make(map[string]bool)
	line := strings.Count(flagged[:strings.Index(flagged, "func waits")], "\n") + 1
	byLine := map[int]string{
		line + 1: "total = <-ch", line + 2: "total = 2", line + 3: "ch <- total",
		line + 4: "select with default", line + 8: "select", line + 11: "total, _ = f.Write(nil)",
	}
	for _, e := range space.Edits() {
		what, ok := byLine[e.Line]
		if ok && e.Form == "statement" && e.Count == 1 && e.Lock.Expr == "mu" {
			got[what] = slices.Contains(mustBuild(t, space, e).Flags, mutate.Blocks)
		}
	}
	for what := range want {
		if blocks, ok := got[what]; !ok || blocks != want[what] {
			t.Errorf("%s under a lock: blocks %v (edit found: %v), want %v", what, blocks, ok, want[what])
		}
	}
}

// A lock whose function is called under another one nests in the caller, also
// when that is in a file which the edit does not touch.
func TestNestedInCaller(t *testing.T) {
	space := spaceOf(t, map[string]string{
		"a.go": "package p\n\nimport \"sync\"\n\nvar a, b sync.Mutex\n\nvar n int\n\nfunc inner() { n++ }\n\n" +
			"func inverse() {\n\tb.Lock()\n\ta.Lock()\n\ta.Unlock()\n\tb.Unlock()\n}\n",
		"b.go": "package p\n\nfunc outer() {\n\ta.Lock()\n\tdefer a.Unlock()\n\tinner()\n}\n",
	})
	m := mustBuild(t, space, pick(t, space, "inner body b 0"))
	if !slices.Equal(m.Flags, []mutate.Flag{mutate.Nested}) {
		t.Errorf("flags %v, want nested-lock", m.Flags)
	}
	for _, e := range space.Edits() {
		if e.Func == "inner" && e.Lock.Expr == "a" {
			t.Errorf("%s offers lock a in inner, which outer calls while it holds a", e.Operator)
		}
	}
}
