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
	if !open(data, os.Getpid()) {
		return
	}
	if script, ok := parseScript(os.Getenv(ForceEnv)); ok {
		engage(script)
	}
	delays.seed, delays.rate = parseDelays(os.Getenv(DelayEnv))
}

// open starts recording into memory of LogSize bytes. It returns false if another
// process does: a test may start its own binary.
func open(data []byte, process int) bool {
	recorder.header = (*Header)(unsafe.Pointer(&data[0]))
	if !swapped(&recorder.header.Owner, 0, uint64(process)) {
		return false
	}
	recorder.events = unsafe.Slice((*Event)(unsafe.Pointer(&data[HeaderSize])), Capacity)
	recorder.on = true
	return true
}

// record notes that the calling goroutine has done something, or does something of
// which nothing depends on when it is done.
//
//go:norace
func record(k Kind, site uint32, object, arg uint64) {
	if recorder.on {
		completed()
		write(k, site, object, arg)
	}
}

// write puts an event of the calling goroutine into the log.
//
//go:norace
func write(k Kind, site uint32, object, arg uint64) {
	add(&passed, 1)
	n := add(&recorder.header.Next, 1) - 1
	if n >= Capacity {
		return
	}
	e := &recorder.events[n]
	e.Object, e.Arg, e.G, e.Site = object, arg, self(), site
	finish(&e.Kind, k)
}
