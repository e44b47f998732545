package waits

import (
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/locks"
	"mendel/analysis/locks/order"
	"mendel/analysis/locks/program"
)

// unchanged is what each change of TestMore changes.
const unchanged = `package p

import "sync"

var (
	a, b, c sync.Mutex
	n       int
	done    = make(chan int)
)

type S struct {
	mu sync.Mutex
	n  int
}

func inner() { n++ }

func outer() { a.Lock(); inner(); a.Unlock() }

func inverse() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() }

func takesC() { c.Lock(); n++; c.Unlock() }

func move(s, to *S) { s.mu.Lock(); s.n--; s.mu.Unlock(); to.n++ }

func (s *S) add() { s.mu.Lock(); s.n++; s.mu.Unlock() }

func (s *S) hold() func() { s.mu.Lock(); return s.mu.Unlock }

func wait() { n++; <-done; a.Lock(); n++; a.Unlock() }

func waitsLocked() { a.Lock(); <-done; a.Unlock() }

func deferred(wg *sync.WaitGroup) { defer wg.Wait(); n++ }

func start(s *S) {
	go func() { inner(); s.n++ }()
	go named()
	go func() {
		n = 1
		for i := range 3 {
			n += i
		}
		n = 2
	}()
}

func named() { inner(); n++ }

func notStarted() { inner(); n++ }

func pair(s, to, via *S) { s.mu.Lock(); to.mu.Lock(); s.n--; to.n++; to.mu.Unlock(); s.mu.Unlock(); via.n++ }

func pairs(s, to, via *S) { pair(s, to, via); n++ }

func locker(l sync.Locker) { b.Lock(); n--; b.Unlock(); l.Lock(); n++; l.Unlock() }

type T struct {
	l    sync.Locker
	draw func() int
	last sync.Mutex
}

func (t *T) locker() { b.Lock(); n--; b.Unlock(); t.l.Lock(); n++; t.l.Unlock() }

func (t *T) set() { a.Lock(); n = t.draw(); a.Unlock(); t.keep() }

func (t *T) keep() { t.last.Lock(); n++; t.last.Unlock() }
`

