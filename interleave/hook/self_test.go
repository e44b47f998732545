package hook

import (
	"runtime"
	"sync"
	"testing"
	"unsafe"
)

// The number that is read is the one that Go tells, in every goroutine.
func TestSelf(t *testing.T) {
	if way == (path{}) && unsafe.Sizeof(uintptr(0)) == 8 {
		t.Error("no way to the number was found")
	}
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			for range 10 {
				if got, want := self(), asked(); got != want {
					t.Errorf("goroutine %d, want %d", got, want)
				}
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
}

func BenchmarkRecord(b *testing.B) {
	start(b)
	var x int
	for b.Loop() {
		R(1, &x)
	}
}
