//go:build go1.25

package synctest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/shim/internal/explore"
	"mendel/checker/shim/sync"
	"mendel/checker/shim/synctest"
	"mendel/checker/shim/time"
)

// A world is what the goroutines of a random program share.
type world struct {
	mu    sync.Mutex
	log   string
	chans [2]chan int // without room, and with
	timer *time.Timer
}

func (w *world) note(s string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log += s
}

// operations of random programs, by a letter each.
var operations = map[byte]func(*world){
	'l': func(w *world) { w.note("l") },
	'w': func(w *world) { w.note("w" + recovered(synctest.Wait)) },
	'1': func(*world) { time.Sleep(1) },
	'2': func(*world) { time.Sleep(2) },
	's': func(w *world) { sched.Send(w.chans[0], 1) },
	'r': func(w *world) { sched.Recv(w.chans[0]) },
	'S': func(w *world) { sched.Send(w.chans[1], 1) },
	'R': func(w *world) { sched.Recv(w.chans[1]) },
	'd': func(w *world) { w.note(fmt.Sprint(sched.SelectDefault(sched.From(w.chans[0]), sched.From(w.timer.C)))) },
	't': func(w *world) { w.note(fmt.Sprint(w.timer.Stop())) },
	'T': func(w *world) { w.timer.Reset(1) },
	'a': func(w *world) { time.AfterFunc(1, func() { w.note("a") }) },
	'n': func(w *world) { w.note(fmt.Sprint(time.Now().Nanosecond())) },
}

// letters are the operations; those that are worth more appear more than once.
const letters = "llww12srSRdtTan"

// program is a random program: the operations of each goroutine.
func program(r *rand.Rand) (p [3]string) {
	for i := range p {
		for range 1 + r.IntN(2) {
			p[i] += string(letters[r.IntN(len(letters))])
		}
	}
	return p
}

// run runs a program in a bubble and returns what it noted.
func run(p [3]string) func() string {
	return func() (got string) {
		w := &world{}
		end := recovered(func() {
			sched.RunBubble("", func() {
				w.chans = [2]chan int{sched.MakeChan[int](0), sched.MakeChan[int](1)}
				w.timer = time.NewTimer(1)
				for _, own := range p[1:] {
					sched.Go(func() { do(w, own) })
				}
				do(w, p[0])
				time.Sleep(3)
			})
		})
		return w.log + end
	}
}

func do(w *world, own string) {
	for i := range len(own) {
		operations[own[i]](w)
	}
}

// The reduction loses no outcome of random programs in bubbles.
func TestRandomPrograms(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 20
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		p := program(r)
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			all := explore.Outcomes(t, run(p))
			if got, ok := explore.Reduced(t, run(p)); ok && !slices.Equal(got, all) {
				t.Errorf("with reduction %q\nwant %q", got, all)
			} else if !ok && !slices.ContainsFunc(all, func(s string) bool { return s == "deadlock" || s == "blocked" }) {
				t.Errorf("not exhausted: all outcomes are %q", all)
			}
		})
	}
}
