package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"mendel/analysis/evidence"
	"mendel/checker/sched"
)

// A script writes executions down for tests: one event per line,
//
//	goroutine kind object what file:line
//
// with - for what there is not.
func script(t *testing.T, text string) []sched.Event {
	t.Helper()
	kinds := map[string]sched.Kind{}
	for k := sched.KindStart; k <= sched.KindExit; k++ {
		kinds[k.String()] = k
	}
	var events []sched.Event
	started := 0
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		var e sched.Event
		kind, ok := kinds[f[1]]
		if !ok {
			t.Fatalf("%q: no kind %s", line, f[1])
		}
		e.Kind = kind
		if _, err := fmt.Sscan(f[0], &e.G); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if f[2] != "-" {
			if _, err := fmt.Sscan(f[2], &e.Obj); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
		e.With, e.Took = -1, kind == sched.KindAcquire
		if kind == sched.KindGo {
			started++
			e.With = started
		}
		e.What = strings.ReplaceAll(f[3], "_", " ")
		e.Place = at(t, f[4])
		e.Place.What = e.What
		events = append(events, e)
	}
	return events
}

// at is the place "file:line" below /m.
func at(t *testing.T, text string) sched.Place {
	t.Helper()
	var p sched.Place
	if text == "-" {
		return p
	}
	file, line, _ := strings.Cut(text, ":")
	if _, err := fmt.Sscan(line, &p.Line); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	p.File = "/m/" + file
	return p
}

// stop is a place of a failure.
func stop(t *testing.T, goroutine, what, where string, step int) sched.Place {
	t.Helper()
	p := at(t, where)
	p.Goroutine, p.What, p.Step = goroutine, what, step
	return p
}

var interleavingFiles = map[string]string{
	"/m/account.go": `package account

func (a *Account) Deposit(n int) {
	a.mu.Lock()
	a.amount += n
	a.mu.Unlock()
}

func (a *Account) Transfer(to *Account, n int) {
	a.mu.Lock()
	a.amount -= n
	to.amount += n
	a.mu.Unlock()
}

func (a *Account) Move(to *Account, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	a.amount, to.amount = a.amount-n, to.amount+n
}
`,
	"/m/account_test.go": `package account

func TestTransfer(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(func() { a.Transfer(b, 1) })
	wg.Go(func() { b.Deposit(1) })
	wg.Wait()
}
`,
	"/m/queue.go": `package queue

func (q *Queue) Run(jobs []Job) {
	for _, 仕事 := range jobs {	// tab	and	tab
		go func() { q.Größe.Add(1); q.done <- 仕事.Do() }()
	}
	for range jobs {
		<-q.done
		panic("café: " + "é")
	}
}
`,
}

func interleavingSource(file string) []byte {
	if text, ok := interleavingFiles[file]; ok {
		return []byte(text)
	}
	return nil
}

// race is account's race: b.Deposit between the two lines of a.Transfer.
func race(t *testing.T) InterleavingOptions {
	return InterleavingOptions{
		Kind:       evidence.Race,
		Goroutines: []string{"main", "account_test.go:5#1", "account_test.go:6#1"},
		Trace: script(t, `
			0 start - start -
			0 add 1 WaitGroup.Add account_test.go:5
			0 go - go account_test.go:5
			0 add 1 WaitGroup.Add account_test.go:6
			0 go - go account_test.go:6
			1 start - start -
			1 acquire 2 Mutex.Lock account.go:10
			2 start - start -
			2 acquire 3 Mutex.Lock account.go:4
			1 release 2 Mutex.Unlock account.go:13
		`)[:9],
		Places: []sched.Place{
			stop(t, "account_test.go:5#1", "write", "account.go:12", 6),
			stop(t, "account_test.go:6#1", "read", "account.go:5", 8),
		},
		Source: interleavingSource,
	}
}

