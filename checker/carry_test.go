package checker

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mendel/analysis"
	"mendel/checker/sched/explore"
	"mendel/internal/sample"
)

// A stmt is a statement of a generated program: a header, and if braces are open, a body.
type stmt struct {
	header string
	body   []stmt
	nested bool
}

// simple and compound are the statements that generated programs are made of. They are
// in methods of the store of carried.
var (
	simple = []string{
		"s.x++", "s.x++", "s.y++", "s.mu.Lock()", "s.mu.Unlock()", "s.other.Lock()", "s.other.Unlock()", "defer s.mu.Unlock()",
		"s.m[s.y]++", "s.c <- s.y", "<-s.c", "s.n.Add(1)", "return", `panic("no")`, "last = s.x", "time.Sleep(time.Millisecond)", "s.step()", "s.note()", "if s.n.Load() > 2 { return }",
		"{ n := 0; go func() { n++; s.n.Add(int32(n)) }() }", "{ n := 0; func() { n++ }(); s.y = n }",
	}
	compound = []string{
		"if s.n.Load() > 0", "if last > 0", "for range 2", "go func()", "func()", "defer func()", "for i := range s.slice", "switch { default: if s.y > 0",
		"select { case s.c <- 1:; default:; case v := <-s.c: if v > 0",
		"select { case <-time.After(time.Second):; case v := <-s.c: if v > 0",
	}
)

func (s stmt) String() string {
	if !s.nested {
		return s.header
	}
	text := s.header + " {\n" + lines(s.body) + "}"
	if strings.Contains(s.header, "func()") {
		text += "()"
	}
	if strings.Contains(s.header, "i :=") {
		text = strings.Replace(text, "{", "{ _ = i", 1)
	}
	return text + strings.Repeat("}", strings.Count(s.header, "{"))
}

func lines(list []stmt) string {
	text := ""
	for _, s := range list {
		text += s.String() + "\n"
	}
	return text
}

func drawStmt(t *rapid.T, depth int) stmt {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "simple") > 0 {
		return stmt{header: rapid.SampledFrom(simple).Draw(t, "statement")}
	}
	s := stmt{header: rapid.SampledFrom(compound).Draw(t, "statement"), nested: true}
	for range rapid.IntRange(0, 3).Draw(t, "body") {
		s.body = append(s.body, drawStmt(t, depth-1))
	}
	return s
}

// edit returns a list with one statement inserted, deleted, replaced, or put into a
// section, here or inside one of the statements.
func edit(t *rapid.T, list []stmt) []stmt {
	list = append([]stmt(nil), list...)
	at := rapid.IntRange(0, len(list)).Draw(t, "at")
	if at < len(list) && list[at].nested && rapid.Bool().Draw(t, "inside") {
		list[at].body = edit(t, list[at].body)
		return list
	}
	before, after := list[:at:at], list[at:]
	how := rapid.IntRange(0, 3).Draw(t, "how")
	if len(after) == 0 || how == 0 {
		return append(append(before, drawStmt(t, 1)), after...)
	}
	switch how {
	case 1:
		return append(before, after[1:]...)
	case 2:
		return append(append(before, drawStmt(t, 1)), after[1:]...)
	}
	return append(append(before, stmt{header: "s.mu.Lock()"}, after[0], stmt{header: "s.mu.Unlock()"}), after[1:]...)
}

// A family is a program and others that were made of it by edits, each of one before it.
type family struct {
	programs [][4][]stmt
	parents  []int
}

var families = rapid.Custom(func(t *rapid.T) family {
	var first [4][]stmt
	for i := range first {
		for range rapid.IntRange(1, 4).Draw(t, "statements") {
			first[i] = append(first[i], drawStmt(t, 2))
		}
	}
	f := family{programs: [][4][]stmt{first}, parents: []int{0}}
	for len(f.programs) < 24 {
		parent := rapid.IntRange(0, len(f.programs)-1).Draw(t, "parent")
		p := f.programs[parent]
		at := rapid.IntRange(0, len(p)-1).Draw(t, "function")
		p[at] = edit(t, p[at])
		f.programs, f.parents = append(f.programs, p), append(f.parents, parent)
	}
	return f
})

// carried is the file of a generated program.
func carried(p [4][]stmt) string {
	return fmt.Sprintf(`package gen

import (
	"sync"
	"sync/atomic"
	"time"
)

const long = time.Hour

type store struct {
	mu, other sync.Mutex
	x, y      int
	n         atomic.Int32
	m         map[int]int
	c         chan int
	slice     []int
}

var last int

func (s *store) put() {
%s}

func (s *store) get() {
%s}

func (s *store) step() {
%s}

func (s *store) note() {
%s}
`, lines(p[0]), lines(p[1]), lines(noCalls(p[2])), lines(noCalls(p[3])))
}

