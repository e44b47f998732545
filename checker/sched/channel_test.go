package sched

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"time"
)

// outcomes returns the sorted set of what body returns or the execution ends
// with, over all schedules.
func outcomes(t *testing.T, body func(out *string)) string {
	t.Helper()
	set := map[string]bool{}
	var out string
	every(t, Options{Patience: -1}, func() { out = ""; body(&out) }, func(x *Execution) {
		if x.Failure == nil {
			set[out] = true
			return
		}
		message, _, _ := strings.Cut(x.Failure.Message, "\n")
		set[x.Failure.Kind+": "+message] = true
	})
	return strings.Join(slices.Sorted(maps.Keys(set)), "|")
}

func TestChannelOutcomes(t *testing.T) {
	tests := []struct {
		name string
		body func(out *string)
		want string
	}{
		{"unbuffered hand-over", func(out *string) {
			c := MakeChan[int](0)
			Go(func() { Send(c, 7) })
			*out = fmt.Sprint(Recv(c))
		}, "7"},
		{"two senders in any order", func(out *string) {
			c := MakeChan[string](0)
			Go(func() { Send(c, "a") })
			Go(func() { Send(c, "b") })
			*out = Recv(c) + Recv(c)
		}, "ab|ba"},
		{"two receivers in any order", func(out *string) {
			c, d := MakeChan[string](0), MakeChan[string](2)
			Go(func() { Send(d, "a"+Recv(c)) })
			Go(func() { Send(d, "b"+Recv(c)) })
			Send(c, "1")
			Send(c, "2")
			got := []string{Recv(d), Recv(d)}
			slices.Sort(got)
			*out = strings.Join(got, "")
		}, "a1b2|a2b1"},
		{"buffer is first in, first out", func(out *string) {
			c := MakeChan[int](2)
			Go(func() {
				for i := range 5 {
					Send(c, i)
				}
				Close(c)
			})
			for _, v, ok := Range(c); ok; v, ok = Recv2(c) {
				*out += fmt.Sprint(v)
			}
		}, "01234"},
		{"full buffer blocks", func(out *string) {
			c := MakeChan[int](1)
			Send(c, 1)
			Send(c, 2)
		}, "deadlock: blocked for ever:"},
		{"nil channel blocks", func(out *string) {
			Recv((chan int)(nil))
		}, "deadlock: blocked for ever:"},
		{"empty select blocks", func(out *string) { Select() }, "deadlock: blocked for ever:"},
		{"nobody matches oneself", func(out *string) {
			c := MakeChan[int](0)
			Select(To(c).Case(1), From(c))
		}, "deadlock: blocked for ever:"},
		{"closed channel", func(out *string) {
			c := MakeChan[int](2)
			Send(c, 1)
			Close(c)
			a, ok1 := Recv2(c)
			b, ok2 := Recv2(c)
			*out = fmt.Sprint(a, ok1, b, ok2)
		}, "1 true 0 false"},
		{"close wakes a receiver", func(out *string) {
			c := MakeChan[int](0)
			Go(func() { Close(c) })
			v, ok := Recv2(c)
			*out = fmt.Sprint(v, ok)
		}, "0 false"},
		{"close and send", func(out *string) {
			c := MakeChan[int](1)
			Go(func() { Close(c) })
			Send(c, 1)
			*out = "sent"
		}, "panic: panic: send on closed channel|sent"},
		{"close makes a waiting sender panic", func(out *string) {
			c := MakeChan[int](0)
			Go(func() {
				defer func() { *out = fmt.Sprint(recover()) }()
				Send(c, 1)
			})
			Close(c)
		}, "send on closed channel"},
		{"close twice", func(out *string) {
			c := MakeChan[int](0)
			Close(c)
			Close(c)
		}, "panic: panic: close of closed channel"},
		{"close of nil", func(out *string) { Close((chan int)(nil)) }, "panic: panic: close of nil channel"},
		{"len and cap", func(out *string) {
			c := MakeChan[int](3)
			Send(c, 1)
			*out = fmt.Sprint(Len(c), Cap(c), Len((chan int)(nil)), Cap(MakeChan[int](0)))
		}, "1 3 0 0"},
		{"len changes", func(out *string) {
			c := MakeChan[int](1)
			Go(func() { Send(c, 1) })
			*out = fmt.Sprint(Len(c))
		}, "0|1"},
		{"assignable element types", func(out *string) {
			type text string
			type named chan fmt.Stringer
			c := named(MakeChan[fmt.Stringer](1))
			To(c).Send(time.Second)
			d := MakeChan[any](1)
			To(d).Send(text("x"))
			*out = fmt.Sprint(Recv(c), Recv(d))
		}, "1sx"},
		{"channel of channels", func(out *string) {
			c := MakeChan[chan int](0)
			Go(func() { Send(Recv(c), 3) })
			d := MakeChan[int](0)
			Send(c, d)
			*out = fmt.Sprint(Recv(d))
		}, "3"},
		{"select takes any ready case", func(out *string) {
			a, b := MakeChan[int](1), MakeChan[int](1)
			Send(a, 1)
			r, s := From(a), To(b).Case(2)
			*out = fmt.Sprint(Select(r, s), r.V, r.OK, Len(b))
		}, "0 1 true 0|1 0 false 1"},
		{"select passes over nil", func(out *string) {
			a := MakeChan[int](1)
			Send(a, 1)
			*out = fmt.Sprint(Select(From((chan int)(nil)), From(a)))
		}, "1"},
		{"select with default", func(out *string) {
			a := MakeChan[int](1)
			*out = fmt.Sprint(SelectDefault(From(a)), SelectDefault(), SelectDefault(To(a).Case(1)), Len(a))
		}, "-1 -1 0 1"},
		{"two selects meet", func(out *string) {
			a, b := MakeChan[int](0), MakeChan[int](0)
			Go(func() { Select(To(a).Case(1), To(b).Case(2)) })
			r, s := From(a), From(b)
			*out = fmt.Sprint(Select(r, s), r.V, s.V, r.OK, s.OK)
		}, "0 1 0 true false|1 0 2 false true"},
		{"select with default may miss a partner", func(out *string) {
			a := MakeChan[int](0)
			b := MakeChan[int](1)
			Go(func() { Send(b, 1); Recv(a) })
			Recv(b)
			*out = fmt.Sprint(SelectDefault(To(a).Case(1)))
			if *out == "-1" {
				Close(a)
			}
		}, "-1|0"},
		{"receiving select with default", func(out *string) {
			a := MakeChan[int](0)
			Go(func() { Send(a, 5) })
			r := From(a)
			*out = fmt.Sprint(SelectDefault(r), r.V, r.OK)
			if !r.OK {
				Recv(a)
			}
		}, "-1 0 false|0 5 true"},
		{"nobody misses a partner who has waited", func(out *string) {
			a := MakeChan[int](0)
			Go(func() { Recv(a) })
			Sleep(1)
			*out = fmt.Sprint(SelectDefault(To(a).Case(1)))
		}, "0"},
		{"two selects with default never meet", func(out *string) {
			a := MakeChan[int](0)
			Go(func() { SelectDefault(From(a)) })
			*out = fmt.Sprint(SelectDefault(To(a).Case(1)))
		}, "-1"},
		{"empty values", func(out *string) {
			a, b := MakeChan[struct{}](2), MakeChan[struct{}](0)
			Send(a, struct{}{})
			Send(a, struct{}{})
			Go(func() { Send(b, struct{}{}) })
			Recv(b)
			Recv(a)
			*out = fmt.Sprint(Len(a))
		}, "1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := outcomes(t, test.body); got != test.want {
				t.Errorf("outcomes %q, want %q", got, test.want)
			}
		})
	}
}