// deadlock is that of two transfers in opposite directions.
func deadlock(t *testing.T) InterleavingOptions {
	return InterleavingOptions{
		Kind:       evidence.Deadlock,
		Goroutines: []string{"main", "account_test.go:5#1", "account_test.go:6#1"},
		Trace: script(t, `
			0 start - start -
			0 go - go account_test.go:5
			0 go - go account_test.go:6
			1 start - start -
			1 acquire 2 Mutex.Lock account.go:17
			2 start - start -
			2 acquire 3 Mutex.Lock account.go:17
		`),
		Places: []sched.Place{
			stop(t, "main", "WaitGroup.Wait", "account_test.go:7", 6),
			stop(t, "account_test.go:5#1", "Mutex.Lock", "account.go:19", 6),
			stop(t, "account_test.go:6#1", "Mutex.Lock", "account.go:19", 6),
		},
		Source: interleavingSource,
	}
}

// queue starts n workers that send their results on one channel.
func queue(t *testing.T, n int) InterleavingOptions {
	o := InterleavingOptions{Kind: evidence.Blocked, Goroutines: []string{"main"}, Source: interleavingSource}
	var text strings.Builder
	text.WriteString("0 start - start -\n")
	for g := 1; g <= n; g++ {
		o.Goroutines = append(o.Goroutines, fmt.Sprintf("queue.go:5#%d", g))
		text.WriteString("0 go - go queue.go:5\n")
	}
	for g := 1; g <= n; g++ {
		fmt.Fprintf(&text, "%d start - start -\n%d store 7 atomic.Add queue.go:5\n", g, g)
	}
	text.WriteString("1 send 9 send queue.go:5\n0 recv 9 receive queue.go:8\n1 exit - exit -\n0 exit - exit -\n")
	o.Trace = script(t, text.String())
	for g := 2; g <= n; g++ {
		o.Places = append(o.Places, stop(t, o.Goroutines[g], "send", "queue.go:5", len(o.Trace)-1))
	}
	return o
}

// long is a panic after many steps of main.
func long(t *testing.T) InterleavingOptions {
	var text strings.Builder
	text.WriteString("0 start - start -\n0 go - go queue.go:5\n")
	for i := range 50 {
		fmt.Fprintf(&text, "0 acquire 3 Mutex.Lock account.go:%d\n0 release 3 Mutex.Unlock account.go:%d\n", 4+6*(i%2), 6+7*(i%2))
	}
	text.WriteString("1 start - start -\n1 send 9 send queue.go:5\n0 recv 9 receive queue.go:8\n")
	return InterleavingOptions{
		Kind: evidence.Panic, Goroutines: []string{"main", "queue.go:5#1"}, Source: interleavingSource,
		Trace:  script(t, text.String()),
		Places: []sched.Place{stop(t, "main", "panic", "queue.go:9", 104)},
	}
}

func testFailure(t *testing.T) InterleavingOptions {
	o := race(t)
	o.Kind = evidence.TestFailure
	o.Places = []sched.Place{stop(t, "main", "test-failure", "account_test.go:7", 8)}
	o.Trace[8].G = 0
	return o
}

func TestInterleavingGolden(t *testing.T) {
	for _, tt := range []struct {
		name  string
		o     InterleavingOptions
		width int
		color bool
	}{
		{"race-80", race(t), 80, false},
		{"race-100", race(t), 100, false},
		{"race-160", race(t), 160, false},
		{"race-color", race(t), 100, true},
		{"deadlock", deadlock(t), 100, false},
		{"blocked", queue(t, 3), 100, false},
		{"panic", long(t), 100, false},
		{"testfailure", testFailure(t), 100, false},
		{"twelve-80", queue(t, 12), 80, false},
		{"twelve-160", queue(t, 12), 160, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			tt.o.Width, tt.o.Color = tt.width, tt.color
			if err := Interleaving(&b, tt.o); err != nil {
				t.Fatal(err)
			}
			golden(t, "interleaving-"+tt.name, b.String())
			if tt.color {
				return
			}
			for line := range strings.Lines(b.String()) {
				if n := width(strings.TrimSuffix(line, "\n")); n > tt.width {
					t.Errorf("%d columns of %d: %q", n, tt.width, line)
				}
			}
			if !utf8.Valid(b.Bytes()) {
				t.Error("not UTF-8")
			}
		})
	}
}

