package trial

import (
	"testing"

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

// The first fix that is validated to the end counts, whatever its rank.
func TestMomentsOfResult(t *testing.T) {
	r := &mendel.Result{Search: mendel.Search{FullScoreSeconds: 10}}
	if got := momentsIn(r); got != (Moments{FullScore: 10}) {
		t.Errorf("moments %+v", got)
	}
	r.Fixes = []mendel.Fix{{ValidatedSeconds: 90}, {ValidatedSeconds: 70}, {}, {ValidatedSeconds: 60, Incomplete: []string{"go vet was not run"}}}
	got := momentsIn(r)
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
