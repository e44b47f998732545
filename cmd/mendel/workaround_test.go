package main

import (
	"strings"
	"testing"

	"mendel"
)

// A workaround is left out of the source, and ends the command as no fix does.
func TestWorkaroundIsNotApplied(t *testing.T) {
	r := &mendel.Result{Status: mendel.Worked, Fixes: []mendel.Fix{{Patch: "fix-1.patch"}}}
	var b strings.Builder
	if err := apply(r, false, &b); err != nil || !strings.Contains(b.String(), "fix-1.patch is not applied: it is a workaround (--force applies it)") {
		t.Errorf("%q, %v", b.String(), err)
	}
	if code := exitCode(r.Status); code != exitError(1) {
		t.Errorf("ends with %v", code)
	}
}
