package diagnosis

import (
	"fmt"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/locks"
)

// A program of a dump has the lines of its goroutines marked, each with the number of the
// goroutine, the innermost line first to have "blocked": "// 1 sync.Mutex.Lock", "// 1 call".
var dumps = []struct {
	name, text string
	want       []string // fault, lock or variable, and functions of the first two places
}{
	{"a lock is taken twice", `
import "sync"
type Set struct { mu sync.Mutex; n int }
func (s *Set) Len() int {
	s.mu.Lock() // 1 sync.Mutex.Lock
	defer s.mu.Unlock()
	return s.n
}
func (s *Set) Write() {
	s.mu.Lock()
	defer s.mu.Unlock()
	println(s.Len()) // 1 call
}`, []string{"self-deadlock example.com/m.Set.mu (*Set).Len (*Set).Write"}},

	{"two locks in both orders", `
import "sync"
type Hub struct { mu sync.Mutex }
type Device struct { mu sync.Mutex; hub *Hub }
func (h *Hub) Report(d *Device) {
	h.mu.Lock()
	defer h.mu.Unlock()
	d.mu.Lock() // 1 sync.Mutex.Lock
	d.mu.Unlock()
}
func (h *Hub) changed() {
	h.mu.Lock() // 2 sync.Mutex.Lock
	h.mu.Unlock()
}
func (d *Device) Set() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hub.changed() // 2 call
}`, []string{
		"lock-order inversion example.com/m.Device.mu (*Hub).Report (*Device).Set",
		"lock-order inversion example.com/m.Hub.mu (*Device).Set (*Hub).Report",
	}},

	{"the locks of two values in both orders", `
import "sync"
type Account struct { mu sync.Mutex; n int }
func Transfer(from, to *Account) {
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock() // 1 sync.Mutex.Lock
	defer to.mu.Unlock()
	to.n++
}
func Swap(a, b *Account) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b.mu.Lock() // 2 sync.Mutex.Lock
	defer b.mu.Unlock()
	a.n, b.n = b.n, a.n
}`, []string{
		"lock-order inversion example.com/m.Account.mu Transfer Swap",
		"lock-order inversion example.com/m.Account.mu Swap Transfer",
	}},

	{"a send under a lock", `
import "sync"
type Broker struct { mu sync.Mutex; subs chan int }
func (b *Broker) Publish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subs <- 1 // 1 chan send
}
func (b *Broker) Leave() {
	b.mu.Lock() // 2 sync.Mutex.Lock
	b.mu.Unlock()
}`, []string{"blocked while holding a lock example.com/m.Broker.mu (*Broker).Publish (*Broker).Publish"}},

	{"an exit with the lock", `
import "sync"
type Pool struct { mu sync.Mutex; n int }
func (p *Pool) Take() bool {
	p.mu.Lock()
	if p.n == 0 {
		return false
	}
	p.n--
	p.mu.Unlock()
	return true
}
func (p *Pool) Give() {
	p.mu.Lock() // 1 sync.Mutex.Lock
	p.n++
	p.mu.Unlock()
}`, []string{"lock not released example.com/m.Pool.mu (*Pool).Take (*Pool).Take"}},

	{"a send to a loop that has ended", `
type Hub struct { leave chan int; done chan bool }
func (h *Hub) Run() {
	for {
		select {
		case <-h.leave:
		case <-h.done:
			return
		}
	}
}
func (h *Hub) Leave() {
	h.leave <- 1 // 1 chan send
}`, []string{"sender without receiver leave (*Hub).Leave (*Hub).Run"}},

	{"an early return without Done", `
import "sync"
func Do(list []int) {
	var wg sync.WaitGroup
	for _, n := range list {
		wg.Add(1)
		go func() {
			if n == 0 {
				return
			}
			wg.Done()
		}()
	}
	wg.Wait() // 1 sync.WaitGroup.Wait
}`, []string{"wait that nobody ends wg Do Do"}},
}

func TestBlocked(t *testing.T) {
	for _, c := range dumps {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, c.text)
			var got []string
			for _, f := range bySource(locks.New(p), p, dumpOf(p)) {
				about := f.Lock
				if about == "" {
					about = f.Variable
				}
				got = append(got, fmt.Sprintf("%s %s %s %s", f.Fault, about, f.Places[0].Func, f.Places[1].Func))
				if f.Says == "" {
					t.Errorf("%s says nothing", f.Fault)
				}
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// dumpOf is the dump that the marks of a program name.
func dumpOf(p *analysis.Program) evidence.Failure {
	f := evidence.Failure{Kind: evidence.Blocked}
	file := p.Packages[0].Files[0]
	stacks := map[string]*evidence.Stack{}
	var order []string
	for i, line := range strings.Split(string(file.Source), "\n") {
		_, mark, ok := strings.Cut(line, "// ")
		who, role, _ := strings.Cut(mark, " ")
		if !ok {
			continue
		}
		if stacks[who] == nil {
			stacks[who] = &evidence.Stack{}
			order = append(order, who)
		}
		s, frame := stacks[who], evidence.Frame{File: file.Name, Line: i + 1}
		if role != "call" {
			s.Role = "blocked: " + role
		}
		s.Frames = append(s.Frames, frame)
	}
	for _, who := range order {
		f.Stacks = append(f.Stacks, *stacks[who])
	}
	return f
}

// A panic of an operation is explained by the others on the same channel, and a value that is
// missing by the goroutine that sets it.
func TestPanic(t *testing.T) {
	for _, c := range []struct{ name, text, message, want string }{
		{"close twice", `
type Screen struct { off chan bool }
func (s *Screen) Off() {
	close(s.off) // here
}
func (s *Screen) Sell() { close(s.off) }`, "panic: close of closed channel", "double close (*Screen).Off (*Screen).Sell"},
		{"send after close", `
type Lot struct { bids chan int }
func (l *Lot) Bid() {
	l.bids <- 1 // here
}
func (l *Lot) Sell() { close(l.bids) }`, "panic: send on closed channel", "close during send (*Lot).Bid (*Lot).Sell"},
		{"what the goroutine sets first", `
type Ticker struct { ticks map[string]int }
func (t *Ticker) Start() {
	go t.run()
}
func (t *Ticker) run() {
	t.ticks = map[string]int{}
}
func (t *Ticker) Tick() {
	t.ticks["a"]++ // here
}`, "panic: assignment to entry in nil map", "order violation (*Ticker).Start (*Ticker).run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, c.text)
			file := p.Packages[0].Files[0]
			before, _, _ := strings.Cut(string(file.Source), "// here")
			f := evidence.Failure{Kind: evidence.Panic, Message: c.message, Stacks: []evidence.Stack{{
				Role: "panic", Frames: []evidence.Frame{{File: file.Name, Line: 1 + strings.Count(before, "\n")}},
			}}}
			got := bySource(locks.New(p), p, f)
			if len(got) != 1 || len(got[0].Places) < 2 || fmt.Sprintf("%s %s %s", got[0].Fault, got[0].Places[0].Func, got[0].Places[1].Func) != c.want {
				t.Errorf("%+v, want %s", got, c.want)
			}
		})
	}
}
