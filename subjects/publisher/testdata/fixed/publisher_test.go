package publisher

import (
	"errors"
	"testing"
)

// An author does not hear of a full trail, the publisher does.
func TestFullTrail(t *testing.T) {
	p := New(new(Store), NewTrail(0), 1)
	if err := p.Publish(Document{"news", "none"}); err != nil {
		t.Errorf("the document is stored, yet: %v", err)
	}
	if err := p.Missed("news"); !errors.Is(err, ErrFull) {
		t.Errorf("the trail lacks the document because of %v, want %v", err, ErrFull)
	}
}

// An author hears that the name is taken, and the trail has both.
func TestTaken(t *testing.T) {
	s, trail := new(Store), NewTrail(2)
	p := New(s, trail, 1)
	if err := p.Publish(Document{"news", "none"}); err != nil {
		t.Fatal(err)
	}
	if err := p.Publish(Document{"news", "some"}); !errors.Is(err, ErrExists) {
		t.Errorf("publishing it twice gives %v, want %v", err, ErrExists)
	}
	if err := p.Missed("news"); err != nil {
		t.Errorf("the trail lacks it because of %v", err)
	}
	if trail.Len() != 2 || !s.Has("news") {
		t.Errorf("the trail has %d entries, want 2; the store has news: %t", trail.Len(), s.Has("news"))
	}
}

func TestInvalid(t *testing.T) {
	p := New(new(Store), NewTrail(1), 1)
	for _, d := range []Document{{}, {Name: "empty"}} {
		if p.Publish(d) == nil {
			t.Errorf("%+v was published", d)
		}
	}
}