func TestChannelMadeOutsideIsUncontrolled(t *testing.T) {
	c := MakeChan[int](1)
	for name, body := range map[string]func(){
		"send":    func() { Send(c, 1) },
		"receive": func() { Recv(c) },
		"len":     func() { Len(c) },
		"close":   func() { Close(c) },
		"select":  func() { SelectDefault(From(c)) },
		"timer":   func() { NewTimer(1, func() { Send(c, 1) }); Sleep(2) },
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, run(body), Uncontrolled, "not made under control")
		})
	}
	var old chan int
	expect(t, run(func() { old = MakeChan[int](1) }), "", "")
	expect(t, run(func() { Send(old, 1) }), Uncontrolled, "not made under control")
}

func TestChannelsOutsideControlAreReal(t *testing.T) {
	c := MakeChan[int](2)
	Send(c, 1)
	To(c).Send(2)
	if Len(c) != 2 || Cap(c) != 2 || Recv(c) != 1 {
		t.Error("plain operations")
	}
	r := From(c)
	if i := Select(r, From((chan int)(nil))); i != 0 || r.V != 2 || !r.OK {
		t.Errorf("case %d, %d %v", i, r.V, r.OK)
	}
	if SelectDefault(From(c)) != -1 || SelectDefault(To(c).Case(3)) != 0 {
		t.Error("select with default")
	}
	Close(c)
	sum := 0
	for v, ok := Recv2(c); ok; v, ok = Recv2(c) {
		sum += v
	}
	if _, ok := Recv2(c); ok || sum != 3 {
		t.Errorf("sum %d after close", sum)
	}
}

