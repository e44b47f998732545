package sched

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

func read[T any](p *T) T {
	Read(unsafe.Pointer(p), unsafe.Sizeof(*p))
	return *p
}

func write[T any](p *T, v T) {
	Write(unsafe.Pointer(p), unsafe.Sizeof(*p))
	*p = v
}

// TestRaces states for small programs whether they race. In a program without
// a race no schedule may show one; in one with a race some schedule must, and
// where the order of operations does not decide, every one.
func TestRaces(t *testing.T) {
	const (
		none = iota
		some
		all
	)
	tests := []struct {
		name string
		body func()
		want int
	}{
		{"two writes", func() {
			x := new(int)
			Go(func() { write(x, 1) })
			write(x, 2)
		}, all},
		{"read and write", func() {
			x := new(int)
			Go(func() { read(x) })
			write(x, 2)
		}, all},
		{"two reads", func() {
			x := new(int)
			Go(func() { read(x) })
			read(x)
		}, none},
		{"write after two reads", func() {
			x, c := new(int), MakeChan[int](0)
			Go(func() { read(x); Send(c, 1) })
			Go(func() { read(x) })
			read(x)
			Recv(c)
			write(x, 1)
		}, all},
		{"the go statement comes before the goroutine", func() {
			x := new(int)
			write(x, 1)
			Go(func() { write(x, 2) })
		}, none},
		{"the end of a goroutine comes before nothing", func() {
			x := new(int)
			Go(func() { write(x, 1) })
			Sleep(10)
			read(x)
		}, all},
		{"what follows the go statement is concurrent", func() {
			x := new(int)
			Go(func() { Go(func() { write(x, 1) }); read(x) })
		}, all},
		{"mutex", func() {
			x, m := new(int), new(mutex)
			for range 2 {
				Go(func() { m.lock(); write(x, read(x)+1); m.unlock() })
			}
			m.lock()
			read(x)
			m.unlock()
		}, none},
		{"two mutexes", func() {
			x := new(int)
			for range 2 {
				m := new(mutex)
				Go(func() { m.lock(); write(x, read(x)+1); m.unlock() })
			}
		}, all},
		{"access after unlock", func() {
			x, m := new(int), new(mutex)
			Go(func() { m.lock(); m.unlock(); write(x, 1) })
			m.lock()
			write(x, 2)
			m.unlock()
		}, some},
		{"send comes before receive", func() {
			for _, n := range []int{0, 1} {
				x, c := new(int), MakeChan[int](n)
				Go(func() { write(x, 1); Send(c, 1) })
				Recv(c)
				read(x)
			}
		}, none},
		{"unbuffered receive comes before the end of the send", func() {
			x, c := new(int), MakeChan[int](0)
			Go(func() { write(x, 1); Recv(c) })
			Send(c, 1)
			read(x)
		}, none},
		{"buffered receive does not", func() {
			x, c := new(int), MakeChan[int](1)
			Go(func() { write(x, 1); Recv(c) })
			Send(c, 1)
			read(x)
		}, all},
		{"capacity: receive k comes before the end of send k+C", func() {
			x, c := new(int), MakeChan[int](2)
			Go(func() { write(x, 1); Recv(c); Recv(c); Recv(c) })
			Send(c, 1)
			Send(c, 2)
			Send(c, 3)
			read(x)
		}, none},
		{"capacity: not before send k+C-1", func() {
			x, c := new(int), MakeChan[int](2)
			Go(func() { write(x, 1); Recv(c); Recv(c) })
			Send(c, 1)
			Send(c, 2)
			read(x)
		}, all},
		{"channel as semaphore", func() {
			x, c := new(int), MakeChan[bool](1)
			for range 2 {
				Go(func() { Send(c, true); write(x, read(x)+1); Recv(c) })
			}
		}, none},
		{"close comes before a receive that sees it", func() {
			x, c := new(int), MakeChan[int](0)
			Go(func() { write(x, 1); Close(c) })
			Recv(c)
			read(x)
		}, none},
		{"what follows close does not", func() {
			x, c := new(int), MakeChan[int](0)
			Go(func() { Close(c); write(x, 1) })
			Recv(c)
			read(x)
		}, all},
		{"select receives", func() {
			x, c, d := new(int), MakeChan[int](0), MakeChan[int](0)
			Go(func() { write(x, 1); Select(To(c).Case(1), To(d).Case(1)) })
			Select(From(c), From(d))
			read(x)
		}, none},
		{"default orders nothing", func() {
			x, c := new(int), MakeChan[int](1)
			Go(func() { write(x, 1); Send(c, 1) })
			SelectDefault(From(c))
			read(x)
		}, some},
		{"timer comes after its setting", func() {
			x, c := new(int), MakeChan[int](1)
			write(x, 1)
			NewTimer(5, func() { Go(func() { write(x, 2); Send(c, 1) }) })
			Recv(c)
			read(x)
		}, none},
		{"timer is concurrent with what follows", func() {
			x := new(int)
			NewTimer(5, func() { Go(func() { write(x, 2) }) })
			write(x, 1)
		}, all},
		{"neighbouring bytes", func() {
			x := new([8]bool)
			Go(func() { write(&x[3], true) })
			write(&x[4], true)
		}, none},
		{"a struct and its field", func() {
			x := new(struct{ a, b, c int32 })
			Go(func() { write(&x.c, 1) })
			read(x)
		}, all},
		{"two structs in one array", func() {
			x := new([2]struct{ a, b, c int32 })
			Go(func() { write(&x[0], struct{ a, b, c int32 }{1, 2, 3}) })
			read(&x[1])
		}, none},
		{"empty values", func() {
			x := new(struct{})
			Go(func() { write(x, struct{}{}) })
			write(x, struct{}{})
		}, none},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			races := 0
			n := every(t, Options{}, test.body, func(x *Execution) {
				if kind(x) == Race {
					races++
				} else {
					expect(t, x, "", "")
				}
			})
			got := none
			if races > 0 {
				got = some
			}
			if races == n {
				got = all
			}
			if got != test.want {
				t.Errorf("%d of %d executions race", races, n)
			}
		})
	}
}

