package diagnosis

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/analysis/locks"
	"mendel/internal/gotool"
)

// A program of a race has the lines of both goroutines marked: "// A write" and "// B read",
// and "// go A" where the goroutine of A is started.
var races = []struct {
	name, text string
	want       []string // fault, variable, lock and function of the first place
}{
	{"the getter forgets the lock", `
import "sync"
type Account struct { mu sync.Mutex; amount int }
func (a *Account) Deposit(n int) { a.mu.Lock(); defer a.mu.Unlock()
	a.amount += n // A write
}
func (a *Account) Draw(n int) { a.mu.Lock(); a.amount -= n; a.mu.Unlock() }
func (a *Account) Amount() int {
	return a.amount // B read
}`, []string{"missing lock Account.amount example.com/m.Account.mu (*Account).Amount"}},

	{"another lock", `
import "sync"
var mu, other sync.Mutex
var n int
func inc() { mu.Lock()
	n++ // A write
	mu.Unlock() }
func dec() { mu.Lock(); n--; mu.Unlock() }
func reset() { other.Lock()
	n = 0 // B write
	other.Unlock() }`, []string{"wrong lock n example.com/m.mu reset"}},

	{"a write under the read side", `
import "sync"
type Cache struct { mu sync.RWMutex; hits int }
func (c *Cache) Get() { c.mu.RLock(); defer c.mu.RUnlock()
	c.hits++ // A write
}
func (c *Cache) Hits() int { c.mu.RLock(); defer c.mu.RUnlock()
	return c.hits // B read
}
func (c *Cache) Reset() { c.mu.Lock(); c.hits = 0; c.mu.Unlock() }`, []string{"write under a read lock Cache.hits example.com/m.Cache.mu (*Cache).Get"}},

	{"nothing guards it", `
var n int
func inc() {
	n++ // A write
}
func get() int {
	return n // B read
}`, []string{"data race n  inc"}},

	{"the rest of the read and the write is split", `
import "sync"
type Counter struct { mu sync.Mutex; n int }
func (c *Counter) Double() {
	c.mu.Lock(); n := c.n; c.mu.Unlock()
	n *= 2
	c.mu.Lock()
	c.n = n // A write
	c.mu.Unlock()
}
func (c *Counter) Inc() { c.mu.Lock(); c.n++; c.mu.Unlock() }
func (c *Counter) Get() int {
	return c.n // B read
}`, []string{"missing lock Counter.n example.com/m.Counter.mu (*Counter).Get", "check-then-act Counter.n example.com/m.Counter.mu (*Counter).Double"}},

	{"the goroutine is started before what it reads is set", `
type Loop struct { step int }
func Start() *Loop {
	l := &Loop{}
	go l.run() // go A
	l.step = 1 // B write
	return l
}
func (l *Loop) run() {
	println(l.step) // A read
}`, []string{"order violation Loop.step  Start", "data race Loop.step  (*Loop).run"}},

	{"nobody waits for the goroutine", `
type Sum struct { n int }
func Add() int {
	s := &Sum{}
	go s.run() // go A
	return s.n // B read
}
func (s *Sum) run() {
	s.n = 1 // A write
}`, []string{"wait that does not wait for all Sum.n  Add", "data race Sum.n  (*Sum).run"}},

	{"a goroutine begins with what others use at once", `
type Loop struct { stop chan bool }
func Start() *Loop {
	l := &Loop{}
	go l.run() // go A
	return l
}
func (l *Loop) run() {
	l.stop = make(chan bool) // A write
	<-l.stop
}
func (l *Loop) Stop() {
	l.stop <- true // B read
}`, []string{"order violation Loop.stop  Start", "data race Loop.stop  (*Loop).run"}},

	{"goroutines share an outer variable", `
func All(fs []func() error) (err error) {
	for _, f := range fs {
		go func() { // go A
			err = f() // A write
			if err != nil { // B read
				println(err)
			}
		}()
	}
	return nil
}`, []string{"captured variable err  All", "data race err  All"}},

	{"a lock around each write is there for who reads", `
import "sync"
type Logger struct { mu sync.Mutex; level int }
func (l *Logger) SetLevel(n int) { l.mu.Lock(); defer l.mu.Unlock()
	l.level = n // A write
}
func (l *Logger) Debug() bool { return l.level > 1 }
func (l *Logger) Info() bool { return l.level > 0 }
func (l *Logger) Trace() bool {
	return l.level > 2 // B read
}`, []string{"missing lock Logger.level example.com/m.Logger.mu (*Logger).Trace"}},

	{"two values have one slice", `
import "sync"
type Trail struct { mu sync.Mutex; steps []int }
func (t *Trail) Add(n int) { t.mu.Lock(); defer t.mu.Unlock()
	t.steps = append(t.steps, n) // A write
}
func (t *Trail) Last() int { t.mu.Lock(); defer t.mu.Unlock()
	return t.steps[0] // B read
}
func (t *Trail) Clone() *Trail { t.mu.Lock(); defer t.mu.Unlock()
	c := &Trail{}
	c.steps = t.steps
	return c
}`, []string{"guarded memory handed out Trail.steps example.com/m.Trail.mu (*Trail).Last", "wrong lock Trail.steps example.com/m.Trail.mu (*Trail).Add"}},

	{"a loop's variable", `
func All(list []string) {
	for _, s := range list { // A write
		go func() {
			println(s) // B read
		}()
	}
}`, []string{"captured variable s  All"}},

	{"a wait for others", `
import "sync"
type Group struct { wg sync.WaitGroup; n int }
func New() *Group { g := &Group{}; go g.collect(); return g }
func (g *Group) collect() {
	g.n++ // A write
}
func (g *Group) Wait() int {
	g.wg.Wait()
	return g.n // B read
}`, []string{"order violation Group.n  New", "wait that does not wait for all Group.n  (*Group).Wait", "data race Group.n  (*Group).collect"}},

	{"memory of a pool", `
import "sync"
var pool = sync.Pool{New: func() any { return new([64]byte) }}
func Encode() []byte { b := pool.Get().(*[64]byte); defer pool.Put(b)
	b[0]++ // A write
	return b[:]
}
func Write(p []byte) {
	println(p[0]) // B read
}`, []string{"memory used again after it was handed over   Encode"}},

	{"a receiver that is a copy", `
import "sync"
type Count struct { mu sync.Mutex; by map[string]int }
func (c Count) Add(k string) { c.mu.Lock(); defer c.mu.Unlock()
	c.by[k]++ // A write
}
func (c Count) Sum() (n int) { c.mu.Lock(); defer c.mu.Unlock()
	for _, k := range c.by { // B read
		n += k
	}
	return n
}`, []string{"copied lock   Count.Add", "data race Count.by  Count.Add"}},

	{"an Add during a Wait", `
import "sync"
type Batcher struct { mu sync.Mutex; closed bool; wg sync.WaitGroup }
func (b *Batcher) Write() { b.mu.Lock(); defer b.mu.Unlock()
	if !b.closed {
		b.wg.Add(1) // A write
	}
}
func (b *Batcher) Close() { b.mu.Lock(); b.closed = true; b.mu.Unlock()
	b.wg.Wait() // B write
}`, []string{"wait that does not wait for all   (*Batcher).Write"}},

	{"a channel is closed to which somebody sends", `
type Sub struct { ch chan int }
func (s *Sub) Cancel() {
	close(s.ch) // A write
}
func (s *Sub) Put(n int) {
	select { // B read
	case s.ch <- n:
	default:
	}
}`, []string{"close during send   (*Sub).Put"}},

	{"an element is given away that is a map", `
import "sync"
type Registry struct { mu sync.Mutex; labels map[string]map[string]string }
func (r *Registry) Set(name, key, value string) { r.mu.Lock(); defer r.mu.Unlock()
	m := r.labels[name]
	if m == nil {
		m = map[string]string{}
		r.labels[name] = m
	}
	m[key] = value // A write
}
func (r *Registry) Labels(name string) map[string]string { r.mu.Lock(); defer r.mu.Unlock(); return r.labels[name] }
func Print(m map[string]string) {
	for k := range m { // B read
		println(k)
	}
}`, []string{"guarded memory handed out Registry.labels example.com/m.Registry.mu (*Registry).Labels", "memory used again after it was handed over   (*Registry).Set"}},

	{"a map is given away", `
import "sync"
type Registry struct { mu sync.Mutex; names map[string]int }
func (r *Registry) Set(name string) { r.mu.Lock(); defer r.mu.Unlock()
	r.names[name]++ // A write
}
func (r *Registry) Names() map[string]int { r.mu.Lock(); defer r.mu.Unlock(); return r.names }
func Print(m map[string]int) {
	for k := range m { // B read
		println(k)
	}
}`, []string{"guarded memory handed out Registry.names example.com/m.Registry.mu (*Registry).Names", "memory used again after it was handed over   (*Registry).Set"}},
}

