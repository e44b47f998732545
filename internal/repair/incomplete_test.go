package repair

import (
	"strings"
	"testing"

	"mendel/internal/result"
	"mendel/mutate"
	"mendel/validate"
)

// A fix that was validated in part is no fix yet, and gives way to the same one
// that was validated to the end.
func TestIncompleteFixes(t *testing.T) {
	m := &mutate.Mutant{Hash: "a"}
	out := &outcome{}
	s := &session{}
	r := &result.Result{Status: result.NotFixed}
	if !out.add(validatedFix{Fix: &validate.Fix{Mutant: m, Incomplete: []string{"go vet was not run"}}, generation: 1}) || out.fixed() {
		t.Error("an incomplete fix is taken for a fix, or not for news")
	}
	s.addOutcome(r, out)
	if r.Status != result.Incomplete || r.Reason != "go vet was not run" {
		t.Errorf("status %s: %s", r.Status, r.Reason)
	}
	if !out.add(validatedFix{Fix: &validate.Fix{Mutant: m}, generation: 1}) || len(out.fixes) != 1 || !out.fixed() {
		t.Errorf("fixes %+v", out.fixes)
	}
	if out.add(validatedFix{Fix: &validate.Fix{Mutant: m}, generation: 2}) {
		t.Error("a fix that is known is news")
	}
	s.addOutcome(r, out)
	if r.Status != result.Fixed || r.Reason != "" {
		t.Errorf("status %s: %s", r.Status, r.Reason)
	}
}

// A fix that gives something up is a workaround, validated to the end or not.
func TestIncompleteWorkaround(t *testing.T) {
	fix := &validate.Fix{
		Mutant:     &mutate.Mutant{Hash: "a"},
		Incomplete: []string{"go vet was not run"},
		Flags:      []mutate.Flag{mutate.DropsGuard},
	}
	out := &outcome{}
	out.add(validatedFix{Fix: fix, generation: 1})
	r := &result.Result{Status: result.NotFixed}
	(&session{}).addOutcome(r, out)
	if r.Status != result.Worked || !strings.Contains(r.Reason, "workaround") || !strings.Contains(r.Reason, "go vet was not run") {
		t.Errorf("status %s: %s", r.Status, r.Reason)
	}
}
