package stillcurrent

import (
	"go/ast"
	"go/types"
	"strings"

	"mendel/mutate"
)

// clock is the clock of an arming that is not package time, as it is written: "m.clock" of m.clock.AfterFunc; "": it is package time.
func (a *arming) clock() string {
	if isTime(a.info, a.made, "AfterFunc") {
		return ""
	}
	if sel, ok := ast.Unparen(a.made.Fun).(*ast.SelectorExpr); ok {
		return types.ExprString(sel.X)
	}
	return types.ExprString(a.made.Fun) // a function, which has no clock
}

// now asks the clock of an arming for the time, in a function; ok is false if that cannot name it. The text is "" for package time.
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
	if !ok || f.Signature().Params().Len() > 0 || f.Signature().Results().Len() != 1 || types.TypeString(f.Signature().Results().At(0).Type(), nil) != "time.Time" {
		return "", false
	}
	own, of := receiver(a.fn), receiver(fn)
	rest, field := strings.CutPrefix(clock, own.name+".")
	if own.typ == nil || own.typ != of.typ || !field {
		return "", false
	}
	return of.name + "." + rest + ".Now()", true
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

// A named receiver is that of the method that a function is, or stands in.
type namedReceiver struct {
	name string
	typ  *types.TypeName // nil: there is none
}

func receiver(fn *mutate.Function) (r namedReceiver) {
	if around := fn.Around(); len(around) > 0 {
		fn = around[0]
	}
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 {
		return r
	}
	r.name = decl.Recv.List[0].Names[0].Name
	t := types.Unalias(fn.File.Package.Info.TypeOf(decl.Recv.List[0].Type))
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		r.typ = named.Origin().Obj()
	}
	return r
}