func TestReachOfChannelOperations(t *testing.T) {
	var seen []Pending
	s := &spy{see: func(p Pending) { seen = append(seen, p) }}
	Run(s, Options{}, func() {
		a, b := MakeChan[int](0), MakeChan[int](0)
		for range 2 {
			Go(func() { Recv(a) })
		}
		Go(func() { Select(From(a), From(b)) })
		Yield()
		Send(a, 1)
		Close(a)
	})
	var sends []Pending
	for _, p := range seen {
		if p.Kind == KindRecv && p.Options == 0 || p.Kind == KindSend && p.Options == 0 {
			t.Errorf("enabled without options: %+v", p)
		}
		if p.Kind == KindSend {
			sends = append(sends, p)
		}
	}
	if len(sends) == 0 {
		t.Fatal("no send seen")
	}
	last := sends[len(sends)-1]
	if last.Options != 3 || last.Scope != ScopeChannels || bits.OnesCount64(last.Channels) != 2 {
		t.Errorf("send to three waiting receivers: %+v", last)
	}
}

// spy lets the others go first and shows what it is asked about.
type spy struct {
	first
	see func(Pending)
}

func (s *spy) Next(enabled []Pending, _ int, _ bool) int {
	for _, p := range enabled {
		s.see(p)
	}
	return len(enabled) - 1
}

func TestDependent(t *testing.T) {
	load := Pending{G: 1, Kind: KindLoad, Obj: 1, Read: true}
	store := Pending{G: 2, Kind: KindStore, Obj: 1}
	send := Pending{G: 1, Kind: KindSend, Obj: 3, Channels: 1 << 3}
	other := Pending{G: 2, Kind: KindSend, Obj: 4, Channels: 1 << 4}
	wide := Pending{G: 3, Kind: KindSend, Obj: 5, Scope: ScopeChannels, Channels: 1<<5 | 1<<3}
	length := Pending{G: 4, Kind: KindLoad, Obj: 3, Read: true, Channels: 1 << 3}
	with := func(p Pending, g int) Pending { p.G = g; return p }
	for _, test := range []struct {
		a, b Pending
		want bool
	}{
		{load, with(load, 2), false},
		{load, store, true},
		{store, with(store, 3), true},
		{load, with(store, 1), true},
		{send, other, false},
		{send, wide, true},
		{store, wide, false},
		{other, wide, false},
		{length, wide, true},
		{length, send, true},
		{length, other, false},
		{Pending{G: 1, Kind: KindGo}, Pending{G: 2, Kind: KindGo}, true},
		{Pending{G: 1, Kind: KindGo}, Pending{G: 2, Kind: KindYield}, false},
	} {
		if Dependent(&test.a, &test.b) != test.want || Dependent(&test.b, &test.a) != test.want {
			t.Errorf("%+v and %+v: want %v", test.a, test.b, test.want)
		}
	}
}
