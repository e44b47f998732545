package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestSeededRefusesNonsense(t *testing.T) {
	for _, arg := range []string{"--count=0", "--seed-budget=0s", "--budget=-1s", "--check-budget=0s", "--runs=0", "--workers=-1"} {
		c := newSeededCommand()
		c.SetArgs([]string{arg})
		c.SetOut(&bytes.Buffer{})
		c.SetErr(&bytes.Buffer{})
		if err := c.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), "positive") {
			t.Errorf("%s: error %v", arg, err)
		}
	}
}
