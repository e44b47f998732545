package sched

import "testing"

// BenchmarkHandOff is the yardstick: control goes from one goroutine to another
// over a channel, without any engine.
func BenchmarkHandOff(b *testing.B) {
	ping, pong := make(chan struct{}, 1), make(chan struct{}, 1)
	go func() {
		for range ping {
			pong <- struct{}{}
		}
		close(pong)
	}()
	for i := 0; i < b.N; i += 2 {
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
				Go(func() {
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
