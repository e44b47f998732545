package report

import (
	"testing"

	"mendel/internal/dossier"
)

func TestGravest(t *testing.T) {
	failures := []dossier.FailureRecord{{Kind: "test-failure"}, {Kind: "race", Test: "TestA"}, {Kind: "race", Test: "TestB"}, {Kind: "unknown"}}
	if f := Gravest(failures); f != &failures[1] {
		t.Errorf("%+v", f)
	}
	failures = append(failures, dossier.FailureRecord{Kind: "deadlock"})
	if f := Gravest(failures); f != &failures[4] {
		t.Errorf("%+v", f)
	}
	if f := Gravest(nil); f != nil {
		t.Errorf("%+v", f)
	}
}
