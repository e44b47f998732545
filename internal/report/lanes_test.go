package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker/sched"
	"mendel/internal/dossier"
)

// lanesOf are the options for the execution that a table is made of.
func lanesOf(o InterleavingOptions) LanesOptions {
	return LanesOptions{
		Test: "TestTransfer", Kind: o.Kind, Goroutines: o.Goroutines, Trace: o.Trace, Places: o.Places, Source: o.Source,
		Name: func(file string) string { return path.Base(file) },
	}
}

// drawn writes a trace down for golden files.
func drawn(t *dossier.Trace) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s %v, %d hidden\n", t.Test, strings.Join(t.Goroutines, " | "), t.IDs, t.Hidden)
	for i, r := range t.Rows {
		fmt.Fprintf(&b, "%3d  %d %-8s %s:%d  <%s>  %s", i, r.G, cmp.Or(string(r.Mark), "-"), r.File, r.Line, r.Op, r.Text)
		if r.Starts > 0 {
			fmt.Fprintf(&b, "  starts %d", r.Starts)
		}
		if r.Folded > 0 {
			fmt.Fprintf(&b, "  +%d", r.Folded)
		}
		b.WriteByte('\n')
	}
	for _, bar := range t.Bars {
		how := ""
		if bar.Read {
			how = " for reading"
		}
		fmt.Fprintf(&b, "%d holds %s%s: %d to %d\n", bar.G, bar.Lock, how, bar.From, bar.To)
	}
	fmt.Fprintf(&b, "conflict %v, failed %v: %s\n", t.Conflict, t.Failed, t.Ending)
	return b.String()
}

// locking has what there is of locks: readers, tries, two on a line, one that
// another goroutine releases, one held to the end.
func locking(t *testing.T) LanesOptions {
	source := `package p

func (s *Store) Read() {
	s.mu.RLock(); s.index.RLock()
	if s.flush.TryLock() {
		s.n++
		s.flush.Unlock()
	}
	s.index.RUnlock()
	s.mu.RUnlock()
}

func (s *Store) Write() {
	s.mu.Lock()
	s.ch <- s.n
	embedded.Lock()
	mu().Lock()
}
`
	trace := script(t, `
		0 start - start -
		0 go - go store.go:2
		0 racquire 1 RWMutex.RLock store.go:4
		0 racquire 2 RWMutex.RLock store.go:4
		1 start - start -
		1 arrive 1 RWMutex.Lock store.go:14
		0 acquire 3 Mutex.TryLock store.go:5
		0 release 3 Mutex.Unlock store.go:7
		0 acquire 3 Mutex.TryLock store.go:5
		0 rrelease 2 RWMutex.RUnlock store.go:9
		0 rrelease 1 RWMutex.RUnlock store.go:10
		1 acquire 1 RWMutex.Lock store.go:14
		1 send 9 channel_send store.go:15
		0 recv 9 channel_receive store.go:15
		1 acquire 4 Mutex.Lock store.go:16
		1 acquire 5 Mutex.Lock store.go:99
		0 release 5 Mutex.Unlock store.go:99
		0 yield - yield store.go:6
		1 exit - exit -
		0 exit - exit -
	`)
	for i := range trace {
		trace[i].Took = trace[i].Took || trace[i].Kind == sched.KindRAcquire
	}
	trace[8].Took = false
	trace[12].With, trace[13].With = 0, 1
	return LanesOptions{
		Test: "TestStore", Goroutines: []string{"main", "store.go:2#1"}, Trace: trace,
		Source: func(string) []byte { return []byte(source) },
	}
}

