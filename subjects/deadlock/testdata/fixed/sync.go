package deadlock

import "sync"

// Exchange copies a to b in one goroutine and b to a in another, a number of
// rounds each, and waits for both. Each file then holds what one of the two
// held before.
func Exchange(a, b *File, rounds int) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		mirror(b, a, rounds)
	}()
	go func() {
		defer wg.Done()
		mirror(a, b, rounds)
	}()
	wg.Wait()
}

// mirror copies src to dst again and again.
func mirror(dst, src *File, rounds int) {
	for range rounds {
		Copy(dst, src)
	}
}
