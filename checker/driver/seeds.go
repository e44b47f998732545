package driver

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	"mendel/checker/sched"
)

// A Seed is an input of a fuzz test, from a file of testdata or by f.Add.
type Seed struct {
	Name string
	Args []any
}

// Seeds is the test of a fuzz test: each of its seeds is a subtest, as for go test without
// -fuzz. Files are the seeds of testdata.
//
//go:noinline
func Seeds(f func(*testing.F), files ...Seed) func(*testing.T) {
	return func(t *testing.T) {
		s := Of(t).tb.test
		real := newFuzz(t)
		if real == nil {
			sched.GiveUp("this version of package testing has another type F: its fuzz tests are not run")
			return
		}
		s.runner.fuzz = &F{real: real, t: t, files: files}
		defer s.runner.fuzz.end()
		f(real)
	}
}

// An F stands for a *testing.F: f.Fuzz becomes driver.OfF(f).Fuzz. Its other methods, but for
// Add, are those of a TB.
type F struct {
	real  *testing.F
	t     *testing.T // whose subtests the seeds are; nil outside an execution
	files []Seed
	added []Seed
}

// OfF returns the F for f.
func OfF(f *testing.F) *F {
	if sched.Active() && active != nil && active.fuzz != nil && active.fuzz.real == f {
		return active.fuzz
	}
	return &F{real: f}
}

// Add is f.Add.
func (f *F) Add(args ...any) {
	if f.t == nil {
		f.real.Add(args...)
		return
	}
	f.added = append(f.added, Seed{fmt.Sprintf("seed#%d", len(f.added)), args})
}

// Fuzz is f.Fuzz.
func (f *F) Fuzz(ff any) {
	if f.t == nil {
		f.real.Fuzz(ff)
		return
	}
	fn := reflect.ValueOf(ff)
	for _, seed := range append(f.added, f.files...) {
		Of(f.t).Run(seed.Name, func(t *testing.T) {
			in := []reflect.Value{reflect.ValueOf(t)}
			for _, arg := range seed.Args {
				if b, ok := arg.([]byte); ok {
					arg = bytes.Clone(b) // the function may write to it
				}
				in = append(in, reflect.ValueOf(arg))
			}
			fn.Call(in)
		})
	}
}

// end does for the test what was done to the F: by code outside control, which has the real
// one, and by methods that are left as they are.
func (f *F) end() {
	for _, cleanup := range (&real{t: fuzzCommon(f.real)}).takeCleanups() {
		Of(f.t).Cleanup(cleanup)
	}
	switch {
	case f.real.Failed():
		f.t.Fail() // the real one: the log says why
	case f.real.Skipped():
		f.t.SkipNow()
	}
}

// newFuzz makes an F of a test: what package testing keeps of a T and an F alike is that of
// the T, so that what is logged there is logged here. It is nil if this version of package
// testing keeps something else.
func newFuzz(t *testing.T) *testing.F {
	of, in := reflect.TypeFor[testing.T]().Field(0), reflect.TypeFor[testing.F]().Field(0)
	if of.Name != "common" || in.Type != of.Type {
		return nil
	}
	f := new(testing.F)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(f)), of.Type.Size()), memory(t))
	return f
}

// fuzzCommon is a T for what an F has in common with one.
func fuzzCommon(f *testing.F) *testing.T { return (*testing.T)(unsafe.Pointer(f)) }
