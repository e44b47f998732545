package rewrite

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/types"
	"go/version"
	"strings"

	"mendel/analysis"
)

const (
	// language is the first version of the language that takes rewritten texts: it has
	// generic functions (Go 1.18), interfaces stand for keys of maps in them (Go 1.20), and
	// their type arguments are inferred from methods.
	language = "go1.21"
	// Constraint is a build constraint that every toolchain meets. The compiler takes the
	// version of one for 1.21 if it is lower, in which all iterations of a loop have the same
	// variables, as before.
	Constraint = "go1.18"
)

// Since reports whether a file is written in a version of the language, or a later one. A
// go.mod file that names none means Go 1.16.
func Since(info *types.Info, file *ast.File, v string) bool {
	own := info.FileVersions[file]
	return own != "" && version.Compare(own, v) >= 0
}

// IsOld reports whether a file is written in a version of the language that does not take
// rewritten texts.
func IsOld(info *types.Info, file *ast.File) bool { return !Since(info, file, language) }

// Raise is the text of a file, rewritten from the package clause on, in a version of the
// language that takes it. Other constraints of the file stay in force, and all positions
// what they were.
func Raise(f *analysis.File, text string) string {
	clause := int(f.AST.Package - f.AST.FileStart)
	header, expression := text[:clause], Constraint
	if own := buildConstraint(f.AST); own != nil {
		expression += " && (" + own.String() + ")"
		header = strings.ReplaceAll(header, "//go:build", "// go:build") // two are an error
	}
	return fmt.Sprintf("//go:build %s\n\n", expression) + AtItsPlace(f, header+text[clause:])
}

// AtItsPlace is the text of a file that is built under another name, or in other lines,
// with the positions of the original.
func AtItsPlace(f *analysis.File, text string) string {
	// A byte order mark may only be where the file begins.
	return fmt.Sprintf("//line %s:1:1\n", f.Name) + strings.TrimPrefix(text, "\ufeff")
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
