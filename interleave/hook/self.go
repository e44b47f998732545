package hook

import (
	"runtime"
	"runtime/debug"
	"unsafe"
)

// Every event must know whose it is. To ask Go for the number of a goroutine costs
// microseconds, and the more the deeper its stack is: runtime.Stack walks all of it.
// The runtime's descriptor of the thread leads to that of the goroutine that it runs,
// which has the number, but where depends on the version of Go. So when the program
// begins some goroutines look for their own numbers there.

//go:linkname getm runtime.getm
func getm() unsafe.Pointer

//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()

const (
	threadWords    = 64 // of the descriptor of a thread that are looked at; it is larger
	goroutineWords = 32 // the same of a goroutine
	samples        = 8  // goroutines that look
)

// A path leads from a thread's descriptor to the number of its goroutine: at which
// word the one has the address of the other, and at which word that has the number.
type path struct{ thread, goroutine uintptr }

// way is the path; zero: not known. It is set before the program's own code runs.
var way = findWay()

// findWay returns a path that was right for all samples. At first they stay on their
// thread, and look everywhere. Then they do not, and try what was found: so a word
// that is right only sometimes, such as that of a goroutine that must stay on its
// thread, is not taken.
func findWay() path {
	var found []path
	for i := range samples {
		seen := sampled(search)
		if i == 0 {
			found = seen
			continue
		}
		found = both(found, seen)
	}
	for range samples {
		found = both(found, sampled(func() []path { return retry(found) }))
	}
	if len(found) == 0 {
		return path{}
	}
	return found[0]
}

// sampled calls a function in a goroutine of its own. A fault ends it.
func sampled(f func() []path) []path {
	result := make(chan []path)
	go func() {
		var seen []path
		defer func() {
			_ = recover() // a word that is no address
			result <- seen
		}()
		debug.SetPanicOnFault(true)
		seen = f()
	}()
	return <-result
}

func both(a, b []path) (common []path) {
	for _, p := range a {
		for _, q := range b {
			if p == q {
				common = append(common, p)
			}
		}
	}
	return common
}

// search finds all paths that are right for the calling goroutine.
//
//go:nocheckptr
//go:norace
func search() (found []path) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	id, m := asked(), getm()
	heap := uintptr(unsafe.Pointer(new([64]byte))) >> 32
	for k := range uintptr(threadWords) {
		g := *(*unsafe.Pointer)(unsafe.Add(m, 8*k))
		if uintptr(g)%8 != 0 || uintptr(g)>>32 != heap {
			continue // descriptors of goroutines are on the heap
		}
		for j := range uintptr(goroutineWords) {
			if *(*uint64)(unsafe.Add(g, 8*j)) == id {
				found = append(found, path{8 * k, 8 * j})
			}
		}
	}
	return found
}

// retry returns those of some paths that are right for the calling goroutine.
func retry(paths []path) (right []path) {
	id := asked()
	for _, p := range paths {
		if p.follow() == id {
			right = append(right, p)
		}
	}
	return right
}

// follow reads the number of the calling goroutine; 0 if the path leads nowhere.
//
//go:nocheckptr
//go:norace
func (p path) follow() uint64 {
	procPin() // stay on the thread
	g := *(*unsafe.Pointer)(unsafe.Add(getm(), p.thread))
	procUnpin()
	if g == nil {
		return 0
	}
	return *(*uint64)(unsafe.Add(g, p.goroutine))
}

// self is the number of the calling goroutine, as in dumps.
//
//go:norace
func self() uint64 {
	if way.goroutine != 0 {
		if id := way.follow(); id != 0 {
			return id
		}
	}
	return asked()
}

// asked is the number that Go tells.
//
//go:norace
func asked() uint64 {
	var buf [32]byte
	n := runtime.Stack(buf[:], false)
	var id uint64
	for i := len("goroutine "); i < n && '0' <= buf[i] && buf[i] <= '9'; i++ {
		id = 10*id + uint64(buf[i]-'0')
	}
	return id
}
