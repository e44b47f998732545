package hook

import (
	"os"
	"unsafe"
)

// recorder is where events go. It is set before the program's own code runs.
var recorder struct {
	on     bool
	header *Header
	events []Event
}

// passed counts the hooks that were passed: by this a held goroutine sees that
// something moves.
var passed uint64

func init() {
	name := os.Getenv(LogEnv)
	if name == "" {
		return
	}
	data, err := mapped(name, LogSize)
	if err != nil {
		os.Stderr.WriteString("mendel: the log of the interleaving: " + err.Error() + "\n")
		return
	}
	open(data)
	if script, ok := parseScript(os.Getenv(ForceEnv)); ok {
		engage(script)
	}
}

// open starts recording into memory of LogSize bytes.
func open(data []byte) {
	recorder.header = (*Header)(unsafe.Pointer(&data[0]))
	recorder.events = unsafe.Slice((*Event)(unsafe.Pointer(&data[HeaderSize])), Capacity)
	recorder.on = true
}

// record notes that the calling goroutine does something.
//
//go:norace
func record(k Kind, site uint32, object, arg uint64) {
	if !recorder.on {
		return
	}
	add(&passed, 1)
	id := self()
	if load(&force.forced) != 0 {
		went(id)
	}
	n := add(&recorder.header.Next, 1) - 1
	if n >= Capacity {
		return
	}
	e := &recorder.events[n]
	e.Object, e.Arg, e.G, e.Site = object, arg, id, site
	finish(&e.Kind, k)
}