func TestRace(t *testing.T) {
	for _, c := range races {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, c.text)
			race := raceIn(t, p)
			for range 2 { // who starts a goroutine shows in the source, too
				var got []string
				for _, f := range bySource(locks.New(p), p, race) {
					got = append(got, fmt.Sprintf("%s %s %s %s", f.Fault, f.Variable, f.Lock, f.Places[0].Func))
					if f.Says == "" {
						t.Errorf("%s says nothing", f.Fault)
					}
				}
				if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
					t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
				}
				race.Stacks[0].Created = nil
			}
		})
	}
}

// What is no race, or is not in the program, has no findings.
func TestNoRace(t *testing.T) {
	p := load(t, races[0].text)
	f := raceIn(t, p)
	f.Stacks[1].Frames[0].File = "/elsewhere/a.go"
	if got := bySource(locks.New(p), p, f); got != nil {
		t.Errorf("%+v", got)
	}
	f = raceIn(t, p)
	f.Kind = evidence.Blocked
	if got := bySource(locks.New(p), p, f); got != nil {
		t.Errorf("%+v", got)
	}
}

// Who is called under the read side, or without the lock, may leave it to its callers.
func TestCallers(t *testing.T) {
	p := load(t, `
import "sync"
type Cache struct { mu sync.RWMutex; hits int }
func (c *Cache) hit() {
	c.hits++ // A write
}
func (c *Cache) Get() { c.mu.RLock(); defer c.mu.RUnlock()
	c.hit() // call
}
func (c *Cache) Hits() int { c.mu.RLock(); defer c.mu.RUnlock()
	return c.hits // B read
}
func (c *Cache) Reset() { c.mu.Lock(); c.hits = 0; c.mu.Unlock() }`)
	f := raceIn(t, p)
	caller := f.Stacks[0].Frames[0]
	caller.Line += 3
	f.Stacks[0].Frames = append(f.Stacks[0].Frames, caller)
	got := bySource(locks.New(p), p, f)
	if len(got) != 1 || got[0].Fault != evidence.ReadLockForWrite || len(got[0].Places) != 2 || got[0].Places[1].Func != "(*Cache).Get" {
		t.Errorf("%+v", got)
	}
}