// noCalls replaces calls of step and note, which would recur.
func noCalls(list []stmt) (all []stmt) {
	for _, s := range list {
		if s.header == "s.step()" || s.header == "s.note()" {
			s.header = "s.x--"
		}
		s.body = noCalls(s.body)
		all = append(all, s)
	}
	return all
}

const carriedTests = `package gen

import (
	"sync"
	"testing"
)

func newStore() *store { return &store{m: map[int]int{}, c: make(chan int, 2), slice: []int{1, 2}} }

func TestBoth(t *testing.T) {
	s := newStore()
	var wg sync.WaitGroup
	for _, f := range []func(){s.put, s.get} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
	wg.Wait()
	if s.x > 4 {
		t.Error("too many")
	}
}

func TestPut(t *testing.T) {
	s := newStore()
	done := make(chan bool)
	go func() {
		s.put()
		close(done)
	}()
	s.mu.Lock()
	s.mu.Unlock()
	<-done
}
`

// A program that is checked after others has the report that it has by itself.
func TestCarriedIsFromScratch(t *testing.T) {
	seeds := sample.Count(1, 3)
	if testing.Short() {
		seeds = 1
	}
	made, taken := 0, 0
	for seed := range seeds {
		f := families.Example(seed)
		dir := module(t, map[string]string{"gen.go": carried(f.programs[0]), "gen_test.go": carriedTests})
		c := load(t, dir, analysis.Target{}, Config{Incremental: true})
		var sets []map[string][]byte
		for _, p := range f.programs {
			sets = append(sets, map[string][]byte{filepath.Join(c.c.Program.Module, "gen.go"): []byte(carried(p))})
		}
		built, err := c.BuildAll(t.Context(), sets)
		if err != nil {
			t.Fatal(err)
		}
		reports := make([]*Report, len(built))
		for i, b := range built {
			if b.Err != nil {
				continue // unused, or unreachable results: it does not compile
			}
			s := Search{Schedules: 150, Sample: 30, Seed: 7, Steps: 2000}
			if parent := reports[f.parents[i]]; parent != nil {
				for _, failure := range parent.Failures {
					s.First = append(s.First, failure.Schedule)
				}
			}
			reports[i] = mustCheck(t, b.Binary, s)
			made, taken = made+reports[i].Schedules, taken+reports[i].Carried
			known := c.memory
			c.memory, c.c.Incremental = &memory{}, false
			scratch := mustCheck(t, b.Binary, s)
			c.memory, c.c.Incremental = known, true
			if scratch.Carried > 0 {
				t.Errorf("program %d of seed %d: %d schedules taken over from nothing", i, seed, scratch.Carried)
			}
			if diff := cmp.Diff(comparable(t, scratch), comparable(t, reports[i])); diff != "" {
				t.Errorf("program %d of seed %d: -from scratch +carried:\n%s\n%s", i, seed, diff, sets[i][filepath.Join(c.c.Program.Module, "gen.go")])
			}
			if err := b.Binary.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	t.Logf("%d of %d schedules were taken over", taken, made)
	if taken*10 < made {
		t.Errorf("%d of %d schedules were taken over: too few to tell anything", taken, made)
	}
}

// comparable is a report without what it may differ by.
func comparable(t *testing.T, r *Report) string {
	t.Helper()
	told := *r
	told.Seconds, told.Carried, told.Repeated, told.Processes = 0, 0, 0, 0
	text, err := json.MarshalIndent(told, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The result of a test rests on the schedules that were taken over for it, too.
func TestSettledOnWhatWasTakenOver(t *testing.T) {
	dir := module(t, map[string]string{"gen.go": `package gen

import "sync/atomic"

type store struct{ n atomic.Int32 }

func (s *store) get() {
	if s.n.Load() > 0 {
		s.hit()
	}
}

func (s *store) hit() { s.n.Add(1) }

func unused() { println(1) }
`, "gen_test.go": `package gen

import "testing"

func TestHit(t *testing.T) {
	s, done := &store{}, make(chan bool, 1)
	go func() {
		s.n.Add(1)
		done <- true
	}()
	s.get()
	<-done
}
`})
	c := load(t, dir, analysis.Target{}, Config{Incremental: true})
	checked := func(schedules int, changes ...change) *Report {
		t.Helper()
		b, err := c.Build(t.Context(), mutant(t, c, changes...))
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		return mustCheck(t, b, Search{Schedules: schedules, Sample: 30, Seed: 7})
	}
	checked(40)
	other := change{"gen.go", "println(1)", "println(2)"}
	if r := checked(32, other); r.Carried < 30 || r.Verdict == explore.Failed {
		t.Errorf("%v, %d taken over", r, r.Carried)
	}
	if r := checked(32, change{"gen.go", "s.n.Add(1) }", `panic("hit") }`}); r.Verdict != explore.Failed {
		t.Errorf("%v with a panic", r)
	}
	if r := checked(32, other, change{"gen.go", "type store struct", "type unrelated int\n\ntype store struct"}); r.Carried > 0 {
		t.Errorf("%d taken over by a program with other types", r.Carried)
	}
}
