package instrument

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"strconv"
	"strings"
)

// standIns are the functions of the runtime that stand for functions of the
// standard library. runtime.Goexit is understood as it is.
var standIns = map[string]string{
	"runtime.GOMAXPROCS":   "GOMAXPROCS",
	"runtime.Gosched":      "Yield",
	"runtime.NumGoroutine": "NumGoroutine",
	"runtime.Stack":        "Stack",
	"runtime.Callers":      "Callers",
	"runtime.SetFinalizer": "SetFinalizer",
	"runtime/debug.Stack":  "DebugStack",
	"reflect.MakeChan":     "ReflectMakeChan",
	"reflect.Select":       "ReflectSelect",
	"os.Exit":              "Exit",

	"runtime.GoroutineProfile": "GoroutineProfile",
	"runtime.ReadMemStats":     "ReadMemStats",
	"testing.AllocsPerRun":     "AllocsPerRun",

	// Functions of the runtime that a program may link, see linked.
	"runtime.fastrand":    "Rand32",
	"runtime.cheaprand":   "Rand32",
	"runtime.fastrand64":  "Rand64",
	"runtime.rand":        "Rand64",
	"runtime.cheaprand64": "Rand63",
	"runtime.fastrandn":   "Rand32n",
	"runtime.cheaprandn":  "Rand32n",
	"runtime.nanotime":    "Nanotime",

	"runtime.procPin":         "linked.ProcPin",
	"sync.runtime_procPin":    "linked.ProcPin",
	"runtime.procUnpin":       "linked.ProcUnpin",
	"sync.runtime_procUnpin":  "linked.ProcUnpin",
	"sync.runtime_Semacquire": "linked.Semacquire",
	"sync.runtime_Semrelease": "linked.Semrelease",

	"hash/maphash.MakeSeed": "MakeSeed",

	"maps.All":        "MapsAll",
	"maps.Keys":       "MapsKeys",
	"maps.Values":     "MapsValues",
	"slices.All":      "SlicesAll",
	"slices.Values":   "SlicesValues",
	"slices.Backward": "SlicesBackward",
	"iter.Pull":       "IterPull",

	"bytes.Lines":         "BytesLines",
	"bytes.SplitSeq":      "BytesSplitSeq",
	"bytes.SplitAfterSeq": "BytesSplitAfterSeq",
	"bytes.FieldsSeq":     "BytesFieldsSeq",
	"bytes.FieldsFuncSeq": "BytesFieldsFuncSeq",
	"reflect.Swapper":     "ReflectSwapper",
	"iter.Pull2":          "IterPull2",

	// Of other packages of the runtime.
	"net.Pipe":                "net.Pipe",
	"net/http.TimeoutHandler": "http.TimeoutHandler",
	"os/signal.Notify":        "signal.Notify",
	"os/signal.NotifyContext": "signal.NotifyContext",
	"os/signal.Stop":          "signal.Stop",
	"os/signal.Reset":         "signal.Reset",
	"os/signal.Ignore":        "signal.Ignore",
	"os/signal.Ignored":       "signal.Ignored",

	"net/http/httptest.NewTestServer": "httptest.NewTestServer",
	"syscall.Kill":                    "signal.Kill",
}

// instances are what makes of generic functions of standIns a value: no more is to be
// said of an import that has to stay in use.
var instances = map[string]string{
	"maps.All": "[map[int]int]", "maps.Keys": "[map[int]int]", "maps.Values": "[map[int]int]",
	"slices.All": "[[]int]", "slices.Values": "[[]int]", "slices.Backward": "[[]int]",
	"iter.Pull": "[int]", "iter.Pull2": "[int, int]", "runtime.AddCleanup": "[int, int]",
}

// standIn is the replacement of a function of the standard library, "" if there is
// none. Where there are tests, the driver replaces os.Exit, because it knows more
// of them than the engine.
func (r *rewriter) standIn(o types.Object) string {
	name := standIns[r.known(o)]
	switch qualifiedName(o) {
	case "runtime.GC", "runtime/debug.FreeOSMemory":
		r.used = true
		r.kept = append(r.kept, r.rt+".Collects()")
	}
	switch {
	case name == "httptest.NewTestServer" && r.network:
		return ""
	case r.ofLibrary && qualifiedName(o) == "runtime.AddCleanup":
		name = "AddCleanup"
	case name == "", r.silent && instances[qualifiedName(o)] != "" && o.Pkg().Path() != "iter":
		return ""
	case strings.Contains(name, "."):
		return r.shimmed(name)
	case name == "AllocsPerRun", name == "Exit" && r.tests:
		r.driven = true
		return r.driver + "." + name
	}
	r.used = true
	return r.rt + "." + name
}