// A value without a lock of its own, which others than its owner use as well, is guarded by the owner's lock.
func TestUnderCallers(t *testing.T) {
	p := load(t, `
import "sync"
type recent struct { order []string; hits int }
func (r *recent) touch(name string) {
	r.hits++ // A write
}
func (r *recent) Count() int { return r.hits }
func Fresh() *recent { r := &recent{}; r.touch("a"); return r }
type Cache struct { mu sync.RWMutex; used *recent }
func (c *Cache) Get(name string) { c.mu.RLock(); defer c.mu.RUnlock()
	c.used.touch(name) // call
}
func (c *Cache) Put(name string) { c.mu.Lock(); defer c.mu.Unlock()
	c.used.touch(name) // call
}`)
	f := raceIn(t, p)
	line := func(n int) evidence.Frame {
		at := f.Stacks[0].Frames[0]
		at.Line += n
		return at
	}
	inGet := evidence.Stack{Role: "write", Frames: []evidence.Frame{line(0), line(6)}}
	inPut := evidence.Stack{Role: "write", Frames: []evidence.Frame{line(0), line(9)}}
	for name, stacks := range map[string][]evidence.Stack{"two readers": {inGet, inGet}, "a reader and a writer": {inPut, inGet}} {
		f.Stacks = stacks
		got := bySource(locks.New(p), p, f)
		if len(got) == 0 || got[0].Fault != evidence.ReadLockForWrite || got[0].Lock != "example.com/m.Cache.mu" || got[0].Places[0].Func != "(*Cache).Get" {
			t.Errorf("%s: %+v", name, got)
		}
		if n := len(slices.DeleteFunc(got, func(f Finding) bool { return f.Fault != evidence.ReadLockForWrite })); n != 1 {
			t.Errorf("%s: told %d times", name, n)
		}
	}
	f.Stacks = []evidence.Stack{inPut, inPut}
	if got := bySource(locks.New(p), p, f); slices.ContainsFunc(got, func(f Finding) bool { return f.Fault == evidence.ReadLockForWrite }) {
		t.Errorf("two writers: %+v", got)
	}
}

