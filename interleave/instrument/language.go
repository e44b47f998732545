package instrument

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/version"
	"strings"
)

// generics is the first language version with generic functions, as the hooks are. A
// file of an earlier one gets a build constraint: the compiler takes it for Go 1.21
// then, in which loops mean what they did before.
const generics = "go1.18"

// isOld reports whether a file is written in a version of the language without generic
// functions. A go.mod file that names no version means such a one.
func (r *rewriter) isOld() bool {
	own, known := r.info.FileVersions[r.file.AST]
	return known && (own == "" || version.Compare(own, generics) < 0)
}

// withVersion puts the constraint before the text of a file. Other constraints of the
// file stay in force, and all positions what they were.
func (r *rewriter) withVersion(text string) string {
	f := r.file
	clause := int(f.AST.Package - f.AST.FileStart)
	header, expression := text[:clause], generics
	if own := buildConstraint(f.AST); own != nil {
		expression += " && (" + own.String() + ")"
		header = strings.ReplaceAll(header, "//go:build", "// go:build") // two are an error
	}
	header = strings.TrimPrefix(header, "\ufeff") // may only be where a file begins
	return fmt.Sprintf("//go:build %s\n\n//line %s:1:1\n", expression, f.Name) + header + text[clause:]
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
