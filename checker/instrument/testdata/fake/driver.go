// Package driver stands for the real one in the tests of the instrumentation:
// it passes everything on to package testing, and its entry runs the package's
// tests twice, each time from the beginning.
package driver

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"mendel/checker/sched/explore"
	"mendel/checker/state"
)

type Package struct {
	Clone   string
	Tests   []Test
	Main    func(*testing.M)
	Planted func()
}

type Test struct {
	Name string
	Func func(*testing.T)
}

var packages []Package

func Register(p Package) { packages = append(packages, p) }

// TestMain is described in the driver.
func TestMain(m *testing.M, program func(*testing.M)) {
	if os.Getenv("FAKE_DRIVER") == "" {
		program(m)
		return
	}
	m.Run()
}

func Main(t *testing.T) {
	if os.Getenv("FAKE_DRIVER") == "" {
		return
	}
	for _, p := range packages {
		if p.Planted != nil {
			r, err := explore.Explore(nil, explore.Search{Strategy: "dfs"}, p.Planted)
			if err != nil || len(r.Failures) == 0 {
				t.Fatal("planted:", r, err)
			}
			fmt.Println("planted:", r.Failures[0].Execution.Failure.Kind)
		}
		for _, test := range p.Tests {
			fmt.Println("test:", test.Name)
		}
	}
	for range 2 {
		state.Reset()
		for _, p := range packages {
			if p.Main != nil {
				p.Main(nil)
			}
			for _, test := range p.Tests {
				test.Func(t)
			}
		}
	}
}

type T struct{ t *testing.T }

func Of(t *testing.T) *T { return &T{t} }

func (t *T) Run(name string, f func(*testing.T)) bool { return t.t.Run(name, f) }
func (t *T) Parallel()                                { t.t.Parallel() }
func (t *T) Cleanup(f func())                         { t.t.Cleanup(f) }
func (t *T) Context() context.Context                 { return t.t.Context() }
func (t *T) Error(args ...any)                        { t.t.Helper(); t.t.Error(args...) }
func (t *T) Errorf(format string, args ...any)        { t.t.Helper(); t.t.Errorf(format, args...) }
func (t *T) Fatal(args ...any)                        { t.t.Helper(); t.t.Fatal(args...) }
func (t *T) Fatalf(format string, args ...any)        { t.t.Helper(); t.t.Fatalf(format, args...) }
func (t *T) Fail()                                    { t.t.Fail() }
func (t *T) FailNow()                                 { t.t.FailNow() }
func (t *T) Failed() bool                             { return t.t.Failed() }
func (t *T) Name() string                             { return t.t.Name() }
func (t *T) Deadline() (time.Time, bool)              { return t.t.Deadline() }

type TB struct{ t testing.TB }

func OfTB(t testing.TB) *TB { return &TB{t} }

func (t *TB) Cleanup(f func())                  { t.t.Cleanup(f) }
func (t *TB) Context() context.Context          { return t.t.Context() }
func (t *TB) Error(args ...any)                 { t.t.Helper(); t.t.Error(args...) }
func (t *TB) Errorf(format string, args ...any) { t.t.Helper(); t.t.Errorf(format, args...) }
func (t *TB) Fatal(args ...any)                 { t.t.Helper(); t.t.Fatal(args...) }
func (t *TB) Fatalf(format string, args ...any) { t.t.Helper(); t.t.Fatalf(format, args...) }
func (t *TB) Fail()                             { t.t.Fail() }
func (t *TB) FailNow()                          { t.t.FailNow() }
func (t *TB) Failed() bool                      { return t.t.Failed() }
func (t *TB) Name() string                      { return t.t.Name() }

// Example runs an example, whatever it prints.
func Example(f func(), want string, unordered bool) func(*testing.T) {
	return func(*testing.T) { f() }
}

type Seed struct {
	Name string
	Args []any
}

// Seeds leaves fuzz tests to package testing.
func Seeds(f func(*testing.F), files ...Seed) func(*testing.T) {
	return func(*testing.T) {}
}

type F struct{ f *testing.F }

func OfF(f *testing.F) *F { return &F{f} }

func (f *F) Fuzz(test any) { f.f.Fuzz(test) }

type M struct{ m *testing.M }

func OfM(m *testing.M) *M { return &M{m} }

func (m *M) Run() int {
	if m.m == nil {
		return 0
	}
	return m.m.Run()
}

func Exit(code int) {
	if os.Getenv("FAKE_DRIVER") == "" {
		os.Exit(code)
	}
}
