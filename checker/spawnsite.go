package checker

import (
	"go/ast"
	"strconv"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
)

// spawnSite is where a goroutine was started. Its name "file.go:12#3" has the
// statement, but not the file's directory; spawnSite is nil if several files
// match.
func (c *Checker) spawnSite(goroutine string) []evidence.Frame {
	at, _, ok := strings.Cut(goroutine, "#")
	colon := strings.LastIndexByte(at, ':')
	if !ok || colon < 0 {
		return nil
	}
	line, err := strconv.Atoi(at[colon+1:])
	if err != nil {
		return nil
	}
	var found []evidence.Frame
	for _, pkg := range c.c.Program.Packages {
		for _, f := range pkg.Files {
			if base(f.Name) != at[:colon] || f.AST == nil {
				continue
			}
			if fn := c.function(f, line); fn != nil {
				found = append(found, evidence.Frame{Func: pkg.Path + "." + analysis.FuncName(fn), File: f.Name, Line: line})
			}
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found
}

// function is the declared function around a line.
func (c *Checker) function(f *analysis.File, line int) *ast.FuncDecl {
	fset := c.c.Program.Fset
	for _, d := range f.AST.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fset.Position(fn.Pos()).Line <= line && line <= fset.Position(fn.End()).Line {
			return fn
		}
	}
	return nil
}
