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

// locate completes p with the first frame of a position that belongs to the
// program.
func (p *Place) locate(at position) {
	if frames := at.frames(); len(frames) > 0 {
		p.Function, p.File, p.Line = frames[0].Function, frames[0].File, frames[0].Line
	}
}

// frames returns the frames of a position that belong to the program, innermost
// first. They must not be changed.
func (at position) frames() []Frame {
	if len(at) == 0 {
		return nil
	}
	known.Lock()
	defer known.Unlock()
	key := unsafe.String((*byte)(unsafe.Pointer(&at[0])), uintptr(len(at))*unsafe.Sizeof(at[0]))
	frames, ok := known.frames[key]
	if !ok {
		if known.frames == nil || len(known.frames) == maxKnown {
			known.frames = map[string][]Frame{}
		}
		frames = slices.Clip(at.program())
		known.frames[strings.Clone(key)] = frames
	}
	return frames
}

// known are the frames of positions that were asked for: executions of one
// program fail at the same few, and looking them up takes longer than many steps.
var known struct {
	sync.Mutex
	frames map[string][]Frame // by the bytes of the position
}

// maxKnown bounds known, which then begins anew. Guessed: a few megabytes.
const maxKnown = 4096

// program looks up the frames of the program, innermost first.
func (at position) program() (found []Frame) {
	frames := runtime.CallersFrames(at)
	for {
		frame, more := frames.Next()
		if frame.PC != 0 && !internal(frame) {
			found = append(found, Frame{frame.Function, frame.File, frame.Line})
		}
		if !more {
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
	if strings.HasPrefix(frame.Function, "runtime.") {
		return true
	}
	return strings.HasPrefix(frame.Function, home) && !strings.HasSuffix(frame.File, "_test.go")
}
