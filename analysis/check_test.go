package analysis

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mendel/internal/gotool"
)

const checked = `
-- go.mod --
module example.com/m

go 1.21
-- p/p.go --
package p

type T struct{ N int }

func Get(t *T) int { return t.N }
-- p/other.go --
package p

func twice(t *T) int { return 2 * Get(t) }
-- p/p_test.go --
package p_test

import (
	"testing"

	"example.com/m/p"
	"example.com/m/q"
)

func Test(t *testing.T) { q.Use(&p.T{}) }
-- q/q.go --
package q

import "example.com/m/p"

func Use(t *p.T) int { return p.Get(t) }
`

func TestCheck(t *testing.T) {
	p := load(t, extractText(t, checked), "./p")
	tests := []struct {
		name string
		src  string // of p.go
		want string // position of an error; empty: none
	}{
		{"unchanged", "package p\n\ntype T struct{ N int }\n\nfunc Get(t *T) int { return t.N }\n", ""},
		{"a field and an import more", "package p\n\nimport \"sync\"\n\ntype T struct {\n\tmu sync.Mutex\n\tN int\n}\n\nfunc Get(t *T) int {\n\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n\treturn t.N\n}\n", ""},
		{"other importable packages", "package p\n\nimport (\n\t_ \"context\"\n\t_ \"sync/atomic\"\n\t_ \"time\"\n)\n\ntype T struct{ N int }\n\nfunc Get(t *T) int { return t.N }\n", ""},
		{"does not parse", "package p\n\ntype T struct{ N int\n", "p/p.go:3:22"},
		{"wrong type", "package p\n\ntype T struct{ N int }\n\nfunc Get(t *T) int { return t.mu }\n", "p/p.go:5:31"},
		{"unused import", "package p\n\nimport \"sync\"\n\ntype T struct{ N int }\n\nfunc Get(t *T) int { return t.N }\n", "p/p.go:3:8"},
		{"breaks a file beside", "package p\n\ntype T struct{ N int }\n\nfunc Get(t T) int { return t.N }\n", "p/other.go:3:"},
		{"breaks an importer", "package p\n\ntype T struct{ N int }\n\nfunc Get(t *T, _ ...int) string { return \"\" }\n\nfunc init() { _ = twice }\n", "q/q.go:5:"},
		{"newer than the module's language", "package p\n\ntype T struct{ N int }\n\nfunc Get(t *T) int {\n\tfor range 3 {\n\t}\n\treturn t.N\n}\n", "p/p.go:6:"},
		{"a package the program does not use", "package p\n\nimport _ \"net/http/httputil\"\n\ntype T struct{ N int }\n\nfunc Get(t *T) int { return t.N }\n", "p/p.go:3:10: could not import net/http/httputil"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := map[string][]byte{p.File("p/p.go").Name: []byte(test.src)}
			err := p.Check(files)
			if _, _, again := p.Recheck(files); (again == nil) != (err == nil) {
				t.Errorf("with types: %v", again)
			}
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var build *gotool.BuildError
			if !errors.As(err, &build) {
				t.Fatalf("error is %v, want a build error", err)
			}
			if !strings.Contains(build.Output, test.want) {
				t.Errorf("output %q does not name %s", build.Output, test.want)
			}
		})
	}
	if err := p.Check(map[string][]byte{"/nowhere/x.go": nil}); err == nil {
		t.Error("a file that is not the program's is accepted")
	}
	if err := p.Check(nil); err != nil {
		t.Errorf("nothing replaced: %v", err)
	}
}

// Checks of different mutants at the same time do not disturb each other.
func TestCheckConcurrently(t *testing.T) {
	p := load(t, extractText(t, checked), "./p")
	name := p.File("p/p.go").Name
	good := p.File("p/p.go").Source
	bad := []byte("package p\n\ntype T struct{ M int }\n\nfunc Get(t *T) int { return t.N }\n")
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			src := good
			if i%2 == 1 {
				src = bad
			}
			if err := p.Check(map[string][]byte{name: src}); (err != nil) != (i%2 == 1) {
				t.Errorf("check %d: %v", i, err)
			}
		})
	}
	wg.Wait()
}

// A package that depends on one which looks different from outside is checked again, too,
// though it does not import it: its text may mean something else. Where nothing looks
// different it is not.
func TestRecheckImporters(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":         "module example.com/m\n\ngo 1.24\n",
		"lock/lock.go":   "package lock\n\ntype Lock struct{ n int }\n\nfunc (l Lock) Free() { l.n-- }\n",
		"use/use.go":     "package use\n\nimport \"example.com/m/lock\"\n\nfunc Free(l *lock.Lock) { l.Free() }\n\nfunc Get() *lock.Lock { return nil }\n",
		"main/main.go":   "package main\n\nimport \"example.com/m/use\"\n\nfunc main() { use.Get().Free() }\n",
		"use/further.go": "package use\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Load(t.Context(), nil, Target{Dir: filepath.Join(dir, "main"), Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"package lock\n\ntype Lock struct{ n int }\n\nfunc (l Lock) Free() { l.n -= 1 }\n":                            "example.com/m/lock",
		"package lock\n\nimport \"errors\"\n\ntype Lock struct{ n int }\n\nfunc (l Lock) Free() { _ = errors.New }\n": "example.com/m/lock",
		"package lock\n\ntype Lock struct{ n int }\n\nfunc (l *Lock) Free() { l.n-- }\n":                              "example.com/m/lock example.com/m/use example.com/m/main",
		"package lock\n\ntype Lock struct{ m, n int }\n\nfunc (l Lock) Free() { l.n-- }\n":                            "example.com/m/lock example.com/m/use example.com/m/main",
	} {
		_, pkgs, err := p.Recheck(map[string][]byte{filepath.Join(dir, "lock", "lock.go"): []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, pkg := range pkgs {
			got = append(got, pkg.Path)
			if pkg.Info == nil || len(pkg.Info.Uses) == 0 {
				t.Errorf("%s is not checked", pkg.Path)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("checked again: %q, want %s", got, want)
		}
	}
}
