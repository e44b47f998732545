package main

import (
	"slices"
	"testing"
)

// Each system has its own way to open a file.
func TestOpener(t *testing.T) {
	for system, want := range map[string][]string{
		"linux":   {"xdg-open", "a b"},
		"freebsd": {"xdg-open", "a b"},
		"darwin":  {"open", "a b"},
		"windows": {"rundll32", "url.dll,FileProtocolHandler", "a b"},
	} {
		if got := opener(system, "a b"); !slices.Equal(got, want) {
			t.Errorf("on %s: %q, want %q", system, got, want)
		}
	}
}
