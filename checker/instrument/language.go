package instrument

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"strings"

	"mendel/analysis"
)

// generics is the first language version with generic functions, which the
// rewritten text calls. A file of an earlier one is compiled in a version that
// is not so late as Go 1.22, from which on each iteration of a loop has variables
// of its own: the compiler takes the version of a build constraint for 1.21 if it
// is lower.
const generics = "go1.18"

// looseKeys is the first language version in which interfaces may stand for keys of maps
// in generic functions. A file of an earlier one is compiled in a later one, too.
const looseKeys = "go1.20"

// withVersion is the text of a file, rewritten from the package clause on, with
// a build constraint that sets its language version. Other constraints of the
// file stay in force, and all positions what they were.
func withVersion(f *analysis.File, text string) string {
	clause := int(f.AST.Package - f.AST.FileStart)
	header := text[:clause]
	expression := generics
	if own := buildConstraint(f.AST); own != nil {
		expression += " && (" + own.String() + ")"
		header = strings.ReplaceAll(header, "//go:build", "// go:build") // two are an error
	}
	return fmt.Sprintf("//go:build %s\n\n", expression) + atItsPlace(f, header+text[clause:])
}

// buildConstraint is the constraint of a file; nil if it has none.
func buildConstraint(file *ast.File) constraint.Expr {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() < file.Package && constraint.IsGoBuild(c.Text) {
				if e, err := constraint.Parse(c.Text); err == nil {
					return e
				}
			}
		}
	}
	return nil
}
