package sched

import (
	"fmt"
	"io"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
)

// What a program asks the runtime about itself is answered without the engine.

// DebugStack is debug.Stack.
func DebugStack() []byte {
	g := current()
	if g == nil {
		return debug.Stack()
	}
	own, _ := runtime.CallersFrames([]uintptr{reflect.ValueOf(debug.Stack).Pointer() + 1}).Next()
	header, calls, _ := strings.Cut(programStack(ownStack()), "\n")
	return fmt.Appendf(nil, "%s\nruntime/debug.Stack()\n\t%s:%d +0x5e\n%s%s\n", header, own.File, own.Line, calls, g.createdBy())
}

// Callers is runtime.Callers.
func Callers(skip int, pcs []uintptr) int {
	all := make([]uintptr, len(pcs)+maxEngineCalls)
	all = all[:runtime.Callers(skip+1, all)] // this function is in place of Callers
	if current() == nil {
		return copy(pcs, all)
	}
	n := 0
	for _, pc := range all {
		f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		if n < len(pcs) && !strings.HasPrefix(f.Function, home) {
			pcs[n] = pc
			n++
		}
	}
	return n
}

// maxEngineCalls is more than the calls of the engine on one stack. Guessed.
const maxEngineCalls = 32

// GoroutineProfile is runtime.GoroutineProfile: it counts the goroutines of the
// execution. Their records may be those of others.
func GoroutineProfile(p []runtime.StackRecord) (n int, ok bool) {
	if current() == nil {
		return runtime.GoroutineProfile(p)
	}
	if n = NumGoroutine(); n > len(p) {
		return n, false
	}
	all := make([]runtime.StackRecord, 2*runtime.NumGoroutine()+n)
	if _, ok = runtime.GoroutineProfile(all); ok {
		copy(p[:n], all)
	}
	return n, ok
}

// A Profile is what of a *pprof.Profile is replaced.
type Profile interface {
	Name() string
	Count() int
	WriteTo(w io.Writer, mode int) error
}

// A ProfileOf stands for a profile: p.Count becomes OfProfile(p).Count.
type ProfileOf struct{ real Profile }

// OfProfile returns what stands for p.
func OfProfile(p Profile) ProfileOf { return ProfileOf{p} }

// Count is p.Count; that of the goroutines is NumGoroutine.
func (p ProfileOf) Count() int {
	p.doubt()
	if current() != nil && p.real.Name() == "goroutine" {
		return NumGoroutine()
	}
	return p.real.Count()
}

// WriteTo is p.WriteTo; as text, that of the goroutines has the stacks of Stack.
func (p ProfileOf) WriteTo(w io.Writer, mode int) error {
	p.doubt()
	if mode == 0 || current() == nil || p.real.Name() != "goroutine" {
		return p.real.WriteTo(w, mode)
	}
	buf := make([]byte, 16<<20)
	buf = buf[:Stack(buf, true)]
	if mode == 1 {
		if _, err := fmt.Fprintf(w, "goroutine profile: total %d\n", NumGoroutine()); err != nil {
			return err
		}
	}
	_, err := w.Write(buf)
	return err
}

// doubt is for the profile of leaked goroutines: the engine knows, and so can reach, all
// that wait.
func (p ProfileOf) doubt() {
	if current() != nil && p.real.Name() == "goroutineleak" {
		Doubt("the profile of leaked goroutines, which has none of those under the checker")
	}
}

// ReadMemStats is runtime.ReadMemStats. The engine allocates, too: a difference between two
// readings is not the program's.
func ReadMemStats(m *runtime.MemStats) {
	runtime.ReadMemStats(m)
	g := current()
	if g == nil {
		return
	}
	if g.x.memory.measured {
		Doubt("runtime.ReadMemStats, which counts what the checker allocates, too")
	}
	g.x.memory.measured = true
}

// Doubt notes that the program was told something about itself that may not be so:
// a test that fails after this is not known to fail.
func Doubt(what string) {
	if g := current(); g != nil {
		g.x.environment.doubt = what
	}
}

// doubted turns a failure of an assertion into no verdict where it may be due to
// what the program was told about itself.
func (x *execution) doubted(f *Failure) *Failure {
	if x.environment.doubt == "" || f.Kind != TestFailure && f.Kind != Panic {
		return f
	}
	text, _, _ := strings.Cut(f.Message, "\n")
	return &Failure{Kind: Uncontrolled, Message: "the test fails, perhaps because of " + x.environment.doubt + ": " + text}
}
