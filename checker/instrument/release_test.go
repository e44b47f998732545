package instrument

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// goroot is a directory in which the release of a toolchain is found.
func goroot(t *testing.T, text string) string {
	dir := t.TempDir()
	file := filepath.Join(dir, "src", "internal", "goversion", "goversion.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What a shim declares depends on the release: a name that exists only with a build tag
// is one of those releases that have it.
func TestShimOfRelease(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	sources := fstest.MapFS{
		"shim/x/a.go":           file("package x\n\nfunc A() {}\n"),
		"shim/x/new.go":         file("//go:build go1.27\n\npackage x\n\nfunc New() {}\n\ntype Type struct{}\n"),
		"shim/x/old.go":         file("// A comment.\n\n//go:build !go1.27\n\npackage x\n\nfunc Old() {}\n"),
		"shim/x/other_plan9.go": file("package x\n\nfunc Other() {}\n"),
		"shim/x/a_test.go":      file("package x\n\nfunc Tested() {}\n"),
		"driver/t.go":           file("package driver\n\ntype T struct{}\n\nfunc (T) Run() {}\n"),
		"driver/new.go":         file("//go:build go1.27\n\npackage driver\n\nfunc (T) Attr() {}\n"),
	}
	for minor, want := range map[int][2]string{25: {"A Old", "Run"}, 26: {"A Old", "Run"}, 27: {"A New Type", "Attr Run"}, 30: {"A New Type", "Attr Run"}} {
		release, err := releasedBy(goroot(t, fmt.Sprintf("package goversion\n\nconst Version = %d\n", minor)), sources)
		if err != nil {
			t.Fatal(err)
		}
		s, err := readShim(release, sources, "shim/x")
		if err != nil {
			t.Fatal(err)
		}
		m, err := driverMethods(release, sources)
		if err != nil {
			t.Fatal(err)
		}
		names := strings.Join(slices.Sorted(maps.Keys(s.names)), " ")
		methods := strings.Join(slices.Sorted(maps.Keys(m["T"])), " ")
		if names != want[0] || methods != want[1] {
			t.Errorf("Go 1.%d: names %s, methods %s; want %q", minor, names, methods, want)
		}
	}
}

func TestReleaseUnknown(t *testing.T) {
	for _, dir := range []string{t.TempDir(), goroot(t, "package goversion\n"), goroot(t, "no Go")} {
		if _, err := releasedBy(dir, nil); err == nil || !strings.Contains(err.Error(), "goversion.go") {
			t.Errorf("got %v, want an error that names the file", err)
		}
	}
}
