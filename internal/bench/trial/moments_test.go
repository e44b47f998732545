package trial

import (
	"testing"
	"time"

	"mendel"
)

// The log of another version tells when it came how far, past midnight too.
func TestMomentsOfLog(t *testing.T) {
	for log, want := range map[string]Moments{
		"2026-11-22 23:59:31 repairing .\n23:59:47 new best 1000: x\n23:59:48 new best 1000: y\n00:00:01 fix: x\n00:00:09 fix: y\n": {16, 30},
		"2026-11-22 16:02:31 repairing .\n16:02:47 new best 933: x\n16:02:50 a fix: none\n":                                         {},
		"fix: x\n": {},
	} {
		if got := momentsOf([]byte(log)); got != want {
			t.Errorf("%q: %+v, want %+v", log, got, want)
		}
	}
}

// The first moments count.
func TestStopwatch(t *testing.T) {
	now := 10 * time.Second
	w := &stopwatch{elapsed: func() time.Duration { return now }}
	w.Search(mendel.Event{Best: 999})
	w.Printf("no %s", "fix: x")
	if got := w.taken(); got != (Moments{}) {
		t.Errorf("nothing was found, but %+v", got)
	}
	w.Search(mendel.Event{Best: 1000})
	now = 70 * time.Second
	w.Search(mendel.Event{Best: 1000})
	w.Printf("fix: %s", "x")
	got := w.taken()
	if got != (Moments{FullScore: 10, Fix: 70}) {
		t.Errorf("moments %+v", got)
	}
	if s, ok := got.Validation(); !ok || s != 60 {
		t.Errorf("validation %v, %v", s, ok)
	}
	if _, ok := (Moments{FullScore: 3}).Validation(); ok {
		t.Error("without a fix there is no validation")
	}
}
