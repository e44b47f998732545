package analysis

import (
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/analysis/evidence"
)

// ledger is a program in which nothing is found statically: its goroutines are
// started by a package that is not examined.
const ledger = `
-- go.mod --
module example.com/ledger

go 1.24
-- ledger.go --
package ledger

import "sync"

type Account struct {
	mu     sync.Mutex
	owner  string
	amount int
}

func (a *Account) Transfer(to *Account, n int) {
	a.mu.Lock()
	a.amount -= n
	a.mu.Unlock()
	to.amount += n
}

func (a *Account) Amount() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.amount
}

func serve(from, to *Account) {
	from.Transfer(to, 1)
}

func unrelated(a *Account) string {
	return a.owner
}
`

const ledgerRace = `==================
WARNING: DATA RACE
Read at 0x00c000018108 by goroutine 10:
  example.com/ledger.(*Account).Amount()
      DIR/ledger.go:21 +0x8b

Previous write at 0x00c000018108 by goroutine 9:
  example.com/ledger.(*Account).Transfer()
      DIR/ledger.go:15 +0xa7
  example.com/ledger.serve()
      DIR/ledger.go:25 +0xb1
  example.com/elsewhere.Run()
      /somewhere/elsewhere.go:7 +0xb1

Goroutine 10 (running) created at:
  testing.(*T).Run.gowrap1()
      /usr/local/go/src/testing/testing.go:2101 +0x38

Goroutine 9 (finished) created at:
  testing.(*T).Run.gowrap1()
      /usr/local/go/src/testing/testing.go:2101 +0x38
==================
`

