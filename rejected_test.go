package mendel

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mendel/mutate"
	"mendel/validate"
)

// A printed keeps what an Observer is told.
type printed struct {
	silent
	lines []string
}

func (p *printed) Printf(format string, args ...any) {
	p.lines = append(p.lines, fmt.Sprintf(format, args...))
}

// A candidate that breaks a rule is in the result and in the log, with the rule
// and the place.
func TestRejectedIsTold(t *testing.T) {
	out := &printed{}
	h := &hunt{repairer: &repairer{o: Options{Observer: out}, result: &Result{}}}
	b := &validate.Breach{Rule: validate.DroppedMessage, File: "queue.go", Line: 12, What: "a message is not received"}
	edit := mutate.Edit{Operator: "buffer", File: "queue.go", Line: 9}
	h.reject(&validate.Rejected{Mutant: &mutate.Mutant{Edits: []mutate.Edit{edit}}, Stage: validate.StageCheck, Breach: b, Reason: b.String()})
	h.reject(&validate.Rejected{Mutant: &mutate.Mutant{}, Stage: validate.StageVet, Reason: "copies a lock"})
	want := []string{"rejected: buffer at queue.go:9: dropped-message: a message is not received (queue.go:12)", "rejected: the original: copies a lock"}
	if fmt.Sprint(out.lines) != fmt.Sprint(want) {
		t.Errorf("told %q, want %q", out.lines, want)
	}
	text, err := json.Marshal(h.result.Rejected)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"rule":"dropped-message","file":"queue.go","line":12`, `"stage":"vet","reason":"copies a lock"`, `"operator":"buffer"`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
}
