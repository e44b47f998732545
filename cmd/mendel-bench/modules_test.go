package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestModulesRefusesNonsense(t *testing.T) {
	for want, args := range map[string][]string{
		"--budget must be positive": {"--budget=0s"},
		"--run":                     {"--run=("},
		"output directory":          {"--out=main.go/x"},
	} {
		c := newModulesCommand()
		c.SetArgs(args)
		c.SetOut(&bytes.Buffer{})
		c.SetErr(&bytes.Buffer{})
		if err := c.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", args, err, want)
		}
	}
}
