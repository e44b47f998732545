package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"

	"mendel/analysis"
	"mendel/interleave/hook"
	"mendel/internal/gotool"
	"mendel/internal/rewrite"
)

// A Site is a place in the source at which something is recorded.
type Site struct {
	File      string `json:"file"` // relative to the module's directory, slash-separated
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	Function  string `json:"function,omitempty"` // that is declared around it
	Operation string `json:"operation"`          // "write", "Mutex.Lock", "receive", ...
	Operand   string `json:"operand"`            // as the source has it
	Test      bool   `json:"test,omitempty"`     // in a test file
}

func (s Site) String() string { return fmt.Sprintf("%s:%d", s.File, s.Line) }

// A Result is a program with hooks.
type Result struct {
	Files map[string][]byte // instrumented files by absolute name
	Hooks gotool.Overlay    // package hook, as files in GOROOT
	Sites []Site            // site n is Sites[n-1]; one without a file is of another program
}

// Program puts hooks into a program. n says which variables are shared.
func Program(goroot string, p *analysis.Program, n *analysis.Narrowing) *Result {
	var parts []Part
	for _, pkg := range p.Packages {
		parts = append(parts, Part{pkg, p.Fset})
	}
	return Parts(goroot, parts, n.Shared, &Numbers{})
}

// A Part is a package with the file set of its positions.
type Part struct {
	*analysis.Package
	Fset *token.FileSet
}

// Parts puts hooks into a program of which some packages may have been checked anew.
// shared says which variables are shared. Programs that have their numbers of sites from one place
// have the same numbers in declarations with the same text.
func Parts(goroot string, parts []Part, shared func(*types.Var) bool, numbers *Numbers) *Result {
	numbers.mu.Lock()
	defer numbers.mu.Unlock()
	res := &Result{Files: map[string][]byte{}, Hooks: hooks(goroot)}
	for _, pkg := range parts {
		if pkg.IsOrder() {
			continue // no part of the program: it holds goroutines, and looks at what they do
		}
		name := rewrite.FreeName(pkg.Package, "zzroot")
		for _, f := range pkg.Files {
			r := &rewriter{
				File: rewrite.NewFile(pkg.Fset, f.AST, f.Source), file: f, info: pkg.Info, name: name, result: res,
				shared: shared, numbers: numbers,
			}
			if text := r.rewrite(); text != nil {
				res.Files[f.Name] = text
			}
		}
	}
	return res
}

// hooks is package hook under its import path inside the program.
func hooks(goroot string) gotool.Overlay {
	o := gotool.Overlay{}
	if err := rewrite.Plant(o, goroot, rewrite.RecordPath, hook.Source, "."); err != nil {
		panic(err) // embedded
	}
	dir := filepath.Join(goroot, "src", filepath.FromSlash(rewrite.RecordPath))
	delete(o, filepath.Join(dir, "source.go"))
	o[filepath.Join(dir, "atomic.go")] = []byte(hook.AtomicSource)
	return o
}

// site numbers a place at which something is recorded.
func (r *rewriter) site(at ast.Node, operation string, operand ast.Node) int {
	p := r.Position(at.Pos())
	n := r.numbers.of(r.declaration, r.sites)
	r.sites++
	if more := n - len(r.result.Sites); more > 0 {
		r.result.Sites = append(r.result.Sites, make([]Site, more)...) // some are those of other programs
	}
	r.result.Sites[n-1] = Site{
		File: r.file.Rel, Line: p.Line, Column: p.Column, Function: r.function,
		Operation: operation, Operand: shortened(r.Line(operand)), Test: r.file.Test,
	}
	return n
}

// shortened keeps an operand readable.
func shortened(text string) string {
	const longest = 40
	if len(text) > longest {
		return text[:longest-3] + "..."
	}
	return text
}

// call begins the call of a hook: "zzroot.R(12, ".
func (r *rewriter) call(function string, site int) string {
	return fmt.Sprintf("%s.%s(%d, ", r.name, function, site)
}
