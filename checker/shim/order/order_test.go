package order_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/shim/internal/explore"
	"mendel/checker/shim/order"
	"mendel/checker/shim/sync"
	"mendel/internal/sample"
)

// The notation is that of package order.
func TestParserIsTheOriginal(t *testing.T) {
	here, err := os.ReadFile("parse.go")
	if err != nil {
		t.Fatal(err)
	}
	original, err := os.ReadFile("../../../order/parse.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(here, original) {
		t.Error("parse.go is not order/parse.go: copy it")
	}
}

// An arrow is an order of two passings.
type arrow struct{ from, to passing }

type passing struct {
	event string
	n     int
}

// A random program has goroutines that pass events, and an order of these.
type randomProgram struct {
	goroutines [][]string
	arrows     []arrow
}

func newProgram(r *rand.Rand) *randomProgram {
	p := &randomProgram{}
	counts := map[string]int{}
	goroutines, longest := 2, 3
	if r.IntN(3) == 0 {
		goroutines, longest = 3, 1
	}
	for range goroutines {
		var events []string
		for range 1 + r.IntN(longest) {
			e := string(rune('a' + r.IntN(3)))
			counts[e]++
			events = append(events, e)
		}
		p.goroutines = append(p.goroutines, events)
	}
	some := func() passing {
		for {
			e := string(rune('a' + r.IntN(3)))
			if n := counts[e]; n > 0 {
				return passing{e, 1 + r.IntN(n)}
			}
		}
	}
	named := map[string]bool{}
	for range 1 + r.IntN(2) {
		if a := (arrow{some(), some()}); a.from != a.to {
			p.arrows = append(p.arrows, a)
			named[a.from.event], named[a.to.event] = true, true
		}
	}
	for g := range p.goroutines { // no other event is a step
		p.goroutines[g] = slices.DeleteFunc(p.goroutines[g], func(e string) bool { return !named[e] })
	}
	return p
}

func (p *randomProgram) orders() string {
	var texts []string
	for _, a := range p.arrows {
		texts = append(texts, fmt.Sprintf("%s#%d -> %s#%d", a.from.event, a.from.n, a.to.event, a.to.n))
	}
	return strings.Join(texts, ", ")
}

// circular reports whether events wait for each other.
func (p *randomProgram) circular() bool {
	reached := map[passing]bool{}
	for changed := true; changed; {
		changed = false
		for _, events := range p.goroutines {
			for _, e := range events {
				for n := 1; n <= 9; n++ {
					at := passing{e, n}
					ok := !reached[at] && (n == 1 || reached[passing{e, n - 1}])
					for _, a := range p.arrows {
						ok = ok && (a.to != at || reached[a.from])
					}
					if ok {
						reached[at], changed = true, true
					}
				}
			}
		}
	}
	for _, a := range p.arrows {
		if !reached[a.to] || !reached[a.from] {
			return true
		}
	}
	return false
}

// A state of a random program: how far its goroutines are, -1: not begun.
type state struct {
	at      []int
	passed  string
	counted map[string]int
}

// traces are those that the order leaves, by the definition of the order alone, and whether
// the program comes to points where nothing can go on. With yields any goroutine goes on there.
func (p *randomProgram) traces(yields bool) []string {
	all := map[string]bool{}
	var walk func(s state)
	walk = func(s state) {
		var next []int
		left := false
		for g, events := range p.goroutines {
			if s.at[g] == len(events) {
				continue
			}
			left = true
			if s.at[g] < 0 || p.may(&s, events[s.at[g]]) {
				next = append(next, g)
			}
		}
		if !left {
			all[s.passed] = true
			return
		}
		if len(next) == 0 && !yields {
			all[sched.Unordered] = true
			return
		}
		if len(next) == 0 {
			for g, events := range p.goroutines {
				if s.at[g] < len(events) {
					next = append(next, g)
				}
			}
		}
		for _, g := range next {
			t := state{slices.Clone(s.at), s.passed, map[string]int{}}
			for e, n := range s.counted {
				t.counted[e] = n
			}
			if i := t.at[g]; i >= 0 {
				e := p.goroutines[g][i]
				t.counted[e]++
				t.passed += e
			}
			t.at[g]++
			walk(t)
		}
	}
	s := state{counted: map[string]int{}}
	for range p.goroutines {
		s.at = append(s.at, -1)
	}
	walk(s)
	var list []string
	for trace := range all {
		list = append(list, trace)
	}
	slices.Sort(list)
	return list
}

