package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestSpeedRefusesNonsense(t *testing.T) {
	for want, args := range map[string][]string{
		"no part nosuch":     {"--parts=steps,nosuch"},
		"must be positive":   {"--rounds=0"},
		"nothing to measure": {"--parts="},
		"no bug nosuch":      {"--parts=search", "--bugs=nosuch"},
		"--against":          {"--parts=search", "--against=/nosuch/mendel"},
		"--search-budget":    {"--search-budget=0s"},
		"no subject nosuch":  {"--only=nosuch", "--subjects=" + subjectsHere},
	} {
		c := newSpeedCommand()
		c.SetArgs(args)
		c.SetOut(&bytes.Buffer{})
		c.SetErr(&bytes.Buffer{})
		if err := c.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", args, err, want)
		}
	}
}
