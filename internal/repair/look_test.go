package repair

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/internal/repair/original"
	"mendel/internal/result"
	"mendel/internal/sample"
)

// always is a program whose tests fail in each run, for reasons of all sorts.
var always = map[string]string{
	"go.mod": "module example.com/zoo\n\ngo 1.25\n",
	"zoo.go": `// Package zoo keeps animals.
package zoo

import (
	"errors"
	"sync"
)

// A Cage has animals.
type Cage struct {
	mu sync.Mutex
	n  int
}

// Put adds animals.
func (c *Cage) Put(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n -= n
}

// Len is how many there are.
func (c *Cage) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// Each calls back.
func (c *Cage) Each(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

// Feed sends food for each animal.
func Feed(food chan<- int, animals []int) error {
	for _, n := range animals {
		if n < 0 {
			return errors.New("no such animal")
		}
		food <- n
	}
	close(food)
	return nil
}

// First is the first of two answers.
func First(a, b func() int) int {
	answers := make(chan int)
	for _, f := range []func() int{a, b} {
		go func() { answers <- f() }()
	}
	return <-answers
}

// Parts divides the work, and forgets the rest.
func Parts(n int) (sum int) {
	parts := make(chan int, n)
	go func() {
		for i := range n {
			parts <- i
		}
		close(parts)
	}()
	for range n / 2 {
		sum += <-parts
	}
	return sum
}
`,
	"zoo_test.go": `package zoo

import (
	"runtime"
	"testing"
	"time"
)

func wrong(t *testing.T) {
	var c Cage
	c.Put(2)
	if n := c.Len(); n != 2 {
		t.Fatalf("%d animals", n)
	}
}

func TestAlone(t *testing.T) { wrong(t) }

func TestParallel(t *testing.T) {
	t.Parallel()
	wrong(t)
}

func TestBeside(t *testing.T) {
	var other Cage
	stop := make(chan bool)
	defer close(stop)
	go func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				other.Put(1)
			case <-stop:
				return
			}
		}
	}()
	wrong(t)
}

func TestIdle(t *testing.T) {
	jobs := make(chan func())
	for range 3 {
		go func() {
			for f := range jobs {
				f()
			}
		}()
	}
	wrong(t)
	close(jobs)
}

func TestParts(t *testing.T) {
	if n := Parts(4); n != 6 {
		t.Errorf("%d", n)
	}
}

func TestReentrant(t *testing.T) {
	var c Cage
	done := make(chan bool)
	go func() {
		defer close(done)
		c.Each(func() { c.Len() })
	}()
	select {
	case <-done:
	case <-time.After(200 * time.Millisecond):
		t.Fatal("deadlock")
	}
}

func TestFirst(t *testing.T) {
	before := runtime.NumGoroutine()
	First(func() int { return 1 }, func() int { time.Sleep(time.Millisecond); return 2 })
	for range 20 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("a goroutine is left behind")
}

func TestFeed(t *testing.T) {
	food, fed := make(chan int, 9), make(chan int)
	go func() {
		n := 0
		for range food {
			n++
		}
		fed <- n
	}()
	Feed(food, []int{1, -1})
	select {
	case <-fed:
	case <-time.After(200 * time.Millisecond):
		t.Error("not fed")
	}
}

func TestTwice(t *testing.T) {
	food, done := make(chan int, 9), make(chan bool)
	go func() {
		defer close(done)
		Feed(food, []int{1})
		Feed(food, []int{2})
	}()
	<-done
}
`,
}

// A failure that each run shows is refused if a single goroutine takes part in it,
// and only then; blocked goroutines are named before what they bring about.
func TestAlwaysFails(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir := t.TempDir()
	writeTree(t, dir, always)
	type look struct {
		test     string
		checkers string // with, without it
		want     string // part of the first failure; "": it is refused
	}
	for _, tt := range sample.Of(2, []look{
		{"TestAlone", "without", ""},
		{"TestParallel", "with", ""},
		{"TestBeside", "with, without", ""},
		{"TestIdle", "with", ""},
		{"TestParts", "without", "TestParts: zoo_test.go:"},
		{"TestReentrant", "without", "sync.Mutex.Lock in (*Cage).Len zoo.go:"},
		{"TestFirst", "with", "chan send in First.func1 zoo.go:"},
		{"TestFeed", "with", "TestFeed: zoo_test.go:"},
		{"TestTwice", "without", "closed channel"},
	}) {
		for checker := range strings.SplitSeq(tt.checkers, ", ") {
			noChecker := checker == "without"
			_, failures, err := Look(t.Context(), result.Wanted{
				Dir: dir, Run: "^" + tt.test + "$", Budget: 20 * time.Second, Timeout: runTimeout, NoChecker: noChecker,
			}.WithDefaults())
			var refused *original.NotReproduced
			switch {
			case errors.As(err, &refused):
				if tt.want != "" || !strings.Contains(refused.Reason, "only one goroutine takes part") || strings.Contains(refused.Reason, "\n") {
					t.Errorf("%s, %s checker: refused: %s", tt.test, checker, refused.Reason)
				}
			case err != nil:
				t.Errorf("%s: %v", tt.test, err)
			case tt.want == "" || !slices.ContainsFunc(failures[:1], func(f string) bool { return strings.Contains(f, tt.want) }):
				t.Errorf("%s, %s checker: failures %q, want %q first", tt.test, checker, failures, tt.want)
			}
		}
	}
}

// A look leaves a failure that needs a time-out to expire early to repairs, so that those that need none come
// first, and nobody takes an hour for too short.
func TestLookLeavesTimeouts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"go.mod": "module example.com/pause\n\ngo 1.25\n",
		"pause.go": `package pause

import (
	"context"
	"time"
)

func Wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
`,
		"pause_test.go": `package pause

import (
	"context"
	"testing"
	"time"
)

func TestShort(t *testing.T) { ends(t, 20*time.Second) }
func TestLong(t *testing.T)  { ends(t, time.Hour) }

func ends(t *testing.T, d time.Duration) {
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	if err := Wait(ctx, d); err == nil {
		t.Error("the pause was not ended")
	}
}
`,
	})
	wanted := func(test string) result.Wanted {
		return result.Wanted{Dir: dir, Run: "^" + test + "$", Budget: 8 * time.Second, Timeout: runTimeout}.WithDefaults()
	}
	for _, test := range sample.Of(1, []string{"TestShort", "TestLong"}) { // each takes all of its budget
		if seen, failures, _ := Look(t.Context(), wanted(test)); seen.Checked || seen.Failed > 0 || len(failures) > 0 {
			t.Errorf("%s: the look shows %+v, %q", test, seen, failures)
		}
	}
	if !sample.All() {
		return
	}
	w := wanted("TestLong")
	w.Budget = 20 * time.Second
	if res, _ := Run(t.Context(), w); res.Status != result.NotReproduced {
		t.Errorf("an hour that expires is a failure to mend: %s, %s", res.Status, res.Reason)
	}
}
