// Package driver explores the tests of an instrumented test binary.
package driver

import "testing"

// A Package is what the instrumentation registers for each of the (at most two)
// test packages of a binary.
type Package struct {
	Tests   []Test
	Main    func(*testing.M) // the user's TestMain, nil if there is none
	Planted func()           // a function with a data race, instrumented like the rest; nil in the second package
}

// A Test is a test function.
type Test struct {
	Name string
	Func func(*testing.T)
}

// Register is called from generated init functions.
func Register(p Package) { panic("contract") }

// Main is the body of the entry test.
func Main(t *testing.T) { panic("contract") }

// A T stands for a *testing.T in instrumented code: the selector t.Run becomes
// driver.Of(t).Run, and so for the methods below.
type T struct{}

// Of returns what stands for t; outside an execution its methods are t's own.
func Of(t *testing.T) *T { panic("contract") }

// Methods of *testing.T that are replaced: Run, Parallel, Cleanup, Context,
// Error, Errorf, Fatal, Fatalf, Fail, FailNow, Failed, Name, Deadline.
// Those of testing.TB are replaced in the same way, by OfTB(tb): all of the
// above but Run, Parallel and Deadline.

// A TB stands for a testing.TB.
type TB struct{}

// OfTB returns what stands for tb, which may be anybody's implementation.
func OfTB(tb testing.TB) *TB { panic("contract") }

// An M stands for a *testing.M: m.Run becomes driver.OfM(m).Run.
type M struct{}

// OfM returns what stands for m.
func OfM(m *testing.M) *M { panic("contract") }

// Exit is os.Exit in test files; in other files it becomes sched.Exit.
func Exit(code int) { panic("contract") }
