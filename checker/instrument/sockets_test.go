package instrument

import (
	"go/build"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The functions and the type into which statements are put are there in the toolchains
// that are at hand.
func TestSocketsOfToolchains(t *testing.T) {
	roots := []string{build.Default.GOROOT}
	more, err := filepath.Glob(filepath.Join(os.Getenv("HOME"), "go", "pkg", "mod", "golang.org", "toolchain@*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range append(roots, more...) {
		in := &Instrumenter{goroot: root, runtime: map[string][]byte{}}
		release, err := releasedBy(root, os.DirFS(root))
		if err != nil {
			t.Fatal(err)
		}
		if err := in.socketsInMemory(release); err != nil {
			t.Errorf("%s: %v", root, err)
			continue
		}
		all := ""
		for _, name := range slices.Sorted(maps.Keys(in.runtime)) {
			all += string(in.runtime[name])
		}
		for name, statement := range asked {
			if !slices.Contains(optional, name) && !strings.Contains(all, "{ "+statement+"; ") {
				t.Errorf("%s: %s does not begin with its statement", root, name)
			}
		}
		if !strings.Contains(all, "type netFD struct { "+socketField) {
			t.Errorf("%s: netFD has no field for a socket in memory", root)
		}
	}
}

// A library whose package net is another one is refused.
func TestSocketsOfAnotherNet(t *testing.T) {
	root := goroot(t, "package goversion\n\nconst Version = 26\n")
	dir := filepath.Join(root, "src", "net")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	text := "package net\n\ntype netFD struct{}\n\nfunc (fd *netFD) Read(p []byte) (int, error) { return 0, nil }\n"
	if err := os.WriteFile(filepath.Join(dir, "fd.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	in := &Instrumenter{goroot: root, runtime: map[string][]byte{}}
	release, err := releasedBy(root, os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	err = in.socketsInMemory(release)
	if err == nil || !strings.Contains(err.Error(), "(*netFD).Write") || strings.Contains(err.Error(), "(*netFD).Read,") {
		t.Errorf("%v", err)
	}
	if len(in.runtime) > 0 {
		t.Errorf("files %q were changed", slices.Sorted(maps.Keys(in.runtime)))
	}
}
