package instrument

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/version"
	"strings"

	"mendel/analysis"
)

// Language versions of which a rewritten file must know. Its own may lie below the
// first, which has the generic functions that the rewritten text calls. From the
// second on each iteration of a loop has variables of its own, so a file from
// before must not come to it.
const (
	generics = "go1.18"
	loopvars = "go1.22"
)

// withVersion is the text of a file, rewritten from the package clause on, with
// a build constraint that sets its language version. Other constraints of the
// file stay in force, and all positions what they were.
func withVersion(f *analysis.File, text, version string) string {
	clause := int(f.AST.Package - f.AST.FileStart)
	header := strings.TrimPrefix(text[:clause], "\ufeff") // a byte order mark may only be where the file begins
	expression := version
	if own := buildConstraint(f.AST); own != nil {
		expression += " && (" + own.String() + ")"
		header = strings.ReplaceAll(header, "//go:build", "// go:build") // two are an error
	}
	return fmt.Sprintf("//go:build %s\n\n//line %s:1:1\n%s%s", expression, f.Name, header, text[clause:])
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

// languageOf is the language version of a file in a module of a version; "" of
// the module means that it is not known, or older than all that matter.
func languageOf(module string, file *ast.File) string {
	own := ""
	if e := buildConstraint(file); e != nil {
		own = constraint.GoVersion(e)
	}
	switch {
	case own == "":
		return module
	case version.Compare(own, "go1.21") < 0:
		return "go1.21" // the compiler goes no lower
	}
	return own
}
