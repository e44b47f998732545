package instrument

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis"
	"mendel/checker"
	"mendel/internal/gotool"
)

// Options of an instrumentation.
type Options struct {
	// Narrowing restricts the accesses that are reported to those of its
	// variables. It holds for packages as they were loaded; in replaced ones,
	// and when it is nil, the syntax decides.
	Narrowing *analysis.Narrowing
}

// Uncontrolled is something in the program that the engine cannot control.
type Uncontrolled struct {
	Pos    token.Position // of a whole package only the directory
	Reason string
}

func (u Uncontrolled) String() string { return fmt.Sprintf("%s: %s", u.Pos, u.Reason) }

// An Instrumenter rewrites a program and mutants of it. It is safe for concurrent use.
type Instrumenter struct {
	program  *analysis.Program
	options  Options
	runtime  gotool.Overlay
	shims    map[string]*shim
	facts    map[string]*facts // by import path
	files    gotool.Overlay
	problems map[string][]Uncontrolled // by import path
}

// New rewrites all packages of a program for a toolchain whose GOROOT is goroot.
func New(p *analysis.Program, goroot string, o Options) (*Instrumenter, error) {
	return newFrom(p, goroot, o, checker.Runtime)
}

func newFrom(p *analysis.Program, goroot string, o Options, sources fs.FS) (*Instrumenter, error) {
	overlay, shims, err := runtimeOf(goroot, sources)
	if err != nil {
		return nil, err
	}
	in := &Instrumenter{
		program:  p,
		options:  o,
		runtime:  overlay,
		shims:    shims,
		facts:    map[string]*facts{},
		files:    gotool.Overlay{},
		problems: map[string][]Uncontrolled{},
	}
	for _, pkg := range p.Packages {
		in.facts[pkg.Path] = factsOf(pkg)
	}
	in.problems[""] = in.unshimmed() // of no one package
	for _, pkg := range p.Packages {
		in.problems[pkg.Path] = in.rewrite(p.Fset, pkg, in.facts[pkg.Path], o.Narrowing, in.files)
	}
	return in, nil
}

// Overlay is the program rewritten, with the runtime, and what in it is not
// under control. Files replaces some of the program's files (absolute name to
// source) before that; what then does not compile is a *gotool.BuildError.
func (in *Instrumenter) Overlay(files map[string][]byte) (gotool.Overlay, []Uncontrolled, error) {
	overlay := maps.Clone(in.runtime)
	maps.Copy(overlay, in.files)
	problems := maps.Clone(in.problems)
	if len(files) > 0 {
		fset, pkgs, err := in.program.Recheck(files)
		if err != nil {
			return nil, nil, err
		}
		for _, pkg := range pkgs {
			for _, f := range pkg.Files {
				delete(overlay, f.Name)
			}
			problems[pkg.Path] = in.rewrite(fset, pkg, factsOf(pkg), nil, overlay)
		}
		for name, text := range files {
			if _, ok := overlay[name]; !ok {
				overlay[name] = text
			}
		}
	}
	var list []Uncontrolled
	for _, of := range problems {
		list = append(list, of...)
	}
	slices.SortFunc(list, func(a, b Uncontrolled) int {
		return cmp.Or(strings.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Offset, b.Pos.Offset), strings.Compare(a.Reason, b.Reason))
	})
	return overlay, slices.Compact(list), nil
}

// rewrite adds a package's rewritten files to an overlay. Files in which
// nothing changes are left out.
func (in *Instrumenter) rewrite(fset *token.FileSet, pkg *analysis.Package, own *facts, ns *analysis.Narrowing, overlay gotool.Overlay) []Uncontrolled {
	var problems []Uncontrolled
	report := func(pos token.Pos, reason string) {
		problems = append(problems, Uncontrolled{fset.Position(pos), reason})
	}
	var others []*facts
	for path, f := range in.facts {
		if path != pkg.Path {
			others = append(others, f)
		}
	}
	all := own.with(others)
	rt, temp := freeName(pkg, "zzsched"), freeName(pkg, "zz")
	for _, f := range pkg.Files {
		if !since(pkg.Info, f.AST, "go1.18") {
			report(f.AST.Package, "is left as it is: the language version in go.mod is before 1.18, which has no generics")
			continue
		}
		in.examine(pkg, f, report)
		r := &rewriter{
			fset: fset, tokens: fset.File(f.AST.FileStart), src: f.Source, info: pkg.Info, pkg: pkg.Types, facts: all, ns: ns,
			rt: rt, temp: temp, loopvar: loopvar(pkg.Info, f.AST), header: map[ast.Stmt]bool{}, report: report,
		}
		if text := r.text(f.AST, in.shims); text != string(f.Source) {
			overlay[f.Name] = []byte(text)
		}
	}
	if usesCgo(pkg) {
		problems = append(problems, Uncontrolled{token.Position{Filename: pkg.Dir}, "uses cgo: files that import \"C\" are left as they are"})
	}
	return problems
}

func usesCgo(pkg *analysis.Package) bool {
	return slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "runtime/cgo" })
}

// freeName is a name that no identifier of a package begins with.
func freeName(pkg *analysis.Package, name string) string {
	free := name
	for n := 2; slices.ContainsFunc(pkg.Files, func(f *analysis.File) bool { return strings.Contains(string(f.Source), free) }); n++ {
		free = name + strconv.Itoa(n) + "_"
	}
	return free
}

// text is a whole file.
func (r *rewriter) text(file *ast.File, shims map[string]*shim) string {
	var parts []part
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil && !restricted(d.Doc) {
				parts = append(parts, part{d.Body.Pos(), d.Body.End(), r.function(d.Body)})
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				parts = append(parts, importParts(d, shims)...)
			} else {
				parts = append(parts, part{d.Pos(), d.End(), r.genDecl(d)})
			}
		}
	}
	if r.used {
		at := file.Name.End()
		parts = append([]part{{at, at, fmt.Sprintf("; import %s %q", r.rt, runtimePath+"sched")}}, parts...)
	}
	text := r.splice(file.FileStart, file.FileEnd, parts...)
	if r.yields != "" {
		text += "\nvar _ = " + r.yields + ".Gosched\n"
	}
	return text
}

// importParts replaces imports by those of shims. The name stays what it was.
func importParts(d *ast.GenDecl, shims map[string]*shim) []part {
	var parts []part
	for _, spec := range d.Specs {
		spec := spec.(*ast.ImportSpec)
		old, err := strconv.Unquote(spec.Path.Value)
		s := shims[old]
		if err != nil || s == nil || spec.Name != nil && spec.Name.Name == "_" {
			continue
		}
		text := strconv.Quote(s.path)
		if spec.Name == nil {
			text = s.name + " " + text
		}
		parts = append(parts, part{spec.Path.Pos(), spec.Path.End(), text})
	}
	return parts
}

// restricted tells whether a function may not call others.
func restricted(doc *ast.CommentGroup) bool {
	if doc == nil {
		return false
	}
	return slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		directive, _, _ := strings.Cut(c.Text, " ")
		return directive == "//go:nosplit" || directive == "//go:norace" || directive == "//go:systemstack" || directive == "//go:nowritebarrier"
	})
}
