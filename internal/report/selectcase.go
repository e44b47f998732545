package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// sendingCase is the case of a select that sends on a channel which was closed,
// "case s.ch <- m:": the select's only one that sends, or the only one that sends on
// a channel of the name that the line closing it has. It is "" where that does not
// tell.
func (s *sources) sendingCase(file string, line int, closing string) string {
	if s.read == nil {
		return ""
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, s.read(file), parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	var sends []*ast.SendStmt
	ast.Inspect(tree, func(n ast.Node) bool {
		choice, ok := n.(*ast.SelectStmt)
		if !ok || fset.Position(choice.Pos()).Line != line {
			return true
		}
		for _, clause := range choice.Body.List {
			if send, ok := clause.(*ast.CommClause).Comm.(*ast.SendStmt); ok {
				sends = append(sends, send)
			}
		}
		return true
	})
	if len(sends) > 1 {
		sends = slices.DeleteFunc(sends, func(send *ast.SendStmt) bool {
			return !strings.Contains(closing, "close(") || !strings.Contains(closing, lastName(send.Chan)+")")
		})
	}
	if len(sends) != 1 {
		return ""
	}
	return oneLine("case " + types.ExprString(sends[0].Chan) + " <- " + types.ExprString(sends[0].Value) + ":")
}

// lastName is the name that an expression ends with: "ch" of s.ch.
func lastName(e ast.Expr) string {
	text := types.ExprString(e)
	return text[strings.LastIndexByte(text, '.')+1:]
}
