package repair

import (
	"strings"
	"testing"

	"mendel/internal/result"
	"mendel/internal/sample"
)

// First and All give the series' own points away. The test only shows First.
var givesAway = map[string]string{
	"go.mod": "module example.com/series\n\ngo 1.24\n",
	"series.go": `// Package series keeps points in order.
package series

import (
	"iter"
	"slices"
	"sync"
)

// A Series has points in order. It is safe for concurrent use.
type Series struct {
	mu     sync.Mutex
	points []int
}

// New makes a series.
func New(points ...int) *Series { return &Series{points: points} }

// Add adds a point.
func (s *Series) Add(p int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.points = append(s.points, p)
	slices.Sort(s.points)
}

// First returns the first n points.
func (s *Series) First(n int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.points[:min(n, len(s.points))]
}

// All is a loop over the points that are there when it begins.
func (s *Series) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		s.mu.Lock()
		points := s.points
		s.mu.Unlock()
		for _, p := range points {
			if !yield(p) {
				return
			}
		}
	}
}
`,
	"series_test.go": `package series

import (
	"sync"
	"testing"
)

func TestFirst(t *testing.T) {
	s := New(7, 8, 9)
	s.Add(5)
	var wg sync.WaitGroup
	wg.Go(func() { s.Add(3) })
	for _, p := range s.First(2) {
		if p == 0 {
			t.Error("no point")
		}
	}
	wg.Wait()
}
`,
}

// The test shows that age is called without the entry's lock. That Fresh reads grace without the
// table's is another fault, which edits of another sort mend.
var twoLocks = map[string]string{
	"go.mod": "module example.com/table\n\ngo 1.24\n",
	"table.go": `// Package table has entries that grow old.
package table

import "sync"

// An Entry was touched at some time.
type Entry struct {
	mu   sync.Mutex
	last int
	most int
}

// Touch notes a time.
func (e *Entry) Touch(now int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.most = max(e.most, e.age(now))
	e.last = now
}

func (e *Entry) age(now int) int { return now - e.last }

// A Table has entries. It is safe for concurrent use.
type Table struct {
	mu      sync.Mutex
	grace   int
	entries map[string]*Entry
}

// New makes a table.
func New(grace int) *Table { return &Table{grace: grace, entries: map[string]*Entry{}} }

// SetGrace changes how old an entry may be.
func (t *Table) SetGrace(grace int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.grace = grace
}

// Entry is the entry of a name.
func (t *Table) Entry(name string) *Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.entries[name]
	if e == nil {
		e = &Entry{}
		t.entries[name] = e
	}
	return e
}

// Fresh says whether the entry of a name is young.
func (t *Table) Fresh(name string, now int) bool {
	age := t.Entry(name).age(now)
	return age <= t.grace
}
`,
	"table_test.go": `package table

import (
	"sync"
	"testing"
)

func TestFresh(t *testing.T) {
	x := New(3)
	x.Entry("a").Touch(1)
	var wg sync.WaitGroup
	wg.Go(func() { x.Entry("a").Touch(2) })
	if !x.Fresh("a", 2) {
		t.Error("old")
	}
	wg.Wait()
}

func TestGrace(t *testing.T) {
	x := New(3)
	x.SetGrace(1)
	if x.Fresh("a", 5) {
		t.Error("young")
	}
}
`,
}

// What scenarios show beside what a fix mends is mended by whatever edits make them pass.
func TestMendOtherwiseElsewhere(t *testing.T) {
	sample.Whole(t, "TestMendCaptured mends what a scenario shows beside what the tests show")
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir := t.TempDir()
	writeTree(t, dir, twoLocks)
	l := &listener{}
	res, err := Run(t.Context(), result.Wanted{Dir: dir, Observer: l, Timeout: runTimeout, Count: 5, Confirm: 5})
	log := strings.Join(l.lines, "\n")
	if err != nil || res.Status != result.Fixed || len(res.Fixes) == 0 {
		t.Fatalf("%s: %s, %v\n%s", res.Status, res.Reason, err, log)
	}
	// No edit of the first fix's operator takes the table's lock, and without it Fresh races.
	if !strings.Contains(res.Fixes[0].Diff, "+\tt.mu.Lock()") || !strings.Contains(log, "is done elsewhere, too") {
		t.Errorf("the fix does not take the table's lock:\n%s\n%s", res.Fixes[0].Diff, log)
	}
}

