package checker

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mendel/analysis"
	"mendel/internal/gotool"
)

// hasTests reports whether the package under test has test files.
func (c *Checker) hasTests() bool {
	for _, pkg := range c.tested() {
		if slices.ContainsFunc(pkg.Files, func(f *analysis.File) bool { return f.Test }) {
			return true
		}
	}
	return false
}

// tested are the package under test and its external test package.
func (c *Checker) tested() []*analysis.Package {
	all := c.c.Program.Packages
	if len(all) > 1 && all[1].Path == all[0].Path+"_test" {
		return all[:2]
	}
	return all[:1]
}

// tests are the names of the tests that a search is for, in the order in which
// go test runs them.
func (b *Binary) tests(wanted []string) ([]string, error) {
	all := b.declared()
	if len(wanted) > 0 {
		var names []string
		for _, name := range wanted {
			if !slices.Contains(all, name) {
				return nil, fmt.Errorf("%s has no test %s", b.checker.path(), name)
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return names, nil
	}
	pattern := b.checker.c.Program.Target.Run
	re, err := regexp.Compile(topLevel(pattern))
	if err != nil {
		return nil, fmt.Errorf("--run %s: %w", pattern, err)
	}
	var names []string
	for _, name := range all {
		if re.MatchString(name) {
			names = append(names, name)
		}
	}
	switch {
	case len(names) > 0:
		return names, nil
	case pattern == "" || len(all) == 0:
		return nil, &untested{b.checker.path()}
	}
	return nil, fmt.Errorf("no test of %s matches --run %s; list them with: go test -list . %s", b.checker.path(), pattern, b.checker.path())
}

// untested is the gotool.ErrNoTests of a package with test files that have no tests.
type untested struct{ pkg string }

func (e *untested) Error() string {
	return e.pkg + " has no tests to check (examples, benchmarks and fuzz tests are not checked)"
}

func (e *untested) Is(target error) bool { return target == gotool.ErrNoTests }

// declared are the names of all tests. They are read from the syntax: the
// instrumented binary itself lists one test only, the checker's.
func (b *Binary) declared() []string {
	var names []string
	for _, pkg := range b.checker.tested() {
		for _, f := range pkg.Files {
			if !f.Test {
				continue
			}
			tree := f.AST
			if text, ok := b.files[f.Name]; ok {
				replaced, err := parser.ParseFile(token.NewFileSet(), f.Name, text, parser.SkipObjectResolution)
				if err != nil {
					continue // not possible: it was built
				}
				tree = replaced
			}
			names = append(names, testsIn(tree)...)
		}
	}
	return names
}

// testsIn are the tests that a file declares.
func testsIn(file *ast.File) []string {
	var names []string
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Type.TypeParams != nil || fn.Type.Results != nil || !isTestName(fn.Name.Name) {
			continue
		}
		if params := fn.Type.Params.List; len(params) == 1 && len(params[0].Names) <= 1 && isTestingT(file, params[0].Type) {
			names = append(names, fn.Name.Name)
		}
	}
	return names
}

// isTestName reports whether go test takes a function of this name for a test.
func isTestName(name string) bool {
	rest, ok := strings.CutPrefix(name, "Test")
	if !ok || name == "TestMain" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLower(r)
}

// isTestingT reports whether a type is *testing.T, however package testing is imported.
func isTestingT(file *ast.File, t ast.Expr) bool {
	star, ok := t.(*ast.StarExpr)
	if !ok {
		return false
	}
	names := map[string]bool{}
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != "testing" {
			continue
		}
		name := "testing"
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = true
	}
	switch x := star.X.(type) {
	case *ast.SelectorExpr:
		id, ok := x.X.(*ast.Ident)
		return ok && names[id.Name] && x.Sel.Name == "T"
	case *ast.Ident:
		return names["."] && x.Name == "T"
	}
	return false
}

// topLevel is the part of a -run pattern for tests, not subtests: of each
// alternative the part before the first slash, as package testing splits it.
func topLevel(pattern string) string {
	var parts []string
	for _, alternative := range splitOutside(pattern, '|') {
		parts = append(parts, splitOutside(alternative, '/')[0])
	}
	return strings.Join(parts, "|")
}

// splitOutside splits a regular expression at a byte where it is outside of
// brackets, parentheses and escapes.
func splitOutside(s string, sep byte) []string {
	var parts []string
	brackets, parens, from := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '[':
			brackets++
		case c == ']':
			brackets = max(0, brackets-1)
		case c == '(' && brackets == 0:
			parens++
		case c == ')' && brackets == 0:
			parens--
		case c == sep && brackets == 0 && parens == 0:
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}