func TestMergeRace(t *testing.T) {
	for name, dir := range map[string]string{"same machine": "", "another machine": "/home/gopher/ledger", "trimpath": "example.com/ledger"} {
		t.Run(name, func(t *testing.T) {
			p := loadText(t, ledger)
			n := narrow(t, p)
			if got := found(n); len(got) > 0 {
				t.Fatalf("statically found: %v", got)
			}
			if dir == "" {
				dir = p.Module
			}
			failures := evidence.Parse([]byte(strings.ReplaceAll(ledgerRace, "DIR", dir)))
			if len(failures) != 1 {
				t.Fatalf("the report is not recognised: %+v", failures)
			}
			if added := n.Merge(Given, failures...); added != 5 {
				t.Errorf("%d findings are new, want 5", added)
			}
			if added := n.Merge(Dynamic, failures...); added != 0 {
				t.Errorf("%d findings are new the second time", added)
			}
			want := []string{
				"ledger.go:11: func (*Account).Transfer",
				"ledger.go:18: func (*Account).Amount",
				"ledger.go:24: func serve",
				"ledger.go:5: type Account",
				"ledger.go:8: var Account.amount",
			}
			if diff := cmp.Diff(want, found(n)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			_, _, variables := n.Findings()
			var sources []Source
			for _, r := range variables[0].Reasons {
				sources = append(sources, r.Source)
			}
			if diff := cmp.Diff([]Source{Given, Dynamic}, sources); diff != "" {
				t.Errorf("sources of Account.amount (-want +got):\n%s", diff)
			}
			checkHeat(t, n)
		})
	}
}

// checkHeat checks the order of the lines, not the degrees.
func checkHeat(t *testing.T, n *Narrowing) {
	t.Helper()
	steps := [][]int{
		{15, 21},         // named innermost
		{13},             // the same variable in the same function
		{11, 12, 14, 19}, // the same functions
		{25},             // the caller
		{24, 26},         // its function
		{1, 5, 8, 28, 29},
	}
	last := 2.0
	for i, lines := range steps {
		first := n.Heat("ledger.go", lines[0])
		for _, line := range lines {
			heat := n.Heat("ledger.go", line)
			if heat != first {
				t.Errorf("line %d has heat %v, line %d of the same step %v", line, heat, lines[0], first)
			}
		}
		if first >= last {
			t.Errorf("step %d has heat %v, not less than %v", i, first, last)
		}
		last = first
	}
	if hot, cold := n.Heat(filepath.Join(n.p.Module, "ledger.go"), 15), n.Heat("ledger.go", 29); hot != 1 || cold != 0 {
		t.Errorf("heat is %v at the race and %v far from it, want 1 and 0", hot, cold)
	}
	if n.Heat("nowhere.go", 1) != 0 || n.Heat("ledger.go", 1000) != 0 {
		t.Error("places that do not exist are warm")
	}
}

// A write is about what is changed on its line, not about what leads there.
func TestMergeWrites(t *testing.T) {
	const list = `
-- go.mod --
module example.com/list

go 1.24
-- list.go --
package list

type node struct{ next *node }

type Cursor struct{ at *node }

func (c *Cursor) Insert(n *node) {
	c.at.next = n
}

func (c *Cursor) Advance() {
	c.at = c.at.next
}
`
	const report = `==================
WARNING: DATA RACE
Write at 0x00c000018108 by goroutine 10:
  example.com/list.(*Cursor).Insert()
      DIR/list.go:8 +0x8b

Previous read at 0x00c000018108 by goroutine 9:
  example.com/list.(*Cursor).Advance()
      DIR/list.go:12 +0xa7
==================
`
	p := loadText(t, list)
	n := narrow(t, p)
	if _, known := n.Races(nil); known {
		t.Error("a race is known before any is reported")
	}
	n.Merge(Given, evidence.Parse([]byte(strings.ReplaceAll(report, "DIR", p.Module)))...)
	_, _, variables := n.Findings()
	if len(variables) != 1 || variables[0].Name != "node.next" {
		t.Errorf("variables %v, want node.next", variables)
	}
	if races, known := n.Races(variables[0].Object.(*types.Var)); !races || !known {
		t.Error("the race is not known to be about node.next")
	}
}

// A value is copied while its own lock is released: the race detector names the line of a
// caller, since the method is on its way out. What that line uses is not what races.
func TestMergeLockIsCopied(t *testing.T) {
	const meter = `
-- go.mod --
module example.com/meter

go 1.24
-- meter.go --
package meter

import "sync"

type Gauge struct {
	mu    sync.Mutex
	value int
}

func (g *Gauge) Set(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.value = n
}

type Meter struct {
	last  int
	gauge *Gauge
}

func (m *Meter) Note(n int) {
	m.gauge.Set(m.last + n)
}

func (m *Meter) Copy() Gauge {
	return *m.gauge
}
`
	const report = `==================
WARNING: DATA RACE
Read at 0x00c000018108 by goroutine 10:
  example.com/meter.(*Meter).Copy()
      DIR/meter.go:26 +0x8b

Previous write at 0x00c000018108 by goroutine 9:
  sync/atomic.AddInt32()
      /usr/local/go/src/runtime/race_amd64.s:281 +0xb
  sync/atomic.AddInt32()
      <autogenerated>:1 +0x14
  runtime.deferreturn()
      /usr/local/go/src/runtime/panic.go:668 +0x5d
  example.com/meter.(*Meter).Note()
      DIR/meter.go:22 +0xb1
==================
`
	p := loadText(t, meter)
	n := narrow(t, p)
	n.Merge(Given, evidence.Parse([]byte(strings.ReplaceAll(report, "DIR", p.Module)))...)
	_, _, variables := n.Findings()
	for _, v := range variables {
		if v.Name == "Meter.last" {
			t.Errorf("%s is said to race: %v", v.Name, v.Reasons)
		}
	}
	if copied, released := n.Heat("meter.go", 26), n.Heat("meter.go", 22); copied <= released {
		t.Errorf("the line of the copy has heat %v, that of the call %v", copied, released)
	}
}

// shelf is a program in which a method of a field's type races.
const shelf = `
-- go.mod --
module example.com/shelf

go 1.24
-- shelf.go --
package shelf

import "sync"

type List struct{ names []string }

func (l *List) Push(name string) {
	l.names = append(l.names, name)
}

func (l *List) Peek() string {
	last := l.names[len(l.names)-1]
	return last
}

type Shelf struct {
	mu   sync.Mutex
	size int
	list List
}

func (s *Shelf) Put(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list.Push(name)
}

func (s *Shelf) Top() string {
	return s.list.Peek()
}

func (s *Shelf) Size() int {
	return s.size
}
`

func TestMergeOwner(t *testing.T) {
	p := loadText(t, shelf)
	n := narrow(t, p)
	file := filepath.Join(p.Module, "shelf.go")
	frame := func(fn string, line int) evidence.Frame {
		return evidence.Frame{Func: "example.com/shelf." + fn, File: file, Line: line}
	}
	n.Merge(Given, evidence.Failure{Kind: evidence.Race, Stacks: []evidence.Stack{
		{Role: "write", Frames: []evidence.Frame{frame("(*List).Push", 8), frame("(*Shelf).Put", 25)}},
		{Role: "previous read", Frames: []evidence.Frame{frame("(*List).Peek", 12), frame("(*Shelf).Top", 29)}},
	}})
	if names := strings.Join(found(n), "\n"); !strings.Contains(names, "var Shelf.list") || strings.Contains(names, "var Shelf.size") {
		t.Errorf("found\n%s", names)
	}
	for _, line := range []int{25, 29} {
		if heat := n.Heat(file, line); heat != heatOwner {
			t.Errorf("line %d has heat %v, want %v", line, heat, heatOwner)
		}
	}
}

func TestMergeDeadlock(t *testing.T) {
	p := loadText(t, `
-- go.mod --
module example.com/files

go 1.24
-- files.go --
package files

import "sync"

type File struct {
	mu   sync.Mutex
	data []byte
}

func Copy(from, to *File) {
	from.mu.Lock()
	to.mu.Lock()
	to.data = from.data
	to.mu.Unlock()
	from.mu.Unlock()
}

func (f *File) Size() int {
	f.mu.Lock()
	n := len(f.data)
	f.mu.Unlock()
	return n
}

var wg sync.WaitGroup

func Both(a, b *File) {
	run(func() { Copy(a, b) })
	wg.Wait()
}

var run func(func())
`)
	n := narrow(t, p)
	frames := func(line int) []evidence.Frame {
		return []evidence.Frame{
			{Func: "sync.(*Mutex).Lock", File: "/usr/local/go/src/sync/mutex.go", Line: 46},
			{Func: "example.com/files.Copy", File: "/x/files.go", Line: line},
			{Func: "example.com/files.Both.func1", File: "/x/files.go", Line: 28},
		}
	}
	n.Merge(Dump, evidence.Failure{
		Kind:    evidence.Deadlock,
		Message: "deadlock",
		Stacks: []evidence.Stack{
			{Role: "blocked: sync.Mutex.Lock", Frames: frames(12)},
			{Role: "blocked: sync.WaitGroup.Wait", Frames: []evidence.Frame{{Func: "example.com/files.Both", File: "/x/files.go", Line: 29}}},
		},
	})
	want := []string{
		"files.go:10: func Copy",
		"files.go:27: func Both",
		"files.go:28: func Both.func1",
		"files.go:5: type File",
	}
	if diff := cmp.Diff(want, found(n)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	heat := func(line int) float64 { return n.Heat("files.go", line) }
	for _, pair := range [][2]int{{12, 11}, {11, 13}, {19, 20}, {12, 29}, {13, 20}, {29, 33}} {
		if heat(pair[0]) <= heat(pair[1]) {
			t.Errorf("line %d (%v) is not warmer than line %d (%v)", pair[0], heat(pair[0]), pair[1], heat(pair[1]))
		}
	}
	if heat(12) != 1 {
		t.Errorf("the line blocked at has heat %v", heat(12))
	}
	if at, beside := n.Waits("files.go", 12), n.Waits("files.go", 11); at != "sync.Mutex.Lock" || beside != "" {
		t.Errorf("waited for on line 12: %q, on line 11: %q", at, beside)
	}
}

// A test's own message warms the place but makes nothing shared.
func TestMergeTestFailure(t *testing.T) {
	p := loadText(t, ledger)
	n := narrow(t, p)
	n.Merge(Dynamic, evidence.Failure{
		Kind:   evidence.TestFailure,
		Stacks: []evidence.Stack{{Role: "test", Frames: []evidence.Frame{{Func: "example.com/ledger.(*Account).Amount", File: "ledger.go", Line: 21}}}},
	})
	if diff := cmp.Diff([]string{"ledger.go:18: func (*Account).Amount"}, found(n)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if heat := n.Heat("ledger.go", 21); heat <= 0 || heat >= 1 {
		t.Errorf("heat is %v, want some", heat)
	}
}

// Reports of other programs, and such with impossible lines, add nothing.
func TestMergeForeign(t *testing.T) {
	p := loadText(t, ledger)
	n := narrow(t, p)
	real, err := os.ReadFile(filepath.Join("evidence", "testdata", "real", "race.txt"))
	if err != nil {
		t.Fatal(err)
	}
	failures := evidence.Parse(real)
	failures = append(failures, evidence.Failure{
		Kind: evidence.Race,
		Stacks: []evidence.Stack{
			{Role: "write", Frames: []evidence.Frame{{Func: "x", File: "ledger.go", Line: 4000}, {Func: "x", File: "ledger.go", Line: -1}, {}}},
			{Role: "read"},
		},
	})
	if added := n.Merge(Given, failures...); added != 0 || len(found(n)) != 0 {
		t.Errorf("%d new findings: %v", added, found(n))
	}
}

// Evidence comes in while the narrowing is used.
func TestMergeConcurrently(t *testing.T) {
	p := loadText(t, ledger)
	n := narrow(t, p)
	f := p.File("ledger.go")
	failures := evidence.Parse([]byte(strings.ReplaceAll(ledgerRace, "DIR", p.Module)))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { n.Merge(Dynamic, failures...) })
		wg.Go(func() {
			for line := range 30 {
				n.Heat("ledger.go", line)
			}
			n.Accesses(f, f.AST)
			n.Findings()
			n.Shared(nil)
			n.Concurrent(f.AST)
		})
	}
	wg.Wait()
	if got := len(found(n)); got != 5 {
		t.Errorf("%d findings, want 5", got)
	}
}

// Narrowing and merging twice gives the same text.
func TestTableIsStable(t *testing.T) {
	a := archives(t, "narrow")["account"]
	dir := extract(t, a)
	var tables []string
	for range 2 {
		var b strings.Builder
		if err := narrow(t, load(t, dir, ".")).Table(&b); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, b.String())
	}
	if diff := cmp.Diff(tables[0], tables[1]); diff != "" {
		t.Errorf("two tables differ:\n%s", diff)
	}
	want := `             before  after  in tests
      types       2      1         0
  functions       5      2         1
  variables      15      2         0

type Account (bank.go:5)
`
	if got := tables[0][:min(len(want), len(tables[0]))]; got != want {
		t.Errorf("the table begins\n%swant\n%s", got, want)
	}
	if !strings.Contains(tables[0], "variable Account.amount (bank.go:8)\n    static: written in (*Account).Transfer (bank.go:23); read in (*Account).Amount (bank.go:32); by ") {
		t.Errorf("no reason for Account.amount in\n%s", tables[0])
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, fmt.Errorf("full") }

func TestTableError(t *testing.T) {
	n := narrow(t, loadText(t, ledger))
	if err := n.Table(failingWriter{}); err == nil {
		t.Error("a writer's error is lost")
	}
}

// TestMergeWrapper: a frame of the method that the compiler makes to call one
// with a value for a receiver through a pointer stands for that method.
func TestMergeWrapper(t *testing.T) {
	p := loadText(t, `
-- go.mod --
module example.com/ledger

go 1.24
-- ledger.go --
package ledger

type Account struct{ amount int }

func (a Account) Amount() int { return a.amount }
`)
	n, err := Narrow(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	frame := evidence.Frame{Func: "example.com/ledger.(*Account).Amount", File: "<autogenerated>", Line: 1}
	n.Merge(Dynamic, evidence.Failure{Kind: evidence.Race, Stacks: []evidence.Stack{{Role: "read", Frames: []evidence.Frame{frame}}}})
	if got := n.Heat("ledger.go", 5); got != heatLine {
		t.Errorf("the method has heat %v, want %v", got, heatLine)
	}
}

// TestMergeInlined: a function that returns a struct is near the evidence when a
// race is put down to a line that calls it.
func TestMergeInlined(t *testing.T) {
	p := loadText(t, `
-- go.mod --
module example.com/ledger

go 1.24
-- ledger.go --
package ledger

type Counts struct{ n int }

type Breaker struct{ counts Counts }

func (b *Breaker) Counts() Counts { return b.counts }

func (b *Breaker) Name() string { return "" }

func use(b *Breaker) {
	if b.Counts().n > 1 && b.Name() != "" {
		println()
	}
}
`)
	n, err := Narrow(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	frame := evidence.Frame{Func: "example.com/ledger.use", File: p.File("ledger.go").Name, Line: 12}
	n.Merge(Dynamic, evidence.Failure{Kind: evidence.Race, Stacks: []evidence.Stack{{Role: "read", Frames: []evidence.Frame{frame}}}})
	if got := n.Heat("ledger.go", 7); got != heatSame {
		t.Errorf("what returns the struct has heat %v, want %v", got, heatSame)
	}
	if counts := p.Packages[0].Types.Scope().Lookup("Breaker").Type().Underlying().(*types.Struct).Field(0); !n.Shared(counts) {
		t.Error("the struct that is returned is not shared")
	}
	if got := n.Heat("ledger.go", 9); got != 0 {
		t.Errorf("what returns a string has heat %v, want 0", got)
	}
}

// A suspect warms its line and the uses of its variables, in its degree, and adds its
// function; the variables are found only by what fails.
func TestSuspect(t *testing.T) {
	p := loadText(t, ledger)
	n := narrow(t, p)
	_, _, before := n.Findings()
	added := n.Suspect(Suspect{File: "ledger.go", Line: 15, Degree: 0.5, Says: "is overwritten"}, Suspect{File: "gone.go", Line: 3, Degree: 1})
	_, functions, variables := n.Findings()
	if added != 1 || len(functions) != 1 || functions[0].Name != "(*Account).Transfer" || len(variables) != len(before) {
		t.Errorf("added %d; functions %v, variables %v", added, functions, variables)
	}
	for line, want := range map[int]float64{15: heatLine / 2, 13: heatSame / 2, 21: heatElsewhere / 2, 29: 0} {
		if got := n.Heat("ledger.go", line); got != want {
			t.Errorf("line %d has heat %v, want %v", line, got, want)
		}
	}
}
