package checker

import (
	"fmt"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
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
	return e.pkg + " has no tests to check (benchmarks are not checked, nor are examples that do not say what they print)"
}

func (e *untested) Is(target error) bool { return target == gotool.ErrNoTests }

// declared are the names of all tests, with fuzz tests, whose seeds are run, and examples. They are read from the
// syntax: the instrumented binary itself lists one test only, the checker's.
func (b *Binary) declared() []string {
	var tests []syntax.Test
	for _, pkg := range b.checker.tested() {
		for _, f := range pkg.Files {
			if !f.Test {
				continue
			}
			tree := f.AST
			if text, ok := b.files[f.Name]; ok {
				replaced, err := parser.ParseFile(token.NewFileSet(), f.Name, text, parser.ParseComments|parser.SkipObjectResolution)
				if err != nil {
					continue // not possible: it was built
				}
				tree = replaced
			}
			tests = append(tests, syntax.Tests(tree)...)
		}
	}
	slices.SortStableFunc(tests, func(a, b syntax.Test) int { return int(a.Kind - b.Kind) })
	var names []string
	for _, test := range tests {
		names = append(names, test.Name)
	}
	return names
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
