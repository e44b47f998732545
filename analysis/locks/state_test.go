package locks

import (
	"slices"
	"testing"
)

// What is the same whether a flag is set or not is kept once, without the flag.
func TestStateForgetsFlags(t *testing.T) {
	const first, second = 70, 3
	free, locked := state{{}}, state{{write: 1}}
	yes, no := free.assume(first, true), free.assume(first, false)
	if got := yes.with(no); !slices.Equal(got, free) {
		t.Errorf("both values: got %v, want one hold", got)
	}
	if got := free.with(yes); !slices.Equal(got, free) {
		t.Errorf("a special case: got %v, want the general one", got)
	}
	if got := yes.with(free); !slices.Equal(got, free) {
		t.Errorf("a general case: got %v, want it alone", got)
	}
	lockedNo := locked.assume(first, false)
	both := yes.with(lockedNo)
	if len(both) != 2 {
		t.Fatalf("different holds: got %v, want two", both)
	}
	if got := both.assume(first, true); !slices.Equal(got, yes) {
		t.Errorf("the flag is set: got %v, want %v", got, yes)
	}
	if got := both.with(no, lockedNo); len(got) != 2 || !got.covers(hold{}) {
		t.Errorf("free in both cases, locked in one: got %v", got)
	}
	var all state
	for _, a := range []bool{true, false} {
		for _, b := range []bool{true, false} {
			all = all.with(free.assume(first, a).assume(second, b))
		}
	}
	if !slices.Equal(all, free) {
		t.Errorf("two flags, each either: got %v, want one hold", all)
	}
}

// The order in which flags are learnt does not matter, and no more than some are kept.
func TestFlags(t *testing.T) {
	a, _ := flags("").assume(300, true)
	a, _ = a.assume(2, false)
	b, _ := flags("").assume(2, false)
	b, _ = b.assume(300, true)
	if a != b {
		t.Errorf("got %q and %q, want the same", a, b)
	}
	if _, ok := a.assume(2, true); ok {
		t.Error("a flag that is not set may be set")
	}
	h := hold{flags: a}
	if got := h.forget(2).forget(300).forget(9); got != (hold{}) {
		t.Errorf("all forgotten: got %v", got)
	}
	full := flags("")
	for pos := range 100 {
		full, _ = full.assume(pos, true)
	}
	if len(full) != maxFlags {
		t.Errorf("got %d bytes, want %d", len(full), maxFlags)
	}
}
