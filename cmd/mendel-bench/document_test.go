package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What ended early claims nothing about criteria that it meets so far, and says
// which it does not.
func TestEndedEarly(t *testing.T) {
	interrupted := errors.New("interrupted")
	for want, d := range map[string]document{
		"| moby9 |": &GokerReport{Kernels: []*KernelCheck{{Name: "moby9", Found: &KernelFailure{}}}},
		"Not met:\n\n- found 0 of 1 kernels, want 1\n\nEnded early: interrupted\n": &GokerReport{Kernels: []*KernelCheck{{Name: "moby9"}}},
	} {
		dir := t.TempDir()
		var b strings.Builder
		if err := finish(d, &b, dir, "goker", interrupted); !errors.Is(err, interrupted) {
			t.Errorf("error %v, want the one it ended with", err)
		}
		saved, err := os.ReadFile(filepath.Join(dir, "goker.md"))
		if err != nil {
			t.Fatal(err)
		}
		text := string(saved)
		if !strings.Contains(text, want) || strings.Contains(text, "All criteria") || !strings.HasSuffix(text, "Ended early: interrupted\n") {
			t.Errorf("saved, without %q:\n%s", want, text)
		}
	}
}

func TestFinish(t *testing.T) {
	met := &GokerReport{Replays: 20, Kernels: []*KernelCheck{{Found: &KernelFailure{Replayed: 20}}}}
	var b strings.Builder
	if err := finish(met, &b, "", "goker", nil); err != nil || !strings.HasSuffix(b.String(), "\n\nAll criteria are met.\n") {
		t.Errorf("error %v, report\n%s", err, b.String())
	}
	met.Kernels[0].Found.Replayed = 19
	if err := finish(met, &b, "", "goker", nil); !errors.Is(err, errNotMet) {
		t.Errorf("error %v, want errNotMet", err)
	}
}
