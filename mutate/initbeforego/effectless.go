package initbeforego

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis/syntax"
)

// effectless reports whether an expression only makes a value: it does nothing else, waits
// for nothing and does not panic but for a nil pointer.
func (p *plan) effectless(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return p.effectless(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && p.effectless(e.X)
	case *ast.BinaryExpr:
		return !slices.Contains([]token.Token{token.QUO, token.REM, token.SHL, token.SHR}, e.Op) && p.effectless(e.X) && p.effectless(e.Y)
	case *ast.CompositeLit:
		return p.all(e.Elts)
	case *ast.KeyValueExpr:
		return p.effectless(e.Key) && p.effectless(e.Value)
	case *ast.CallExpr:
		return p.makes(e) && p.all(e.Args)
	}
	return p.info.Types[e].IsType()
}

func (p *plan) all(exprs []ast.Expr) bool {
	return !slices.ContainsFunc(exprs, func(e ast.Expr) bool { return !p.effectless(e) })
}

// makes reports whether a call is a conversion, or of a function that only makes a value.
func (p *plan) makes(call *ast.CallExpr) bool {
	if p.info.Types[call.Fun].IsType() {
		return true
	}
	switch syntax.Builtin(p.info, call) {
	case "make", "new", "len", "cap", "min", "max", "complex", "real", "imag":
		return true
	}
	f := syntax.Callee(p.info, call.Fun)
	return f != nil && makers[f.FullName()] && p.effectless(call.Fun)
}

// makers are functions of the standard library that make a value and do nothing else
// that others could see.
var makers = map[string]bool{
	"bytes.NewBuffer": true, "bytes.NewReader": true,
	"context.Background": true, "context.TODO": true, "context.WithCancel": true,
	"context.WithDeadline": true, "context.WithTimeout": true, "context.WithValue": true,
	"errors.New": true, "container/list.New": true,
	"strings.NewReader": true, "sync.NewCond": true,
	"time.NewTicker": true, "time.NewTimer": true, "time.Now": true, "time.Since": true,
	"(time.Time).Add": true, "(time.Time).Unix": true, "(time.Time).UnixNano": true,
}
