package rules

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/internal/gotool"
)

// imports serves the types of the standard library: what the archives and
// CORE's subjects import, directly or not, read once.
var imports = sync.OnceValues(func() (types.Importer, error) {
	wanted, err := importedPackages("../../mutate/*/testdata/*.txtar", "testdata/*/*.txtar", "../../subjects/*/*.go", "../../subjects/*/testdata/fixed/*.go")
	if err != nil {
		return nil, err
	}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedExportFile | packages.NeedImports | packages.NeedDeps,
	}, wanted...)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	packages.Visit(loaded, nil, func(p *packages.Package) { files[p.PkgPath] = p.ExportFile })
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("package %s is not known to the test", path)
		}
		return os.Open(files[path])
	}), nil
})

// importedPackages lists the packages of the standard library that files and
// archives of files import.
func importedPackages(patterns ...string) ([]string, error) {
	found := map[string]bool{}
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			sources := [][]byte{text}
			if filepath.Ext(name) == ".txtar" {
				sources = nil
				for _, f := range txtar.Parse(text).Files {
					sources = append(sources, f.Data)
				}
			}
			for _, src := range sources {
				tree, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
				if err != nil {
					continue // no Go
				}
				for _, spec := range tree.Imports {
					if path := strings.Trim(spec.Path.Value, "\"`"); path != "C" && !strings.Contains(path, ".") {
						found[path] = true
					}
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// A typer type-checks the packages of an archive.
type typer struct {
	fset  *token.FileSet
	std   types.Importer
	files map[string]map[string][]byte // by directory and name
	known map[string]*types.Package    // by path
	found []*analysis.File
}

func (t *typer) Import(p string) (*types.Package, error) {
	for dir := range t.files {
		if dir != "." && strings.HasSuffix(p, "/"+dir) || p == "example.com/golden" && dir == "." {
			return t.check(p, dir)
		}
	}
	return t.std.Import(p)
}

func (t *typer) check(p, dir string) (*types.Package, error) {
	if known := t.known[p]; known != nil {
		return known, nil
	}
	pkg := &analysis.Package{Path: p, Info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{},
	}}
	var trees []*ast.File
	for _, name := range slices.Sorted(maps.Keys(t.files[dir])) {
		src := t.files[dir][name]
		tree, err := parser.ParseFile(t.fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		trees = append(trees, tree)
		t.found = append(t.found, &analysis.File{Name: name, Rel: name, Source: src, AST: tree, Package: pkg})
	}
	checked, err := (&types.Config{Importer: t}).Check(p, t.fset, trees, pkg.Info)
	if err == nil {
		t.known[p] = checked
	}
	return checked, err
}

// typed type-checks some files; those of tests and of other modules are left out.
func typed(files map[string][]byte) (*token.FileSet, map[string]*analysis.File, error) {
	std, err := imports()
	if err != nil {
		return nil, nil, err
	}
	t := &typer{fset: token.NewFileSet(), std: std, files: map[string]map[string][]byte{}, known: map[string]*types.Package{}}
	for name, src := range files {
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			dir := path.Dir(name)
			if t.files[dir] == nil {
				t.files[dir] = map[string][]byte{}
			}
			t.files[dir][name] = src
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(t.files)) {
		if _, err := t.check(path.Join("example.com/golden", dir), dir); err != nil {
			return nil, nil, err
		}
	}
	found := map[string]*analysis.File{}
	for _, f := range t.found {
		found[f.Name] = f
	}
	return t.fset, found, nil
}

// compareFiles compares an original with its changed files.
func compareFiles(original, changed map[string][]byte) (*sources, error) {
	return compareSources(original, changed, false)
}

// compareSources does so, of a patch that somebody has made, or of a mutant.
func compareSources(original, changed map[string][]byte, given bool) (*sources, error) {
	was, before, err := typed(original)
	if err != nil {
		return nil, fmt.Errorf("the original: %w", err)
	}
	all := maps.Clone(original)
	maps.Copy(all, changed)
	is, after, err := typed(all)
	if err != nil {
		return nil, err
	}
	s := newSources(was, is)
	s.rel, s.lineOf = func(file string) string { return file }, func(_ string, line int) int { return line }
	s.synchronising = newSynchronising(slices.Collect(maps.Values(before)))
	if given {
		p := new(analysis.Program)
		for _, f := range before {
			p.Packages = append(p.Packages, &analysis.Package{Info: f.Package.Info, Files: []*analysis.File{f}})
		}
		s.reads = newOnlyReads(p)
	}
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if before[name] != nil {
			s.before.read(before[name])
			s.after.read(after[name])
		}
	}
	return s, nil
}

// The operators' own golden mutants are legitimate: none breaks a rule.
func TestGoldenMutantsBreakNoRule(t *testing.T) {
	archives, err := filepath.Glob("../../mutate/*/testdata/*.txtar")
	if err != nil || len(archives) < 20 {
		t.Fatalf("%d archives: %v", len(archives), err)
	}
	mutants := 0
	for _, name := range archives {
		original, edited := map[string][]byte{}, map[string]map[string][]byte{}
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			edit, file, inside := strings.Cut(f.Name, "/")
			switch {
			case !strings.HasPrefix(f.Name, "edit"):
				original[f.Name] = f.Data
			case inside:
				if edited[edit] == nil {
					edited[edit] = map[string][]byte{}
				}
				edited[edit][file] = f.Data
			}
		}
		if err := readable(original["go.mod"]); err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		for _, edit := range slices.Sorted(maps.Keys(edited)) {
			s, err := compareFiles(original, edited[edit])
			if err != nil {
				t.Errorf("%s, %s: not looked at: %v", name, edit, err)
				continue
			}
			mutants++
			if b := s.breach(); b != nil {
				t.Errorf("%s, %s: %v", name, edit, b)
			}
		}
	}
	if t.Logf("%d mutants", mutants); mutants < 200 {
		t.Errorf("only %d mutants were looked at", mutants)
	}
}

// core are CORE's subjects, with whether their corrected copies get at the same
// data by other calls: who compares calls by name cannot tell.
var core = map[string]bool{
	"account": false, "accounts": false, "accountsubtype": false, "airline": false, "bubblesort2": false,
	"buffer": false, "cache4j": false, "deadlock": false, "linkedlist": false, "lottery": false,
	"pingpong": false, "readerswriters": false, "stringbuffer": true, "tsp": false,
}

// Nor do the corrected copies of CORE's subjects, which people wrote.
func TestCorrectedSubjectsBreakNoRule(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(core)) {
		dir := filepath.Join("..", "..", "subjects", name)
		s, err := compareFiles(sourcesOf(t, dir), sourcesOf(t, filepath.Join(dir, "testdata", "fixed")))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if b := s.breach(); core[name] != (b != nil) || core[name] && b.Rule != DeletedWork {
			t.Errorf("%s: breaks %v", name, b)
		}
	}
}

