package noise

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
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
	packages []*analysis.Package
	vars     map[string]bool
	names    map[string]string         // of the import, by package
	files    map[string]*analysis.File // by absolute name
	hooks    gotool.Overlay            // package hook, placed in GOROOT

	overlay gotool.Overlay // every file of the program, instrumented

	mu      sync.Mutex      // guards refused
	refused map[string]bool // files that do not compile with hooks
}

func newSource(c Config) *source {
	p, n := c.Program, c.Narrowing
	t := tablesOf(p)
	t.leakProfile = c.LeakProfile
	s := &source{
		goroot:   c.Tool.GOROOT,
		packages: p.Packages,
		vars:     make(map[string]bool),
		names:    make(map[string]string),
		files:    make(map[string]*analysis.File),
		hooks:    hookPackage(c.Tool.GOROOT, t),
		overlay:  gotool.Overlay{},
		refused:  make(map[string]bool),
	}
	if n != nil {
		_, _, variables := n.Findings()
		for _, f := range variables {
			if name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]; name != "_" {
				s.vars[name] = true
			}
		}
	}
	for _, pkg := range p.Packages {
		s.names[pkg.Path] = rewrite.FreeName(pkg, "zznoise")
		for _, f := range pkg.Files {
			s.files[f.Name] = f
			s.overlay[f.Name] = s.hooked(f, f.Source)
		}
	}
	return s
}

// noised is the overlay of the program with some files replaced.
func (s *source) noised(files map[string][]byte) gotool.Overlay {
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
		if f == nil || s.refused[name] {
			o[name] = text
			continue
		}
		o[name] = s.hooked(f, text)
	}
	return o
}

// hooked is a text of a file with hooks.
func (s *source) hooked(f *analysis.File, text []byte) []byte {
	return instrumented(f.Rel, s.names[f.Package.Path], text, s.vars)
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
