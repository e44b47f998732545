package chanwait

import (
	"go/types"
	"strings"

	"mendel/analysis/syntax"
)

// maxFields is how many fields an end may be away from a variable.
const maxFields = 2

// A source is a type of variables in which code of a package looks for ends.
type source struct {
	pkg     *types.Package
	typ     types.Type
	pointer bool // the variables point to it
}

// A leaf is a context or channel that a value of a source leads to.
type leaf struct {
	suffix  string     // behind the variable's name: ".quit", ".Done()"
	context bool       // it is a context
	elem    types.Type // of the channel
	v       *types.Var // the field, or result, that is the channel; nil: the variable itself
}

// leaves lists the contexts and channels to receive from, in the order of the fields.
func (s source) leaves() []leaf {
	t := s.typ
	if s.pointer {
		t = types.NewPointer(t)
	}
	l := &leafFinder{pkg: s.pkg, seen: make(map[string]bool)}
	l.value("", t, nil, maxFields)
	return l.found
}

type leafFinder struct {
	pkg   *types.Package
	seen  map[string]bool
	found []leaf
}

// value looks at what a suffix leads to: the variable, or a field.
func (l *leafFinder) value(suffix string, t types.Type, v *types.Var, depth int) {
	if l.seen[suffix] {
		return
	}
	l.seen[suffix] = true
	if syntax.IsContext(t) {
		l.found = append(l.found, leaf{suffix: suffix, context: true})
		return
	}
	if c, ok := t.Underlying().(*types.Chan); ok {
		if c.Dir() != types.SendOnly {
			l.found = append(l.found, leaf{suffix: suffix, elem: c.Elem(), v: v})
		}
		return
	}
	if depth > 0 && !strings.Contains(types.TypeString(t, nil), "testing.") {
		l.fields(suffix, t, depth)
		l.methods(suffix, t)
	}
}

func (l *leafFinder) fields(suffix string, t types.Type, depth int) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for field := range st.Fields() {
		if !l.accessible(field) || field.Name() == "_" {
			continue
		}
		if field.Embedded() { // reached without its name
			l.fields(suffix, field.Type(), depth)
			continue
		}
		if obj, _, _ := types.LookupFieldOrMethod(t, true, l.pkg, field.Name()); obj == field {
			l.value(suffix+"."+field.Name(), field.Type(), field, depth-1)
		}
	}
}

func (l *leafFinder) accessible(obj types.Object) bool { return obj.Exported() || obj.Pkg() == l.pkg }

// methods looks at the methods that return a channel to receive from.
func (l *leafFinder) methods(suffix string, t types.Type) {
	if _, ok := t.Underlying().(*types.Basic); ok {
		return
	}
	if _, ok := t.Underlying().(*types.Pointer); !ok && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	for sel := range types.NewMethodSet(t).Methods() {
		method, ok := sel.Obj().(*types.Func)
		if !ok || !l.accessible(method) {
			continue
		}
		sig := method.Signature()
		if sig.Params().Len() > 0 || sig.Results().Len() != 1 {
			continue
		}
		result := sig.Results().At(0)
		if c, ok := result.Type().Underlying().(*types.Chan); ok && c.Dir() == types.RecvOnly {
			l.found = append(l.found, leaf{suffix: suffix + "." + method.Name() + "()", elem: c.Elem(), v: result})
		}
	}
}
