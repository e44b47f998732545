// Package work has what the programs do beside their bugs.
package work

import (
	"hash/fnv"
	"sync"
)

// Some takes some time, as reading a file or a request would.
func Some(n int) uint32 {
	h := fnv.New32a()
	for i := range n {
		h.Write([]byte{byte(i), byte(i >> 8)})
	}
	return h.Sum32()
}

// Both runs two functions, each in a goroutine of its own. The second one has
// something else to do before.
func Both(f, g func()) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		f()
	}()
	go func() {
		defer wg.Done()
		Some(100_000)
		g()
	}()
	wg.Wait()
}
