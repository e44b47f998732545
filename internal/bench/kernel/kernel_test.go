package kernel

import (
	"context"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"mendel/internal/bench/benchtest"
	"mendel/internal/gotool"
)

// kernelsHere adapts the kernels of the Go installation that runs the test.
func kernelsHere(t *testing.T, once bool) []Kernel {
	t.Helper()
	tool, err := gotool.Open(context.Background(), ".")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(tool.GOROOT, filepath.FromSlash(Dir))
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("this Go installation carries no kernels: %v", err)
	}
	kernels, err := Read(dir, nil, once)
	if err != nil {
		t.Fatal(err)
	}
	return kernels
}

func TestAllKernelsCompile(t *testing.T) {
	for _, once := range []bool{false, true} {
		kernels := kernelsHere(t, once)
		if len(kernels) < 63 {
			t.Errorf("%d kernels, want 63 or more", len(kernels))
		}
		fset := token.NewFileSet()
		std := importer.ForCompiler(fset, "gc", nil)
		for _, k := range kernels {
			t.Run(fmt.Sprintf("%s,once=%t", k.Name, once), func(t *testing.T) { compile(t, fset, std, k) })
		}
	}
}

// compile type-checks a kernel and its test.
func compile(t *testing.T, fset *token.FileSet, std types.Importer, k Kernel) {
	var files []*ast.File
	for name, src := range map[string]string{k.Name + ".go": string(k.Source), k.Name + "_test.go": k.Test()} {
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: std, GoVersion: "go1.25"}
	if _, err := conf.Check("example.com/goker/"+k.Name, fset, files, nil); err != nil {
		t.Error(err)
	}
	for _, rest := range []string{"goroutineleak", "pprof", "register(\"", "package main\n"} {
		if strings.Contains(string(k.Source), rest) {
			t.Errorf("%q is left in the adapted source", rest)
		}
	}
}

// Checked kernels have no loops left that start copies of them, but for one
// whose copies differ; nothing else of them changes.
func TestKernelsStartOnce(t *testing.T) {
	var many []string
	repeated := kernelsHere(t, false)
	for i, k := range kernelsHere(t, true) {
		before, after := strings.Split(string(repeated[i].Source), "\n"), strings.Split(string(k.Source), "\n")
		if len(before) != len(after) {
			t.Errorf("%s: %d lines have become %d", k.Name, len(before), len(after))
			continue
		}
		different := 0
		for i := range before {
			if before[i] == after[i] {
				continue
			}
			different++
			if !strings.HasPrefix(before[i], "\tfor i := 0; ") || !strings.HasPrefix(after[i], "\tfor i := 0; ") {
				t.Errorf("%s: %q has become %q", k.Name, before[i], after[i])
			}
		}
		if different > 1 {
			t.Errorf("%s: %d loops have changed", k.Name, different)
		}
		if strings.Contains(string(k.Source), "func "+k.Entry+"() {\n\tfor i := 0; i < 100") {
			many = append(many, k.Name)
		}
	}
	if !slices.Equal(many, []string{"moby33781"}) {
		t.Errorf("kernels that start many copies: %q, want moby33781, which tells them apart", many)
	}
}

// TestAdaptKernel compares adapted sources with golden ones. Run with -update
// to rewrite testdata/*.txtar.
func TestAdaptKernel(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			in, want := ar.Files[0], &ar.Files[1]
			var got string
			if k, err := adaptKernel(in.Name, in.Data, strings.HasPrefix(filepath.Base(name), "once")); err != nil {
				got = err.Error() + "\n"
			} else {
				got = string(k.Source) + "\n// Its test:\n\n" + k.Test()
			}
			if *benchtest.Update {
				want.Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(want.Data), got); diff != "" {
				t.Errorf("adapted source (-want +got), after a look run: go test ./internal/bench/kernel -run TestAdaptKernel -update\n%s", diff)
			}
		})
	}
}

func TestReadNamesTheMissing(t *testing.T) {
	_, err := Read(t.TempDir(), []string{"nosuch1", "nosuch2"}, false)
	if err == nil || !strings.Contains(err.Error(), "no kernel nosuch1, nosuch2") {
		t.Errorf("error %v does not name the kernels", err)
	}
	if _, err := Read(t.TempDir(), nil, false); err == nil {
		t.Error("a directory without kernels is no error")
	}
}
