package main

import (
	"testing"
)

func TestCommandLine(t *testing.T) {
	got := commandLine([]string{"core", "--out", "a b", "--arm=random,population=2", "*"})
	if want := `go run ./cmd/mendel-bench core --out "a b" --arm=random,population=2 "*"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// subjectsHere is where the subjects are.
const subjectsHere = "../../subjects"
