package symbol

import (
	"go/parser"
	"go/token"
	"testing"
)

// The parsers of dumps and the noise runtime once had a list each: one knew
// reflect, the other time.
func TestIsRuntime(t *testing.T) {
	for fn, want := range map[string]bool{
		"panic":                                  true,
		"runtime.gopark":                         true,
		"runtime/debug.Stack":                    true,
		"internal/poll.(*FD).Read":               true,
		"sync.(*Mutex).Lock":                     true,
		"sync/atomic.AddInt64":                   true,
		"syscall.Syscall":                        true,
		"reflect.Value.Call":                     true,
		"reflect.rselect":                        true,
		"time.Sleep":                             true,
		"time.goFunc":                            true,
		"mendelrt/noise.Watch":                   true,
		"mendelrt/sched.(*Run).Step":             true,
		"main.main":                              false,
		"testing.tRunner":                        false,
		"os/signal.loop":                         false,
		"net/http.(*conn).serve":                 false,
		"golang.org/x/sync/errgroup.(*Group).Go": false,
		"example.com/time.Sleep":                 false,
		"example.com/reflect.F":                  false,
		"example.com/internal/x.F":               false,
		"main.(*T[example.com/runtime.X]).f":     false,
	} {
		if got := IsRuntime(fn); got != want {
			t.Errorf("%s: %t, want %t", fn, got, want)
		}
	}
}

func TestElided(t *testing.T) {
	for fn, want := range map[string]string{
		"main.main":            "main.main",
		"a/b.(*T[...]).M[...]": "a/b.(*T[...]).M[...]",
		"a/b.(*Box[go.shape.[]int]).Put[go.shape.map[string]c/d.X].func1": "a/b.(*Box[...]).Put[...].func1",
		"a/b.F[go.shape.int,go.shape.func([2]int) bool]-range1":           "a/b.F[...]-range1",
		"a/b.F[open": "a/b.F[open",
		"a/b.F]":     "a/b.F]",
	} {
		if got := Elided(fn); got != want {
			t.Errorf("%s: %s, want %s", fn, got, want)
		}
	}
}

func TestUnlabelled(t *testing.T) {
	for header, want := range map[string]string{
		"goroutine 7 [select]:": "goroutine 7 [select]:",
		`goroutine 7 [select, 2 minutes] {k: v, tenant: "a b]:, x"}:`:           "goroutine 7 [select, 2 minutes]:",
		`goroutine 7 [select, 2 minutes labels:{"k": "v", "tenant": "a }]:"}]:`: "goroutine 7 [select, 2 minutes]:",
		"goroutine 7 [select] {":         "goroutine 7 [select] {",
		"goroutine 7 [select labels:{":   "goroutine 7 [select labels:{",
		"goroutine 7 [select] {k: v}: x": "goroutine 7 [select] {k: v}: x",
	} {
		if got := Unlabelled(header); got != want {
			t.Errorf("%s: %s, want %s", header, got, want)
		}
	}
}

// The source is compiled where no other package of Mendel is.
func TestSource(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "symbol.go", Source, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range file.Imports {
		if i.Path.Value != `"strings"` {
			t.Errorf("it imports %s", i.Path.Value)
		}
	}
}