// Whatever an execution looks like, a table comes of it: places without steps,
// steps without places, names that are missing, files that cannot be read.
func TestInterleavingAwkward(t *testing.T) {
	noTrace := race(t)
	noTrace.Trace = nil
	noNames := race(t)
	noNames.Goroutines = nil
	noSource := race(t)
	noSource.Source = nil
	badStep := race(t)
	badStep.Places[0].Step, badStep.Places[1].Step = 99, -1
	stranger := deadlock(t)
	stranger.Places[1].Goroutine = "nobody"
	nowhere := deadlock(t)
	nowhere.Places[1].File = ""
	for _, tt := range []struct {
		name string
		o    InterleavingOptions
		want string
	}{
		{"nothing", InterleavingOptions{}, ""},
		{"no trace", noTrace, "account_test.go:5#1 at /m/account.go:12 (write)\n    to.amount += n"},
		{"no names", noNames, "go#1"},
		{"no source", noSource, "▶ Mutex.Lock"},
		{"places of no step", badStep, "✗ read: a.amount += n"},
		{"unknown goroutine", stranger, "■ waits: to.mu.Lock()"},
		{"unknown place", nowhere, "■ waits (Mutex.Lock)"},
		{"narrow", func() InterleavingOptions { o := race(t); o.Width = 1; return o }(), "✗"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Interleaving(&b, tt.o); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), tt.want) {
				t.Errorf("want %q in:\n%s", tt.want, &b)
			}
		})
	}
}

// A table with very many switches keeps its beginning, its end and the failure.
func TestInterleavingLong(t *testing.T) {
	o := race(t)
	first := o.Trace[:6]
	var middle []sched.Event
	for i := range 400 {
		e := o.Trace[6]
		e.G = 1 + i%2
		e.Kind, e.Took = sched.KindYield, false
		middle = append(middle, e)
	}
	o.Trace = slices.Concat(first, middle, o.Trace[6:])
	o.Places[0].Step += 400
	o.Places[1].Step += 400
	var b bytes.Buffer
	if err := Interleaving(&b, o); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n > maxRows+8 {
		t.Errorf("%d lines", n)
	}
	for _, want := range []string{"⇒ #1", "steps of several goroutines", "✗ write", "✗ read"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, &b)
		}
	}
}

// Locks are told as held only where they were taken and not released.
func TestLocksAfter(t *testing.T) {
	trace := script(t, `
		0 acquire 1 Mutex.Lock account.go:4
		0 acquire 2 Mutex.TryLock account.go:4
		0 acquire 3 Once.Do account.go:4
		1 release 1 Mutex.Unlock account.go:6
		1 acquire 2 Mutex.TryLock account.go:4
	`)
	trace[4].Took = false
	tl := newTimeline(InterleavingOptions{Trace: trace})
	for end, want := range []int{1, 2, 2, 1, 1} {
		if got := tl.locksAfter(end); len(got) != want {
			t.Errorf("after %d: %v, want %d", end, got, want)
		}
	}
}

func TestWidth(t *testing.T) {
	for _, tt := range []struct {
		text        string
		width       int
		right, left string // in five columns
	}{
		{"abc", 3, "abc", "abc"},
		{"abcdefg", 7, "abcd…", "…defg"},
		{"größe.x", 7, "größ…", "…ße.x"},
		{"仕事仕事", 8, "仕事…", "…仕事"},
		{"e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301", "e\u0301e\u0301e\u0301"},
	} {
		if got := width(tt.text); got != tt.width {
			t.Errorf("width(%q) = %d, want %d", tt.text, got, tt.width)
		}
		if got := clipRight(tt.text, 5); got != tt.right {
			t.Errorf("clipRight(%q) = %q, want %q", tt.text, got, tt.right)
		}
		if got := clipLeft(tt.text, 5); got != tt.left {
			t.Errorf("clipLeft(%q) = %q, want %q", tt.text, got, tt.left)
		}
	}
	if got := expandTabs("a\tbc\td"); got != "a   bc  d" {
		t.Errorf("expandTabs: %q", got)
	}
}
