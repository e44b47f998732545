package sched

import (
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// A position is a stack. Of a step in a trace shallow frames are kept, those of
// the engine and the shims and some of the program; of a failure deep ones.
type position []uintptr

const (
	shallow = 16
	deep    = 64
)

// where returns the position of the caller, or of one so many callers above it,
// in the memory of an old position.
func where(skip, frames int, old position) position {
	if cap(old) < frames {
		old = make(position, frames)
	}
	return old[:runtime.Callers(skip+2, old[:frames])]
}

// A Locator finds places of the program that called the engine.
type Locator struct{ at position } // scratch

// Here is the innermost of them, for the caller and what called it; false if there is none.
func (l *Locator) Here() (Frame, bool) {
	l.at = where(1, shallow, l.at)
	if frames := l.at.frames(); len(frames) > 0 {
		return frames[0], true
	}
	return Frame{}, false
}

// locate completes p with the first frame of a position that belongs to the
// program.
func (p *Place) locate(at position) {
	if frames := at.frames(); len(frames) > 0 {
		p.Function, p.File, p.Line = frames[0].Function, frames[0].File, frames[0].Line
	}
}

// frames returns the frames of a position that belong to the program, innermost
// first. They must not be changed.
func (at position) frames() []Frame { return at.lookUp().program }

// unwinds reports whether a goroutine at a position panics: a deferred function is
// called by what unwinds its stack.
func (at position) unwinds() bool { return at.lookUp().unwinds }

// A lookup is what a position says.
type lookup struct {
	program []Frame // innermost first
	unwinds bool
}

func (at position) lookUp() lookup {
	if len(at) == 0 {
		return lookup{}
	}
	known.Lock()
	defer known.Unlock()
	key := unsafe.String((*byte)(unsafe.Pointer(&at[0])), uintptr(len(at))*unsafe.Sizeof(at[0]))
	found, ok := known.positions[key]
	if !ok {
		if known.positions == nil || len(known.positions) == maxKnown {
			known.positions = map[string]lookup{}
		}
		found = at.symbolise()
		known.positions[strings.Clone(key)] = found
	}
	return found
}

// known is what was looked up: executions of one program fail at the same few
// positions, and looking them up takes longer than many steps.
var known struct {
	sync.Mutex
	positions map[string]lookup // by the bytes of the position
}

// maxKnown bounds known, which then begins anew. Guessed: a few megabytes.
const maxKnown = 4096

// symbolise finds what a position says.
func (at position) symbolise() (found lookup) {
	frames := runtime.CallersFrames(at)
	for {
		frame, more := frames.Next()
		found.unwinds = found.unwinds || frame.Function == "runtime.gopanic"
		if frame.PC != 0 && !internal(frame) {
			found.program = append(found.program, Frame{frame.Function, frame.File, frame.Line})
		}
		if !more {
			found.program = slices.Clip(found.program)
			return found
		}
	}
}

// home is the import path prefix of the engine and the shims.
var home = func() string {
	pc, _, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name()
	return path.Dir(name) + "/"
}()

func internal(frame runtime.Frame) bool {
	if strings.HasPrefix(frame.Function, "runtime.") || strings.HasPrefix(frame.Function, "net.") { // of a socket in memory
		return true
	}
	return strings.HasPrefix(frame.Function, home) && !strings.HasSuffix(frame.File, "_test.go")
}
