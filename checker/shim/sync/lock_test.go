package sync_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/shim/internal/explore"
	"mendel/checker/shim/sync"
)

// check compares what a program does in all schedules with what it can do, and
// lets a random strategy find nothing else.
func check(t *testing.T, body func() string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := explore.Outcomes(t, body); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got, ok := explore.Reduced(t, body); ok && !slices.Equal(got, want) {
		t.Errorf("with reduction: got %q\nwant %q", got, want)
	}
	for _, got := range explore.Sample(t, 1, 50, body) {
		if !slices.Contains(want, got) {
			t.Errorf("random: %q is not among %q", got, want)
		}
	}
}

// together starts functions and waits for them without any other primitive
// than channels.
func together(functions ...func()) {
	done := sched.MakeChan[bool](len(functions))
	for _, f := range functions {
		sched.Go(func() {
			f()
			sched.Send(done, true)
		})
	}
	for range functions {
		sched.Recv(done)
	}
}

// pass locks and unlocks.
func pass(l sync.Locker) {
	l.Lock()
	defer l.Unlock()
}

func TestMutexExcludes(t *testing.T) {
	check(t, func() string {
		var mu sync.Mutex
		inside, most, sum := 0, 0, 0
		f := func() {
			mu.Lock()
			inside++
			most = max(most, inside)
			sched.Yield()
			sum++
			inside--
			mu.Unlock()
		}
		together(f, f)
		return fmt.Sprint(most, sum)
	}, "1 2")
}

// An unprotected counter loses an update, and its race is found: what the
// mutex in the test above prevents.
func TestWithoutMutex(t *testing.T) {
	check(t, func() string {
		n := new(int)
		f := func() { *sched.RW(n)++ }
		together(f, f)
		return fmt.Sprint(*n)
	}, "race")
}

func TestMutexMakesAnEdge(t *testing.T) {
	check(t, func() string {
		var mu sync.Mutex
		n := new(int)
		f := func() {
			mu.Lock()
			defer mu.Unlock()
			*sched.RW(n)++
		}
		together(f, f)
		return fmt.Sprint(*n)
	}, "2")
}

func TestMutexDeadlocks(t *testing.T) {
	check(t, func() string {
		var a, b sync.Mutex
		lock := func(first, second *sync.Mutex) func() {
			return func() {
				first.Lock()
				pass(second)
				first.Unlock()
			}
		}
		together(lock(&a, &b), lock(&b, &a))
		return "done"
	}, "deadlock", "done")
	check(t, func() string {
		var mu sync.Mutex
		mu.Lock()
		mu.Lock()
		return "twice"
	}, "deadlock")
	check(t, func() string {
		var mu sync.Mutex
		mu.Lock()
		sched.Go(mu.Lock)
		return "returned"
	}, "blocked")
}

func TestTryLock(t *testing.T) {
	check(t, func() string {
		var mu sync.Mutex
		got := make([]bool, 2)
		try := func(i int) func() { return func() { got[i] = mu.TryLock() } }
		together(try(0), try(1))
		return fmt.Sprint(got)
	}, "[true false]", "[false true]")
}

// A TryLock that fails tells nothing: the access after it is a race.
func TestFailingTryLockMakesNoEdge(t *testing.T) {
	check(t, func() string {
		var mu sync.Mutex
		n := new(int)
		together(func() {
			*sched.W(n) = 1
			mu.Lock()
		}, func() {
			if !mu.TryLock() {
				*sched.W(n) = 2
			}
		})
		return "ok"
	}, "race", "deadlock") // the other Lock waits for ever if TryLock was first
}

func TestFatalErrors(t *testing.T) {
	for _, c := range []struct {
		do   func()
		want string
	}{
		{func() { new(sync.Mutex).Unlock() }, "sync: unlock of unlocked mutex"},
		{func() { new(sync.RWMutex).Unlock() }, "sync: Unlock of unlocked RWMutex"},
		{func() { new(sync.RWMutex).RUnlock() }, "sync: RUnlock of unlocked RWMutex"},
		{func() { rw := new(sync.RWMutex); rw.RLock(); rw.Unlock() }, "sync: Unlock of unlocked RWMutex"},
	} {
		got := explore.Outcomes(t, func() string {
			defer func() { recover() }() // cannot help
			c.do()
			return "went on"
		})
		if len(got) != 1 || !strings.HasSuffix(got[0], "fatal error: "+c.want) {
			t.Errorf("%s: got %q", c.want, got)
		}
	}
}

