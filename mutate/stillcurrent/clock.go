package stillcurrent

import (
	"go/ast"
	"go/types"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/receiver"
)

// clock is the clock of an arming that is not package time, as it is written: "m.clock" of m.clock.AfterFunc; "" for
// package time.
func (a *arming) clock() string {
	if isTime(a.info, a.made, "AfterFunc") {
		return ""
	}
	if sel, ok := ast.Unparen(a.made.Fun).(*ast.SelectorExpr); ok {
		return types.ExprString(sel.X)
	}
	return types.ExprString(a.made.Fun) // a function, which has no clock
}

// now asks the clock of an arming for the time, in a function; ok is false if that cannot name it. The text is "" for
// package time.
func (a *arming) now(fn *mutate.Function) (text string, ok bool) {
	clock := a.clock()
	if clock == "" {
		return "", true
	}
	sel, ok := ast.Unparen(a.made.Fun).(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	obj, _, _ := types.LookupFieldOrMethod(a.info.TypeOf(sel.X), true, a.fn.File.Package.Types, "Now")
	f, ok := obj.(*types.Func)
	if !ok || !syntax.TellsTime(f.Signature()) {
		return "", false
	}
	own, ok := receiver.Of(a.fn)
	of, method := receiver.Of(fn)
	if !ok || !method || own.Type != of.Type {
		return "", false
	}
	rest, field := strings.CutPrefix(clock, own.Name.Name+".")
	return of.Name.Name + "." + rest + ".Now()", field
}

// nowIn is the code that asks the clock, with package time imported where that is it.
func (a *arming) nowIn(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function) (string, error) {
	text, ok := a.now(fn)
	if !ok {
		return "", mutate.Refuse(e, "the clock has no name in %s", fn.Name)
	}
	if text != "" {
		return text, nil
	}
	name, err := m.Import(fn.File.Rel, "time")
	if err != nil || name == "" {
		return "", mutate.Refuse(e, "package time has no name")
	}
	return name + ".Now()", nil
}