// shimmed is a function of a shim that replaces only some of a package: "net.Pipe" is Pipe
// of package shim/net.
func (r *rewriter) shimmed(name string) string {
	shim, name, _ := strings.Cut(name, ".")
	r.shims[shim] = true
	return r.temp + shim + "." + name
}

// qualifiedName is the name of a package-level function with its import path;
// "" for anything else.
func qualifiedName(o types.Object) string {
	f, ok := o.(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
		return ""
	}
	return f.Pkg().Path() + "." + f.Name()
}

// concernsTests reports whether a file is a test or may be given one's *testing.T.
func concernsTests(file *ast.File, test bool) bool {
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && path == "testing" {
			return true
		}
	}
	return test
}

// methods are the methods of the driver's types, by type: those that stand for
// methods of package testing.
type methods map[string]map[string]bool

// driverMethods reads what the driver declares for a release.
func driverMethods(release *build.Context, sources fs.FS) (methods, error) {
	files, err := filesOf(release, sources, "driver")
	if err != nil {
		return nil, err
	}
	m := methods{"T": {}, "TB": {}, "M": {}, "F": {}}
	for _, name := range files {
		text, err := fs.ReadFile(sources, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.IsExported() {
				if of := m[receiverName(f)]; of != nil {
					of[f.Name.Name] = true
				}
			}
		}
	}
	return m, nil
}

func receiverName(f *ast.FuncDecl) string {
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	id, _ := t.(*ast.Ident)
	if id == nil {
		return ""
	}
	return id.Name
}

// fixture is the driver's replacement of a method of a *testing.T, a testing.TB, a
// *testing.M or a *testing.F; "" if there is none.
//
//	t.Run         driver.Of(t).Run
//	suite.Error   driver.Of(suite.T).Error, where T is embedded
//	tb.Fatal      driver.OfTB(tb).Fatal
func (r *rewriter) fixture(e *ast.SelectorExpr, s *types.Selection) string {
	if o := s.Obj(); o.Pkg() == nil || o.Pkg().Path() != "testing" {
		return ""
	}
	way, t, ok := r.wayTo(s)
	if !ok {
		return ""
	}
	name := "TB"
	target, isPointer := pointer(t)
	if !isPointer {
		target = t
	}
	if named, ok := types.Unalias(target).(*types.Named); ok && !types.IsInterface(target) {
		name = named.Obj().Name()
		if name == "F" && !r.methods[name][e.Sel.Name] {
			name = "TB"
		}
	}
	if !r.methods[name][e.Sel.Name] {
		return ""
	}
	x := r.base(e.X) + way
	if name != "TB" && !isPointer {
		x = "&" + x
	}
	r.driven = true
	function := map[string]string{"T": "Of", "TB": "OfTB", "M": "OfM", "F": "OfF"}[name]
	return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), fmt.Sprintf("%s.%s(%s)", r.driver, function, x)})
}

// givenMain is a *testing.M that is given to a parameter of an interface type, such
// as that of goleak.VerifyTestMain: the driver's; "" for any other argument.
func (r *rewriter) givenMain(call *ast.CallExpr, i int) string {
	sig, ok := r.typeOf(call.Fun).Underlying().(*types.Signature)
	if !ok || i >= sig.Params().Len() || sig.Variadic() && i == sig.Params().Len()-1 || !isMain(r.typeOf(call.Args[i])) {
		return ""
	}
	wanted, ok := sig.Params().At(i).Type().Underlying().(*types.Interface)
	if !ok || wanted.NumMethods() != 1 || !r.methods["M"][wanted.Method(0).Name()] {
		return ""
	}
	r.driven = true
	return r.driver + ".OfM(" + r.value(call.Args[i]) + ")"
}

// wayTo finds the value of package testing whose method is selected: the fields on
// the way there through embedding, and its type. It fails where that cannot be
// written here, and for anything but T, M and what implements TB.
func (r *rewriter) wayTo(s *types.Selection) (way string, t types.Type, ok bool) {
	fields := s.Index()[:len(s.Index())-1]
	for t = s.Recv(); ; {
		base := t
		if elem, ok := pointer(t); ok {
			base = elem
		}
		if types.IsInterface(base) {
			tb := s.Obj().Pkg().Scope().Lookup("TB")
			return way, t, tb != nil && types.Implements(t, tb.Type().Underlying().(*types.Interface))
		}
		if named, ok := types.Unalias(base).(*types.Named); ok {
			if o := named.Obj(); o.Pkg() != nil && o.Pkg().Path() == "testing" {
				return way, t, o.Name() == "T" || o.Name() == "M" || o.Name() == "F"
			}
		}
		st, ok := base.Underlying().(*types.Struct)
		if !ok || len(fields) == 0 {
			return "", nil, false
		}
		f := st.Field(fields[0])
		if !f.Exported() && f.Pkg() != r.pkg {
			return "", nil, false
		}
		way, t, fields = way+"."+f.Name(), f.Type(), fields[1:]
	}
}
