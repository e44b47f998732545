package report

import (
	"slices"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker/sched"
)

// transferring is a source that locks the account a before it changes both.
const transferring = `package p

func (a *Account) Transfer(to *Account) {
	a.mu.Lock()
	a.n--
	to.n++
	a.mu.Unlock()
}
`

// A lock has the name in the execution of a fix that it has in that of the
// original, also where another one is used before it there; what only the fix
// locks has a name that none of the original's has.
func TestLocksAlike(t *testing.T) {
	before := LanesOptions{
		Kind: evidence.Race, Goroutines: []string{"main", "a", "b", "c"}, Source: func(string) []byte { return []byte(transferring) },
		Trace: script(t, `
			0 go - go p.go:1
			0 go - go p.go:1
			0 go - go p.go:1
			1 acquire 1 Mutex.Lock p.go:4
			1 release 1 Mutex.Unlock p.go:7
			3 acquire 2 Mutex.Lock p.go:4`),
	}
	after := LanesOptions{
		Goroutines: before.Goroutines, Called: LockUses(before),
		Source: func(string) []byte {
			return []byte(strings.Replace(transferring, "\ta.n--\n\tto.n++\n\ta.mu.Unlock()\n", "\ta.n--\n\ta.mu.Unlock()\n\tto.mu.Lock()\n\tto.n++\n\tto.mu.Unlock()\n", 1))
		},
		Trace: script(t, `
			0 go - go p.go:1
			0 go - go p.go:1
			0 go - go p.go:1
			1 acquire 1 Mutex.Lock p.go:4
			1 release 1 Mutex.Unlock p.go:6
			1 acquire 5 Mutex.Lock p.go:7
			1 release 5 Mutex.Unlock p.go:9
			3 acquire 7 Mutex.Lock p.go:4
			3 release 7 Mutex.Unlock p.go:6
			3 acquire 1 Mutex.Lock p.go:7
			3 release 1 Mutex.Unlock p.go:9`),
	}
	held := func(o LanesOptions) (names []string) {
		for _, bar := range Lanes(o).Bars {
			names = append(names, bar.Lock)
		}
		return names
	}
	if got, want := held(before), []string{"mu #1", "mu #2"}; !slices.Equal(got, want) {
		t.Fatalf("before: %v, want %v", got, want)
	}
	if got, want := held(after), []string{"mu #1", "mu #3", "mu #2", "mu #1"}; !slices.Equal(got, want) {
		t.Errorf("after: %v, want %v", got, want)
	}
	after.Called = nil
	if got, want := held(after), []string{"mu #1", "mu #2", "mu #3", "mu #1"}; !slices.Equal(got, want) {
		t.Errorf("by itself: %v, want %v", got, want)
	}
}

// A lock that a goroutine waits for is known again by its release alone.
func TestLocksAlikeBlocked(t *testing.T) {
	source := "package p\n\nfunc Copy(dst, src *File) {\n\tsrc.mu.Lock()\n\tdst.mu.Lock()\n\tdst.mu.Unlock()\n\tsrc.mu.Unlock()\n}\n"
	read := func(string) []byte { return []byte(source) }
	before := LockUses(LanesOptions{
		Kind: evidence.Deadlock, Goroutines: []string{"main", "a"}, Source: read,
		Trace: script(t, `
			0 go - go p.go:1
			0 acquire 2 Mutex.Lock p.go:4
			1 acquire 1 Mutex.Lock p.go:4`),
		Places: []sched.Place{{Goroutine: "a", What: "sync.Mutex.Lock", File: "/m/p.go", Line: 5, Obj: 2}},
	})
	source = strings.Replace(strings.Replace(source, "src.mu.Lock", "first.mu.Lock", 1), "dst.mu.Lock", "second.mu.Lock", 1)
	n := newLockNames(newTimeline(InterleavingOptions{Goroutines: []string{"main", "a"}, Trace: script(t, `
		0 go - go p.go:1
		1 acquire 3 Mutex.Lock p.go:4
		1 acquire 4 Mutex.Lock p.go:5
		1 release 3 Mutex.Unlock p.go:6
		1 release 4 Mutex.Unlock p.go:7`)}), read)
	n.adopt(before, nil)
	if n.of(3) != "mu #1" || n.of(4) != "mu #2" {
		t.Errorf("the locks are called %s and %s, of %+v", n.of(3), n.of(4), before)
	}
}
