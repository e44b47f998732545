package analysis

import (
	"fmt"
	"go/ast"
	"strings"
)

// NoTests is the error for a -run pattern that no test matches, and for a package
// without tests.
type NoTests struct{ Pattern, Package string }

func (e *NoTests) Error() string {
	if e.Pattern == "" {
		return e.Package + " has no tests to run"
	}
	return fmt.Sprintf("no test of %s matches --run %s; list them with: go test -list . %s", e.Package, e.Pattern, e.Package)
}

// CheckRun reports as a *[NoTests] that the package under test has tests, and
// Target.Run selects none of them. It reads names only: what it lets pass may be
// found to select nothing when the tests are run.
func (p *Program) CheckRun() error {
	pattern := p.Target.Run
	if pattern == "" || strings.Contains(pattern, "|") && strings.Contains(pattern, "/") {
		return nil // alternatives with subtests are left to package testing
	}
	declared, target := false, p.unit.roots()
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			if !f.Test || !target[pkg] {
				continue
			}
			for _, d := range f.AST.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv != nil || !isTest(fn.Name.Name) {
					continue
				}
				if declared = true; runs(pattern, fn.Name.Name) {
					return nil
				}
			}
		}
	}
	if !declared {
		return nil // whoever wants to run them says so
	}
	return &NoTests{Pattern: pattern, Package: p.Packages[0].Path}
}
