package analysis

import (
	"go/ast"
	"slices"
	"strings"
)

// Restricted reports whether a function's directives restrict what it may call, so
// that no hook can be put into it.
func Restricted(doc *ast.CommentGroup) bool {
	return hasDirective(doc, "//go:nosplit", "//go:norace", "//go:nowritebarrier", "//go:systemstack")
}

// Excluded reports whether a function's directives exclude it from what is watched:
// //mendel:exclude in its comment. Noise gets no hooks there, and the checker and the
// record of interleavings do not watch the variables that it uses. It still runs under
// control.
func Excluded(doc *ast.CommentGroup) bool { return hasDirective(doc, "//mendel:exclude") }

// IsOrder reports whether a package is package order of Mendel or a copy of it: the
// directive mendel:order in its documentation says so. Tools replace it, or leave it as it is.
func (p *Package) IsOrder() bool {
	return slices.ContainsFunc(p.Files, func(f *File) bool {
		return f.AST != nil && hasDirective(f.AST.Doc, "//mendel:order") // one that was not parsed has none
	})
}

// hasDirective reports whether a comment has one of some directives.
func hasDirective(doc *ast.CommentGroup, directives ...string) bool {
	if doc == nil {
		return false
	}
	return slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		directive, _, _ := strings.Cut(c.Text, " ")
		return slices.Contains(directives, directive)
	})
}
