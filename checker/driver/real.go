package driver

import (
	"bytes"
	"reflect"
	"slices"
	"sync"
	"testing"
	"unsafe"
)

// A real is a *testing.T that package testing made and believes to be running:
// an uncontrolled goroutine waits in its test function.
type real struct {
	t       *testing.T
	image   []byte // of *t when it was made
	release chan struct{}
	ended   chan struct{}
}

// newReal makes one with start, which must pass its argument to package testing as
// a test. It returns nil if package testing does not call that test.
func newReal(start func(func(*testing.T))) *real {
	r := &real{release: make(chan struct{}), ended: make(chan struct{})}
	made := make(chan struct{})
	go func() {
		defer close(r.ended)
		start(func(t *testing.T) {
			if r.t != nil {
				return // -test.count or -test.cpu ask for another
			}
			r.t, r.image = t, bytes.Clone(memory(t))
			close(made)
			<-r.release
		})
	}()
	select {
	case <-made:
		return r
	case <-r.ended:
		return nil
	}
}

// newTop makes a top-level one, by RunTests, which gives it the name it has for
// the user and forgets it afterwards. Run of the entry's T would remember names,
// and count the failures of the test as the entry's.
func newTop(name string) *real {
	all := func(string, string) (bool, error) { return true, nil }
	return newReal(func(f func(*testing.T)) {
		testing.RunTests(all, []testing.InternalTest{{Name: name, F: f}})
	})
}

// sub makes one for a subtest.
func (r *real) sub(name string) *real {
	return newReal(func(f func(*testing.T)) { r.t.Run(name, f) })
}

// end lets package testing end it.
func (r *real) end() {
	r.takeCleanups() // registered after the test had ended: they are never called
	close(r.release)
	<-r.ended
}

// touched reports whether it has changed since it was made: whether anything was
// logged, failed, registered or set. All that package testing keeps in a T is in
// its memory.
func (r *real) touched() bool { return !bytes.Equal(r.image, memory(r.t)) }

func memory(t *testing.T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(t)), unsafe.Sizeof(*t))
}

// Unexported fields of testing.T that are read, if this version of package testing
// has them.
var (
	guardField    = fieldOf[sync.RWMutex]("mu")
	outputField   = fieldOf[[]byte]("output")
	cleanupsField = fieldOf[[]func()]("cleanups")
)

// fieldOf returns a function that finds a field of a testing.T: nil when there is
// no field of that name and type.
func fieldOf[F any](name string) func(*testing.T) *F {
	within := reflect.TypeFor[testing.T]()
	field, ok := within.FieldByName(name)
	if !ok || field.Type != reflect.TypeFor[F]() {
		return func(*testing.T) *F { return nil }
	}
	var offset uintptr
	for _, i := range field.Index {
		f := within.Field(i)
		if f.Type.Kind() == reflect.Pointer {
			return func(*testing.T) *F { return nil }
		}
		offset += f.Offset
		within = f.Type
	}
	return func(t *testing.T) *F { return (*F)(unsafe.Add(unsafe.Pointer(t), offset)) }
}

// output returns the log from a position on, with package testing's indentation;
// "" when it is not known.
func (r *real) output(from int) string {
	guard, output := guardField(r.t), outputField(r.t)
	if guard == nil || output == nil {
		return ""
	}
	guard.RLock()
	defer guard.RUnlock()
	return string((*output)[min(from, len(*output)):])
}

// takeCleanups removes and returns the functions registered with Cleanup, by code
// that is not under control and by TempDir and others. The caller runs them under
// control, in the right order and goroutine. Otherwise package testing would run
// them when the execution is over.
func (r *real) takeCleanups() []func() {
	guard, cleanups := guardField(r.t), cleanupsField(r.t)
	if guard == nil || cleanups == nil {
		return nil
	}
	guard.Lock()
	defer guard.Unlock()
	taken := slices.Clone(*cleanups)
	*cleanups = nil
	return taken
}
