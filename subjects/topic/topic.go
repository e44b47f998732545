// Package topic passes messages to all who have subscribed.
package topic

import (
	"slices"
	"sync"
)

// A Topic has subscribers. It may be used by several goroutines.
type Topic struct {
	mu          sync.Mutex // guards what follows
	subscribers []*Subscription
	published   int
}

// A Subscription gets the messages of a topic.
type Subscription struct {
	topic    *Topic
	messages chan string
}

// Subscribe adds a subscriber, for whom up to n messages wait; more are dropped.
func (t *Topic) Subscribe(n int) *Subscription {
	s := &Subscription{topic: t, messages: make(chan string, n)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subscribers = append(t.subscribers, s)
	return s
}

// Publish offers a message to all subscribers and returns how many took it.
func (t *Topic) Publish(message string) int {
	t.mu.Lock()
	t.published++
	subscribers := slices.Clone(t.subscribers)
	t.mu.Unlock()
	taken := 0
	for _, s := range subscribers {
		if s.offer(message) {
			taken++
		}
	}
	return taken
}

// Published is the number of messages.
func (t *Topic) Published() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.published
}

// offer gives the subscriber a message if there is room for it.
func (s *Subscription) offer(message string) bool {
	select {
	case s.messages <- message:
		return true
	default:
		return false
	}
}

// Messages are what was published; they end when the subscription is cancelled.
func (s *Subscription) Messages() <-chan string {
	return s.messages
}

// Cancel ends the subscription. Messages that wait can still be received.
func (s *Subscription) Cancel() {
	s.topic.mu.Lock()
	defer s.topic.mu.Unlock()
	if i := slices.Index(s.topic.subscribers, s); i >= 0 {
		s.topic.subscribers = slices.Delete(s.topic.subscribers, i, i+1)
		close(s.messages)
	}
}
