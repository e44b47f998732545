package publisher

import (
	"errors"
	"fmt"
	"sync"
	"testing"
)

// Store and trail both refuse a document, or one of them, while others publish. It
// fails if the two still share one error, under whatever lock.
func TestWiderErrors(t *testing.T) {
	for range 100 {
		s := new(Store)
		none, room := New(s, NewTrail(0), 1), New(s, NewTrail(100), 1)
		if _, err := s.Put(Document{"taken", "text"}); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := none.Publish(Document{"taken", "other"}); !errors.Is(err, ErrExists) {
				t.Errorf("neither takes it: %v, want %v", err, ErrExists)
			}
			if err := none.Missed("taken"); !errors.Is(err, ErrFull) {
				t.Errorf("the trail lacks it because of %v, want %v", err, ErrFull)
			}
		})
		for i := range 3 {
			name := fmt.Sprint(i)
			wg.Go(func() {
				if err := none.Publish(Document{name, "text"}); err != nil {
					t.Errorf("the store took it, yet: %v", err)
				}
				if !errors.Is(none.Missed(name), ErrFull) {
					t.Errorf("the trail lacks %s because of %v", name, none.Missed(name))
				}
				if err := room.Publish(Document{name, "other"}); !errors.Is(err, ErrExists) || room.Missed(name) != nil {
					t.Errorf("published again: %v; missed: %v", err, room.Missed(name))
				}
				if room.Publish(Document{Name: name}) == nil {
					t.Error("an empty document was published")
				}
			})
		}
		wg.Wait()
	}
}
