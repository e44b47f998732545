package lottery

import (
	"sync"
	"testing"
)

// There are as many numbers as users, so most users draw more than once, in two
// lotteries at a time. It fails if a number that was drawn again, because the first
// was taken, is not in the section with its presentation and its record.
func TestWiderLastNumbers(t *testing.T) {
	const users = 6
	var wg sync.WaitGroup
	for seed := range uint64(10) {
		wg.Go(func() {
			l := New(users, users, seed)
			seen := map[int]int{}
			for user, s := range l.Run() {
				if s.Generated != s.Presented || s.Presented != s.Record || !l.Genuine(s) {
					t.Errorf("%v", s)
				}
				if other, ok := seen[s.Record]; ok || s.Record < 1 || s.Record > users {
					t.Errorf("users %d and %d got %d", other, user, s.Record)
				}
				seen[s.Record] = user
			}
		})
	}
	wg.Wait()
}