// A race on a wait group's own memory is one of what is not counted in time.
func TestWaitGroup(t *testing.T) {
	p := load(t, `
import "sync"
func Run(wg *sync.WaitGroup) {
	go func() {
		wg.Add(1) // A write
		wg.Done()
	}()
	wg.Wait() // B read
}`)
	f := raceIn(t, p)
	for i := range f.Stacks {
		f.Stacks[i].Frames = append([]evidence.Frame{{Func: "sync.(*WaitGroup).Add", File: "/go/src/sync/waitgroup.go", Line: 80}}, f.Stacks[i].Frames...)
	}
	if got := bySource(locks.New(p), p, f); len(got) == 0 || got[0].Fault != evidence.WaitNotForAll || got[0].Places[0].Func != "Run" {
		t.Errorf("%+v", got)
	}
}

// What a called function gives is followed to where it has it from: to a field, or to what keeps it for all.
func TestGivenByCalls(t *testing.T) {
	for _, x := range []struct{ name, variable, giver, text string }{
		{"a sync.Map", "Index.cache", "(*Index).Match", `
import "sync"
type Index struct { cache sync.Map }
func (x *Index) Match(k string) []int {
	if v, ok := x.cache.Load(k); ok {
		subs := v.([]int)
		return subs
	}
	return nil
}
type Broker struct { index *Index }
func (b *Broker) Publish() {
	subs := b.index.Match("a")
	subs[0]++ // A write
	_ = subs[1] // B read
}`},
		{"a field, by another call", "Index.list", "(*Index).all", `
import "sync"
type Index struct { mu sync.Mutex; list []int }
func (x *Index) all() []int { return x.list }
func (x *Index) All() []int { x.mu.Lock(); defer x.mu.Unlock()
	list := x.all()
	return list
}
type Broker struct { index *Index }
func (b *Broker) Publish() {
	subs := b.index.All()
	subs[0]++ // A write
}
func (b *Broker) Read() {
	other := b.index.All()
	_ = other[0] // B read
}`},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := load(t, x.text)
			i := slices.IndexFunc(bySource(locks.New(p), p, raceIn(t, p)), func(f Finding) bool { return f.Fault == evidence.HandedOut })
			if i < 0 {
				t.Fatal("nothing is handed out")
			}
			got := bySource(locks.New(p), p, raceIn(t, p))[i]
			if got.Variable != x.variable || !slices.ContainsFunc(got.Places, func(p Place) bool { return p.Func == x.giver }) {
				t.Errorf("got %+v, want %s, given by %s", got, x.variable, x.giver)
			}
		})
	}
}

