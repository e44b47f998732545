//go:build unix

package gotool

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/internal/sample"
)

// inGOROOT is an overlay's package that every package can import.
func inGOROOT(tool *Toolchain, path, source string) (name string, content []byte) {
	return filepath.Join(tool.GOROOT, "src", filepath.FromSlash(path), "x.go"), []byte(source)
}

const twoPackages = `
-- go.mod --
module example.com/m

go 1.25
-- a.go --
package m

import "example.com/m/sub"

func A() string { return "disk " + sub.S() }
-- a_test.go --
package m

import "testing"

func TestInternal(t *testing.T) { println("internal", A()) }
-- x_test.go --
package m_test

import (
	"testing"

	"example.com/m"
)

func TestExternal(t *testing.T) { println("external", m.A()) }
-- tagged.go --
//go:build special

package m

func init() { println("special") }
-- sub/sub.go --
package sub

func S() string { return "disk" }
-- untested/u.go --
package untested
-- "a dir"/README --
`

func TestBuildTest(t *testing.T) {
	privateTemp(t)
	dir := tree(t, twoPackages)
	tool := open(t, dir)
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

	t.Run("as it is", func(t *testing.T) {
		t.Parallel()
		out := buildAndRun(t, tool, BuildOptions{Package: "."})
		wantLines(t, out, "internal disk disk", "external disk disk")
	})
	t.Run("overlay of two packages and both test packages", func(t *testing.T) {
		t.Parallel()
		out := buildAndRun(t, tool, BuildOptions{Package: "example.com/m", Overlay: Overlay{
			at("a.go"):       []byte("package m\nimport \"example.com/m/sub\"\nfunc A() string { return \"overlay \" + sub.S() }\n"),
			at("sub/sub.go"): []byte("package sub\nfunc S() string { return added }\n"),
			at("sub/new.go"): []byte("package sub\nconst added = \"added\"\n"),
			at("x_test.go"):  []byte("package m_test\nimport (\"testing\"; \"example.com/m\")\nfunc TestExternal(t *testing.T) { println(\"replaced\", m.A()) }\n"),
		}})
		wantLines(t, out, "internal overlay added", "replaced overlay added")
	})
	t.Run("added package", func(t *testing.T) {
		t.Parallel()
		out := buildAndRun(t, tool, BuildOptions{Package: "./zz/virtual", Overlay: Overlay{
			at("zz/virtual/v_test.go"): []byte("package virtual\nimport \"testing\"\nfunc TestV(t *testing.T) { println(\"virtual\") }\n"),
		}})
		wantLines(t, out, "virtual")
	})
	t.Run("tags", func(t *testing.T) {
		t.Parallel()
		out := buildAndRun(t, tool, BuildOptions{Package: ".", Flags: []string{"-tags=special"}})
		wantLines(t, out, "special")
	})
	t.Run("environment", func(t *testing.T) {
		t.Parallel()
		out := buildAndRun(t, tool, BuildOptions{Package: ".", Env: []string{"GOFLAGS=-tags=special"}})
		wantLines(t, out, "special")
	})
	t.Run("no tests", func(t *testing.T) {
		output := filepath.Join(t.TempDir(), "out")
		if err := os.WriteFile(output, []byte("of an earlier build"), 0o666); err != nil {
			t.Fatal(err)
		}
		err := tool.BuildTest(t.Context(), BuildOptions{Package: "./untested", Output: output})
		if !errors.Is(err, ErrNoTests) {
			t.Errorf("got %v, want ErrNoTests", err)
		}
		if _, err := os.Stat(output); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("an earlier build's output is left: %v", err)
		}
	})
	t.Run("bad options", func(t *testing.T) {
		output := filepath.Join(t.TempDir(), "out")
		for _, o := range []BuildOptions{
			{Package: "", Output: output},
			{Package: "-n", Output: output},
			{Package: "./...", Output: output},
			{Package: ".", Output: "relative"},
			{Package: ".", Output: output, Overlay: Overlay{"a.go": nil}},
			{Package: ".", Output: output, Flags: []string{"-overlay=nowhere.json"}, Overlay: Overlay{at("a.go"): nil}},
			{Package: ".", Output: filepath.Join(output, "in", "no", "directory", "\x00")},
		} {
			if err := tool.BuildTest(t.Context(), o); err == nil {
				t.Errorf("%+v: no error", o)
			}
		}
	})
}

