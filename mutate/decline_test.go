package mutate_test

import (
	"slices"
	"strings"
	"testing"

	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/addunlock"
	"mendel/mutate/buffer"
	"mendel/mutate/expandafter"
	"mendel/mutate/mergesections"
	"mendel/mutate/rlock"
	"mendel/mutate/selectdone"
)

// Operators say why they make no edit in a function: what they have found wrong with the place
// that they looked at, or else what they would need.
func TestDeclines(t *testing.T) {
	space := spaceOf(t, map[string]string{"a.go": `package p

import "sync"

type queue struct {
	mu, other sync.Mutex
	items     []int
	ready     chan int
}

func (q *queue) put(n int) {
	q.mu.Lock()
	q.items = append(q.items, n)
	q.mu.Unlock()
	q.ready <- len(q.items)
	q.mu.Lock()
	q.items = nil
	q.mu.Unlock()
}

func (q *queue) last() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.other.Lock()
	defer q.other.Unlock()
	return q.items[0]
}

func Use() {
	q := &queue{ready: make(chan int, 3)}
	go q.put(1)
	println(q.last(), <-q.ready)
}
`}, addlock.Operator, addunlock.Operator, buffer.Operator, expandafter.Operator, mergesections.Operator, rlock.Operator, selectdone.Operator)
	for _, c := range []struct{ operator, function, says string }{
		{"addunlock", "(*queue).put", "taken and released alike on all paths"},
		{"mergesections", "(*queue).put", "may wait for others"},
		{"mergesections", "(*queue).last", "does not end with one release in the list it begins in"},
		{"expandafter", "(*queue).last", "does not end with one release in the list it begins in"},
		{"selectdone", "(*queue).put", "no signal that could end the wait is in scope"},
		{"rlock", "(*queue).last", "there is no " + rlock.Operator.Needs},
		{"addlock", "(*queue).last", "no lock in scope may be taken here"},
		{"buffer", "(*queue).last", "there is no " + buffer.Operator.Needs},
		{"addlock", "gone", "may not be edited"},
	} {
		said := space.Declines("a.go", c.function, []string{c.operator})
		if !slices.ContainsFunc(said, func(d mutate.Decline) bool {
			return d.Operator == c.operator && d.File == "a.go" && strings.Contains(d.Reason, c.says)
		}) {
			t.Errorf("%s in %s: %+v, want %q", c.operator, c.function, said, c.says)
		}
	}
	// Where there is an edit nobody declines.
	if said := space.Declines("a.go", "(*queue).put", []string{"addlock", "nobody"}); len(said) > 0 {
		t.Errorf("%+v", said)
	}
	// Nothing is heard when nobody asks.
	before := space.Edits()
	if again := space.Declines("a.go", "(*queue).put", []string{"addunlock"}); len(again) == 0 || len(space.Edits()) != len(before) {
		t.Errorf("%+v, %d edits, before %d", again, len(space.Edits()), len(before))
	}
}