// A copy of a snapshot has the clusters of the original: that is told before any missing lock.
func TestShallowCopy(t *testing.T) {
	text := `
import ("maps"; "sync"; "sync/atomic")
type Cluster struct { endpoints []int }
type Snapshot struct { clusters map[string]*Cluster }
func (s *Snapshot) clone() *Snapshot { next := &Snapshot{clusters: map[string]*Cluster{}}
	COPY
	return next
}
var _ = maps.Clone[map[string]int]
type Table struct { mu sync.Mutex; now atomic.Pointer[Snapshot] }
func (t *Table) Add(name string, n int) { t.mu.Lock(); defer t.mu.Unlock()
	next := t.now.Load().clone()
	c := next.clusters[name]
	c.endpoints = append(c.endpoints, n) // A write
	t.now.Store(next)
}
func (t *Table) Len(name string) int {
	return len(t.now.Load().clusters[name].endpoints) // B read
}`
	for copied, shares := range map[string]bool{
		"next.clusters = maps.Clone(s.clusters)":                                    true,
		"for k, c := range s.clusters { next.clusters[k] = c }":                     true,
		"for k, c := range s.clusters { d := *c; next.clusters[k] = &d }":           false,
		"for k, c := range s.clusters { next.clusters[k] = &Cluster{c.endpoints} }": false,
	} {
		p := load(t, strings.Replace(text, "COPY", copied, 1))
		got := bySource(locks.New(p), p, raceIn(t, p))
		if len(got) == 0 {
			t.Fatalf("%s: nothing is found", copied)
		}
		told := got[0].Fault == evidence.HandedOut && got[0].Variable == "Cluster.endpoints" && got[0].Places[0].Func == "(*Snapshot).clone"
		if told != shares {
			t.Errorf("%s: %+v", copied, got)
		}
	}
}

// Who asks whether the value is closed, and adds in a later section, has to ask once more.
func TestAskedBefore(t *testing.T) {
	p := load(t, `
import "sync"
type Batcher struct { mu sync.Mutex; closed bool; wg sync.WaitGroup }
func (b *Batcher) add() { b.mu.Lock(); defer b.mu.Unlock()
	b.wg.Add(1) // A write
}
func (b *Batcher) Write() { b.mu.Lock(); closed := b.closed; b.mu.Unlock()
	if !closed {
		b.add()
	}
}
func (b *Batcher) Close() { b.mu.Lock(); b.closed = true; b.mu.Unlock()
	b.wg.Wait() // B write
}`)
	f := raceIn(t, p)
	caller := f.Stacks[0].Frames[0]
	caller.Line += 4
	f.Stacks[0].Frames = append(f.Stacks[0].Frames, caller)
	got := bySource(locks.New(p), p, f)
	if len(got) != 2 || got[0].Fault != evidence.CheckThenAct || got[0].Places[0].Func != "(*Batcher).add" || got[0].Places[1].Func != "(*Batcher).Write" {
		t.Errorf("%+v", got)
	}
}

func load(t *testing.T, text string) *analysis.Program {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "a.go": "package m\n" + text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tool, err := gotool.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := analysistest.Load(context.Background(), tool, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// raceIn is the race that the marks of a program name.
func raceIn(t *testing.T, p *analysis.Program) evidence.Failure {
	t.Helper()
	f := evidence.Failure{Kind: evidence.Race, Stacks: make([]evidence.Stack, 2)}
	file := p.Packages[0].Files[0]
	for i, line := range strings.Split(string(file.Source), "\n") {
		_, mark, _ := strings.Cut(line, "// ")
		frame := []evidence.Frame{{File: file.Name, Line: i + 1}}
		switch who, role, _ := strings.Cut(mark, " "); who {
		case "A":
			f.Stacks[0].Role, f.Stacks[0].Frames = role, frame
		case "B":
			f.Stacks[1].Role, f.Stacks[1].Frames = role, frame
		case "go":
			f.Stacks[0].Created = frame
		}
	}
	if len(f.Stacks[0].Created) > 0 {
		f.Stacks[0].Frames = append(f.Stacks[0].Frames, evidence.Frame{Func: "example.com/m.Start.gowrap1", File: file.Name, Line: f.Stacks[0].Created[0].Line})
	}
	return f
}
