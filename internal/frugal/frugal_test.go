package frugal

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestPercent(t *testing.T) {
	for _, tt := range []struct {
		live uint64
		want int
	}{
		{0, 100}, {40 << 20, 100}, {192 << 20, 100}, {240 << 20, 80}, {384 << 20, 50}, {1 << 40, 45},
	} {
		if got := percent(tt.live, garbage); got != tt.want {
			t.Errorf("%d MB in use: %d per cent, want %d", tt.live>>20, got, tt.want)
		}
	}
}

// The collector is set by what is in use, and set back.
func TestWatch(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	watch(16 << 20)
	held := make([]byte, 64<<20)
	expect(t, least)
	runtime.KeepAlive(held)
	held = nil
	expect(t, 100)
}

// expect waits until the collector is set to a percentage.
func expect(t *testing.T, want int) {
	t.Helper()
	got := 0
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		runtime.GC()
		if got = set(); got == want {
			return
		}
	}
	t.Fatalf("%d per cent, want %d", got, want)
}

// set is the percentage that the collector is set to.
func set() int {
	p := debug.SetGCPercent(100)
	debug.SetGCPercent(p)
	return p
}
