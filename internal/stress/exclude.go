package stress

import (
	"go/ast"

	"mendel/analysis"
	"mendel/analysis/evidence"
)

// excluded are the functions of a program with the directive //mendel:exclude: lines, by
// absolute file name.
type excluded map[string][]lines

type lines struct{ from, to int }

func excludedIn(p *analysis.Program) excluded {
	e := excluded{}
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			if f.AST == nil {
				continue
			}
			for _, d := range f.AST.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && analysis.Excluded(fn.Doc) {
					e[f.Name] = append(e[f.Name], lines{p.Fset.Position(fn.Pos()).Line, p.Fset.Position(fn.End()).Line})
				}
			}
		}
	}
	return e
}

// has reports whether a line is one of an excluded function.
func (e excluded) has(file string, line int) bool {
	for _, l := range e[file] {
		if l.from <= line && line <= l.to {
			return true
		}
	}
	return false
}

// races reports whether a failure is a race of which an access is in an excluded
// function. The race detector of Go sees such ones; the checker does not.
func (e excluded) races(f evidence.Failure) bool {
	if f.Kind != evidence.Race || len(e) == 0 {
		return false
	}
	for _, s := range f.Stacks {
		if len(s.Frames) > 0 && e.has(s.Frames[0].File, s.Frames[0].Line) {
			return true
		}
	}
	return false
}
