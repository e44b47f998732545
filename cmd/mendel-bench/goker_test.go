package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestGokerRefusesNonsense(t *testing.T) {
	for want, args := range map[string][]string{
		"must be positive":   {"--budget=-1s"},
		"--replays":          {"--replays=0"},
		"none of the others": {"--noise", "--repair"},
		"[noise out]":        {"--noise", "--out=x"},
	} {
		c := newGokerCommand()
		c.SetArgs(args)
		c.SetOut(&bytes.Buffer{})
		c.SetErr(&bytes.Buffer{})
		if err := c.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", args, err, want)
		}
	}
}
