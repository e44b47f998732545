package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestVariantsRefusesNonsense(t *testing.T) {
	for want, args := range map[string][]string{
		"must be positive":             {"--mutants=0"},
		"not negative":                 {"--runs=-1"},
		"no program's name contains":   {"--only=nosuch", "--subjects=" + subjectsHere, "--operators=../../mutate"},
		"no */subject.json below":      {"--subjects=nosuch"},
		"no */testdata/*.txtar below ": {"--subjects=" + subjectsHere, "--operators=nosuch"},
	} {
		c := newVariantsCommand()
		c.SetArgs(args)
		c.SetOut(&bytes.Buffer{})
		c.SetErr(&bytes.Buffer{})
		if err := c.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", args, err, want)
		}
	}
}
