package topic

import (
	"strings"
	"testing"
)

// A subscriber leaves while messages are published.
func TestCancelWhilePublishing(t *testing.T) {
	var news Topic
	s := news.Subscribe(2)
	got := make(chan string)
	go func() { got <- Collect(s, 1) }()
	news.Publish("one")
	news.Publish("two")
	if first := <-got; first != "one" {
		t.Errorf("got %q, want one", first)
	}
	if n := news.Publish("three"); n != 0 {
		t.Errorf("%d subscribers took a message after they had left", n)
	}
	if n := news.Published(); n != 3 {
		t.Errorf("%d messages were published, want 3", n)
	}
}

func TestPublish(t *testing.T) {
	var news Topic
	a, b := news.Subscribe(2), news.Subscribe(1)
	if n := news.Publish("one"); n != 2 {
		t.Errorf("%d took the first message, want 2", n)
	}
	if n := news.Publish("two"); n != 1 {
		t.Errorf("%d took the second message, want 1", n)
	}
	if got := Collect(a, 2); got != "one two" {
		t.Errorf("a got %q", got)
	}
	b.Cancel()
	b.Cancel()
	if got := strings.Join(drain(b), " "); got != "one" {
		t.Errorf("b got %q", got)
	}
}

func drain(s *Subscription) []string {
	var all []string
	for m := range s.Messages() {
		all = append(all, m)
	}
	return all
}