func TestRaceReport(t *testing.T) {
	body := func() {
		x := new(int)
		GoAt("race.go:9", func() { write(x, 1) })
		read(x)
	}
	x := Run(first{}, Options{Trace: true}, body)
	expect(t, x, Race, "race.go:9#1")
	p := x.Failure.Places
	if len(p) < 2 || p[0].What != "read" || p[1].What != "write" || p[0].Goroutine != "main" {
		t.Fatalf("places %v", p)
	}
	for _, p := range p[:2] {
		if !strings.HasSuffix(p.File, "race_test.go") || p.Line == 0 {
			t.Errorf("place %v", p)
		}
	}
	if strings.Count(x.Failure.Signature, "race_test.go") != 2 {
		t.Errorf("signature %q", x.Failure.Signature)
	}
}

func TestMemoryOfAnExecutionIsNotReused(t *testing.T) {
	expect(t, run(func() {
		c := MakeChan[int](0)
		Go(func() {
			for range 100 {
				write(new([64]int), [64]int{})
			}
			runtime.GC()
			Send(c, 1)
		})
		Go(func() {
			for range 100 {
				write(new([64]int), [64]int{})
			}
			runtime.GC()
		})
		Recv(c)
	}), "", "")
}

func TestShadowStaysSmall(t *testing.T) {
	x := new(int)
	var kept int
	run(func() {
		m := new(mutex)
		for range 3 {
			Go(func() {
				for range 100 {
					m.lock()
					write(x, read(x)+1)
					m.unlock()
				}
			})
		}
		Sleep(1)
		kept = len(running.Load().x.memory.shadow.find(uintptr(unsafe.Pointer(x)), unsafe.Pointer(x)).accesses)
	})
	if kept != 1 {
		t.Errorf("%d accesses kept of a variable that was always locked", kept)
	}
}

// The stack of the earlier access of a race can be had alone: by its number, from
// an execution of the same schedule.
func TestStackOfOneAccess(t *testing.T) {
	body := func() {
		a, b := new(int), new(int)
		done := MakeChan[bool](0)
		Go(func() {
			*W(a) = 1
			*W(b) = 1 // the earlier one
			*W(a) = 2
			Recv(done)
		})
		Yield()
		*W(b) = 2
	}
	last := func(o Options) *Execution { s := newWander(3); s.Begin(); return Run(s, o, body) }
	seen := last(Options{})
	all := last(Options{Trace: true})
	if seen.Failure == nil || all.Failure == nil || all.Failure.Kind != Race {
		t.Fatalf("%+v, %+v", seen.Failure, all.Failure)
	}
	one := last(Options{Trace: true, Access: seen.Failure.Access})
	if !reflect.DeepEqual(one.Failure.Places, all.Failure.Places) || one.Failure.Places[0].Line == 0 {
		t.Errorf("%+v, want %+v", one.Failure.Places, all.Failure.Places)
	}
	if none := last(Options{Trace: true, Access: NoAccess}); none.Failure.Places[0].Line != 0 {
		t.Errorf("%+v", none.Failure.Places)
	}
}
