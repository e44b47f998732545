package sched

import (
	"testing"
	"time"
)

// BenchmarkHandOff is the yardstick: control goes from one goroutine to another
// over a channel, without any engine.
func BenchmarkHandOff(b *testing.B) { handOffs(b.N) }

func handOffs(n int) {
	ping, pong := make(chan struct{}, 1), make(chan struct{}, 1)
	go func() {
		for range ping {
			pong <- struct{}{}
		}
		close(pong)
	}()
	for i := 0; i < n; i += 2 {
		ping <- struct{}{}
		<-pong
	}
	close(ping)
	<-pong
}

// BenchmarkStep measures steps of a goroutine that goes on.
func BenchmarkStep(b *testing.B) {
	b.ReportAllocs()
	for done := 0; done < b.N; done += length {
		Run(first{}, Options{}, func() {
			m := new(mutex)
			for range length / 2 {
				m.lock()
				m.unlock()
			}
		})
	}
}

// length is the number of steps of an execution in benchmarks of a step: so
// many that its beginning and end do not count, but not more than in use.
const length = 1000

// BenchmarkSwitch measures steps that each switch to another goroutine.
func BenchmarkSwitch(b *testing.B) {
	b.ReportAllocs()
	for _, n := range []int{2, 8} {
		b.Run(map[int]string{2: "narrow", 8: "wide"}[n], func(b *testing.B) {
			for done := 0; done < b.N; done += length {
				Run(&turns{}, Options{}, func() {
					for range n {
						Go(func() {
							for range length / n {
								Yield()
							}
						})
					}
				})
			}
		})
	}
}

// turns gives everybody a turn.
type turns struct{ first }

func (*turns) Next(enabled []Pending, current int, _ bool) int {
	for i, p := range enabled {
		if p.G > current {
			return i
		}
	}
	return 0
}

// BenchmarkSchedule measures whole executions of a small program: two
// goroutines that lock, read and write, and a third that waits for them.
func BenchmarkSchedule(b *testing.B) {
	b.ReportAllocs()
	steps := 0
	s := &turns{}
	for b.Loop() {
		x := Run(s, Options{}, func() {
			m, n, done := new(mutex), new(int), MakeChan[int](0)
			for range 2 {
				GoAt("bench_test.go:87", func() {
					m.lock()
					write(n, read(n)+1)
					m.unlock()
					Send(done, 1)
				})
			}
			Recv(done)
			Recv(done)
			read(n)
		})
		steps += x.Steps
	}
	b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
}

func BenchmarkAccess(b *testing.B) {
	b.ReportAllocs()
	Run(first{}, Options{}, func() {
		n := new(int)
		for range b.N {
			write(n, read(n)+1)
		}
	})
}

// BenchmarkRing measures random schedules of a program like a small bank: three
// goroutines that lock, read and write some 130 times each. It reports, beside
// the time of a bare hand-off in the same run, what a step costs in hand-offs.
func BenchmarkRing(b *testing.B) {
	const sample = 1_000_000
	start := time.Now()
	handOffs(sample)
	bare := float64(time.Since(start).Nanoseconds()) / sample
	b.ReportAllocs()
	s, steps := newWander(1), 0
	start = time.Now()
	for b.Loop() {
		s.Begin()
		steps += Run(s, Options{}, ring).Steps
	}
	took := time.Since(start)
	b.ReportMetric(float64(b.N)/took.Seconds(), "schedules/s")
	b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
	b.ReportMetric(bare, "ns/hand-off")
	b.ReportMetric(float64(took.Nanoseconds())/float64(steps)/bare, "hand-offs/step")
}

func ring() {
	const accounts, rounds = 3, 15
	var locks [accounts]mutex
	var amounts [accounts]int
	add := func(i, n int) {
		locks[i].lock()
		write(&amounts[i], read(&amounts[i])+n)
		locks[i].unlock()
	}
	done := MakeChan[int](accounts)
	for i := range accounts {
		Go(func() {
			for range rounds {
				add(i, 3)
				add(i, -1)
				add(i, -1)
				add((i+1)%accounts, 1)
			}
			Send(done, i)
		})
	}
	for range accounts {
		Recv(done)
	}
}

// BenchmarkSequential is a body of 1,000 accesses, traced with all stacks of
// accesses and with none.
func BenchmarkSequential(b *testing.B) {
	body := func() {
		list := make([]int, 1000)
		for i := range list {
			*W(&list[i]) = i
		}
	}
	for name, access := range map[string]uint32{"all": 0, "none": NoAccess} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				Run(first{}, Options{Trace: true, Access: access}, body)
			}
		})
	}
}

// BenchmarkAccessShared is BenchmarkAccess while another goroutine is there, over
// many variables.
func BenchmarkAccessShared(b *testing.B) {
	b.ReportAllocs()
	Run(first{}, Options{}, func() {
		stop := MakeChan[int](0)
		Go(func() { Recv(stop) })
		list := make([]int, 1<<12)
		for i := range b.N {
			*RW(&list[i%len(list)])++
		}
		Send(stop, 1)
	})
}
