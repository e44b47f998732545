//go:build go1.25

package hook

import (
	"testing"
	"testing/synctest"
	"time"
)

// In a bubble a rest takes no time of the bubble.
func TestRestInBubble(t *testing.T) {
	if inBubble() {
		t.Error("no bubble was taken for one")
	}
	synctest.Test(t, func(t *testing.T) {
		if !inBubble() {
			t.Fatal("a bubble was not noticed")
		}
		began := time.Now()
		done := false
		go func() {
			rest(time.Millisecond)
			done = true
		}()
		synctest.Wait()
		if !done || time.Since(began) != 0 {
			t.Errorf("the rest was durably blocking, or took %v", time.Since(began))
		}
	})
}
