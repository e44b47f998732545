//go:build unix

package gotool

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mendel/internal/sample"
)

// usesHook is a module whose test prints what a package of the library says that only an
// overlay has, and where a file of the library is.
const usesHook = `
-- go.mod --
module example.com/m

go 1.25
-- m_test.go --
package m

import (
	"fmt"
	"slices"
	"runtime"
	"testing"

	"mendelrt/hook"
)

func Test(t *testing.T) {
	fmt.Println(hook.Say())
	slices.SortFunc([]int{2, 1}, func(a, b int) int {
		_, file, _, _ := runtime.Caller(1)
		fmt.Println(file)
		return a - b
	})
}
`

const saysHello = "package hook\n\nimport \"sync\"\n\nvar Mu sync.Mutex\n\nfunc Say() string { Mu.Lock(); return \"hello\" }\n"

// inModuleCache puts a toolchain where the go command has those that a go.mod asks for:
// beneath GOMODCACHE, of which an overlay may replace nothing.
func inModuleCache(t *testing.T) (goroot string) {
	t.Helper()
	real := open(t, tree(t, oneModule)).GOROOT
	cache := filepath.Join(t.TempDir(), "module cache") // with a space
	goroot = filepath.Join(cache, "golang.org", "toolchain@v0.0.1-go1.99.linux-amd64")
	if err := os.MkdirAll(filepath.Dir(goroot), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := makeRoot(t.Context(), real, goroot); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOROOT", goroot)
	t.Setenv("GOMODCACHE", cache)
	t.Setenv("GOTOOLCHAIN", "local")
	t.Setenv("PATH", filepath.Join(goroot, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return goroot
}

// A toolchain in the module cache can have its library changed, with and without -race, of
// which each compiles it anew, and whatever flags the user has; names in what programs print
// are the toolchain's own.
func TestLibraryInModuleCache(t *testing.T) {
	privateTemp(t)
	goroot := inModuleCache(t)
	root := tree(t, usesHook)
	cache := t.TempDir()
	for _, flags := range sample.Of(1, []string{"", "-mod=mod"}) {
		for _, race := range sample.Of(1, []bool{false, true}) {
			t.Setenv("GOFLAGS", flags)
			tool := open(t, root)
			tool.cache = cache
			if tool.GOROOT != goroot {
				t.Fatalf("GOROOT is %s, want %s", tool.GOROOT, goroot)
			}
			name, content := inGOROOT(tool, "mendelrt/hook", saysHello)
			o := BuildOptions{Package: ".", Race: race && tool.RaceErr == nil, Overlay: Overlay{name: content}}
			output := buildAndRun(t, tool, o)
			wantLines(t, output, "hello")
			if file := filepath.ToSlash(goroot) + "/src/slices/"; !strings.Contains(output, "\n"+file) {
				t.Errorf("GOFLAGS=%s: no line begins with %s:\n%s", flags, file, output)
			}
		}
	}
}

// A file of the library that the overlay breaks is named as the user knows it.
func TestLibraryDiagnostics(t *testing.T) {
	privateTemp(t)
	inModuleCache(t)
	tool := open(t, tree(t, usesHook))
	tool.cache = t.TempDir()
	name, content := inGOROOT(tool, "mendelrt/hook", "package hook\n\nfunc Say() string { return 1 }\n")
	err := tool.BuildTest(t.Context(), BuildOptions{Package: ".", Overlay: Overlay{name: content}, Output: filepath.Join(t.TempDir(), "x.test")})
	refused := (*BuildError)(nil)
	if !errors.As(err, &refused) || len(refused.Diagnostics) == 0 {
		t.Fatalf("got %v, want diagnostics", err)
	}
	if d := refused.Diagnostics[0]; d.File != name || d.Line != 3 {
		t.Errorf("%s:%d is wrong, want %s:3", d.File, d.Line, name)
	}
}

// Nothing is written below GOROOT, and the links are made once.
func TestLinkedRoot(t *testing.T) {
	privateTemp(t)
	goroot := filepath.Join(t.TempDir(), "go")
	write(t, filepath.Join(goroot, "src", "a", "a.go"), "package a\n")
	write(t, filepath.Join(goroot, "src", "a", "table.bin"), "embedded")
	write(t, filepath.Join(goroot, "src", "a", "a_test.go"), "package a\n")
	write(t, filepath.Join(goroot, "src", "a", "testdata", "x.go"), "package x\n")
	write(t, filepath.Join(goroot, "src", "cmd", "go", "main.go"), "package main\n")
	write(t, filepath.Join(goroot, "bin", "go"), "")
	write(t, filepath.Join(goroot, "VERSION"), "go1.99\n")
	before := hashTree(t, goroot)

	cache := t.TempDir()
	roots := make([]string, 4)
	var wg sync.WaitGroup
	for i := range roots {
		wg.Go(func() {
			tool := &Toolchain{GOROOT: goroot, Version: "go1.99", cache: cache}
			root, err := tool.linkedRoot(t.Context())
			if err != nil {
				t.Error(err)
			}
			roots[i] = root
		})
	}
	wg.Wait()
	for _, root := range roots[1:] {
		if root != roots[0] {
			t.Fatalf("two roots of one toolchain: %s and %s", roots[0], root)
		}
	}
	if left, err := filepath.Glob(filepath.Join(cache, cacheName, "*", "*")); err != nil || len(left) != 1 {
		t.Errorf("the cache has %v, %v; want the root alone", left, err)
	}
	for name, mode := range map[string]fs.FileMode{
		"src/a/a.go":      0, // a hard link
		"src/a/table.bin": 0, // go:embed takes no links
		"src/a":           fs.ModeDir,
		"src/cmd":         fs.ModeSymlink,
		"bin":             fs.ModeSymlink,
		"VERSION":         fs.ModeSymlink,
	} {
		if info, err := os.Lstat(filepath.Join(roots[0], filepath.FromSlash(name))); err != nil || info.Mode().Type() != mode {
			t.Errorf("%s: %v, %v; want mode %v", name, info, err, mode)
		}
	}
	if own, err := os.Stat(filepath.Join(goroot, "src", "a", "a.go")); err != nil {
		t.Error(err)
	} else if linked, err := os.Lstat(filepath.Join(roots[0], "src", "a", "a.go")); err != nil || !os.SameFile(own, linked) {
		t.Errorf("src/a/a.go is no hard link: %v", err)
	}
	for _, name := range []string{"src/a/a_test.go", "src/a/testdata"} {
		if _, err := os.Lstat(filepath.Join(roots[0], filepath.FromSlash(name))); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want none", name, err)
		}
	}
	if hashTree(t, goroot) != before {
		t.Error("GOROOT has changed")
	}
}

// What removes old files of caches takes hard links, which are as old as the toolchain.
func TestLinkedRootCleaned(t *testing.T) {
	privateTemp(t)
	goroot := filepath.Join(t.TempDir(), "go")
	write(t, filepath.Join(goroot, "src", "a", "a.go"), "package a\n")
	write(t, filepath.Join(goroot, "src", "b", "b.go"), "package b\n")
	write(t, filepath.Join(goroot, "bin", "go"), "")
	cache := t.TempDir()
	linked := func() string {
		t.Helper()
		root, err := (&Toolchain{GOROOT: goroot, Version: "go1.99", cache: cache}).linkedRoot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(root, "src", "a", "a.go")
	}
	name := linked()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if again := linked(); again != name {
		t.Errorf("the root is %s now, was %s", again, name)
	}
	if _, err := os.Stat(name); err != nil {
		t.Errorf("what was removed is not linked again: %v", err)
	}
}

// A toolchain that has changed at its place is another one.
func TestChangedToolchain(t *testing.T) {
	goroot := filepath.Join(t.TempDir(), "go")
	a := filepath.Join(goroot, "src", "a", "a.go")
	write(t, a, "package a\n")
	write(t, filepath.Join(goroot, "bin", "go"), "")
	seen := map[string]string{}
	check := func(what string, same bool) {
		t.Helper()
		print, err := fingerprint(t.Context(), goroot)
		if err != nil {
			t.Fatal(err)
		}
		if seen[print] != "" != same {
			t.Errorf("%s: known is %q, want known %v", what, seen[print], same)
		}
		seen[print] = what
	}
	check("at first", false)
	check("unchanged", true)
	write(t, filepath.Join(goroot, "src", "a", "b.go"), "package a\n")
	check("a file more", false)
	write(t, a, "package a // longer\n")
	check("a file longer", false)
	if err := os.Chtimes(a, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	check("a file of another time", false)
	write(t, filepath.Join(goroot, "bin", "go"), "new")
	check("another go command", false)
	write(t, filepath.Join(goroot, "src", "a", "a_test.go"), "package a\n")
	check("a test more", true)
	if err := os.RemoveAll(filepath.Join(goroot, "src", "a")); err != nil {
		t.Fatal(err)
	}
	check("a package less", false)
}

// Debian's GOROOT has a link for src.
func TestLinkedSource(t *testing.T) {
	share, goroot := t.TempDir(), t.TempDir()
	write(t, filepath.Join(share, "src", "a", "a.go"), "package a\n")
	write(t, filepath.Join(goroot, "bin", "go"), "")
	if err := os.Symlink(filepath.Join(share, "src"), filepath.Join(goroot, "src")); err != nil {
		t.Fatal(err)
	}
	before, err := fingerprint(t.Context(), goroot)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(share, "src", "b", "b.go"), "package b\n")
	if after, err := fingerprint(t.Context(), goroot); err != nil || after == before {
		t.Errorf("a new package does not show: %v", err)
	}
	root := filepath.Join(t.TempDir(), "root")
	if err := makeRoot(t.Context(), goroot, root); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(root, "src", "b", "b.go")); err != nil || string(text) != "package b\n" {
		t.Errorf("src/b/b.go: %q, %v", text, err)
	}
}

// What was kept of toolchains that nobody uses any more goes when another one comes.
func TestForget(t *testing.T) {
	cache := t.TempDir()
	all := filepath.Join(cache, cacheName)
	old, used := filepath.Join(all, "go1.20-0123"), filepath.Join(all, "go1.21-4567")
	write(t, filepath.Join(old, "goroot", "VERSION"), "")
	write(t, filepath.Join(used, "goroot", "VERSION"), "")
	write(t, filepath.Join(all, "unknown", "file"), "")
	then := time.Now().Add(-2 * keptFor)
	for _, dir := range []string{old, filepath.Join(all, "unknown")} {
		if err := os.Chtimes(dir, then, then); err != nil {
			t.Fatal(err)
		}
	}
	goroot := t.TempDir()
	write(t, filepath.Join(goroot, "src", "a", "a.go"), "package a\n")
	dir, err := (&Toolchain{GOROOT: goroot, Version: "go1.99", cache: cache}).CacheDir(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(all)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join([]string{"go1.21-4567", filepath.Base(dir), "unknown"}, " "); got != want {
		t.Errorf("there are %s, want %s", got, want)
	}
}

// A build cache that cannot be written is replaced, or said to be what is wrong.
func TestChooseCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	if own, err := chooseCache(filepath.Join(home, "new")); own != "" || err != nil {
		t.Errorf("a cache that can be made: %q, %v", own, err)
	}
	own, err := chooseCache(filepath.Join(file, "below"))
	if err != nil || !strings.HasPrefix(own, home) {
		t.Errorf("a cache that cannot be made: %q, %v", own, err)
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(file, "below"))
	if _, err := chooseCache(filepath.Join(file, "below")); err == nil || !strings.Contains(err.Error(), "set GOCACHE") {
		t.Errorf("no cache at all: %v, want a way out", err)
	}
}

func TestLinkedRootCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tool := open(t, tree(t, oneModule))
	tool.cache = t.TempDir()
	if _, err := tool.linkedRoot(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if _, err := tool.linkedRoot(t.Context()); err != nil {
		t.Errorf("after a cancelled one: %v", err)
	}
	text := []byte(tool.kept.root + "/src/slices/sort.go:1")
	if got := tool.Original(text); !bytes.Equal(got, []byte(filepath.ToSlash(tool.GOROOT)+"/src/slices/sort.go:1")) {
		t.Errorf("%s becomes %s", text, got)
	}
}

func TestCheckLanguage(t *testing.T) {
	for _, test := range []struct {
		own, language string
		refused       bool
	}{
		{"go1.26.8", "go1.26", false},
		{"go1.26.8", "go1.26.9", false},
		{"go1.26.8", "go1.27", true},
		{"go1.26.8", "go1.27rc1", true},
		{"go1.27rc1", "go1.27.0", false},
		{"devel go1.28-1234abcd Mon Jan 2", "go1.28", false},
		{"devel go1.28-1234abcd Mon Jan 2", "go1.29", true},
		{"something", "go1.99", false},
	} {
		err := checkLanguage(test.own, "example.com/m", test.language, "go1.99.1")
		if (err != nil) != test.refused {
			t.Errorf("built with %s, a module in %s: %v", test.own, test.language, err)
		}
		if err != nil && (!strings.Contains(err.Error(), "example.com/m") || !strings.Contains(err.Error(), "GOTOOLCHAIN=go1.99.1 go install") || strings.Contains(err.Error(), "\n")) {
			t.Errorf("no way out in one line: %v", err)
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
}