func (p *randomProgram) may(s *state, event string) bool {
	at := passing{event, s.counted[event] + 1}
	for _, a := range p.arrows {
		if a.to == at && s.counted[a.from.event] < a.from.n {
			return false
		}
	}
	return true
}

// body runs the program in a schedule, and returns which events were passed.
func (p *randomProgram) body(t *testing.T, play func(*testing.T, string, func(*testing.T), ...order.Option)) func() string {
	return func() string {
		passed := ""
		play(t, p.orders(), func(*testing.T) {
			var wg sync.WaitGroup
			wg.Add(len(p.goroutines))
			for _, events := range p.goroutines {
				sched.Go(func() {
					for _, e := range events {
						order.At(e)
						passed += e
					}
					wg.Done()
				})
			}
			wg.Wait()
		})
		return passed
	}
}

// All schedules within an order are explored, and no others.
func TestAllWithinTheOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 44))
	impossible, partly := 0, 0
	for made := 0; made < sample.Count(12, 40); {
		p := newProgram(r)
		if len(p.arrows) == 0 || p.circular() {
			continue
		}
		made++
		want := p.traces(false)
		got := explore.Outcomes(t, p.body(t, order.Test))
		if !slices.Equal(got, want) {
			t.Errorf("%v within %s: %q, want %q", p.goroutines, p.orders(), got, want)
		}
		kept := slices.DeleteFunc(slices.Clone(want), func(s string) bool { return s == sched.Unordered })
		if len(kept) == 0 {
			impossible++
		} else if len(kept) < len(want) {
			partly++
		}
		if got, ok := explore.Reduced(t, p.body(t, order.Test)); !ok || !slices.Equal(got, kept) {
			t.Errorf("%v within %s, reduced: %q (complete: %t), want %q", p.goroutines, p.orders(), got, ok, kept)
		}
	}
	if impossible == 0 || partly == 0 {
		t.Errorf("of the programs %d have an impossible order, %d one that some schedules cannot keep", impossible, partly)
	}
}

// An order that gives way does so only where nothing else can go on.
func TestGivesWay(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 44))
	given := 0
	for made := 0; made < sample.Count(6, 20); {
		p := newProgram(r)
		if len(p.arrows) == 0 || p.circular() {
			continue
		}
		made++
		want := p.traces(true)
		if slices.Contains(p.traces(false), sched.Unordered) {
			given++
		}
		if got := explore.Outcomes(t, p.body(t, order.Try)); !slices.Equal(got, want) {
			t.Errorf("%v within %s: %q, want %q", p.goroutines, p.orders(), got, want)
		}
		if got, ok := explore.Reduced(t, p.body(t, order.Try)); !ok || !slices.Equal(got, want) {
			t.Errorf("%v within %s, reduced: %q (complete: %t), want %q", p.goroutines, p.orders(), got, ok, want)
		}
	}
	if given == 0 {
		t.Error("no order had to give way")
	}
}

// A program whose order asks whether goroutines are blocked, and what it comes to.
type blocking struct {
	name, orders string
	body         func(log func(string))
	want         []string
}

