package pingpong

import (
	"sync"
	"testing"
)

// Somebody looks who is at the table while strokes are played, by two groups of
// callers. It fails if only pingPong is guarded: the player seems to be gone.
func TestWiderPlayer(t *testing.T) {
	g := NewGame("Anna")
	stop := make(chan struct{})
	var watcher, players sync.WaitGroup
	watcher.Go(func() {
		for {
			if g.Player() == nil {
				t.Error("there is nobody at the table")
				return
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	for range 2 {
		players.Go(func() { g.Run(2, 4) })
	}
	players.Wait()
	close(stop)
	watcher.Wait()
	if n := g.Player().Strokes(); n != 16 {
		t.Errorf("%d strokes, want 16", n)
	}
}
