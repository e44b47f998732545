package lean

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// What somebody has set stays; the rest reaches children and this process.
func TestChildren(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	t.Setenv("GOGC", "50")
	t.Setenv("TMPDIR", "/here")
	Children()
	if got := debug.SetGCPercent(100); os.Getenv("GOGC") != "50" || os.Getenv("TMPDIR") != "/here" || got != 100 {
		t.Errorf("GOGC=%s TMPDIR=%s, %d in this process", os.Getenv("GOGC"), os.Getenv("TMPDIR"), got)
	}
	t.Setenv("GOGC", "")
	t.Setenv("TMPDIR", "")
	Children()
	if got := debug.SetGCPercent(100); os.Getenv("GOGC") != garbageText || got != garbage {
		t.Errorf("GOGC=%s, %d in this process", os.Getenv("GOGC"), got)
	}
	if got := os.Getenv("TMPDIR"); got != memory() {
		t.Errorf("TMPDIR=%s, want %q", got, memory())
	}
}

// Programs can be run where temporary files go.
func TestMemory(t *testing.T) {
	dir := memory()
	if dir == "" {
		t.Skip("there is no file system in memory that is large enough")
	}
	dir, err := os.MkdirTemp(dir, "lean")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho here\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program).Output(); err != nil || string(out) != "here\n" {
		t.Errorf("%q, %v", out, err)
	}
}
