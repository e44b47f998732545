package hook

import (
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"
)

// begin starts a goroutine and returns its number.
func begin(f func()) uint64 {
	id := make(chan uint64)
	go func() {
		var buf [64]byte
		all := parse(string(buf[:runtime.Stack(buf[:], false)]) + "\n")
		n, _ := strconv.ParseUint(all[0].id, 10, 64)
		id <- n
		f()
	}()
	return <-id
}

// until surveys until what is seen is as wanted: a goroutine needs a moment to get
// where it stays.
func until(t *testing.T, what string, held []uint64, asked uint64, want func(View) bool) {
	t.Helper()
	var v View
	for range 5000 {
		if v = Survey(held, asked); want(v) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%s: %+v", what, v)
}

func TestSurvey(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	blocked := begin(func() { mu.Lock(); defer mu.Unlock() })
	until(t, "blocked", nil, blocked, func(v View) bool { return v == View{Asked: true} })

	wake := make(chan bool)
	sleeping := begin(func() { time.Sleep(time.Hour) })
	until(t, "asleep", nil, sleeping, func(v View) bool { return v == View{Asked: true, Waiting: true} })
	until(t, "held", []uint64{sleeping}, blocked, func(v View) bool { return v == View{Asked: true} })

	spinning := begin(func() {
		for {
			select {
			case <-wake:
				return
			default:
				runtime.Gosched()
			}
		}
	})
	until(t, "spins", nil, spinning, func(v View) bool { return v.Moving && !v.Asked })
	close(wake)
	until(t, "ended", []uint64{sleeping}, spinning, func(v View) bool { return v == View{Asked: true} })
	mu.Unlock()
}
