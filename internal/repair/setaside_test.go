package repair

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/internal/result"
	"mendel/internal/sample"
)

// A race beside a worker that nobody stops, as servers and pools have them: each
// run leaves it, with the race and without.
var idleWorker = map[string]string{
	"go.mod": "module example.com/breaker\n\ngo 1.25\n",
	"breaker.go": `package breaker

import "sync"

// A Breaker opens a circuit.
type Breaker struct {
	mu      sync.Mutex
	open    bool
	updates chan int
}

// New starts the breaker's worker.
func New() *Breaker {
	b := &Breaker{updates: make(chan int, 10)}
	go b.monitor()
	return b
}

func (b *Breaker) monitor() {
	for range b.updates {
	}
}

// Open opens the circuit.
func (b *Breaker) Open() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = true
}

// IsOpen reports whether the circuit is open.
func (b *Breaker) IsOpen() bool { return b.open }
`,
	"breaker_test.go": `package breaker

import (
	"sync"
	"testing"
)

func TestOpen(t *testing.T) {
	b := New()
	var wg sync.WaitGroup
	wg.Go(b.Open)
	wg.Go(func() { b.IsOpen() })
	wg.Wait()
}
`,
}

// A test that fails by its own time-out in some runs beside such a worker, which the
// others leave.
var idleBesideDeadlock = map[string]string{
	"go.mod": idleWorker["go.mod"],
	"breaker.go": strings.Replace(idleWorker["breaker.go"], "func (b *Breaker) IsOpen() bool { return b.open }", `func (b *Breaker) IsOpen() bool {
	b.mu.Lock()
	if b.open {
		return true
	}
	b.mu.Unlock()
	return false
}`, 1),
	"breaker_test.go": `package breaker

import (
	"testing"
	"time"
)

func TestOpen(t *testing.T) {
	b := New()
	done := make(chan bool)
	go func() {
		go b.Open()
		b.IsOpen()
		b.IsOpen()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatal("deadlock")
	}
}
`,
}

// A test leaves a worker that it could stop, beside another that hangs in each run before its own is left.
var leftBesideDeadlock = map[string]string{
	"go.mod": idleWorker["go.mod"],
	"breaker.go": `package breaker

import (
	"sync"
	"time"
)

// A Breaker opens a circuit.
type Breaker struct {
	mu    sync.Mutex
	trips int
	kick  chan int
	quit  chan bool
	done  chan bool
}

// New starts the breaker's worker, which counts every now and then.
func New(every time.Duration) *Breaker {
	b := &Breaker{kick: make(chan int), quit: make(chan bool), done: make(chan bool)}
	go b.monitor(every)
	return b
}

func (b *Breaker) monitor(every time.Duration) {
	defer close(b.done)
	var tick <-chan time.Time
	if every > 0 {
		tick = time.NewTicker(every).C
	}
	for {
		select {
		case <-b.quit:
			b.Trip()
			return
		case <-b.kick:
			b.Trip()
		case <-tick:
			b.Trip()
		}
	}
}

// Trip counts.
func (b *Breaker) Trip() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trips++
}

// Trips says how often it was tripped.
func (b *Breaker) Trips() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.trips
}

// Stop ends the worker.
func (b *Breaker) Stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.quit)
	<-b.done
}
`,
	"breaker_test.go": `package breaker

import (
	"testing"
	"time"
)

func TestTrip(t *testing.T) {
	b := New(0)
	b.Trip()
	if n := b.Trips(); n != 1 {
		t.Error(n)
	}
}

func TestTicks(t *testing.T) {
	b := New(time.Millisecond)
	for b.Trips() < 2 {
		time.Sleep(time.Millisecond)
	}
}

func TestStopped(t *testing.T) {
	b := New(0)
	close(b.quit)
	<-b.done
}

func TestStop(t *testing.T) {
	b := New(0)
	done := make(chan bool)
	go func() {
		b.Stop()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatal("deadlock")
	}
}
`,
}

func TestIdleWorkersAreSetAside(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	programs := map[string]map[string]string{"beside a race": idleWorker, "beside a deadlock": idleBesideDeadlock, "by a test": leftBesideDeadlock}
	for _, name := range sample.Of(1, slices.Sorted(maps.Keys(programs))) {
		t.Run(name, func(t *testing.T) { setsAside(t, programs[name], name == "beside a race") })
	}
}

// setsAside repairs a program; what is no race needs no detector.
func setsAside(t *testing.T, files map[string]string, race bool) {
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	l := &listener{}
	r, err := Run(context.Background(), result.Wanted{Dir: dir, NoRace: !race, Observer: l, Timeout: runTimeout, Count: 5, Confirm: 10})
	if err != nil || r.Status != result.Fixed {
		t.Fatalf("%s: %s, %v\n%s", r.Status, r.Reason, err, strings.Join(l.lines, "\n"))
	}
	if !strings.Contains(strings.Join(r.Notes, "\n"), "(*Breaker).monitor") {
		t.Errorf("no note names the worker: %q", r.Notes)
	}
	for _, f := range r.Failures {
		if strings.Contains(f.Message, "monitor") {
			t.Errorf("the worker counts as a failure: %s", f.Message)
		}
	}
}
