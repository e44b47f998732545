//go:build unix

package gotool

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// diagnostics are those of a *BuildError, at least one.
func diagnostics(t *testing.T, err error) []Diagnostic {
	t.Helper()
	var be *BuildError
	if !errors.As(err, &be) || len(be.Diagnostics) == 0 {
		t.Fatalf("got %v, want a *BuildError with diagnostics", err)
	}
	return be.Diagnostics
}

// The go command's messages about every kind of defect lead to the right file.
func TestBuildErrors(t *testing.T) {
	privateTemp(t)
	const good = `
-- go.mod --
module example.com/m

go 1.25
-- m_test.go --
package m

import "testing"

func Test(t *testing.T) {}
`
	tests := []struct {
		name, archive string
		want          string // "file:line:column: message's beginning", lines separated; or, without position, contained in Error
	}{
		{"types", "-- sub/s.go --\npackage sub\n\nfunc F() int { return g(1) }\n\nfunc g(a int, s string) int { return s }\n-- a.go --\npackage m\n\nimport _ \"example.com/m/sub\"\n",
			"sub/s.go:3:25: not enough arguments in call to g\n\thave (number)\n\twant (int, string)\nsub/s.go:5:38: cannot use s"},
		{"syntax", "-- a.go --\npackage m\n\nfunc {\n", "a.go:3:6: syntax error"},
		{"test file", "-- b_test.go --\npackage m_test\n\nvar x int = \"\"\n", "b_test.go:3:13: cannot use"},
		{"import in no module", "-- a.go --\npackage m\n\nimport _ \"example.com/no/such\"\n", "a.go:3:8: no required module provides package example.com/no/such"},
		{"import not in std", "-- a.go --\npackage m\n\nimport _ \"nosuch\"\n", "a.go:3:8: package nosuch is not in std"},
		{"import cycle", "-- a.go --\npackage m\n\nimport _ \"example.com/m/sub\"\n-- sub/s.go --\npackage sub\n\nimport _ \"example.com/m\"\n", "import cycle not allowed"},
		{"two packages", "-- a.go --\npackage other\n", "found packages"},
		{"module file", "-- go.mod --\nmodule example.com/m\n\nnonsense\n", "go.mod:3: unknown directive: nonsense"},
		{"linker", "-- a.go --\npackage m\n\nfunc f()\n\nfunc init() { f() }\n-- a.s --\n", "relocation target example.com/m.f not defined"},
		{"empty file", "-- m_test.go --\n", "m_test.go:1:1: expected 'package'"},
		{"excluded", "-- m_test.go --\n//go:build never\n\npackage m\n", "build constraints exclude all Go files"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := tree(t, good+test.archive)
			err := open(t, dir).BuildTest(t.Context(), BuildOptions{Package: ".", Output: filepath.Join(t.TempDir(), "out")})
			var be *BuildError
			if !errors.As(err, &be) {
				t.Fatalf("got %v, want a *BuildError", err)
			}
			got := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
			first, _, _ := strings.Cut(test.want, "\n")
			if position.MatchString(first) != (len(be.Diagnostics) > 0) {
				t.Errorf("diagnostics %v, want %q", be.Diagnostics, test.want)
			}
			if !strings.Contains(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if !strings.Contains(be.Output, "\n") {
				t.Errorf("output not complete: %q", be.Output)
			}
		})
	}
}
