package analysis

import (
	"go/types"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"mendel/internal/gotool"
)

// A library in a newer language than this program reads is what is wrong if, and only if, a
// package of it was not read.
func TestLibraryTooNew(t *testing.T) {
	u := &unit{
		types: map[string]*types.Package{},
		nodes: []*node{{direct: true, listed: &packages.Package{PkgPath: "math/rand/v2"}}},
	}
	newer, own := &gotool.Toolchain{Version: "go1.999"}, &gotool.Toolchain{Version: runtime.Version()}
	if err := u.libraryTooNew(newer); err == nil || !strings.Contains(err.Error(), "GOTOOLCHAIN=go1.999 go install") {
		t.Errorf("not read: %v, want the way out", err)
	}
	if err := u.libraryTooNew(own); err != nil {
		t.Errorf("not read, of this version: %v", err)
	}
	read := types.NewPackage("math/rand/v2", "rand")
	read.MarkComplete()
	u.types[read.Path()] = read
	if err := u.libraryTooNew(newer); err != nil {
		t.Errorf("read: %v", err)
	}
}
