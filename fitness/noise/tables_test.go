package noise

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/analysis"
)

// TestTables: names as stacks show them, and functions that may wait for time.
func TestTables(t *testing.T) {
	const src = `package zoo

type T[K any] struct{ timer *time.Timer; done chan bool }

func plain(c chan int) { <-c }
func after() { <-time.After(1) }
func (t *T[K]) wait() { <-t.timer.C }
func (t T[K]) value() { time.Tick(1) }
func (t *T[K]) untimed() { <-t.done }
func signals(c chan os.Signal) { <-c }
func context(ctx context.Context) { <-ctx.Done() }
func generic[A any](c <-chan time.Time) { <-c }

var literal = func() { <-time.After(1) }
`
	table := func(src string) tables {
		f := &analysis.File{Rel: "a.go", Source: []byte(src)}
		return tablesOf(&analysis.Program{Packages: []*analysis.Package{{Path: "example.com/z.oo", Files: []*analysis.File{f}}}})
	}
	const path = "example.com/z%2eoo"
	want := tables{
		guarded:  true,
		packages: []string{path},
		timed: []string{
			path + ".(*T[...]).wait", path + ".T[...].value", path + ".after", path + ".generic",
			path + ".glob.", path + ".init", path + ".signals",
		},
	}
	if diff := cmp.Diff(want, table(src), cmp.AllowUnexported(tables{})); diff != "" {
		t.Error(diff)
	}
	got := table(src + "\nfunc limits() { context.WithTimeout(nil, 1); context.AfterFunc(nil, nil) }\n")
	want.timed = []string{
		path + ".(*T[...]).wait", path + ".T[...].value", path + ".after", path + ".context", path + ".generic",
		path + ".glob.", path + ".init", path + ".limits", path + ".signals",
	}
	want.callbacks, want.guarded = true, false
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(tables{})); diff != "" {
		t.Error(diff)
	}
	if table("package zoo\n\nfunc f() { goleak.VerifyNone(nil) }\n").guarded {
		t.Error("a watchdog among goroutines that are counted")
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "tables.go", want.source(), 0); err != nil {
		t.Error(err)
	}
}

// A method that has the name of one that sets a timer sets none.
func TestTablesKnowTypes(t *testing.T) {
	const src = `package zoo

import "time"

type bell struct{ rung chan bool }

func (b *bell) Notify() <-chan bool { return b.rung }

func waits(b *bell) { <-b.Notify() }
func times()        { <-time.After(1) }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("example.com/zoo", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	got := tablesOf(&analysis.Program{Packages: []*analysis.Package{{
		Path: "example.com/zoo", Types: pkg, Info: info, Files: []*analysis.File{{Rel: "a.go", Source: []byte(src), AST: file}},
	}}})
	if want := []string{"example.com/zoo.times"}; !slices.Equal(got.timed, want) {
		t.Errorf("timed: %q, want %q", got.timed, want)
	}
}

// Tests that may fail because of time or of goroutines that are there, and those
// with subtests.
func TestTablesOfTests(t *testing.T) {
	const src = `package zoo

func TestPlain(t *testing.T)    { t.Error() }
func TestLate(t *testing.T)     { select { case <-done: case <-time.After(second): t.Error() } }
func TestCounts(t *testing.T)   { if runtime.NumGoroutine() > 1 { t.Error() } }
func TestPolls(t *testing.T)    { require.Eventually(t, f, d, d) }
func TestGroup(t *testing.T)    { t.Run("a", TestPlain) }
`
	tablesFor := func(test bool) tables {
		f := &analysis.File{Rel: "a_test.go", Source: []byte(src), Test: test}
		return tablesOf(&analysis.Program{Packages: []*analysis.Package{{Path: "zoo", Files: []*analysis.File{f}}}})
	}
	got := tablesFor(true)
	if want := []string{"zoo.TestCounts", "zoo.TestLate", "zoo.TestPolls"}; !slices.Equal(got.limited, want) {
		t.Errorf("limited: %q, want %q", got.limited, want)
	}
	if want := []string{"zoo.TestGroup"}; !slices.Equal(got.grouped, want) {
		t.Errorf("grouped: %q, want %q", got.grouped, want)
	}
	if got := tablesFor(false); got.limited != nil || got.grouped != nil {
		t.Errorf("not of tests: %+v", got)
	}
}
