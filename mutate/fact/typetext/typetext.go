package typetext

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"mendel/mutate"
)

// Of writes a type as code at a place of the function would. ok is
// false where it cannot be written there: a package is not imported by the
// file, a name is not exported by its package or hidden by another, or the type
// is not to be had by name at all.
func Of(fn *mutate.Function, t types.Type, at token.Pos) (text string, ok bool) {
	w := &typeWriter{fn: fn, at: at, ok: true, seen: make(map[types.Type]bool)}
	w.check(t)
	if !w.ok {
		return "", false
	}
	return types.TypeString(t, w.qualifier), w.ok
}

type typeWriter struct {
	fn   *mutate.Function
	at   token.Pos
	ok   bool
	seen map[types.Type]bool
}

// check looks for names in a type that do not mean there what they mean here.
func (w *typeWriter) check(t types.Type) {
	if w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		w.name(t.Obj())
		w.list(t.TypeArgs())
	case *types.Named:
		w.name(t.Obj())
		w.list(t.TypeArgs())
	case *types.TypeParam:
		w.name(t.Obj())
	case *types.Basic:
		if t.Info()&types.IsUntyped != 0 {
			w.ok = false
			return
		}
		if _, found := w.lookup(t.Name()).(*types.TypeName); !found && t.Kind() != types.UnsafePointer {
			w.ok = false // another declaration hides it
		}
	case *types.Pointer:
		w.check(t.Elem())
	case *types.Slice:
		w.check(t.Elem())
	case *types.Array:
		w.check(t.Elem())
	case *types.Chan:
		w.check(t.Elem())
	case *types.Map:
		w.check(t.Key())
		w.check(t.Elem())
	case *types.Signature:
		w.tuple(t.Params())
		w.tuple(t.Results())
	case *types.Interface:
		// any and the like are aliases; a longer literal is not worth repeating.
		w.ok = w.ok && t.Empty()
	case *types.Struct:
		w.ok = w.ok && t.NumFields() == 0
	default:
		w.ok = false
	}
}

func (w *typeWriter) list(l *types.TypeList) {
	for t := range l.Types() {
		w.check(t)
	}
}

func (w *typeWriter) tuple(t *types.Tuple) {
	for v := range t.Variables() {
		w.check(v.Type())
	}
}

// name checks that a type's name can be written and is not hidden.
func (w *typeWriter) name(obj *types.TypeName) {
	own := w.fn.File.Package.Types
	switch {
	case obj.Pkg() == nil || obj.Pkg() == own: // predeclared, or the package's
		w.ok = w.ok && w.lookup(obj.Name()) == types.Object(obj)
	case !obj.Exported():
		w.ok = false
	default:
		w.qualifier(obj.Pkg())
	}
}

func (w *typeWriter) lookup(name string) types.Object {
	inner := w.fn.File.Package.Types.Scope().Innermost(w.at)
	if inner == nil {
		return types.Universe.Lookup(name)
	}
	_, obj := inner.LookupParent(name, w.at)
	return obj
}

// qualifier is what the file calls a package; "" for its own and a dot import.
func (w *typeWriter) qualifier(pkg *types.Package) string {
	if pkg == w.fn.File.Package.Types {
		return ""
	}
	for _, spec := range w.fn.File.AST.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != pkg.Path() {
			continue
		}
		name := importedAs(spec, pkg)
		if name == "" {
			return ""
		}
		if p, ok := w.lookup(name).(*types.PkgName); ok && p.Imported() == pkg {
			return name
		}
	}
	w.ok = false
	return pkg.Name()
}

// importedAs is the name of an imported package in its file; "" for a dot import.
func importedAs(spec *ast.ImportSpec, pkg *types.Package) string {
	switch {
	case spec.Name == nil:
		return pkg.Name()
	case spec.Name.Name == ".":
		return ""
	}
	return spec.Name.Name
}