func TestLanesGolden(t *testing.T) {
	blocked := lanesOf(deadlock(t))
	blocked.Places[1].Obj, blocked.Places[2].Obj = 3, 2
	failed := lanesOf(testFailure(t))
	failed.Message = "TestTransfer: account_test.go:7: lost\nmore"
	passed := lanesOf(race(t))
	passed.Kind, passed.Places, passed.Trace = "", nil, script(t, `
		0 start - start -
		0 go - go account_test.go:5
		1 start - start -
		1 acquire 2 Mutex.Lock account.go:10
		1 release 2 Mutex.Unlock account.go:13
		1 exit - exit -
		0 wait - WaitGroup.Wait account_test.go:7
		0 exit - exit -
	`)
	passed.Accesses = []sched.Place{
		stop(t, "account_test.go:5#1", "write", "account.go:12", 3),
		stop(t, "account_test.go:5#1", "read", "account.go:5", 99), // of no step
		stop(t, "main", "write", "account.go:12", 3),               // nor of this goroutine
	}
	for name, o := range map[string]LanesOptions{
		"race": lanesOf(race(t)), "deadlock": blocked, "blocked": lanesOf(queue(t, 3)), "panic": lanesOf(long(t)),
		"testfailure": failed, "locking": locking(t), "passed": passed, "twelve": lanesOf(queue(t, 12)),
	} {
		t.Run(name, func(t *testing.T) { golden(t, "lanes-"+name, drawn(Lanes(o))) })
	}
}

// Whatever an execution looks like, what comes of it can be written and read.
func TestLanesAwkward(t *testing.T) {
	noNames, noSource, badStep := lanesOf(race(t)), lanesOf(race(t)), lanesOf(race(t))
	noNames.Goroutines, noSource.Source = nil, nil
	badStep.Places[0].Step, badStep.Places[1].Step = 99, -1
	stranger := lanesOf(deadlock(t))
	stranger.Places[1].Goroutine = "nobody"
	noParse := lanesOf(race(t))
	noParse.Source = func(string) []byte { return []byte("package p\nfunc {") }
	loose := lanesOf(race(t))
	loose.Trace = script(t, "1 release 7 Mutex.Unlock account.go:6\n1 rrelease 8 RWMutex.RUnlock -\n3 arrive 8 RWMutex.Lock -\n3 acquire 8 Cond.Wait -\n")
	loose.Like = []int{-1, 3, 77}
	crowd := lanesOf(queue(t, 40))
	for name, o := range map[string]LanesOptions{
		"no names": noNames, "no source": noSource, "bad step": badStep, "stranger": stranger,
		"no syntax": noParse, "loose": loose, "crowd": crowd,
	} {
		t.Run(name, func(t *testing.T) {
			trace := Lanes(o)
			dir := t.TempDir()
			if err := dossier.Write(dir, &dossier.Dossier{Failures: []dossier.FailureRecord{{Trace: trace}}}); err != nil {
				t.Fatal(err)
			}
			if _, err := dossier.Read(dir); err != nil {
				t.Errorf("%v\n%s", err, drawn(trace))
			}
			if trace.Goroutines[0] != "main" && name != "no names" {
				t.Errorf("first column %s, want main", trace.Goroutines[0])
			}
			if n := len(trace.Goroutines); n > mostLanes {
				t.Errorf("%d columns", n)
			}
		})
	}
	if Lanes(LanesOptions{}) != nil {
		t.Error("a trace of nothing")
	}
}

// A section that is folded has no bar, one that goes on after it has.
func TestLanesFolded(t *testing.T) {
	var text strings.Builder
	text.WriteString("0 start - start -\n0 go - go queue.go:5\n0 acquire 5 Mutex.Lock account.go:4\n")
	for i := range 50 {
		fmt.Fprintf(&text, "0 acquire 3 Mutex.Lock account.go:%d\n0 release 3 Mutex.Unlock account.go:%d\n", 4+6*(i%2), 6+7*(i%2))
	}
	text.WriteString("0 release 5 Mutex.Unlock account.go:6\n1 start - start -\n1 send 9 send queue.go:5\n0 recv 9 receive queue.go:8\n")
	trace := Lanes(LanesOptions{Goroutines: []string{"main", "queue.go:5#1"}, Trace: script(t, text.String()), Source: interleavingSource})
	folded := 0
	for _, r := range trace.Rows {
		folded += r.Folded
	}
	long := slices.ContainsFunc(trace.Bars, func(b dossier.Bar) bool { return trace.Rows[b.To].Folded == 0 && b.To > b.From+1 })
	keep := LanesOptions{Goroutines: []string{"main", "queue.go:5#1"}, Trace: script(t, text.String())}
	keep.Keep = func(file string, line int) bool { return line == 10 } // every other lock
	kept := 0
	for _, r := range Lanes(keep).Rows {
		if r.Line == 10 {
			kept++
		}
	}
	if kept != 2*keptOfLines {
		t.Errorf("%d steps on a line are kept, want %d", kept, 2*keptOfLines)
	}
	if folded < 80 || len(trace.Bars) > 4 || !long {
		t.Errorf("%d folded, bars %v:\n%s", folded, trace.Bars, drawn(trace))
	}
}

