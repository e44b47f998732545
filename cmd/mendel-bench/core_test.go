package main

import (
	"errors"
	"io"
	"testing"

	"mendel/internal/bench/tables"
)

func TestCoreRefusesNonsense(t *testing.T) {
	for _, args := range [][]string{
		{"--seeds=0"}, {"--seed=0"}, {"--runs=-1"}, {"--rounds=0"}, {"--budget=0s"}, {"--check-budget=-1s"}, {"--workers=-2"}, {"--wider=-1"}, {"--nosuch"}, {"account"},
		{"--subjects", subjectsHere, "--arm=nosuch"}, {"--subjects", subjectsHere, "--only=nosuch"},
		{"--subjects", subjectsHere, "--out", "main.go/x"}, {"--no-verify", "--verify-only", "core.json"},
		{"--subjects", subjectsHere, "--verify-only", "nosuch/core.json"}, {"--until=nosuch"},
	} {
		c := newCoreCommand()
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
