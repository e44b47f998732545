package diagnosis

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/analysis/taken"
)

// ofTaken finds what functions take and do not give back: on ways out that fail, and, where the test has code of its
// own panic, behind calls of others' code.
func ofTaken(l looking, f evidence.Failure) []Finding {
	places := make(map[string][]Place) // by what it is taken from
	says := make(map[string]string)
	var keys []string
	note := func(key string, at Place, text string) {
		if places[key] == nil {
			keys = append(keys, key)
			says[key] = at.String() + " " + text
		}
		if !slices.Contains(places[key], at) {
			places[key] = append(places[key], at)
		}
	}
	for _, loss := range taken.Losses(l.program.Packages) {
		at := l.place(loss.File, l.line(loss.At.Pos()))
		note(loss.Key, at, fmt.Sprintf("leaves without %s, although %v takes what that gives back", loss.Give, l.place(loss.File, l.line(loss.Take.Pos()))))
	}
	if l.panicsIn(f.Test) {
		for _, r := range taken.Risks(l.program.Packages) {
			at := l.place(r.File, l.line(r.Call.Pos()))
			note(r.Key, at, fmt.Sprintf("calls %s, and a panic of that loses what %v takes of %s", types.ExprString(r.Call.Fun), l.place(r.File, l.line(r.Take.Pos())), r.Op.On))
		}
	}
	for _, key := range keys {
		l.add(Finding{Fault: evidence.NotGivenBack, Places: places[key], Says: says[key]})
	}
	return l.found
}

// panicsIn reports whether a test panics itself, or recovers: code that it hands to others may panic there.
func (l *looking) panicsIn(test string) (found bool) {
	test, _, _ = strings.Cut(test, "/")
	l.tests(test, func(f *analysis.File, fn *ast.FuncDecl) {
		found = found || syntax.Any(fn.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return false
			}
			name := syntax.Builtin(f.Package.Info, call)
			return name == "panic" || name == "recover"
		})
	})
	return found
}

// tests visits the test functions with a name.
func (l *looking) tests(name string, visit func(*analysis.File, *ast.FuncDecl)) {
	for _, pkg := range l.program.Packages {
		for _, file := range pkg.Files {
			if !file.Test {
				continue
			}
			for _, d := range file.AST.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Body != nil && fn.Name.Name == name {
					visit(file, fn)
				}
			}
		}
	}
}
