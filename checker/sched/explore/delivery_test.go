package explore

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/checker/sched"
)

// received makes one execution along choices and returns what was received in
// it, without the places.
func received(t *testing.T, s *Guided, body func()) []string {
	t.Helper()
	s.Begin()
	x := sched.Run(s, sched.Options{Deliveries: true}, body)
	s.End(x)
	if x.Failure != nil {
		t.Fatalf("%s: %s", x.Failure.Kind, x.Failure.Message)
	}
	var list []string
	for _, d := range x.Deliveries {
		if filepath.Base(d.File) != "delivery_test.go" || d.Line == 0 {
			t.Errorf("a channel made at %s:%d", d.File, d.Line)
		}
		text := fmt.Sprintf("%d %s %s", d.Count, d.Type, d.Value)
		if d.Closed {
			text += " closed"
		}
		list = append(list, strings.TrimSuffix(text, " "))
	}
	return list
}

func TestDeliveries(t *testing.T) {
	for _, test := range []struct {
		name string
		body func()
		want string
	}{
		{"equal ones are counted", func() {
			c := sched.MakeChan[int](2)
			sched.Send(c, 7)
			sched.Send(c, 7)
			sched.Recv(c)
			sched.Recv(c)
		}, "2 int 7"},
		{"what stays in a buffer is not delivered", func() {
			c := sched.MakeChan[string](2)
			sched.Send(c, "a")
			sched.Send(c, "b")
			sched.Recv(c)
		}, `1 string "a"`},
		{"met by the sender", func() {
			c := sched.MakeChan[bool](0)
			sched.Go(func() { sched.Send(c, true) })
			sched.Recv(c)
		}, "1 bool true"},
		{"met in selects", func() {
			c := sched.MakeChan[error](0)
			sched.Go(func() { sched.Select(sched.To(c).Case(errors.New("x"))) })
			sched.Select(sched.From(c))
		}, "1 error *errors.errorString(non-nil)"},
		{"a closed channel's are told apart", func() {
			c := sched.MakeChan[struct{}](1)
			sched.Send(c, struct{}{})
			sched.Close(c)
			for range 3 {
				sched.Recv(c)
			}
		}, "1 struct {} {}; 2 struct {} {} closed"},
		{"channels of one place are taken together", func() {
			for i := range 2 {
				c := sched.MakeChan[int](1)
				sched.Send(c, i)
				sched.Recv(c)
			}
		}, "1 int 0; 1 int 1"},
		{"clocks are left out", func() {
			c := sched.MakeChan[time.Time](1)
			sched.Send(c, time.Time{})
			sched.Recv(c)
		}, ""},
	} {
		if got := strings.Join(received(t, NewGuided(nil), test.body), "; "); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Nothing is counted unless it is asked for, and counting changes no schedule.
func TestDeliveriesOptional(t *testing.T) {
	body := func() {
		c := sched.MakeChan[int](0)
		for i := range 3 {
			sched.Go(func() { sched.Send(c, i) })
		}
		for range 3 {
			sched.Recv(c)
		}
	}
	plain, counted := NewGuided(nil), NewGuided(nil)
	a, b := sched.Run(plain, sched.Options{}, body), sched.Run(counted, sched.Options{Deliveries: true}, body)
	if a.Deliveries != nil || len(b.Deliveries) != 3 || !slices.Equal(a.Choices, b.Choices) {
		t.Errorf("%v and %v, schedules %v and %v", a.Deliveries, b.Deliveries, a.Choices, b.Choices)
	}
}

// Programs whose channel has no buffer, and the same with one, guided along each
// schedule of the first that delivers: between a send and its receive another
// goroutine may close done, or has closed it before, unless the message is handed
// over at once.
func TestHandOver(t *testing.T) {
	for name, program := range map[string]func(c, done chan int){
		"a send": func(c, done chan int) {
			sched.Go(func() { sched.Send(c, 7) })
			sched.Go(func() { sched.Close(done) })
			if r := sched.From(c); sched.Select(sched.From(done), r) == 0 {
				sched.Go(func() { sched.Recv(c) })
			}
		},
		"a case of a select": func(c, done chan int) {
			sched.Go(func() { sched.Select(sched.From(done), sched.To(c).Case(7)) })
			sched.Go(func() { sched.Close(done) })
			sched.Select(sched.From(done), sched.From(c))
		},
		"a loop": func(c, done chan int) {
			sched.Go(func() { sched.Send(c, 7) })
			sched.Go(func() { sched.Send(c, 8) })
			sched.Go(func() { sched.Close(done) })
			for range 2 {
				if sched.Select(sched.From(done), sched.From(c)) == 0 {
					return
				}
			}
		},
	} {
		of := func(size int) func() {
			return func() { program(sched.MakeChan[int](size), sched.MakeChan[int](0)) }
		}
		delivers := func(d sched.Delivery) bool { return d.Value >= "7" }
		n := 0
		every(t, sched.Options{Deliveries: true}, of(0), func(x *sched.Execution) {
			if x.Failure != nil || !slices.ContainsFunc(x.Deliveries, delivers) {
				return
			}
			n++
			s := NewGuided(slices.Clone(x.Choices))
			s.HandOver()
			handed := received(t, s, of(2))
			for _, d := range x.Deliveries {
				if want := "1 int " + d.Value; delivers(d) && !slices.Contains(handed, want) {
					t.Errorf("%s: along %s: handed over: %q; want %q", name, sched.FormatChoices(x.Choices), handed, want)
				}
			}
		})
		if n == 0 {
			t.Errorf("%s: there is no such schedule", name)
		}
	}
}

// firstThat returns the schedule of an execution that satisfies a condition.
func firstThat(t *testing.T, body func(), ok func(*sched.Execution) bool) (choices []sched.Choice) {
	t.Helper()
	every(t, sched.Options{Deliveries: true}, body, func(x *sched.Execution) {
		if choices == nil && x.Failure == nil && ok(x) {
			choices = slices.Clone(x.Choices)
		}
	})
	if choices == nil {
		t.Fatal("there is no such schedule")
	}
	return choices
}

// A message that is sent only if somebody waits is lost when he comes late.
func TestDecline(t *testing.T) {
	program := func() {
		c, done := sched.MakeChan[int](0), sched.MakeChan[struct{}](1)
		sched.Go(func() {
			sched.SelectDefault(sched.To(c).Case(7))
			sched.Send(done, struct{}{})
		})
		sched.Select(sched.From(c), sched.From(done))
	}
	sent := firstThat(t, program, func(x *sched.Execution) bool { return x.Deliveries[0].Type == "int" })
	s := NewGuided(sent)
	s.Decline()
	if got := received(t, s, program); !slices.Equal(got, []string{"1 int 7"}) || s.Declined() != 0 {
		t.Errorf("along its own schedule it delivers %q", got)
	}
	var turns []sched.Choice // the same order, without the numbers chosen
	for _, c := range sent {
		if c.Kind == sched.Step {
			turns = append(turns, c)
		}
	}
	if got := received(t, NewGuided(turns), program); !slices.Equal(got, []string{"1 int 7"}) {
		t.Errorf("without declining it delivers %q", got)
	}
	s = NewGuided(turns)
	s.Decline()
	if got := received(t, s, program); !slices.Equal(got, []string{"1 struct {} {}"}) || s.Declined() != 1 {
		t.Errorf("declining %d times it delivers %q", s.Declined(), got)
	}
}

func TestSpins(t *testing.T) {
	for _, test := range []struct {
		name  string
		body  func()
		spins bool
	}{
		{"polls a channel for ever", func() {
			c := sched.MakeChan[int](0)
			sched.Go(func() {
				for {
					sched.SelectDefault(sched.From(c))
				}
			})
		}, true},
		{"yields for ever", func() {
			sched.Go(func() {
				for {
					sched.Yield()
				}
			})
		}, true},
		{"sleeps between", func() {
			sched.Go(func() {
				for {
					sched.Sleep(time.Second)
				}
			})
		}, false},
		{"the test itself spins", func() {
			c := sched.MakeChan[int](0)
			for {
				sched.SelectDefault(sched.From(c))
			}
		}, true},
		{"the test polls another that takes long", func() {
			var o sched.Object
			done := sched.MakeChan[int](0)
			sched.Go(func() {
				for range 10_000 {
					sched.Do(sched.Op{Kind: sched.KindStore, Obj: &o, What: "work"})
				}
				sched.Close(done)
			})
			for sched.SelectDefault(sched.From(done)) < 0 {
				sched.Do(sched.Op{Kind: sched.KindLoad, Obj: &o, Read: true, What: "look"})
			}
		}, false},
		{"the test takes long, then another sleeps", func() {
			sched.Go(func() {
				for {
					sched.Sleep(time.Second)
				}
			})
			for range 100 {
				sched.Yield()
			}
		}, false},
	} {
		s := NewGuided(nil)
		s.Begin()
		x := sched.Run(s, sched.Options{Steps: 1000}, test.body)
		if x.Spins != test.spins || !x.Cut && (x.Failure == nil || x.Failure.Kind != sched.Timeout) {
			t.Errorf("%s: spins %t, cut %t, %v", test.name, x.Spins, x.Cut, x.Failure)
		}
	}
}

// A search does not pass a program whose goroutine spins.
func TestSpinningIsInconclusive(t *testing.T) {
	for _, strategy := range []string{"auto", "dfs", "random"} {
		r, err := Explore(nil, Search{Strategy: strategy, Executions: 20, Run: sched.Options{Steps: 300}}, func() {
			c := sched.MakeChan[int](0)
			sched.Go(func() {
				for {
					sched.SelectDefault(sched.From(c))
				}
			})
		})
		if err != nil || r.Verdict != Inconclusive || r.Spun == 0 || !strings.Contains(r.Reason, "without ever waiting") {
			t.Errorf("%s: %v, %v; spun %d", strategy, r, err, r.Spun)
		}
	}
}