// A lock that the source calls by several names has what they end in.
func TestLockNames(t *testing.T) {
	source := func(string) []byte {
		return []byte("package p\nfunc f() {\na.mu.Lock()\nto.mu.Lock()\nc.Lock()\na.mu.Lock(); to.mu.Lock()\n}\n")
	}
	for _, tt := range []struct {
		events string
		want   map[int32]string
	}{
		{"3:1 3:1 5:2", map[int32]string{1: "a.mu", 2: "c"}},
		{"3:1 3:2", map[int32]string{1: "mu #1", 2: "mu #2"}},
		{"3:1 4:2 3:2 4:1", map[int32]string{1: "mu #1", 2: "mu #2"}},
		{"6:1 6:2 5:3", map[int32]string{1: "a.mu", 2: "to.mu", 3: "c"}},
		{"9:1 5:2", map[int32]string{1: "Mutex of p.go:9", 2: "c", 7: "a lock"}},
	} {
		var text strings.Builder
		for _, e := range strings.Fields(tt.events) {
			line, obj, _ := strings.Cut(e, ":")
			fmt.Fprintf(&text, "0 acquire %s Mutex.Lock p.go:%s\n", obj, line)
		}
		n := newLockNames(newTimeline(InterleavingOptions{Trace: script(t, text.String())}), source)
		for obj, want := range tt.want {
			if got := n.of(obj); got != want {
				t.Errorf("%s: lock %d is %q, want %q", tt.events, obj, got, want)
			}
		}
	}
}

// The accesses of a race are told with what they are to, where the source shows it.
func TestLanesVariable(t *testing.T) {
	source := func(string) []byte {
		return []byte("package p\nfunc f() {\ns.n, err = 1, nil\nm[k] = v\nif total := t.m[k]; total > 0 {\n}\nx.n++\nuse(y.n)\n}\n")
	}
	for _, tt := range []struct {
		write, read int
		wantWrite   string
		wantRead    string
	}{
		{7, 8, "x.n", "y.n"}, {4, 5, "m[k]", "t.m"}, {3, 8, "", ""}, {7, 4, "x.n", ""}, {99, 99, "", ""},
	} {
		n := newLockNames(newTimeline(InterleavingOptions{}), source)
		places := []sched.Place{{What: "write", File: "p.go", Line: tt.write}, {What: "read", File: "p.go", Line: tt.read}}
		for i, want := range []string{tt.wantWrite, tt.wantRead} {
			if got := n.variable(places, places[i]); got != want {
				t.Errorf("lines %d and %d: %s of %q, want %q", tt.write, tt.read, places[i].What, got, want)
			}
		}
	}
}

func TestLanesEnding(t *testing.T) {
	for kind, want := range map[evidence.Kind]string{
		"": "every goroutine is done", evidence.Timeout: "it does not end",
		evidence.Panic: "panic: boom", evidence.Race: "data race: nothing orders the two accesses",
	} {
		o := lanesOf(race(t))
		o.Kind, o.Message = kind, "panic: boom\n\tat x"
		if got := Lanes(o).Ending; got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
}