func TestRWMutexReadersAndWriters(t *testing.T) {
	type state struct {
		sync.RWMutex
		readers, writers, most int
		wrong                  bool
	}
	read := func(s *state) {
		s.RLock()
		s.readers++
		s.most = max(s.most, s.readers)
		sched.Yield()
		s.wrong = s.wrong || s.writers > 0
		s.readers--
		s.RUnlock()
	}
	write := func(s *state) {
		s.Lock()
		s.writers++
		s.most = max(s.most, s.writers)
		sched.Yield()
		s.wrong = s.wrong || s.readers > 0
		s.writers--
		s.Unlock()
	}
	run := func(a, b func(*state)) func() string {
		return func() string {
			s := &state{}
			together(func() { a(s) }, func() { b(s) })
			return fmt.Sprint(s.most, s.wrong)
		}
	}
	// Without reduction: the fields that two readers change tell it nothing.
	if got := explore.Outcomes(t, run(read, read)); !slices.Equal(got, []string{"1 false", "2 false"}) {
		t.Errorf("two readers: %q", got)
	}
	check(t, run(read, write), "1 false")
	check(t, run(write, write), "1 false")
}

// A writer that arrives between two read locks of one goroutine blocks both.
func TestRecursiveReadLockDeadlocks(t *testing.T) {
	check(t, func() string {
		var mu sync.RWMutex
		together(func() {
			mu.RLock()
			pass(mu.RLocker())
			mu.RUnlock()
		}, func() { pass(&mu) })
		return "done"
	}, "deadlock", "done")
}

func TestRWMutexTry(t *testing.T) {
	check(t, func() string {
		var mu sync.RWMutex
		got := fmt.Sprint(mu.TryRLock(), mu.TryLock(), mu.TryRLock())
		mu.RUnlock()
		mu.RUnlock()
		got += fmt.Sprint(" ", mu.TryLock(), mu.TryRLock(), mu.TryLock())
		mu.Unlock()
		l := mu.RLocker()
		l.Lock()
		got += fmt.Sprint(" ", mu.TryLock())
		l.Unlock()
		return got
	}, "true false true true false false false")
}

// Readers are not ordered among each other, nor a reader before a later one.
func TestReadersMakeNoEdge(t *testing.T) {
	check(t, func() string {
		var mu sync.RWMutex
		n := new(int)
		f := func() {
			mu.RLock()
			*sched.W(n) = 1
			mu.RUnlock()
		}
		together(f, f)
		return "ok"
	}, "race")
	check(t, func() string {
		var mu sync.RWMutex
		n := new(int)
		together(func() {
			mu.RLock()
			*sched.R(n) = 0 // a read for the detector
			mu.RUnlock()
		}, func() {
			mu.Lock()
			*sched.W(n) = 1
			mu.Unlock()
		})
		return "ok"
	}, "ok")
}

// A lock that one execution leaves locked is free in the next.
func TestLockedInEarlierExecution(t *testing.T) {
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	check(t, func() string {
		mu.Lock()
		rw.Lock()
		wg.Add(1)
		sched.Yield()
		return "locked"
	}, "locked")
	pass(&mu) // nor after it
	pass(&rw)
	wg.Wait()
	mu.Lock() // outside control: is kept
	check(t, func() string { return fmt.Sprint(mu.TryLock()) }, "false")
	check(t, func() string { mu.Unlock(); return fmt.Sprint(mu.TryLock()) }, "true")
	mu.Unlock()
}

// Assignment of the zero value unlocks, a copy is as locked as the original, and
// one not in use equals a new one.
func TestMutexIsAValue(t *testing.T) {
	check(t, func() string {
		type guarded struct{ mu sync.Mutex }
		g := &guarded{}
		g.mu.Lock()
		copied := reflect.New(reflect.TypeFor[guarded]()) // vet does not see it
		copied.Elem().Set(reflect.ValueOf(g).Elem())
		got := fmt.Sprint(copied.Interface().(*guarded).mu.TryLock())
		*g = guarded{}
		got += fmt.Sprint(g.mu.TryLock())
		g.mu.Unlock()
		return got + fmt.Sprint(reflect.DeepEqual(g, &guarded{}))
	}, "falsetruetrue")
}