var blockings = []blocking{
	{"receive", "[take] -> add", func(log func(string)) {
		c := sched.MakeChan[int](0)
		together(func() { order.At("take"); log("t"); sched.Recv(c); log("r") }, func() { order.At("add"); log("a"); sched.Send(c, 1) })
	}, []string{"tar"}},
	// Who is blocked has begun to wait: a select with a default does not miss it.
	{"select", "[take] -> offer", func(log func(string)) {
		c := sched.MakeChan[int](0)
		together(func() { order.At("take"); sched.Recv(c) }, func() {
			order.At("offer")
			if sched.SelectDefault(sched.To(c).Case(1)) < 0 {
				log("missed")
				sched.Send(c, 1)
			} else {
				log("met")
			}
		})
	}, []string{"met"}},
	{"lock", "[lock in Lock] -> free", func(log func(string)) {
		var mu sync.Mutex
		mu.Lock()
		together(func() { order.At("lock"); mu.Lock(); log("l"); mu.Unlock() }, func() { order.At("free"); log("f"); mu.Unlock() })
	}, []string{"fl"}},
	{"elsewhere", "[lock in RLock] -> free", func(log func(string)) {
		var mu sync.Mutex
		mu.Lock()
		together(func() { order.At("lock"); mu.Lock(); log("l"); mu.Unlock() }, func() { order.At("free"); log("f"); mu.Unlock() })
	}, []string{sched.Unordered}},
	{"ended", "[a] -> b", func(log func(string)) {
		together(func() { order.At("a") }, func() { order.At("b") })
	}, []string{sched.Unordered}},
	{"inTurn", "[a] -> b, b -> c", func(log func(string)) {
		together(func() { order.At("a"); order.At("c") }, func() { order.At("b") })
	}, []string{sched.Unordered}},
	// Once the value is there, the receiver is not blocked any more, and b cannot come.
	{"stolen", "[a] -> b", func(log func(string)) {
		c := sched.MakeChan[int](1)
		together(func() { order.At("a"); sched.Recv(c); log("r") }, func() { order.At("b"); log("b") }, func() { sched.Send(c, 1); log("s") })
	}, []string{"bsr", sched.Unordered}},
	{"condition", "[wait in Wait] -> signal", func(log func(string)) {
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		together(func() { mu.Lock(); order.At("wait"); cond.Wait(); log("w"); mu.Unlock() },
			func() { order.At("signal"); cond.Signal(); log("s") })
	}, []string{"sw"}},
}

// together runs functions side by side, and waits for their ends.
func together(functions ...func()) {
	var wg sync.WaitGroup
	wg.Add(len(functions))
	for _, f := range functions {
		sched.Go(func() { f(); wg.Done() })
	}
	wg.Wait()
}

// Orders that ask whether goroutines are blocked are exact, and nothing is lost by the
// reduction.
func TestBlocked(t *testing.T) {
	for _, p := range blockings {
		t.Run(p.name, func(t *testing.T) {
			body := func() string {
				text := ""
				order.Test(t, p.orders, func(*testing.T) { p.body(func(s string) { text += s }) })
				return text
			}
			got := explore.Outcomes(t, body)
			if !slices.Equal(got, p.want) {
				t.Errorf("%q, want %q", got, p.want)
			}
			kept := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s == sched.Unordered })
			if got, ok := explore.Reduced(t, body); !ok || !slices.Equal(got, kept) {
				t.Errorf("reduced: %q (complete: %t), want %q", got, ok, kept)
			}
		})
	}
}

// Goroutines that wait for each other without an order are in a deadlock, and an order
// hides no race.
func TestFailures(t *testing.T) {
	deadlock := explore.Outcomes(t, func() string {
		order.Try(t, "a -> b", func(*testing.T) {
			order.At("a")
			order.At("b")
			sched.Recv(sched.MakeChan[int](0))
		})
		return "ended"
	})
	if want := []string{sched.Deadlock}; !slices.Equal(deadlock, want) {
		t.Errorf("%q, want %q", deadlock, want)
	}
	race := explore.Outcomes(t, func() string {
		x := new(int)
		order.Test(t, "wrote -> read", func(*testing.T) {
			together(func() { *sched.W(x) = 1; order.At("wrote") }, func() { order.At("read"); _ = *sched.R(x) })
		})
		return "ended"
	})
	if want := []string{sched.Race}; !slices.Equal(race, want) {
		t.Errorf("%q, want %q", race, want)
	}
}
