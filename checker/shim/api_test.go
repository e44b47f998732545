package shim_test

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// replaced maps the shims to what they replace.
var replaced = map[string]string{
	"mendel/checker/shim/sync":     "sync",
	"mendel/checker/shim/atomic":   "sync/atomic",
	"mendel/checker/shim/time":     "time",
	"mendel/checker/shim/context":  "context",
	"mendel/checker/shim/io":       "io",
	"mendel/checker/shim/rand":     "math/rand",
	"mendel/checker/shim/rand/v2":  "math/rand/v2",
	"mendel/checker/shim/synctest": "testing/synctest",
	"mendel/checker/shim/order":    "mendel/order",
}

// partial maps the shims that replace only some of a package to the package, with what
// they have besides: what stands for a type, so that its methods can be other ones.
var partial = map[string]struct {
	real string
	own  []string
}{
	"mendel/checker/shim/net":      {"net", nil},
	"mendel/checker/shim/http":     {"net/http", []string{"Client", "Control", "OfClient", "OfRoundTripper", "RoundTripper"}},
	"mendel/checker/shim/httptest": {"net/http/httptest", []string{"OfServer", "Server"}},
	"mendel/checker/shim/signal":   {"os/signal", []string{"Kill", "OfProcess", "Process"}}, // of packages syscall and os
}

// larger types than the real ones, deliberately: those that a program does not
// put into arrays with padding. All others have the size of the real type.
var larger = map[string]bool{
	"sync.Cond": true, "sync.Pool": true, "sync.Map": true,
	"time.Timer": true, "time.Ticker": true,
}

// Each exported name of a real package is one of the shim and conversely, with
// the same type modulo import paths.
func TestSameNames(t *testing.T) {
	var paths []string
	for shim, real := range replaced {
		paths = append(paths, shim, real)
	}
	byPath := load(t, paths...)
	for shim, real := range replaced {
		a, b := byPath[shim], byPath[real]
		if a == nil || b == nil {
			t.Fatalf("%s or %s was not loaded", shim, real)
		}
		if a.Name() != b.Name() {
			t.Errorf("%s is package %s, not %s", shim, a.Name(), b.Name())
		}
		compareScopes(t, a, b)
	}
}

// load loads packages by path.
func load(t *testing.T, paths ...string) map[string]*types.Package {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports,
	}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]*types.Package{}
	for _, p := range loaded {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
		byPath[p.PkgPath] = p.Types
	}
	return byPath
}

// What a partial shim has is of the real package, with the same type, or stands for a type.
func TestPartial(t *testing.T) {
	var paths []string
	for shim, p := range partial {
		paths = append(paths, shim, p.real)
	}
	byPath := load(t, paths...)
	for shim, p := range partial {
		a, b := byPath[shim], byPath[p.real]
		for _, name := range a.Scope().Names() {
			s, r := a.Scope().Lookup(name), b.Scope().Lookup(name)
			switch own := slices.Contains(p.own, name); {
			case own || !s.Exported():
			case r == nil:
				t.Errorf("%s.%s is not in the real package", shim, name)
			default:
				compareObjects(t, s, r)
			}
		}
		for _, name := range p.own {
			if a.Scope().Lookup(name) == nil {
				t.Errorf("%s has no %s", shim, name)
			}
		}
	}
}

func compareScopes(t *testing.T, shim, real *types.Package) {
	compared := 0
	for _, name := range real.Scope().Names() {
		r := real.Scope().Lookup(name)
		if !r.Exported() {
			continue
		}
		s := shim.Scope().Lookup(name)
		if s == nil {
			t.Errorf("%s.%s is missing", real.Path(), name)
			continue
		}
		compareObjects(t, s, r)
		compared++
	}
	if compared < 8 && compared < len(shim.Scope().Names()) {
		t.Errorf("%s: only %d names", real.Path(), compared)
	}
	for _, name := range shim.Scope().Names() {
		if s := shim.Scope().Lookup(name); s.Exported() && real.Scope().Lookup(name) == nil {
			t.Errorf("%s.%s is not in the real package", shim.Path(), name)
		}
	}
}

func compareObjects(t *testing.T, s, r types.Object) {
	name := r.Pkg().Path() + "." + r.Name()
	switch r := r.(type) {
	case *types.Const:
		s, ok := s.(*types.Const)
		if !ok || text(s.Type()) != text(r.Type()) || !constant.Compare(s.Val(), token.EQL, r.Val()) {
			t.Errorf("%s differs: %v, want %v", name, s, r)
		}
	case *types.TypeName:
		s, ok := s.(*types.TypeName)
		if !ok {
			t.Errorf("%s is no type", name)
			return
		}
		compareTypes(t, name, s.Type(), r.Type())
	default: // functions and variables
		if got, want := text(s.Type()), text(r.Type()); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func compareTypes(t *testing.T, name string, s, r types.Type) {
	if types.Identical(s, r) {
		return // an alias
	}
	if got, want := strings.Join(members(s), "\n"), strings.Join(members(r), "\n"); got != want {
		t.Errorf("%s has\n%s\nwant\n%s", name, got, want)
	}
	if types.Comparable(s) != types.Comparable(r) {
		t.Errorf("%s: comparable: %t, want %t", name, types.Comparable(s), types.Comparable(r))
	}
	if n, ok := r.(*types.Named); ok && n.TypeParams().Len() > 0 {
		return // no size
	}
	sizes := types.SizesFor("gc", "amd64")
	if a, b := sizes.Sizeof(s), sizes.Sizeof(r); a != b && !larger[name] {
		t.Errorf("%s: %d bytes, want %d", name, a, b)
	}
}

// members lists the exported methods and fields of a named type.
func members(typ types.Type) (list []string) {
	set := types.NewMethodSet(types.NewPointer(typ))
	for i := range set.Len() {
		if m := set.At(i).Obj(); m.Exported() {
			list = append(list, m.Name()+" "+text(m.Type()))
		}
	}
	if s, ok := typ.Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			if f := s.Field(i); f.Exported() {
				list = append(list, "."+f.Name()+" "+text(f.Type()))
			}
		}
	}
	return list
}

// text prints a type with the paths of the real packages, aliases resolved.
func text(typ types.Type) string {
	if a, ok := typ.(*types.Alias); ok {
		typ = types.Unalias(a)
	}
	return types.TypeString(typ, func(p *types.Package) string {
		if real, ok := replaced[p.Path()]; ok {
			return real
		}
		return p.Path()
	})
}
