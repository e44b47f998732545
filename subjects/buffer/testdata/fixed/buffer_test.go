package buffer

import (
	"slices"
	"testing"
)

func TestPlant(t *testing.T) {
	const producers, consumers, each = 2, 2, 2
	p := NewPlant(producers, consumers, 1)
	taken := p.Run(each)

	var all []int
	for _, items := range taken {
		for i := range producers {
			if own := from(items, i, each); !slices.IsSorted(own) {
				t.Errorf("a consumer got the items of producer %d in the order %v", i, own)
			}
		}
		all = append(all, items...)
	}
	slices.Sort(all)
	if want := numbers(producers * each); !slices.Equal(all, want) {
		t.Errorf("consumers took %v, want %v", all, want)
	}
	if got, want := p.Buffer().String(), "[] after 4 puts and 4 takes"; got != want {
		t.Errorf("the buffer is %s, want %s", got, want)
	}
}

// from picks the items of one producer.
func from(items []int, producer, each int) []int {
	var own []int
	for _, item := range items {
		if item/each == producer {
			own = append(own, item)
		}
	}
	return own
}

func numbers(n int) []int {
	var all []int
	for i := range n {
		all = append(all, i)
	}
	return all
}

func TestBuffer(t *testing.T) {
	b := New(2)
	b.Put(1)
	b.Put(2)
	if got := b.Take(); got != 1 {
		t.Errorf("took %d first, want 1", got)
	}
	b.Put(3)
	if got, want := b.String(), "[2 3] after 3 puts and 1 takes"; got != want || b.Len() != 2 {
		t.Errorf("the buffer is %s with %d items, want %s", got, b.Len(), want)
	}
}
