package sectionedit

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/fact/captures"
	"mendel/mutate/fact/scope"
)

// Capture defines a variable for each capture before an anchor and puts it in
// the place of the operand.
func (p *Section) Capture(captures []captures.Capture, anchor ast.Stmt) error {
	if len(captures) == 0 {
		return nil
	}
	to, err := p.Node(anchor)
	if err != nil {
		return err
	}
	define := &dst.AssignStmt{Tok: token.DEFINE}
	for _, c := range captures {
		operand, err := p.named(c.Expr, c.Name)
		if err != nil {
			return err
		}
		for _, also := range c.Also {
			if _, err := p.named(also, c.Name); err != nil {
				return err
			}
		}
		if c.Elements != "" {
			if err := p.copyElements(c, to); err != nil {
				return err
			}
			continue
		}
		if c.Clone != "" {
			if operand, err = clone(p.m, p.e.File, c.Clone, operand); err != nil {
				return err
			}
		}
		define.Lhs = append(define.Lhs, dst.NewIdent(c.Name))
		define.Rhs = append(define.Rhs, operand)
	}
	if len(define.Lhs) == 0 {
		return nil
	}
	return p.m.Insert(p.e.File, to, false, define)
}

// named puts a variable in the place of an operand and returns the operand.
func (p *Section) named(e ast.Expr, name string) (dst.Expr, error) {
	operand, ok := p.m.Node(p.e.File, p.Fn.ID(e)).(dst.Expr)
	if !ok {
		return nil, mutate.Refuse(p.e, "another edit removed an operand that is to be kept")
	}
	if err := p.m.Replace(p.e.File, operand, dst.NewIdent(name)); err != nil {
		return nil, mutate.Refuse(p.e, "%v", err)
	}
	return operand, nil
}

// clone makes the call pkg.Clone(e).
func clone(m *mutate.Mutation, file, pkg string, e dst.Expr) (dst.Expr, error) {
	name, err := m.Import(file, pkg)
	if err != nil {
		return nil, err
	}
	var fun dst.Expr = dst.NewIdent("Clone")
	if name != "" {
		fun = &dst.SelectorExpr{X: dst.NewIdent(name), Sel: dst.NewIdent("Clone")}
	}
	return &dst.CallExpr{Fun: fun, Args: []dst.Expr{e}}, nil
}

// Hoist evaluates an expression into new variables before an anchor and puts
// these in its place. An expression with several results must be all that is
// assigned or returned.
func (p *Section) Hoist(e ast.Expr, names []string, anchor ast.Stmt) error {
	old, ok := p.m.Node(p.e.File, p.Fn.ID(e)).(dst.Expr)
	if !ok {
		return mutate.Refuse(p.e, "another edit removed the operation")
	}
	to, err := p.Node(anchor)
	if err != nil {
		return err
	}
	define := &dst.AssignStmt{Tok: token.DEFINE, Rhs: []dst.Expr{old}}
	var values []dst.Expr
	for _, name := range names {
		define.Lhs = append(define.Lhs, dst.NewIdent(name))
		values = append(values, dst.NewIdent(name))
	}
	switch to := to.(type) {
	case *dst.ReturnStmt:
		to.Results = spliced(to.Results, old, values)
	case *dst.AssignStmt:
		to.Rhs = spliced(to.Rhs, old, values)
	}
	if n := p.m.Node(p.e.File, p.Fn.ID(e)); n != nil { // it is part of something else
		if len(values) != 1 {
			return mutate.Refuse(p.e, "it has several results")
		}
		if err := p.m.Replace(p.e.File, old, values[0]); err != nil {
			return mutate.Refuse(p.e, "%v", err)
		}
	}
	return p.m.Insert(p.e.File, to, false, define)
}

// spliced is a list with an element replaced by others.
func spliced(list []dst.Expr, old dst.Expr, with []dst.Expr) []dst.Expr {
	if i := slices.Index(list, old); i >= 0 {
		return slices.Concat(list[:i], with, list[i+1:])
	}
	return list
}

// copyElements puts the copy of what the elements of a list point to before an anchor.
func (p *Section) copyElements(c captures.Capture, anchor dst.Stmt) error {
	list := types.ExprString(c.Expr)
	index := "i"
	size := fmt.Sprintf("make(%s, len(%s))", c.Elements, list)
	if c.Clone == "maps" {
		index = "key"
	}
	if c.Name == index || c.Element == index || strings.HasPrefix(list+".", index+".") {
		index = scope.FreeName(p.Fn, index)
	}
	return p.m.InsertSnippet(p.e.File, anchor, false, fmt.Sprintf(
		"%[1]s := %[2]s\nfor %[3]s, %[4]s := range %[5]s {\n%[1]s[%[3]s] = *%[4]s\n}", c.Name, size, index, c.Element, list))
}
