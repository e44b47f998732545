package noise

import (
	"context"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/internal/gotool"
)

// module writes an archive's files to a temporary directory.
func module(t testing.TB, archive *txtar.Archive) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// program makes by hand what analysis.Load would: the packages of a module
// example.com/zoo with their source; the one at the root comes first.
func program(t testing.TB, dir string) *analysis.Program {
	t.Helper()
	p := &analysis.Program{Target: analysis.Target{Dir: dir, Package: "."}, Module: dir, Fset: token.NewFileSet()}
	packages := make(map[string]*analysis.Package)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") {
			return err
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		f := &analysis.File{Name: name, Rel: filepath.ToSlash(rel), Source: src, Test: strings.HasSuffix(name, "_test.go")}
		clause, err := parser.ParseFile(token.NewFileSet(), name, src, parser.PackageClauseOnly)
		if err != nil {
			return err
		}
		path := path.Join("example.com/zoo", path.Dir(f.Rel))
		if strings.HasSuffix(clause.Name.Name, "_test") {
			path += "_test"
		}
		if packages[path] == nil {
			packages[path] = &analysis.Package{Path: path, Dir: filepath.Dir(name)}
			p.Packages = append(p.Packages, packages[path])
		}
		f.Package = packages[path]
		f.Package.Files = append(f.Package.Files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(p.Packages, func(a, b *analysis.Package) int { return strings.Compare(a.Path, b.Path) })
	return p
}

// narrowing names variables that are used concurrently.
func narrowing(variables ...string) *analysis.Narrowing {
	n := &analysis.Narrowing{}
	for _, name := range variables {
		n.Variables = append(n.Variables, &analysis.Finding{Kind: analysis.VariableFinding, Name: name})
	}
	return n
}

// harness is a harness for an archive's module; its toolchain must be able to build with -race.
func harness(t testing.TB, archive *txtar.Archive, c Config) *Harness {
	t.Helper()
	dir := module(t, archive)
	tool, err := gotool.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if tool.RaceErr != nil && !c.NoRace {
		t.Skipf("no race detector here: %v", tool.RaceErr)
	}
	c.Tool, c.Program = tool, program(t, dir)
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(h.dir); err == nil {
			t.Errorf("%s is still there after Close", h.dir)
		}
	})
	return h
}

// byTypes is harness for the program as the analysis loads it, with types. variables are the
// names of those that are narrowed: "Account.amount", "shared".
func byTypes(t testing.TB, archive *txtar.Archive, flags []string, c Config, variables ...string) *Harness {
	t.Helper()
	dir := module(t, archive)
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if tool.RaceErr != nil && !c.NoRace {
		t.Skipf("no race detector here: %v", tool.RaceErr)
	}
	if c.Program, err = analysistest.Load(t.Context(), tool, analysis.Target{Dir: dir, Flags: flags}); err != nil {
		t.Fatal(err)
	}
	c.Tool, c.Narrowing = tool, narrowing(variables...)
	for _, f := range c.Narrowing.Variables {
		f.Object = variableNamed(c.Program, f.Name)
	}
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// variableNamed finds a variable of a program by the last part of its name, a field before
// others; nil if there is none.
func variableNamed(p *analysis.Program, name string) types.Object {
	name = name[strings.LastIndexByte(name, '.')+1:]
	var found []*types.Var
	for _, pkg := range p.Packages {
		for id, o := range pkg.Info.Defs {
			if v, ok := o.(*types.Var); ok && id.Name == name {
				found = append(found, v)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return slices.MinFunc(found, func(a, b *types.Var) int {
		if a.IsField() != b.IsField() {
			if a.IsField() {
				return -1
			}
			return 1
		}
		return int(a.Pos() - b.Pos())
	})
}

// build builds and closes at the end of the test.
func build(t testing.TB, h *Harness, mode Mode, files map[string][]byte) *Binary {
	t.Helper()
	b, err := h.Build(context.Background(), mode, files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func readArchive(t testing.TB, name string) *txtar.Archive {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return a
}
