//go:build unix

package gotool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const oneModule = `
-- go.mod --
module example.com/m

go 1.25
-- sub/s.go --
package sub
`

func TestOpen(t *testing.T) {
	privateTemp(t)
	dir := tree(t, oneModule)
	tool := open(t, filepath.Join(dir, "sub"))
	if tool.Dir != filepath.Join(dir, "sub") || tool.ModuleDir != dir {
		t.Errorf("directory %s of module %s, want %s of %s", tool.Dir, tool.ModuleDir, filepath.Join(dir, "sub"), dir)
	}
	if _, err := os.Stat(filepath.Join(tool.GOROOT, "src", "fmt")); err != nil {
		t.Errorf("GOROOT: %v", err)
	}
	// The test itself was built by a toolchain that Open accepts, unless another one is asked for.
	want, _, _ := strings.Cut(runtime.Version(), " ")
	if asked := os.Getenv("GOTOOLCHAIN"); strings.HasPrefix(asked, "go1.") {
		want = asked
	}
	if tool.Version != want && !strings.Contains(runtime.Version(), "devel") {
		t.Errorf("version %s, want %s", tool.Version, want)
	}
}

func TestOpenRelative(t *testing.T) {
	privateTemp(t)
	dir := tree(t, oneModule)
	t.Chdir(dir)
	if tool := open(t, "sub"); tool.Dir != filepath.Join(dir, "sub") {
		t.Errorf("directory %s, want %s", tool.Dir, filepath.Join(dir, "sub"))
	}
}

// Temporary files of builds go where the user's GOTMPDIR says.
func TestOpenTempDir(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("GOTMPDIR", temp)
	if tool := open(t, tree(t, oneModule)); tool.tempDir != temp {
		t.Errorf("temporary directory %q, want %q", tool.tempDir, temp)
	}
}

func TestOpenRefuses(t *testing.T) {
	privateTemp(t)
	tests := []struct {
		name    string
		archive string
		dir     string
		env     map[string]string
		want    []string // in the message: what is wrong, the way out
	}{
		{"no directory", oneModule, "nowhere", nil, []string{"nowhere", "no such"}},
		{"file", oneModule, "go.mod", nil, []string{"go.mod is a file", "name the directory"}},
		{"no module", "-- a.go --\npackage a\n", "", map[string]string{"GOWORK": "off"}, []string{"in no module", "go mod init"}},
		{"modules off", oneModule, "", map[string]string{"GO111MODULE": "off"}, []string{"switched off", "unset GO111MODULE"}},
		{"workspace only", "-- go.work --\ngo 1.25\n\nuse ./m\n-- m/go.mod --\nmodule m\n", "", nil, []string{"only in the workspace", "go.work", "one of its modules"}},
		{"no go command", oneModule, "", map[string]string{"PATH": "/nonexistent"}, []string{"find the go command", "install Go 1.25"}},
		{"other system", oneModule, "", map[string]string{"GOOS": "plan9"}, []string{"GOOS=plan9", "unset GOOS"}},
		{"newer module", "-- go.mod --\nmodule m\n\ngo 1.999\n", "", map[string]string{"GOTOOLCHAIN": "local"}, []string{"requires go >= 1.999"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := tree(t, test.archive)
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			_, err := Open(t.Context(), filepath.Join(dir, test.dir))
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in the message: %v", want, err)
				}
			}
		})
	}
}

func TestOpenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestRaceErr(t *testing.T) {
	privateTemp(t)
	dir := tree(t, oneModule)
	if runtime.GOOS == "darwin" {
		t.Skip("the race detector needs no cgo here")
	}
	// A C compiler for the cases that are about something else.
	compiler := filepath.Join(t.TempDir(), "cc")
	if err := os.WriteFile(compiler, []byte("#!/bin/sh\necho cc 1.0\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		env  map[string]string
		want string // "": -race works
	}{
		{"works", map[string]string{"CC": "'" + compiler + "' -Wall", "CGO_ENABLED": "1"}, ""},
		{"cgo off", map[string]string{"CC": compiler, "CGO_ENABLED": "0"}, "set CGO_ENABLED=1"},
		{"no compiler", map[string]string{"CC": "/nonexistent/cc", "CGO_ENABLED": ""}, "install gcc or clang"},
		{"compiler named, missing", map[string]string{"CC": "/nonexistent/cc", "CGO_ENABLED": "1"}, "install gcc or clang"},
		{"compiler does not run", map[string]string{"CC": "false", "CGO_ENABLED": "1"}, "install gcc or clang"},
		{"architecture", map[string]string{"GOARCH": "mips", "CGO_ENABLED": "1", "CC": compiler}, "-race is not supported on " + runtime.GOOS + "/mips"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			err := open(t, dir).RaceErr
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestCheckVersion(t *testing.T) {
	for goversion, want := range map[string]string{
		"go1.26.8":                        "go1.26.8",
		"go1.25":                          "go1.25",
		"go1.25rc1":                       "go1.25rc1",
		"go1.26.8 X:nodwarf5":             "go1.26.8",
		"go1.26.8-custom":                 "go1.26.8",
		"devel go1.27-1234abcd Mon Jan 2": "go1.27",
		"go1.24.11":                       "too old",
		"go1.9":                           "too old",
		"":                                "unknown Go version",
		"gccgo 15":                        "unknown Go version",
	} {
		got, err := checkVersion(goversion)
		if err != nil {
			if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "Go 1.25 or later") {
				t.Errorf("%q: %v, want %q", goversion, err, want)
			}
		} else if got != want {
			t.Errorf("%q: got %q, want %q", goversion, got, want)
		}
	}
}

func TestSplitQuoted(t *testing.T) {
	for s, want := range map[string][]string{
		"":                         nil,
		"  ":                       nil,
		"gcc":                      {"gcc"},
		" ccache\tgcc ":            {"ccache", "gcc"},
		`'my cc' -D"x y" "-I a b"`: {"my cc", `-D"x`, `y"`, "-I a b"},
		`"open`:                    {`"open`},
		`''`:                       {""},
	} {
		if got := splitQuoted(s); !slices.Equal(got, want) {
			t.Errorf("%q: got %s, want %s", s, fmt.Sprintf("%q", got), fmt.Sprintf("%q", want))
		}
	}
}
