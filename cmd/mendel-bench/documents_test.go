package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Each table of the evaluation names the command that made it and a revision,
// and the evaluation's page refers to it.
func TestEvaluationTables(t *testing.T) {
	page, err := os.ReadFile("../../docs/evaluation.md")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("../../docs/evaluation/*.md")
	if err != nil || len(names) == 0 {
		t.Fatalf("tables %q, %v", names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"\n    go run ./cmd/mendel-bench ", "revision"} {
			if !bytes.Contains(text, []byte(want)) {
				t.Errorf("%s has no %q", name, want)
			}
		}
		if base := filepath.Base(name); !bytes.Contains(page, []byte("(evaluation/"+base+")")) {
			t.Errorf("docs/evaluation.md does not refer to %s", base)
		}
	}
}