// What holds locks longer, or more of them, is found where it leads to something: a ring of
// locks, a wait under one, a goroutine all of which runs under one.
func TestMore(t *testing.T) {
	p := analysistest.Source(t, unchanged)
	for _, tt := range []struct{ was, now, want string }{
		{"func inner() { n++ }", "func inner() { b.Lock(); n++; b.Unlock() }", "nests"}, // under a, in outer
		{"func inner() { n++ }", "func inner() { c.Lock(); n++; c.Unlock() }", ""},
		{"func inner() { n++ }", "func inner() { takesC() }", ""},
		{"func inner() { n++ }", "func inner() { inverse() }", "nests"}, // by what it calls
		{"func inverse() { b.Lock(); a.Lock()", "func inverse() { b.Lock(); takesC(); a.Lock()", ""},
		{"func takesC() { c.Lock(); n++", "func takesC() { c.Lock(); inverse()", ""},
		{"a.Lock(); inner(); a.Unlock()", "a.Lock(); inner(); a.Unlock(); if a.TryLock() { b.Lock(); b.Unlock(); a.Unlock() }", "nests"},
		{"a.Lock(); inner(); a.Unlock()", "a.Lock(); inner(); if a.TryLock() { b.Lock(); b.Unlock() }; a.Unlock()", ""}, // it cannot be had
		{"s.mu.Unlock(); to.n++", "to.mu.Lock(); to.n++; to.mu.Unlock(); s.mu.Unlock()", "nests"},                       // two values
		{"s.mu.Unlock(); to.n++", "to.add(); s.mu.Unlock()", "nests"},
		{"s.mu.Unlock(); to.n++", "s.mu.Unlock(); defer to.hold()()", ""},
		{"s.mu.Unlock(); to.n++", "s.mu.Unlock(); defer to.hold()(); s.add()", "nests"},
		{"n++; <-done;", "b.Lock(); n++; b.Unlock(); <-done;", ""},
		{"n++; <-done;", "b.Lock(); n++; <-done; b.Unlock();", "waits"},
		{"n++; <-done;", "n++; select { case <-done: default: };", ""},
		{"a.Lock(); <-done; a.Unlock()", "a.Lock(); select { case <-done: case n = <-done: }; a.Unlock()", ""}, // in its place
		{"a.Lock(); <-done; a.Unlock()", "a.Lock(); <-done; <-done; a.Unlock()", "waits"},
		{"a.Lock(); <-done; a.Unlock()", "defer a.Unlock(); a.Lock(); <-done", ""},
		{"{ defer wg.Wait(); n++ }", "{ a.Lock(); defer a.Unlock(); defer wg.Wait(); n++ }", "waits"},
		{"{ defer wg.Wait(); n++ }", "{ defer wg.Wait(); a.Lock(); defer a.Unlock(); n++ }", ""},
		{"{ defer wg.Wait(); n++ }", "{ defer wg.Wait(); a.Lock(); n++; a.Unlock() }", ""},
		{"go func() { inner(); s.n++ }()", "go func() { s.mu.Lock(); inner(); s.n++; s.mu.Unlock() }()", "serialises"},
		{"go func() { inner(); s.n++ }()", "go func() { inner(); s.mu.Lock(); s.n++; s.mu.Unlock() }()", ""},
		{"go func() { inner(); s.n++ }()", "defer func() { n++ }(); go func() { defer s.hold()(); inner(); s.n++ }()", "serialises"},
		{"for i := range 3 {\n\t\t\tn += i\n\t\t}", "b.Lock()\n\t\tfor i := range 3 {\n\t\t\tn += i\n\t\t}\n\t\tb.Unlock()", "serialises"},
		{"\t\t\tn += i\n", "\t\t\tb.Lock()\n\t\t\tn += i\n\t\t\tb.Unlock()\n", ""},
		{"func named() { inner(); n++ }", "func named() { c.Lock(); defer c.Unlock(); inner(); n++ }", "serialises"},
		{"func notStarted() { inner(); n++ }", "func notStarted() { c.Lock(); defer c.Unlock(); inner(); n++ }", ""},
		{"to.mu.Lock(); s.n--; to.n++;", "to.mu.Lock(); s.n--; to.n++; via.mu.Lock(); via.mu.Unlock();", "nests"}, // a third value
		{"to.mu.Lock(); s.n--; to.n++;", "to.mu.Lock(); s.n--; to.n++; n++;", ""},
		{"to.mu.Lock(); s.n--; to.n++;", "to.mu.Lock(); to.n++; to.mu.Unlock(); s.n--; to.mu.Lock();", ""}, // the same two
		{"s.mu.Lock(); to.mu.Lock(); s.n--;", "to.mu.Lock(); s.mu.Lock(); s.n--;", ""},
		{"s.mu.Lock(); to.mu.Lock(); s.n--; to.n++; to.mu.Unlock(); s.mu.Unlock();", // in the place of the two
			"one, two := s, to; if s.n > to.n { one, two = to, s }; one.mu.Lock(); two.mu.Lock(); s.n--; to.n++; two.mu.Unlock(); one.mu.Unlock();", ""},
		{"{ pair(s, to, via); n++ }", "{ via.mu.Lock(); pair(s, to, via); via.mu.Unlock(); n++ }", "nests"},
		{"b.Unlock(); l.Lock(); n++; l.Unlock()", "l.Lock(); n++; l.Unlock(); b.Unlock()", "nests"}, // it may be any
		{"n--; b.Unlock(); l.Lock(); n++; l.Unlock()", "n--; b.Unlock(); l.Lock(); n++; n++; l.Unlock()", ""},
		{"b.Unlock(); t.l.Lock(); n++; t.l.Unlock()", "t.l.Lock(); n++; t.l.Unlock(); b.Unlock()", ""},                                                     // known by its field
		{"a.Lock(); n = t.draw(); a.Unlock(); t.keep()", "t.last.Lock(); a.Lock(); n = t.draw(); a.Unlock(); n++; t.last.Unlock()", "nests"},               // draw may ask for last
		{"a.Lock(); n = t.draw(); a.Unlock(); t.keep()", "var own sync.Mutex; own.Lock(); a.Lock(); n = t.draw(); a.Unlock(); own.Unlock(); t.keep()", ""}, // nobody else has it
		{"a.Lock(); n = t.draw(); a.Unlock(); t.keep()", "a.Lock(); n = t.draw(); a.Unlock(); t.last.Lock(); n++; t.last.Unlock()", ""},
	} {
		if strings.Count(unchanged, tt.was) != 1 {
			t.Fatalf("%q is not in the unchanged once", tt.was)
		}
		if got := moreOf(t, p, strings.Replace(unchanged, tt.was, tt.now, 1)); got != tt.want {
			t.Errorf("%s: found %q, want %q", tt.now, got, tt.want)
		}
	}
}

// moreOf is what the model finds in a mutant of a unchanged of one file. What it finds from the
// functions that are changed is what it finds if it follows all of them.
func moreOf(t *testing.T, p *analysis.Program, source string) string {
	t.Helper()
	file := p.Packages[0].Files[0]
	fset, pkgs, err := p.Recheck(map[string][]byte{file.Name: []byte(source)})
	if err != nil {
		t.Fatal(err)
	}
	was := func(_ string, line int) int { // no line is put above what is not changed
		return line
	}
	ask := func(m *locks.Model) string {
		nests, err := order.NestsMore(m, t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for what, is := range map[string]bool{"nests": nests, "waits": WaitsMore(m), "serialises": Serialises(m, was)} {
			if is {
				found = append(found, what)
			}
		}
		slices.Sort(found)
		return strings.Join(found, " ")
	}
	got := ask(locks.New(p).With(fset, pkgs))
	all := ask(locks.New(p).WithChanges(fset, pkgs, func(*program.Program, *analysis.File, ast.Decl) bool { return true }))
	if got != all {
		t.Errorf("of what is changed %q, of all %q, in\n%s", got, all, source)
	}
	return got
}

// The archives of changes nest locks in many ways.
func TestMoreOfChanges(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "changes", "testdata", "changes", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	found := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		archive := txtar.Parse(text)
		p := analysistest.Source(t, string(archive.Files[0].Data))
		if got := moreOf(t, p, string(archive.Files[0].Data)); got != "" {
			t.Errorf("%s: nothing is changed, and found is %q", name, got)
		}
		for _, f := range archive.Files {
			if strings.HasSuffix(f.Name, "/p.go") && moreOf(t, p, string(f.Data)) != "" {
				found++
			}
		}
	}
	if found == 0 {
		t.Error("nothing is found in any archive")
	}
}