// sourcesOf reads the files of a directory.
func sourcesOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = src
	}
	return files
}

// The archives in testdata/rules hold a program and what is made of it, in files
// named for the rule that it breaks, or ok, and a text on the line that is named:
// of the original where something is gone, else of the mutant.
func TestRules(t *testing.T) { testRules(t, "testdata/rules", false) }

// Those in testdata/given are what somebody else has made, who rewrites more.
func TestRulesOfGivenPatches(t *testing.T) { testRules(t, "testdata/given", true) }

func testRules(t *testing.T, dir string, given bool) {
	archives, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		original := ar.Files[0].Data
		for _, f := range ar.Files[1:] {
			s, err := compareSources(map[string][]byte{"in.go": original}, map[string][]byte{"in.go": f.Data}, given)
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
				continue
			}
			rule, text, _ := strings.Cut(f.Name, "/")
			switch b := s.breach(); {
			case rule == "ok" && b != nil:
				t.Errorf("%s: it breaks %v", f.Name, b)
			case rule == "ok":
			case b == nil:
				t.Errorf("%s: it breaks no rule:\n%s", f.Name, f.Data)
			default:
				src := f.Data
				if strings.HasPrefix(rule, "deleted-") {
					src = original
				}
				if at := strings.Split(string(src), "\n")[b.Line-1]; string(b.Rule) != rule || !strings.Contains(at, text) {
					t.Errorf("%s: it breaks %v, at %q", f.Name, b, at)
				}
			}
		}
	}
}

// readable says why an archive cannot be read by this program: it is in a newer language.
func readable(mod []byte) error {
	f, err := modfile.ParseLax("go.mod", mod, nil)
	if err != nil || f.Go == nil {
		return err
	}
	tool := gotool.Toolchain{Version: runtime.Version()}
	return tool.CheckLanguage(f.Module.Mod.Path, "go"+f.Go.Version)
}
