package main

import (
	"errors"
	"io"
	"testing"

	"mendel/internal/bench/tables"
)

func TestRealRefusesNonsense(t *testing.T) {
	for _, args := range [][]string{
		{"--budget=0s"}, {"--runs=0"}, {"--seed=0"}, {"--workers=-1"}, {"--only=nosuch"}, {"--arm=nosuch"}, {"--nosuch"}, {"x"},
		{"--out=main.go/x"}, {"--verify-only=nosuch/real.json"}, {"--check-manifest", "--verify-only=real.json"},
	} {
		c := newRealCommand()
		c.SetArgs(args)
		c.SetOut(io.Discard)
		c.SetErr(io.Discard)
		if err := c.ExecuteContext(t.Context()); err == nil {
			t.Errorf("%q is no error", args)
		} else if errors.Is(err, tables.ErrNotMet) {
			t.Errorf("%q: work was done", args)
		}
	}
}