// The user's own -overlay stays in force beside Mendel's.
func TestBuildTestUserOverlay(t *testing.T) {
	privateTemp(t)
	dir := tree(t, twoPackages+`
-- mine.json --
{"Replace": {"sub/sub.go": "mine.txt", "a_test.go": "", "x_test.go": "nowhere"}}
-- mine.txt --
package sub

func S() string { return "mine" }
`)
	replaced := Overlay{filepath.Join(dir, "x_test.go"): []byte("package m_test\nimport (\"testing\"; \"example.com/m\")\nfunc TestExternal(t *testing.T) { println(\"replaced\", m.A()) }\n")}
	check := func(t *testing.T, flags []string) {
		out := buildAndRun(t, open(t, dir), BuildOptions{Package: ".", Flags: flags, Overlay: replaced})
		wantLines(t, out, "replaced disk mine")
		if strings.Contains(out, "internal") {
			t.Errorf("removed file was built:\n%s", out)
		}
	}
	t.Run("flag", func(t *testing.T) { check(t, []string{"-overlay=mine.json"}) })
	t.Run("two words", func(t *testing.T) { check(t, []string{"--overlay", "mine.json"}) })
	t.Run("GOFLAGS", func(t *testing.T) {
		t.Setenv("GOFLAGS", "'-overlay="+filepath.Join(dir, "mine.json")+"'")
		check(t, nil)
	})
}

const hooked = `package dep

import "mendelrt/hook"

func Dep() string { return hook.Hook() }
`

const hook = `package hook

import "sync"

var mu sync.Mutex

func Hook() string {
	mu.Lock()
	defer mu.Unlock()
	return "hooked"
}
`

const usesDep = `
-- main/go.mod --
module example.com/main

go 1.25

require example.com/dep v1.0.0

replace example.com/dep => ./nested
-- main/a_test.go --
package main

import (
	"testing"

	"example.com/dep"
)

func TestDep(t *testing.T) {
	done := make(chan bool)
	go func() { println("dep", dep.Dep()); close(done) }()
	<-done
}
-- main/race_test.go --
//go:build race

package main

func init() { println("under the race detector") }
-- main/nested/go.mod --
module example.com/dep

go 1.25
-- main/nested/dep.go --
package dep

func Dep() string { return "disk" }
`

// A package added to GOROOT/src can be imported by any module's packages,
// however they are found, and also with -race: whether it is there does not depend on how they
// are found, so one of them is built with it unless all are asked for.
func TestBuildTestGOROOTOverlay(t *testing.T) {
	privateTemp(t)
	tests := []struct {
		name, archive, dir, dep string
	}{
		{"nested module", usesDep, "main", "main/nested/dep.go"},
		{"workspace", usesDep + `
-- go.work --
go 1.25

use (
	./main
	./other
)
-- other/go.mod --
module example.com/dep

go 1.25
-- other/dep.go --
package dep

func Dep() string { return "disk" }
`, "main", "other/dep.go"},
		{"vendor", usesDep + `
-- main/vendor/modules.txt --
# example.com/dep v1.0.0 => ./nested
## explicit; go 1.25
example.com/dep
# example.com/dep => ./nested
-- main/vendor/example.com/dep/dep.go --
package dep

func Dep() string { return "disk" }
`, "main", "main/vendor/example.com/dep/dep.go"},
	}
	raced := len(sample.Of(1, tests))
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			root := tree(t, test.archive)
			tool := open(t, filepath.Join(root, test.dir))
			name, content := inGOROOT(tool, "mendelrt/hook", hook)
			o := BuildOptions{Package: ".", Overlay: Overlay{
				name: content,
				filepath.Join(root, filepath.FromSlash(test.dep)): []byte(hooked),
			}}
			wantLines(t, buildAndRun(t, tool, o), "dep hooked")
			if i >= raced {
				return
			}
			if tool.RaceErr != nil {
				t.Skip(tool.RaceErr)
			}
			o.Race = true
			wantLines(t, buildAndRun(t, tool, o), "dep hooked", "under the race detector")
		})
	}
}

