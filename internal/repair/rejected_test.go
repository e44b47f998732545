package repair

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mendel/internal/repair/setup"
	"mendel/internal/result"
	"mendel/mutate"
	"mendel/validate"
	"mendel/validate/rules"
)

// A candidate that breaks a rule is in the result and in the log, with the rule
// and the place.
func TestRejectedIsTold(t *testing.T) {
	told := &listener{}
	b := &rules.Breach{Rule: rules.DroppedMessage, File: "queue.go", Line: 12, What: "a message is not received"}
	edit := mutate.Edit{Operator: "buffer", File: "queue.go", Line: 9}
	p, out := setup.NewProgress(told, false, nil), &outcome{}
	out.reject(p, &validate.Rejected{Mutant: &mutate.Mutant{Edits: []mutate.Edit{edit}}, Stage: validate.StageCheck, Breach: b, Reason: b.String()})
	out.reject(p, &validate.Rejected{Mutant: &mutate.Mutant{}, Stage: validate.StageVet, Reason: "copies a lock"})
	want := []string{"rejected: buffer at queue.go:9: dropped-message: a message is not received (queue.go:12)", "rejected: the original: copies a lock"}
	if fmt.Sprint(told.lines) != fmt.Sprint(want) {
		t.Errorf("told %q, want %q", told.lines, want)
	}
	r, err := sessionFor(result.Wanted{}).assemble(t.Context(), t.Context(), &stages{env: envFor(result.Wanted{}), outcome: out}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r.Rejected)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"rule":"dropped-message","file":"queue.go","line":12`, `"stage":"vet","reason":"copies a lock"`, `"operator":"buffer"`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
}
