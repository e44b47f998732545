package sched

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// To a program that counts or lists its goroutines, those of an execution are all
// there are, beside the one that runs the tests: not the engine's, and not what is
// left of other executions. Goroutines outside control are not counted.

// NumGoroutine is runtime.NumGoroutine. Nothing but time orders the end of a goroutine
// before what another one does. So those that have made their last step since time
// passed may still be counted; how many is a choice of the schedule.
func NumGoroutine() int {
	g := current()
	if g == nil {
		return runtime.NumGoroutine()
	}
	g.do(&Op{Kind: KindCount, What: "runtime.NumGoroutine"})
	g.enter()
	defer g.release()
	x := g.x
	if x.progress.ending > 0 && x.progress.endingSeen < mostEnding && g.scheduled() {
		x.progress.ending = x.choose(x.progress.ending + 1)
		if x.progress.ending > 0 {
			x.progress.endingSeen++
		}
	} else {
		x.progress.ending = 0
	}
	return len(x.alive) + x.progress.ending + 1 // package testing's main goroutine waits
}

// mostEnding is how often in an execution goroutines that are about to end are counted:
// a loop that waits for their end has to end. Guessed.
const mostEnding = 2

// Stack is runtime.Stack. Of all goroutines it shows those of the execution, as
// they would look without the engine.
func Stack(buf []byte, all bool) int {
	g := current()
	if g == nil {
		return runtime.Stack(buf, all)
	}
	if !all {
		return copy(buf, programStack(ownStack())+g.createdBy()+"\n")
	}
	g.enter()
	defer g.release()
	orphans.Lock()
	left := orphans.numbers
	stacks := programStacks(dump(), func(n string) bool { return left[n] }, g.tellOf)
	orphans.Unlock()
	for _, other := range g.x.alive {
		if !other.started {
			stacks = append(stacks, unstarted(other))
		}
	}
	return copy(buf, strings.Join(stacks, "\n\n")+"\n")
}

// unstarted is the stack of a goroutine that has not run yet. Its number is one
// that no real goroutine has.
func unstarted(g *goroutine) string {
	name := "func"
	if f := runtime.FuncForPC(reflect.ValueOf(g.body).Pointer()); f != nil {
		name = f.Name()
	}
	return fmt.Sprintf("goroutine %d [runnable]:\n%s()\n\t%s +0x1", 1<<40+g.id, name, g.site) + g.createdBy()
}

// A creation is what tells a call of GoAt from others.
type creation struct {
	site string
	code uintptr // of the function
}

// creators are the program counters that creatorAt has found. They are the same in all
// executions of a process.
var creators sync.Map // of creation, uintptr

// creatorAt returns the program counter of the caller of GoAt, which calls it. To find
// one takes longer than all else that GoAt does, so that they are kept.
func creatorAt(site string, f func()) uintptr {
	key := creation{site, **(**uintptr)(unsafe.Pointer(&f))}
	if at, known := creators.Load(key); known && site != "" {
		return at.(uintptr)
	}
	var callers [1]uintptr
	runtime.Callers(3, callers[:])
	if site != "" {
		creators.Store(key, callers[0])
	}
	return callers[0]
}

// createdBy is the end of a stack of g, which names the function with its go
// statement; "" if that is not known. The number of that function's goroutine is left
// out.
func (g *goroutine) createdBy() string {
	f, _ := runtime.CallersFrames(g.creator[:]).Next()
	name := f.Function
	switch {
	case name == "":
		return ""
	case strings.HasPrefix(name, home+"driver."):
		name = "testing.(*T).Run"
	default:
		name = strings.TrimPrefix(name, home+"shim/")
	}
	return fmt.Sprintf("\ncreated by %s\n\t%s:%d +0x1", name, f.File, f.Line)
}

// tellOf is what a dump that g takes does not say of the goroutine at an address: its
// state, "" if that is as the dump has it, and createdBy.
func (g *goroutine) tellOf(address string) (state, created string) {
	for _, other := range g.x.alive {
		if fmt.Sprintf("%#x", uintptr(unsafe.Pointer(other))) != address {
			continue
		}
		if other != g && !other.away {
			state = other.state()
		}
		return state, other.createdBy()
	}
	return "", ""
}

// state is what the runtime would call the state of a goroutine that does not run now.
func (g *goroutine) state() string {
	op := &g.pending
	if op.Enabled == nil || op.Enabled() {
		return "runnable"
	}
	switch op.Kind {
	case KindSend:
		return "chan send"
	case KindRecv:
		return "chan receive"
	case KindSelect:
		return "select"
	case KindSleep:
		return "sleep"
	}
	for _, of := range []string{"Mutex.", "RWMutex.", "WaitGroup.", "Cond."} {
		if strings.HasPrefix(op.What, of) {
			return "sync." + op.What
		}
	}
	return "semacquire"
}

// programStacks are the stacks of a dump of goroutines under control, without
// those that are left of other executions. The calls of the engine and the driver
// are taken out, those of the shims have the names of what these stand for. What tell says
// of a goroutine, which it knows by its address, is its state and the end of its stack.
func programStacks(dump string, left func(number string) bool, tell func(address string) (state, created string)) []string {
	var stacks []string
	for _, stack := range strings.Split(strings.TrimSpace(dump), "\n\n") {
		header, calls, _ := strings.Cut(stack, "\n")
		_, main, ok := strings.Cut(calls, "\n"+home+"sched.(*goroutine).main(")
		if !ok || left(number([]byte(header))) {
			continue
		}
		address, _, _ := strings.Cut(main, ")")
		if calls = programCalls(calls); calls != "" {
			state, created := tell(strings.TrimSuffix(address, "?"))
			if number, _, ok := strings.Cut(header, " ["); ok && state != "" {
				header = number + " [" + state + "]:"
			}
			stacks = append(stacks, header+"\n"+calls+created)
		}
	}
	return stacks
}

// programStack is a stack without the calls of the engine.
func programStack(stack string) string {
	header, calls, _ := strings.Cut(strings.TrimSpace(stack), "\n")
	return header + "\n" + programCalls(calls)
}

// programCalls are the calls of a stack that the program made, two lines each.
func programCalls(calls string) string {
	var kept []string
	lines := strings.Split(calls, "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		call := lines[i]
		if strings.HasPrefix(call, "...") { // frames left out: one line
			i--
			continue
		}
		switch {
		case strings.Contains(lines[i+1], "_test.go:"): // the engine's own tests lie among its files
		case strings.HasPrefix(call, "created by "+home), strings.HasPrefix(call, home+"sched."), strings.HasPrefix(call, home+"state."):
			continue
		case strings.HasPrefix(call, home+"driver.(*T).Run("):
			call = "testing.(*T).Run(...)"
		case strings.HasPrefix(call, home+"driver.(*T).Parallel("):
			call = "testing.(*T).Parallel(...)"
		case strings.HasPrefix(call, home+"driver.(*M).Run("): // which waits in T.Run
			kept = append(kept, "testing.(*T).Run(...)", lines[i+1])
			call = "testing.(*M).Run(...)"
		case strings.HasPrefix(call, home+"driver."):
			continue
		case strings.HasPrefix(call, home+"shim/"):
			call = strings.TrimPrefix(call, home+"shim/")
		}
		kept = append(kept, call, lines[i+1])
	}
	return strings.Join(kept, "\n")
}
