package repair

import (
	"strings"
	"testing"

	"mendel/internal/result"
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

// What mends a race at one place is done at another one that no test comes to, where a scenario
// shows that it has the fault, too.
func TestMendElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir := t.TempDir()
	writeTree(t, dir, givesAway)
	l := &listener{}
	res, err := Run(t.Context(), result.Wanted{Dir: dir, Observer: l, Timeout: runTimeout, Count: 5, Confirm: 10})
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
