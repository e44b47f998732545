//go:build unix

package gotool

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestTopLevel(t *testing.T) {
	for pattern, want := range map[string]string{
		"":                "",
		"TestA":           "TestA",
		"TestA/x":         "TestA",
		"^Test(A|B)$/^x$": "^Test(A|B)$",
		"A/x|B/y|C":       "A|B|C",
		"A[/|]B/c":        "A[/|]B",
		`A\/B/c`:          `A\/B`,
		"A(/)B/c":         "A(/)B",
		"A]/b":            "A]",
	} {
		if want == "" {
			want = "."
		}
		if got := topLevel(pattern); got != want {
			t.Errorf("%q: got %q, want %q", pattern, got, want)
		}
	}
}

func FuzzTopLevel(f *testing.F) {
	f.Add("^Test(A|B)$/^x$|C[/]")
	f.Fuzz(func(t *testing.T, pattern string) {
		top := topLevel(pattern)
		if top == "" {
			t.Errorf("%q: the top level is empty, which runs the tests", pattern)
		}
		if regexp.MustCompile("[/|]").MatchString(pattern) {
			return
		}
		if pattern != "" && top != pattern {
			t.Errorf("%q without slashes became %q", pattern, top)
		}
	})
}

func TestListTests(t *testing.T) {
	privateTemp(t)
	dir := tree(t, `
-- go.mod --
module example.com/l

go 1.25
-- l_test.go --
package l

import (
	"fmt"
	"os"
	"testing"
)

func init() { fmt.Println("Text of the package's own") }

func TestMain(m *testing.M) {
	if os.Getenv("BROKEN") != "" {
		fmt.Println("no database")
		os.Exit(4)
	}
	m.Run()
}

func TestB(t *testing.T)       { panic("run") }
func TestA(t *testing.T)       { panic("run") }
func TestÄ_1(t *testing.T)     { panic("run") }
func FuzzA(f *testing.F)       { panic("run") }
func BenchmarkA(b *testing.B)  { panic("run") }
func Example()                 { fmt.Println("x") /* Output: x */ }
`)
	output := filepath.Join(t.TempDir(), "l.test")
	if err := open(t, dir).BuildTest(t.Context(), BuildOptions{Package: ".", Output: output}); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]string{
		"":              "[TestB TestA TestÄ_1 FuzzA Example]",
		".":             "[TestB TestA TestÄ_1 FuzzA Example]",
		"A$":            "[TestA FuzzA]",
		"TestA/x[/]y/z": "[TestA]",
		"/x":            "[TestB TestA TestÄ_1 FuzzA Example]",
		"TestB/x|zA/y":  "[TestB FuzzA]",
		"Nothing":       "[]",
	} {
		names, err := ListTests(t.Context(), RunOptions{Path: output}, pattern)
		if got := fmt.Sprint(names); err != nil || got != want {
			t.Errorf("%q: got %s, %v; want %s", pattern, got, err, want)
		}
	}
	if _, err := ListTests(t.Context(), RunOptions{Path: output}, "("); err == nil {
		t.Error("no error for a pattern that is no regular expression")
	}
	_, err := ListTests(t.Context(), RunOptions{Path: output, Env: []string{"BROKEN=1"}}, "")
	if err == nil || !strings.Contains(err.Error(), "no database") {
		t.Errorf("got %v, want what the program said", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ListTests(ctx, RunOptions{Path: output}, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}
