package sched

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// received makes one execution along choices and returns what was received in
// it, without the places.
func received(t *testing.T, s *Guided, body func()) []string {
	t.Helper()
	s.Begin()
	x := Run(s, Options{Deliveries: true}, body)
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
			c := MakeChan[int](2)
			Send(c, 7)
			Send(c, 7)
			Recv(c)
			Recv(c)
		}, "2 int 7"},
		{"what stays in a buffer is not delivered", func() {
			c := MakeChan[string](2)
			Send(c, "a")
			Send(c, "b")
			Recv(c)
		}, `1 string "a"`},
		{"met by the sender", func() {
			c := MakeChan[bool](0)
			Go(func() { Send(c, true) })
			Recv(c)
		}, "1 bool true"},
		{"met in selects", func() {
			c := MakeChan[error](0)
			Go(func() { Select(To(c).Case(errors.New("x"))) })
			Select(From(c))
		}, "1 error *errors.errorString(non-nil)"},
		{"a closed channel's are told apart", func() {
			c := MakeChan[struct{}](1)
			Send(c, struct{}{})
			Close(c)
			for range 3 {
				Recv(c)
			}
		}, "1 struct {} {}; 2 struct {} {} closed"},
		{"channels of one place are taken together", func() {
			for i := range 2 {
				c := MakeChan[int](1)
				Send(c, i)
				Recv(c)
			}
		}, "1 int 0; 1 int 1"},
		{"clocks are left out", func() {
			c := MakeChan[time.Time](1)
			Send(c, time.Time{})
			Recv(c)
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
		c := MakeChan[int](0)
		for i := range 3 {
			Go(func() { Send(c, i) })
		}
		for range 3 {
			Recv(c)
		}
	}
	plain, counted := NewGuided(nil), NewGuided(nil)
	a, b := Run(plain, Options{}, body), Run(counted, Options{Deliveries: true}, body)
	if a.Deliveries != nil || len(b.Deliveries) != 3 || !slices.Equal(a.Choices, b.Choices) {
		t.Errorf("%v and %v, schedules %v and %v", a.Deliveries, b.Deliveries, a.Choices, b.Choices)
	}
}

func TestPrinted(t *testing.T) {
	type pair struct {
		name string
		next *pair
	}
	for want, value := range map[string]any{
		"-3":                                 int8(-3),
		"255":                                uint8(255),
		"0.5":                                0.5,
		"(1+2i)":                             1 + 2i,
		`{"a" nil}`:                          pair{name: "a"},
		`{"b" non-nil}`:                      pair{"b", &pair{}},
		"[1 2]":                              [2]int{1, 2},
		"non-nil":                            []int{1},
		"[[[...]]]":                          [1][1][1][2][1]int{},
		`"` + strings.Repeat("b", 100) + `"`: strings.Repeat("b", 200),
	} {
		if got := printed(reflect.ValueOf(value), printedDepth); got != want {
			t.Errorf("%v: %s, want %s", value, got, want)
		}
	}
	large := printed(reflect.ValueOf([1000]int{}), printedDepth)
	if len(large) > printedLength+10 || !strings.HasSuffix(large, "...]") {
		t.Errorf("a large array is printed as %d bytes", len(large))
	}
}

