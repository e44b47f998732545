package noise

import (
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"mendel/analysis/evidence"
)

// failingProgram is a program whose tests fail in each run.
var failingProgram = txtar.Parse([]byte(`
-- go.mod --
module example.com/zoo

go 1.25
-- zoo.go --
package zoo

import "sync"

var mu sync.Mutex

type Cage struct {
	mu sync.Mutex
	n  int
}

func (c *Cage) Add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n -= n
}

func (c *Cage) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
-- zoo_test.go --
package zoo

import (
	"sync"
	"testing"
	"time"
)

func wrong(t *testing.T) {
	var c Cage
	c.Add(1)
	if c.Len() != 1 {
		t.Fatal("wrong length")
	}
}

func TestAlone(t *testing.T) { wrong(t) }

func TestParallel(t *testing.T) {
	t.Parallel()
	wrong(t)
}

func TestSubtest(t *testing.T) {
	var c Cage
	c.Add(1)
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrong(t)
		})
	}
}

func TestBeside(t *testing.T) {
	var others Cage
	for range 20 {
		stop := make(chan bool)
		ready := make(chan bool, 1)
		go func() {
			others.Add(1)
			ready <- true
			<-stop
			others.Add(1)
		}()
		defer close(stop)
	}
	wrong(t)
}

func TestBefore(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(func() { mu.Lock(); mu.Unlock() })
	wg.Wait()
}

func TestReceived(t *testing.T) {
	c := make(chan int, 1)
	go func() {
		c <- 1
		mu.Lock()
		mu.Unlock()
	}()
	if <-c != 2 {
		t.Error("wrong number")
	}
}

func TestLocked(t *testing.T) {
	var c Cage
	var wg sync.WaitGroup
	wg.Go(func() { c.Add(1) })
	wg.Wait()
	if c.Len() != 1 {
		t.Error("wrong length")
	}
}

func TestInVain(t *testing.T) {
	done, other := make(chan bool), make(chan bool, 1)
	go func() { other <- true }()
	select {
	case <-done:
	case <-time.After(50 * time.Millisecond):
		t.Error("not done")
	}
}

func TestAloneInVain(t *testing.T) {
	select {
	case <-make(chan bool):
	case <-time.After(time.Millisecond):
		t.Error("not done")
	}
}

func TestInGoroutine(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		t.Error("wrong")
	}()
	<-done
}

func TestPanics(t *testing.T) {
	c := make(chan []int)
	go func() { c <- nil }()
	_ = (<-c)[0]
}

func TestLogs(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	t.Run("sub", func(t *testing.T) {
		if <-c != 2 {
			t.Error("wrong number")
		}
	})
}
`))

// TestPast: goroutines count that did something before the assertion that fails,
// and were synchronised with it since; others do not, nor do those of package testing.
func TestPast(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	h := harness(t, failingProgram, Config{})
	b := build(t, h, Noised, nil)
	for pattern, want := range map[string]bool{
		"^TestAlone$": false, "^TestParallel$": false, "^TestSubtest$": false, "^TestBeside$": false, "^TestBefore$|^TestAlone$": false,
		"^TestReceived$": true, "^TestLocked$": true, "^TestInGoroutine$": true, "^TestPanics$": true, "^TestLogs$": true,
		"^TestAlone$|^TestLocked$": true, "^TestInVain$": true, "^TestAloneInVain$": false,
	} {
		h.c.Program.Target.Run = pattern
		n, ok, err := h.Past(t.Context(), b, RunOptions{Timeout: 20 * time.Second})
		if err != nil || !ok || (n > 0) != want {
			t.Errorf("%s: %d goroutines (%t), want some: %t; error %v", pattern, n, ok, want, err)
		}
	}
	h.c.Program.Target.Run = "^TestBefore$"
	if n, ok, err := h.Past(t.Context(), b, RunOptions{}); n != 0 || ok || err != nil {
		t.Errorf("a test that passes: %d, %t, %v", n, ok, err)
	}
}

func TestPastIn(t *testing.T) {
	for text, want := range map[string]int{
		"": -1, "ok\nmendel: goroutines in the causal past: 0 TestX\n": 0,
		"\nmendel: goroutines in the causal past: 0 TestX\n\nmendel: goroutines in the causal past: 2 TestY\n": 2,
		"mendel: goroutines in the causal past: many":                                                          -1,
	} {
		n, ok := pastIn([]byte(text))
		if !ok {
			n = -1
		}
		if n != want {
			t.Errorf("%q: %d, want %d", text, n, want)
		}
	}
}

// stuckProgram is one whose tests fail while goroutines are blocked.
var stuckProgram = txtar.Parse([]byte(`
-- go.mod --
module example.com/zoo

go 1.25
-- zoo.go --
package zoo

import "sync"

type Cage struct {
	mu sync.Mutex
	n  int
}

// Each locks the cage and calls back.
func (c *Cage) Each(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

func (c *Cage) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func Generate() chan int {
	c := make(chan int)
	go func() { c <- 1 }()
	return c
}
-- zoo_test.go --
package zoo

import (
	"runtime"
	"testing"
	"time"
)

func within(d time.Duration, f func()) bool {
	done := make(chan bool)
	go func() { f(); close(done) }()
	select {
	case <-done:
		return true
	case <-time.After(d):
		return false
	}
}

// Freed afterwards, these are blocked when the test fails.
func TestHeld(t *testing.T) {
	var c Cage
	release := make(chan bool)
	go c.Each(func() { <-release })
	time.Sleep(10 * time.Millisecond)
	if !within(100*time.Millisecond, func() { c.Len() }) {
		t.Error("blocked")
	}
	close(release)
}

func TestAgain(t *testing.T) {
	var c Cage
	if !within(100*time.Millisecond, func() { c.Each(func() { c.Len() }) }) {
		t.Fatal("blocked")
	}
}

func TestCounted(t *testing.T) {
	before := runtime.NumGoroutine()
	Generate()
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines", n-before)
	}
}

func TestLeft(t *testing.T) {
	Generate()
	t.Error("wrong")
}

func TestGivenUp(t *testing.T) {
	c := Generate()
	if 1+1 != 3 {
		t.Fatal("wrong")
	}
	<-c
}

func TestGivenUpBelow(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		c := Generate()
		if 1+1 != 3 {
			t.Fatal("wrong")
		}
		<-c
	})
}

func TestPanics(t *testing.T) {
	Generate()
	panic("wrong")
}
`))

// TestBlockedAtFailure: a failure comes with the goroutines that were blocked, where
// they may be why.
func TestBlockedAtFailure(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	h := harness(t, stuckProgram, Config{NoRace: true})
	b := build(t, h, Noised, nil)
	for test, want := range map[string]string{
		"TestHeld": "Len", "TestAgain": "Len", "TestCounted": "Generate", "TestLeft": "Generate",
		"TestGivenUp": "", "TestGivenUpBelow": "", "TestPanics": "",
	} {
		h.c.Program.Target.Run = "^" + test + "$"
		o, err := h.Run(t.Context(), b, RunOptions{Seed: 1, Timeout: 20 * time.Second})
		if err != nil || o.Pass {
			t.Fatalf("%s: %+v, %v", test, o, err)
		}
		blocked := ""
		for _, f := range o.Failures {
			if f.Kind == evidence.Blocked {
				blocked = f.Message
			}
		}
		if (blocked != "") != (want != "") || !strings.Contains(blocked, want) {
			t.Errorf("%s: blocked %q, want %q\n%s", test, blocked, want, o.Output)
		}
	}
}
