package hook

import "unsafe"

// A Kind says what an event is.
type Kind uint32

// Kinds of events. The object is the address of the location, the lock, the wait
// group, the condition or the channel.
const (
	None          Kind = iota
	Read               // of a plain variable
	Write              //
	AtomicRead         // by package sync/atomic or a sync.Map
	AtomicWrite        // which may have read too
	Lock               // a lock was acquired
	Unlock             // a lock is about to be released
	RLock              // a lock was acquired for reading
	RUnlock            //
	Add                // to a wait group
	Done               //
	Wait               // for a wait group has ended
	Signal             // of a condition, or Broadcast
	Sleep              // Cond.Wait begins to wait for a signal
	Send               // a value is about to be sent
	Receive            // a value was received
	ReceiveClosed      // a receive found the channel closed
	Close              // a channel is about to be closed
	OnceEnd            // the function of a sync.Once has ended
	OnceDone           // Once.Do has returned
	Fork               // a goroutine is about to be started; the object is its token
	Start              // a goroutine has begun
	End                // a goroutine is about to end
	Join               // a goroutine is known to have ended
	Kinds
)

// names are the words for kinds, as reports and JSON have them.
var names = [Kinds]string{
	"none", "read", "write", "atomic read", "atomic write", "lock", "unlock", "rlock", "runlock",
	"add", "done", "wait", "signal", "cond wait", "send", "receive", "receive closed", "close",
	"once end", "once done", "fork", "start", "end", "join",
}

func (k Kind) String() string {
	if k >= Kinds {
		return "?"
	}
	return names[k]
}

// KindOf is the kind with a name; ok is false if there is none.
func KindOf(name string) (k Kind, ok bool) {
	for i, n := range names {
		if n == name {
			return Kind(i), true
		}
	}
	return None, false
}

// An Event is one thing that a goroutine did.
type Event struct {
	Object uint64
	Arg    uint64 // of Send and Receive the capacity of the channel
	G      uint64 // number of the goroutine, as in dumps
	Site   uint32
	Kind   Kind // None: not completely written
}

// A Header begins the file of a log. The numbers after Next are those of a run
// that forces something.
type Header struct {
	Next    uint64 // events recorded or left out
	Exposed uint64 // 1: the interleaving that was to be forced has come about
	GaveUp  uint64 // attempts that were given up
	Held    uint64 // times that a goroutine was held
	Owner   uint64 // process that records; those that it starts do not
	_       [3]uint64
}

const (
	// EventSize and HeaderSize are sizes in the file, in bytes.
	EventSize  = int(unsafe.Sizeof(Event{}))
	HeaderSize = int(unsafe.Sizeof(Header{}))
	// Capacity is how many events a log holds: 8 MiB. Guessed.
	Capacity = 1 << 18
	// LogSize is the size of the file, in bytes.
	LogSize = HeaderSize + Capacity*EventSize
)

// Environment variables.
const (
	LogEnv   = "MENDEL_INTERLEAVE_LOG"   // the file, of LogSize bytes; without it the hooks do nothing
	ForceEnv = "MENDEL_INTERLEAVE_FORCE" // what to force, as [Script.String] writes it; none without it
	DelayEnv = "MENDEL_INTERLEAVE_DELAY" // "seed n": one access in n is delayed at random; none without it
)
