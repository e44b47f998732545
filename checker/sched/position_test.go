package sched

import (
	"slices"
	"testing"
)

func TestPositionsAreKnown(t *testing.T) {
	here := func() position { return where(0, deep, nil) }
	for range 2 {
		at := here()
		want := at.symbolise().program
		for range 2 {
			if got := at.frames(); len(got) == 0 || !slices.Equal(got, want) || cap(got) != len(got) {
				t.Errorf("frames %v (room for %d), want %v", got, cap(got), want)
			}
		}
	}
	if got := (position{}).frames(); got != nil {
		t.Errorf("frames of no position: %v", got)
	}
}

func TestKnownPositionsAreBounded(t *testing.T) {
	for i := range maxKnown + 10 {
		position{uintptr(i)}.frames()
	}
	if n := len(known.positions); n > maxKnown {
		t.Errorf("%d positions are kept", n)
	}
}
