package noise

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"strings"
	"sync"

	"mendel/analysis"
	"mendel/internal/gotool"
	"mendel/internal/rewrite"
)

//go:embed hook/*.go
var hookFiles embed.FS

// A source is a program's text with hooks. It is safe for concurrent use.
type source struct {
	goroot   string
	original *analysis.Program
	vars     map[variable]bool
	called   map[string]bool           // the same by their names
	names    map[string]string         // of the import, by package
	files    map[string]*analysis.File // by absolute name
	hooks    gotool.Overlay            // package hook, placed in GOROOT

	overlay gotool.Overlay                                                                    // every file of the program, instrumented
	rewrite func(files map[string][]byte) (rewritten map[string][]byte, needs gotool.Overlay) // see Config; nil: there is none

	mu      sync.Mutex      // guards refused
	refused map[string]bool // files that do not compile with hooks
}

func newSource(c Config) *source {
	p, n := c.Program, c.Narrowing
	t := tablesOf(p)
	t.leakProfile = c.LeakProfile
	s := &source{
		goroot:   c.Tool.GOROOT,
		original: p,
		vars:     make(map[variable]bool),
		called:   make(map[string]bool),
		names:    make(map[string]string),
		files:    make(map[string]*analysis.File),
		hooks:    hookPackage(c.Tool.GOROOT, t),
		overlay:  gotool.Overlay{},
		refused:  make(map[string]bool),
		rewrite:  c.Rewrite,
	}
	if n != nil {
		_, _, variables := n.Findings()
		for _, f := range variables {
			if name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]; name != "_" {
				s.called[name] = true
			}
			if v, ok := f.Object.(*types.Var); ok && v.Name() != "_" {
				s.vars[variableOf(v)] = true
			}
		}
	}
	for _, pkg := range p.Packages {
		s.names[pkg.Path] = rewrite.FreeName(pkg, "zznoise")
		for _, f := range pkg.Files {
			s.files[f.Name] = f
			if s.rewrite == nil && !pkg.IsOrder() { // that orders goroutines, and looks at what they do
				s.overlay[f.Name] = s.hooked(p.Fset, f)
			}
		}
	}
	return s
}

// noised is the overlay of the program with some files replaced.
func (s *source) noised(files map[string][]byte) gotool.Overlay {
	fset, checked := s.checked(files)
	s.mu.Lock()
	defer s.mu.Unlock()
	o := gotool.Overlay{}
	for name, text := range s.hooks {
		o[name] = text
	}
	for name, text := range s.overlay {
		if !s.refused[name] {
			o[name] = text
		}
	}
	for name, text := range files {
		f := s.files[name]
		switch {
		case f == nil || s.refused[name]:
			o[name] = text
		case checked[name] != nil:
			o[name] = s.hooked(fset, checked[name])
		default:
			o[name] = s.guessed(f, text)
		}
	}
	return o
}

// checked are replaced files with their types; nil if they have none: they do not compile, or
// have been rewritten by others.
func (s *source) checked(files map[string][]byte) (*token.FileSet, map[string]*analysis.File) {
	for name := range files {
		if f := s.files[name]; f == nil || f.Package.Info == nil {
			return nil, nil
		}
	}
	fset, pkgs, err := s.original.Recheck(files)
	if err != nil {
		return nil, nil // the build says what is wrong
	}
	checked := map[string]*analysis.File{}
	for _, pkg := range pkgs {
		for _, f := range pkg.Files {
			if files[f.Name] != nil {
				checked[f.Name] = f
			}
		}
	}
	return fset, checked
}

// hooked is the text of a file with hooks.
func (s *source) hooked(fset *token.FileSet, f *analysis.File) []byte {
	pkg := f.Package
	if f.AST == nil || pkg.Info == nil {
		return s.guessed(f, f.Source)
	}
	return text{f.Rel, s.names[pkg.Path], f.Source, fset, f.AST, typed{pkg.Info, pkg.Types, s.vars}}.instrumented()
}

// guessed is a text of a file with hooks where names tell. What does not parse stays as it
// is: then the compiler reports why.
func (s *source) guessed(f *analysis.File, source []byte) []byte {
	t, ok := parse(f.Rel, s.names[f.Package.Path], source, s.called)
	if !ok {
		return source
	}
	return t.instrumented()
}

// withHooks is the overlay of some files alone, which may use the package of hooks.
func (s *source) withHooks(files map[string][]byte) gotool.Overlay {
	o := maps.Clone(s.hooks)
	maps.Copy(o, files)
	return o
}

// refuse removes the hooks of the files that diagnostics name, from now on. If none
// of these has hooks, it removes those of all files of the same directories. It
// returns false when there are no hooks to remove.
func (s *source) refuse(diagnostics []gotool.Diagnostic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	named, beside := make(map[string]bool), make(map[string]bool)
	for _, d := range diagnostics {
		named[d.File] = true
		beside[filepath.Dir(d.File)] = true
	}
	return s.bar(func(file string) bool { return named[file] }) ||
		s.bar(func(file string) bool { return beside[filepath.Dir(file)] })
}

// bar refuses the files that match, and reports whether one of them was not refused
// before. The caller holds s.mu.
func (s *source) bar(match func(file string) bool) bool {
	fewer := false
	for name := range s.files {
		if match(name) && !s.refused[name] {
			s.refused[name], fewer = true, true
		}
	}
	return fewer
}

// hookPackage is package hook, and package symbol that it imports, under their
// import paths inside the program.
func hookPackage(goroot string, t tables) gotool.Overlay {
	o := gotool.Overlay{}
	if err := rewrite.Plant(o, goroot, rewrite.NoisePath, hookFiles, "hook"); err != nil {
		panic(err) // embedded
	}
	rewrite.PlantSymbol(o, goroot)
	o[filepath.Join(goroot, "src", filepath.FromSlash(rewrite.NoisePath), "tables.go")] = t.source()
	return o
}

// parsed is a file's syntax: that of the analysis, if it is there.
func parsed(f *analysis.File) *ast.File {
	if f.AST != nil {
		return f.AST
	}
	file, err := parser.ParseFile(token.NewFileSet(), f.Rel, f.Source, parser.SkipObjectResolution)
	if err != nil {
		return &ast.File{Name: ast.NewIdent("_")}
	}
	return file
}
