package mutatetest

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/mod/modfile"
	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/copylock"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// A pkg is an archive's package, loaded, with the narrowing its comment gives.
type pkg struct {
	program   *analysis.Program
	narrowing *analysis.Narrowing
	imports   map[string]*types.Package
	foresees  func(mutate.Edit) ([]mutate.Flag, bool) // see Whole.Try
}

// Load loads the package of a directory and takes the named variables and
// functions, and nothing else, as used concurrently. Names are the analysis':
// "Account.amount" is a field, "total" a package variable, "run.n" a local,
// "(*Account).Transfer" and "run.func1" are functions; "*" names all.
func Load(t testing.TB, dir string, shared, concurrent []string) (*analysis.Program, *analysis.Narrowing) {
	t.Helper()
	p, err := analysistest.Load(context.Background(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]bool)
	n := analysis.NarrowTo(p, func(kind analysis.FindingKind, name string) bool {
		wanted := shared
		if kind == analysis.FunctionFinding {
			wanted = concurrent
		}
		if slices.Contains(wanted, name) {
			found[name] = true
			return true
		}
		return slices.Contains(wanted, "*")
	})
	for _, name := range slices.Concat(shared, concurrent) {
		if name != "*" && !found[name] {
			t.Fatalf("nothing that is used is called %s", name)
		}
	}
	return p, n
}

// defaultModule is the go.mod of an archive without one.
const defaultModule = "module example.com/golden\n\ngo 1.25\n"

// load writes the archive's input to a directory and loads it.
func (a *archive) load(t *testing.T) *pkg {
	t.Helper()
	dir := t.TempDir()
	if mod := a.file("go.mod"); mod == nil {
		write(t, dir, "go.mod", []byte(defaultModule))
	} else if f, err := modfile.Parse("go.mod", mod, nil); err == nil && f.Go != nil {
		tool := gotool.Toolchain{Version: runtime.Version()}
		if err := tool.CheckLanguage(f.Module.Mod.Path, "go"+f.Go.Version); err != nil {
			t.Skip(err)
		}
	}
	for _, f := range a.input {
		write(t, dir, f.Name, f.Data)
	}
	p := &pkg{imports: make(map[string]*types.Package)}
	p.program, p.narrowing = Load(t, dir, a.shared, a.concurrent)
	for _, line := range a.races {
		at := evidence.Stack{Role: "write", Frames: []evidence.Frame{{File: filepath.Join(dir, a.input[0].Name), Line: line}}}
		p.narrowing.Merge(analysis.Given, evidence.Failure{Kind: evidence.Race, Stacks: []evidence.Stack{at, at}})
	}
	for _, pkg := range p.program.Packages {
		p.addImports(pkg.Types)
	}
	return p
}

func write(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func (p *pkg) addImports(pkg *types.Package) {
	if p.imports[pkg.Path()] != nil {
		return
	}
	p.imports[pkg.Path()] = pkg
	for _, imported := range pkg.Imports() {
		p.addImports(imported)
	}
}

// Import serves the packages that the original imports, directly or not.
func (p *pkg) Import(path string) (*types.Package, error) {
	if imported := p.imports[path]; imported != nil {
		return imported, nil
	}
	return nil, fmt.Errorf("package %s is not loaded", path)
}

// vet runs vet's copylocks over the packages that have changed files. What it says
// of the original it may say of the mutant, too: there are bugs of that sort.
func (p *pkg) vet(t *testing.T, label string, changed map[string][]byte) {
	t.Helper()
	for _, pkg := range p.program.Packages {
		if !slices.ContainsFunc(pkg.Files, func(f *analysis.File) bool { return changed[f.Name] != nil }) {
			continue
		}
		if p.imports["sync"] == nil {
			t.Fatalf("%s: nothing in the archive imports sync, directly or not, so vet cannot be run; import fmt in a test file", label)
		}
		known := make(map[string]bool)
		for _, d := range p.copylocks(t, label, pkg, nil) {
			known[d.file+d.message] = true
		}
		for _, d := range p.copylocks(t, label, pkg, changed) {
			if !known[d.file+d.message] {
				t.Errorf("%s: vet: %s:%d: %s", label, d.file, d.line, d.message)
			}
		}
	}
}

// A complaint is one of vet's.
type complaint struct {
	file    string
	line    int
	message string
}

func (p *pkg) copylocks(t *testing.T, label string, pkg *analysis.Package, changed map[string][]byte) (found []complaint) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, f := range pkg.Files {
		src := f.Source
		if changed[f.Name] != nil {
			src = changed[f.Name]
		}
		file, err := parser.ParseFile(fset, f.Rel, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%s: %v", label, err)
			return nil
		}
		files = append(files, file)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
		Implicits: make(map[ast.Node]types.Object), Instances: make(map[*ast.Ident]types.Instance),
		Scopes: make(map[ast.Node]*types.Scope), FileVersions: make(map[*ast.File]string),
	}
	checked, err := (&types.Config{Importer: p, GoVersion: pkg.Types.GoVersion()}).Check(pkg.Path, fset, files, info)
	if err != nil {
		t.Errorf("%s: %v", label, err)
		return nil
	}
	_, err = copylock.Analyzer.Run(&goanalysis.Pass{
		Analyzer: copylock.Analyzer, Fset: fset, Files: files, Pkg: checked, TypesInfo: info,
		TypesSizes: types.SizesFor("gc", "amd64"),
		ResultOf:   map[*goanalysis.Analyzer]any{inspect.Analyzer: inspector.New(files)},
		Report: func(d goanalysis.Diagnostic) {
			pos := fset.Position(d.Pos)
			found = append(found, complaint{pos.Filename, pos.Line, d.Message})
		},
	})
	if err != nil {
		t.Errorf("%s: vet: %v", label, err)
	}
	return found
}

// Input returns the files of an archive that an operator is given, with a go.mod.
func Input(t testing.TB, name string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	a, err := parseArchive(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	files := map[string]string{"go.mod": defaultModule}
	for _, f := range a.input {
		files[f.Name] = string(f.Data)
	}
	return files
}
