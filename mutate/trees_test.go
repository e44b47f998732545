package mutate_test

import (
	"testing"

	"mendel/mutate"
	"mendel/mutate/addlock"
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

// Trees that are let go are made again, and nothing that is known of them is lost.
func TestTreesLetGo(t *testing.T) {
	space := spaceOf(t, map[string]string{"queue.go": queue, "users.go": users}, addlock.Operator, lockread.Operator)
	edits := space.Edits()
	hashes := func() (hashes []string) {
		for _, e := range edits {
			m, err := space.Mutant(t.Context(), []mutate.Edit{e})
			if err != nil {
				hashes = append(hashes, err.Error())
				continue
			}
			hashes = append(hashes, m.Hash)
		}
		return hashes
	}
	before, flags := hashes(), space.Judge(edits...)
	if space.Trees() != 2 {
		t.Fatalf("%d trees are kept, want both", space.Trees())
	}
	space.KeepTrees(0)
	if space.Trees() != 1 {
		t.Fatalf("%d trees are kept, want one", space.Trees())
	}
	for i, hash := range hashes() {
		if hash != before[i] {
			t.Errorf("%s: %s, and with trees that are made again %s", edits[i].Key(), before[i], hash)
		}
	}
	if again := space.Judge(edits...); len(again.Flags) != len(flags.Flags) || again.Refused != flags.Refused {
		t.Errorf("all together are judged %v, and with trees that are made again %v", flags, again)
	}
}

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
