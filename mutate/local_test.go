package mutate_test

import (
	"testing"

	"mendel/mutate/lockread"
)

const (
	queue = `package p

import "sync"

type queue struct {
	mu    sync.Mutex
	items []int
	last  *queue
}

func (q *queue) put(n int) {
	q.mu.Lock()
	q.items = append(q.items, n)
	q.mu.Unlock()
}

func (q *queue) size() int { return len(q.items) }
`
	users = `package p

import "fmt"

func (q *queue) show() {
	if q.last != nil {
		fmt.Println(q.last, func() { fmt.Println(q.last) })
		q.last.show()
	}
	go func() {
		fmt.Println(q.last)
		if n := q.size(); n > 0 {
			q.put(n)
		}
	}()
}

func (q *queue) follow() {
	fmt.Println(q.last)
	q.last = nil
}
`
)

// Edits of a local operator whose statements are apart are listed together without
// being made: they go together all the same.
func TestLocalEditsGoTogether(t *testing.T) {
	space := spaceOf(t, map[string]string{"queue.go": queue, "users.go": users}, lockread.Operator)
	composites := 0
	for _, e := range space.Edits() {
		if len(e.Parts) > 0 {
			composites++
			mustBuild(t, space, e)
		}
	}
	if composites == 0 {
		t.Error("no edits of lockread are listed together")
	}
}
