package noise

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"mendel/analysis"
)

// tables is what package hook must know of the program; see its tables.go.
type tables struct {
	packages    []string
	timed       []string
	callbacks   bool
	guarded     bool
	leakProfile bool
	limited     []string
	grouped     []string
}

// counting has identifiers by which a program counts its own goroutines; it would
// count the watchdog too.
var counting = map[string]bool{"NumGoroutine": true, "GoroutineProfile": true, "goleak": true, "leaktest": true, "leakcheck": true}

// polling has identifiers by which a test waits for a condition, but not for ever.
var polling = map[string]bool{"Eventually": true, "EventuallyWithT": true, "Never": true, "Consistently": true}

// timers has identifiers whose mention in a function makes its receives and
// selects depend on more than the program's goroutines: timers and signals.
var timers = map[string]bool{
	"After": true, "Tick": true, "NewTimer": true, "NewTicker": true, "Timer": true, "Ticker": true,
	"WithTimeout": true, "WithTimeoutCause": true, "WithDeadline": true, "WithDeadlineCause": true,
	"AfterFunc": true, "Notify": true, "NotifyContext": true, "Deadline": true,
}

// tablesOf reads the tables off a program's original source.
func tablesOf(p *analysis.Program) tables {
	t := tables{guarded: true}
	deadlines := false // contexts may end by themselves
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			ast.Inspect(parsed(f), func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					deadlines = deadlines || strings.HasPrefix(id.Name, "WithTimeout") || strings.HasPrefix(id.Name, "WithDeadline") || id.Name == "NotifyContext"
					t.callbacks = t.callbacks || id.Name == "AfterFunc"
					t.guarded = t.guarded && !counting[id.Name] && !t.callbacks
				}
				return true
			})
		}
	}
	for _, pkg := range p.Packages {
		path := escaped(pkg.Path)
		t.packages = append(t.packages, path)
		for _, f := range pkg.Files {
			file := parsed(f)
			if file.Name.Name == "main" && !slices.Contains(t.packages, "main") {
				t.packages = append(t.packages, "main")
			}
			for _, decl := range file.Decls {
				if timed(pkg, decl, deadlines) {
					t.timed = append(t.timed, symbols(path, decl)...)
				}
				if f.Test && isLimited(decl) {
					t.limited = append(t.limited, symbols(path, decl)...)
				}
				if f.Test && selects(decl, "Run") {
					t.grouped = append(t.grouped, symbols(path, decl)...)
				}
			}
		}
	}
	for _, names := range []*[]string{&t.timed, &t.limited, &t.grouped} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	return t
}

// timed reports whether what a declaration receives may come from a timer or a signal.
func timed(pkg *analysis.Package, decl ast.Decl, deadlines bool) bool {
	found := false
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || timers[n.Name] && !ours(pkg, n)
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == "C" || deadlines && n.Sel.Name == "Done"
		case *ast.ChanType:
			s, ok := n.Value.(*ast.SelectorExpr)
			found = found || ok && (s.Sel.Name == "Time" || s.Sel.Name == "Signal")
		}
		return !found
	})
	return found
}

// isLimited reports whether a declaration of a test may fail it because something
// did not happen in time, or because of goroutines that are still there: it
// mentions package time, or something that counts goroutines or polls.
func isLimited(decl ast.Decl) bool {
	found := false
	ast.Inspect(decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			found = found || id.Name == "time" || counting[id.Name] || polling[id.Name]
		}
		return !found
	})
	return found
}

// selects reports whether a declaration selects a field or method of a name.
func selects(decl ast.Decl, name string) bool {
	found := false
	ast.Inspect(decl, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		found = found || ok && s.Sel.Name == name
		return !found
	})
	return found
}

// ours reports whether an identifier means something that the standard library
// does not declare, such as a method Notify. Without types it returns false.
func ours(pkg *analysis.Package, id *ast.Ident) bool {
	if pkg.Info == nil {
		return false
	}
	obj := pkg.Info.ObjectOf(id)
	if obj == nil || obj.Pkg() == nil {
		return false
	}
	first, _, _ := strings.Cut(obj.Pkg().Path(), "/")
	return strings.Contains(first, ".") || obj.Pkg() == pkg.Types
}

// symbols are the names under which stacks show the functions of a
// declaration and the literals inside them.
func symbols(path string, decl ast.Decl) []string {
	fn, ok := decl.(*ast.FuncDecl)
	if !ok {
		return []string{path + ".init", path + ".glob."}
	}
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return []string{path + "." + fn.Name.Name} // type arguments follow as "[...]"
	}
	t := ast.Unparen(fn.Recv.List[0].Type)
	star, pointer := t.(*ast.StarExpr)
	if pointer {
		t = ast.Unparen(star.X)
	}
	generic := ""
	switch x := t.(type) {
	case *ast.IndexExpr:
		t, generic = x.X, "[...]"
	case *ast.IndexListExpr:
		t, generic = x.X, "[...]"
	}
	id, ok := t.(*ast.Ident)
	if !ok {
		return nil
	}
	if pointer {
		return []string{path + ".(*" + id.Name + generic + ")." + fn.Name.Name}
	}
	return []string{path + "." + id.Name + generic + "." + fn.Name.Name}
}

// escaped is an import path as stacks show it: dots of the last element as %2e.
func escaped(path string) string {
	slash := strings.LastIndexByte(path, '/') + 1
	return path[:slash] + strings.ReplaceAll(strings.ReplaceAll(path[slash:], "%", "%25"), ".", "%2e")
}

// source is the Go file that replaces hook/tables.go.
func (t tables) source() []byte {
	return fmt.Appendf(nil, `package hook

import "internal/race"

var (
	packages = %#v
	timed = %#v
	callbacks = %#v
	guarded = %#v
	leakProfile = %#v
	limited = %#v
	grouped = %#v
	raceErrors = race.Errors
)
`, t.packages, t.timed, t.callbacks, t.guarded, t.leakProfile, t.limited, t.grouped)
}