// What mends a race at one place is done at another one that no test comes to, where a scenario
// shows that it has the fault, too.
func TestMendElsewhere(t *testing.T) {
	sample.Whole(t, "TestMendCaptured mends what a scenario shows beside what the tests show")
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir := t.TempDir()
	writeTree(t, dir, givesAway)
	l := &listener{}
	res, err := Run(t.Context(), result.Wanted{Dir: dir, Observer: l, Timeout: runTimeout, Count: 5, Confirm: 5})
	log := strings.Join(l.lines, "\n")
	if err != nil || res.Status != result.Fixed || len(res.Fixes) == 0 {
		t.Fatalf("%s: %s, %v\n%s", res.Status, res.Reason, err, log)
	}
	diff := res.Fixes[0].Diff
	if n := strings.Count(diff, "slices.Clone"); n < 2 || !strings.Contains(diff, "First") || !strings.Contains(diff, "All") {
		t.Errorf("the fix is not at both places:\n%s\n%s", diff, log)
	}
	if s := res.Fixes[0].Quality.Scenarios; s.Tried == 0 || len(s.Against) > 0 {
		t.Errorf("scenarios: %+v", s)
	}
}

// A walk adds up in goroutines of one literal. The tests show the race on total, and none the one on first.
var walkInGoroutines = map[string]string{
	"go.mod": "module example.com/walk\n\ngo 1.24\n",
	"walk.go": `// Package walk adds up the sizes of a tree.
package walk

import (
	"errors"
	"sync"
)

// A Node has a size, or cannot be read.
type Node struct {
	Size int
	Bad  bool
	Kids []*Node
}

// ErrBad is for what cannot be read.
var ErrBad = errors.New("unreadable")

// Size is that of a tree.
func Size(root *Node) (int, error) {
	var (
		wg    sync.WaitGroup
		total int
		first error
	)
	var visit func(n *Node)
	visit = func(n *Node) {
		defer wg.Done()
		if n.Bad {
			if first == nil {
				first = ErrBad
			}
			return
		}
		total += n.Size
		for _, k := range n.Kids {
			wg.Add(1)
			go visit(k)
		}
	}
	wg.Add(1)
	go visit(root)
	wg.Wait()
	return total, first
}
`,
	"walk_test.go": `package walk

import "testing"

func TestSize(t *testing.T) {
	n, err := Size(&Node{Kids: []*Node{{Size: 1}, {Size: 2}}})
	if n != 3 || err != nil {
		t.Fatal(n, err)
	}
}

func TestBad(t *testing.T) {
	if _, err := Size(&Node{Bad: true}); err != ErrBad {
		t.Fatal(err)
	}
}
`,
}

// What the goroutines of one literal write is guarded by one new lock, in the whole statement, and not behind
// the wait for them.
func TestMendCaptured(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir := t.TempDir()
	writeTree(t, dir, walkInGoroutines)
	res, err := Run(t.Context(), result.Wanted{Dir: dir, Observer: &listener{}, Timeout: runTimeout, Count: 5, Confirm: 5})
	if err != nil || res.Status != result.Fixed || len(res.Fixes) == 0 {
		t.Fatalf("%s: %s, %v", res.Status, res.Reason, err)
	}
	diff := res.Fixes[0].Diff
	guarded := strings.Contains(diff, "+\t\t\tmu.Lock()\n \t\t\tif first == nil {") && strings.Contains(diff, "+\t\tmu.Lock()\n \t\ttotal += n.Size")
	if !guarded || strings.Count(diff, "+\tvar mu sync.Mutex") != 1 || strings.Count(diff, "mu.Lock()") != 2 {
		t.Errorf("not one lock for both:\n%s", diff)
	}
}
