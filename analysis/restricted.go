package analysis

import (
	"go/ast"
	"slices"
	"strings"
)

// Restricted reports whether a function's directives restrict what it may call, so
// that no hook can be put into it.
func Restricted(doc *ast.CommentGroup) bool {
	if doc == nil {
		return false
	}
	return slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		switch directive, _, _ := strings.Cut(c.Text, " "); directive {
		case "//go:nosplit", "//go:norace", "//go:nowritebarrier", "//go:systemstack":
			return true
		}
		return false
	})
}