// Programs whose channel has no buffer, and the same with one, guided along each
// schedule of the first that delivers: between a send and its receive another
// goroutine may close done, or has closed it before, unless the message is handed
// over at once.
func TestHandOver(t *testing.T) {
	for name, program := range map[string]func(c, done chan int){
		"a send": func(c, done chan int) {
			Go(func() { Send(c, 7) })
			Go(func() { Close(done) })
			if r := From(c); Select(From(done), r) == 0 {
				Go(func() { Recv(c) })
			}
		},
		"a case of a select": func(c, done chan int) {
			Go(func() { Select(From(done), To(c).Case(7)) })
			Go(func() { Close(done) })
			Select(From(done), From(c))
		},
		"a loop": func(c, done chan int) {
			Go(func() { Send(c, 7) })
			Go(func() { Send(c, 8) })
			Go(func() { Close(done) })
			for range 2 {
				if Select(From(done), From(c)) == 0 {
					return
				}
			}
		},
	} {
		of := func(size int) func() {
			return func() { program(MakeChan[int](size), MakeChan[int](0)) }
		}
		delivers := func(d Delivery) bool { return d.Value >= "7" }
		n := 0
		every(t, Options{Deliveries: true}, of(0), func(x *Execution) {
			if x.Failure != nil || !slices.ContainsFunc(x.Deliveries, delivers) {
				return
			}
			n++
			s := NewGuided(slices.Clone(x.Choices))
			s.HandOver()
			handed := received(t, s, of(2))
			for _, d := range x.Deliveries {
				if want := "1 int " + d.Value; delivers(d) && !slices.Contains(handed, want) {
					t.Errorf("%s: along %s: handed over: %q; want %q", name, FormatChoices(x.Choices), handed, want)
				}
			}
		})
		if n == 0 {
			t.Errorf("%s: there is no such schedule", name)
		}
	}
}

// firstThat returns the schedule of an execution that satisfies a condition.
func firstThat(t *testing.T, body func(), ok func(*Execution) bool) (choices []Choice) {
	t.Helper()
	every(t, Options{Deliveries: true}, body, func(x *Execution) {
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
		c, done := MakeChan[int](0), MakeChan[struct{}](1)
		Go(func() {
			SelectDefault(To(c).Case(7))
			Send(done, struct{}{})
		})
		Select(From(c), From(done))
	}
	sent := firstThat(t, program, func(x *Execution) bool { return x.Deliveries[0].Type == "int" })
	s := NewGuided(sent)
	s.Decline()
	if got := received(t, s, program); !slices.Equal(got, []string{"1 int 7"}) || s.Declined() != 0 {
		t.Errorf("along its own schedule it delivers %q", got)
	}
	var turns []Choice // the same order, without the numbers chosen
	for _, c := range sent {
		if c.Kind == Step {
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
			c := MakeChan[int](0)
			Go(func() {
				for {
					SelectDefault(From(c))
				}
			})
		}, true},
		{"yields for ever", func() {
			Go(func() {
				for {
					Yield()
				}
			})
		}, true},
		{"sleeps between", func() {
			Go(func() {
				for {
					Sleep(time.Second)
				}
			})
		}, false},
		{"the test itself spins", func() {
			c := MakeChan[int](0)
			for {
				SelectDefault(From(c))
			}
		}, true},
		{"the test polls another that takes long", func() {
			var o Object
			done := MakeChan[int](0)
			Go(func() {
				for range 10_000 {
					Do(Op{Kind: KindStore, Obj: &o, What: "work"})
				}
				Close(done)
			})
			for SelectDefault(From(done)) < 0 {
				Do(Op{Kind: KindLoad, Obj: &o, Read: true, What: "look"})
			}
		}, false},
		{"the test takes long, then another sleeps", func() {
			Go(func() {
				for {
					Sleep(time.Second)
				}
			})
			for range 100 {
				Yield()
			}
		}, false},
	} {
		s := NewGuided(nil)
		s.Begin()
		x := Run(s, Options{Steps: 1000}, test.body)
		if x.Spins != test.spins || !x.Cut && (x.Failure == nil || x.Failure.Kind != Timeout) {
			t.Errorf("%s: spins %t, cut %t, %v", test.name, x.Spins, x.Cut, x.Failure)
		}
	}
}

// A search does not pass a program whose goroutine spins.
func TestSpinningIsInconclusive(t *testing.T) {
	for _, strategy := range []string{"auto", "dfs", "random"} {
		r, err := Explore(nil, Search{Strategy: strategy, Executions: 20, Run: Options{Steps: 300}}, func() {
			c := MakeChan[int](0)
			Go(func() {
				for {
					SelectDefault(From(c))
				}
			})
		})
		if err != nil || r.Verdict != Inconclusive || r.Spun == 0 || !strings.Contains(r.Reason, "without ever waiting") {
			t.Errorf("%s: %v, %v; spun %d", strategy, r, err, r.Spun)
		}
	}
}
