package sched

import (
	"iter"
	"path"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// A goroutine under control that waits for something real cannot be asked to give
// control back. Run looks at it from time to time and takes control away from one
// that is blocked.

const (
	// usualLook is how often Run looks at a step that does not end, hastyLook how
	// often if the step is known to leave control. Guessed.
	usualLook = 10 * time.Millisecond
	hastyLook = 200 * time.Microsecond
	// surelyBlocked is how long a goroutine must be in one step to count as blocked
	// while others outside control are not at rest. Guessed.
	surelyBlocked = 50 * time.Millisecond
)

// sendOut takes control away from the running goroutine if it is blocked outside
// control, or was adopted and has ended, and brings the execution forward. seen is
// the value of control since the step began, of which so much time has passed.
func (x *execution) sendOut(seen uint64, since time.Duration) (next *goroutine, out bool) {
	g := running.Load()
	orphans.Lock()
	if !x.control.CompareAndSwap(seen, seen|inEngine) {
		orphans.Unlock()
		return nil, false
	}
	// From here on g finds in current or enter that it must ask, and has to wait
	// for the lock. If the dump shows that it is blocked, it has not asked yet.
	before := orphans.any.Swap(true)
	all := dump()
	stack := stackIn(all, g)
	ended := g.adopted && stack == ""
	if !ended && (!blockedOutside(stack) || since < surelyBlocked && (!quiet(all) || state(stack) == "syscall" && x.environment.hasty != seen)) {
		orphans.any.Store(before)
		x.control.Store(seen)
		orphans.Unlock()
		return nil, false
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // decides under control
	if ended {
		orphans.remove(g)
		orphans.Unlock()
		g.fate.Store(gone)
		return x.finish(g), true
	}
	g.number, g.stack = number([]byte(stack)), stack
	g.away = true
	x.environment.outside++
	orphans.add(g)
	orphans.Unlock()
	x.depend(outsidePackage(stack))
	if g.home == nil {
		g.home = func() bool { return !g.away }
	}
	g.announce(&Op{Kind: KindReturn, Enabled: g.home, What: "return from " + outsidePackage(stack)})
	return x.decide(g), true
}

// stacksOf yields the parts of a dump, one for each goroutine, the calling one's
// first.
func stacksOf(dump string) iter.Seq[string] { return strings.SplitSeq(dump, "\n\n") }

// states are those in which the runtime's dumps show a goroutine that waits.
var states = []string{
	"IO wait", "select", "chan receive", "chan send", "semacquire", "sleep", "syscall", "sync.Mutex.Lock",
	"sync.RWMutex.RLock", "sync.RWMutex.Lock", "sync.Cond.Wait", "sync.WaitGroup.Wait", "finalizer wait", "cleanup wait",
}

// state is that in the first line of a stack, "goroutine 7 [IO wait, 2 minutes]:".
func state(stack string) string {
	line, _, _ := strings.Cut(stack, "\n")
	_, rest, _ := strings.Cut(line, "[")
	rest, _, _ = strings.Cut(rest, "]")
	rest, _, _ = strings.Cut(rest, ",")
	rest, _, _ = strings.Cut(rest, " labels:{") // with GODEBUG=tracebacklabels=1; behind the bracket from Go 1.27 on
	rest, _, _ = strings.Cut(rest, " (")
	return rest
}

// blockedOutside reports whether a goroutine with this stack waits, and not in the
// engine.
func blockedOutside(stack string) bool {
	return slices.Contains(states, state(stack)) && !inFiles(stack) && !strings.Contains(stack, home+"sched.current(") &&
		!strings.Contains(stack, home+"sched.(*execution).enter(")
}

// fileCalls are system calls about names of files. They take time, but wait for nobody.
var fileCalls = []string{"openat", "unlinkat", "mkdirat", "fstatat", "renameat", "Unlinkat", "Mkdirat", "Fstatat", "Renameat", "Openat", "Unlink", "Rmdir", "Fstat", "Close", "readlinkat", "Getdents"}

// inFiles reports whether a goroutine with this stack is in such a call.
func inFiles(stack string) bool {
	return state(stack) == "syscall" && slices.ContainsFunc(fileCalls, func(name string) bool {
		return strings.Contains(stack, "\nsyscall."+name+"(") || strings.Contains(stack, "\ninternal/syscall/unix."+name+"(")
	})
}

// quiet reports whether all goroutines of a dump wait but the calling one.
func quiet(dump string) bool {
	first := true
	for stack := range stacksOf(dump) {
		if !first && !slices.Contains(states, state(stack)) {
			return false
		}
		first = false
	}
	return true
}

// ownStack returns the stack of the calling goroutine.
func ownStack() string {
	buf := make([]byte, 16<<10)
	return string(buf[:runtime.Stack(buf, false)])
}

// calls returns the functions on a stack, innermost first, and their files.
func calls(stack string) (functions, files []string) {
	text, _, _ := strings.Cut(stack, "\ncreated by ")
	for _, line := range strings.Split(text, "\n")[1:] {
		switch end := strings.LastIndex(line, "("); {
		case strings.HasPrefix(line, "\t"):
			if len(files) < len(functions) {
				files = append(files, strings.TrimSpace(line))
			}
		case end > 0:
			functions = append(functions, line[:end])
		}
	}
	return functions, files
}

// packageOf returns the package of a function in a dump, "net/http" for
// "net/http.(*conn).serve".
func packageOf(function string) string {
	slash := strings.LastIndex(function, "/") + 1
	name, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + name
}

// entryPackage is the package of the function with which a goroutine began.
func entryPackage(stack string) string {
	functions, _ := calls(stack)
	for _, f := range slices.Backward(functions) {
		if !strings.HasPrefix(f, "runtime.") && !strings.HasPrefix(f, home) {
			return packageOf(f)
		}
	}
	return "unknown"
}

// library is the directory of the standard library's sources.
var library = func() string {
	file, _ := runtime.FuncForPC(reflect.ValueOf(strings.Cut).Pointer()).FileLine(0)
	return strings.TrimSuffix(path.Dir(file), "strings")
}()

// basic are packages that say little about what a goroutine waits for.
var basic = []string{"sync", "syscall", "io", "os", "bufio", "time", "context"}

// outsidePackage is the package outside control in which a goroutine of the
// execution waits: the innermost that is not a basic one of the standard library.
func outsidePackage(stack string) string {
	functions, files := calls(stack)
	found := ""
	for i, f := range functions {
		pkg := packageOf(f)
		standard := i < len(files) && strings.HasPrefix(files[i], library)
		switch {
		case pkg == "runtime", standard && strings.HasPrefix(pkg, "internal/"):
		case strings.HasPrefix(f, home), found != "" && !standard:
			return found
		case !slices.Contains(basic, pkg):
			return pkg
		case found == "" || found == "syscall" || found == "sync":
			found = pkg
		}
	}
	return found
}