// Names with spaces and symbolic links stay as the user wrote them.
func TestBuildTestOddDirectory(t *testing.T) {
	privateTemp(t)
	real := filepath.Join(tree(t, strings.ReplaceAll(usesDep, "main/", "a b 'c'/")), "a b 'c'")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{real, link} {
		tool := open(t, dir)
		if tool.ModuleDir != dir {
			t.Errorf("module directory %s, want %s", tool.ModuleDir, dir)
		}
		overlay := Overlay{filepath.Join(dir, "nested", "dep.go"): []byte("package dep\nfunc Dep() string { return \"overlay\" }\n")}
		wantLines(t, buildAndRun(t, tool, BuildOptions{Package: ".", Overlay: overlay}), "dep overlay")

		broken := filepath.Join(dir, "nested", "dep.go")
		d := diagnostics(t, tool.BuildTest(t.Context(), BuildOptions{
			Package: ".", Output: filepath.Join(t.TempDir(), "out"),
			Overlay: Overlay{broken: []byte("package dep\nfunc Dep() string { return 1 }\n")},
		}))
		if d[0].File != broken {
			t.Errorf("error in %s, want %s", d[0].File, broken)
		}
	}
}

// A package with cgo is built from an overlay too, its errors at the user's lines.
func TestBuildTestCgo(t *testing.T) {
	privateTemp(t)
	dir := tree(t, `
-- go.mod --
module example.com/c

go 1.25
-- c.go --
package c

// static int two(void) { return 2; }
import "C"

func Two() int { return int(C.two()) }
-- c_test.go --
package c

import "testing"

func TestTwo(t *testing.T) { println("two is", Two()) }
`)
	tool := open(t, dir)
	if !runnable(t.Context(), "gcc") {
		t.Skip("no C compiler")
	}
	name := filepath.Join(dir, "c.go")
	source := "package c\n\n// static int two(void) { return 3; }\nimport \"C\"\n\nfunc Two() int { return int(C.two()) }\n"
	out := buildAndRun(t, tool, BuildOptions{Package: ".", Overlay: Overlay{name: []byte(source)}})
	wantLines(t, out, "two is 3")

	for _, wrong := range []string{
		strings.Replace(source, "int(C.two())", `"x"`, 1), // 6: the Go compiler
		strings.Replace(source, "C.two", "C.three", 1),    // 6: cgo
	} {
		d := diagnostics(t, tool.BuildTest(t.Context(), BuildOptions{
			Package: ".", Output: filepath.Join(t.TempDir(), "out"), Overlay: Overlay{name: []byte(wrong)},
		}))
		if d[0].File != name || d[0].Line != 6 {
			t.Errorf("got %v, want an error at %s:6", d, name)
		}
	}
}

// A build that takes too long ends with all its children, and so does a cancelled one.
func TestBuildTestStopped(t *testing.T) {
	privateTemp(t)
	dir := tree(t, twoPackages)
	tool := open(t, dir)
	build := func(ctx context.Context, timeout time.Duration, pids string) error {
		return tool.BuildTest(ctx, BuildOptions{
			Package: ".",
			Flags:   []string{"-toolexec=" + self() + " helper deaf"}, // in place of the compiler
			Env:     []string{"HELPER_PIDS=" + pids},
			Output:  filepath.Join(t.TempDir(), "out"),
			Overlay: Overlay{filepath.Join(dir, "sub", "new.go"): []byte("package sub\n")},
			Timeout: timeout,
		})
	}
	check := func(t *testing.T, pids string) {
		said, err := os.ReadFile(pids)
		if err != nil {
			t.Fatal(err)
		}
		checkGone(t, said, 1)
	}
	t.Run("timeout", func(t *testing.T) {
		pids := filepath.Join(t.TempDir(), "pids")
		err := build(t.Context(), 3*time.Second, pids)
		if be := (*BuildError)(nil); !errors.As(err, &be) || be.Limit != TimedOut || !strings.Contains(err.Error(), "not done after 3s") {
			t.Errorf("got %v, want an error that tells the time", err)
		}
		check(t, pids)
	})
	t.Run("cancel", func(t *testing.T) {
		pids := filepath.Join(t.TempDir(), "pids")
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			waitFor(t, func() bool { said, _ := os.ReadFile(pids); return pidLine.Match(said) })
			cancel()
		}()
		if err := build(ctx, time.Minute, pids); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
		check(t, pids)
	})
}

func TestVet(t *testing.T) {
	privateTemp(t)
	dir := tree(t, twoPackages)
	tool := open(t, dir)
	if err := tool.Vet(t.Context(), BuildOptions{}, "./..."); err != nil {
		t.Error(err)
	}
	name := filepath.Join(dir, "sub", "sub.go")
	tests := []struct {
		source  string
		line    int
		message string
	}{
		{"package sub\n\nimport \"sync\"\n\nfunc S() string { return \"\" }\nfunc C(mu sync.Mutex) {}\n", 6, "passes lock by value"},
		{"// Package sub is vetted.\npackage sub\n\nimport \"fmt\"\n\nfunc S() string { fmt.Sprint(1); return \"\" }\n", 6, "result of fmt.Sprint call not used"},
		{"//go:build !none\n\npackage sub\n\nimport \"fmt\"\n\nfunc S() string { fmt.Sprint(3); return \"\" }\n", 7, "result of fmt.Sprint call not used"},
		{"\ufeffpackage sub\n\nimport \"fmt\"\n\nfunc S() string { fmt.Sprint(2); return \"\" }\n", 5, "result of fmt.Sprint call not used"},
		{"package sub\n\nfunc S() string { return 1 }\n", 3, "cannot use 1"},
		{"package sub\n\nfunc S( string { return 1 }\n", 3, "syntax error"},
	}
	// The go command repeats what it has said of a source, with the names that it had.
	for _, test := range slices.Concat(tests, sample.Of(2, tests)) {
		err := tool.Vet(t.Context(), BuildOptions{Overlay: Overlay{name: []byte(test.source)}}, "./sub", ".")
		d := diagnostics(t, err)
		if d[0].File != name || d[0].Line != test.line || !strings.Contains(d[0].Message, test.message) {
			t.Errorf("got %v, want %s:%d: %s", d, name, test.line, test.message)
		}
	}
	if err := tool.Vet(t.Context(), BuildOptions{}, "-x"); err == nil {
		t.Error("-x was taken for a package")
	}
}

// The user's flags for the linker stand.
func TestLinkerFlags(t *testing.T) {
	for _, test := range []struct {
		goflags string
		o       BuildOptions
		want    bool
	}{
		{"", BuildOptions{Flags: []string{"-tags=a"}}, false},
		{"-mod=mod", BuildOptions{}, false},
		{"-mod=mod -ldflags=-s", BuildOptions{}, true},
		{"", BuildOptions{Flags: []string{"-ldflags", "-X main.version=1"}}, true},
		{"", BuildOptions{Env: []string{"GOFLAGS='-ldflags=-X main.version=1'"}}, true},
	} {
		if got := (&Toolchain{flags: test.goflags}).given("-ldflags", test.o); got != test.want {
			t.Errorf("GOFLAGS %q, %v: %v", test.goflags, test.o, got)
		}
	}
}
