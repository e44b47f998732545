package causal

// A Trace is one execution: its steps, in the order in which they were made.
type Trace struct {
	Goroutines []Goroutine
	Steps      []Step
	Locations  []Location
}

// A Goroutine of a trace.
type Goroutine struct {
	Name uint64 // the same wherever it was started by the same history
	Born int    // step that started it, None: the execution did
	Next *Op    // announced and not done when the trace ended; nil: it has ended
}

// None is no step, no location.
const None = -1

// A Location is what steps read and write.
type Location struct {
	Kind    LocationKind
	Initial uint64
	// Shared reports that its value means something to the program: memory, or whether a
	// channel without a buffer is closed.
	Shared bool
}

// A LocationKind says what an order of steps must respect at a location.
type LocationKind uint8

// Kinds of locations.
const (
	Register LocationKind = iota // a read sees the last write
	Mutex                        // a Register: 1 while it is held
	RWMutex
	Counter // of a wait group
)

// An Op is what a goroutine announced.
type Op struct {
	Label  uint64 // what it is; the same history announces the same
	Do     Effect // on Loc, which is a Mutex, an RWMutex or a Counter
	Loc    int    // None: it reads and writes no location by itself
	Blocks bool   // it may have to wait
	Cases  []Case // of a communication
	// Default reports that a communication may do none of its cases.
	Default bool
	Close   bool // of a channel, on Loc
	At      Spot // where it was announced
}

// A Spot numbers a place in the source; 0: none is known. Only predictions have them.
type Spot int32

// An Effect is what an operation does to a lock or a counter.
type Effect uint8

// Effects.
const (
	Other    Effect = iota // reads and writes values only
	Lock                   // of a mutex, or of a writer that has arrived
	TryLock                // of a mutex: it locks if it sees 0
	Unlock                 // likewise
	Arrive                 // of a writer: no new reader from here on
	RLock                  // of a reader
	RUnlock                // likewise
	Add                    // to a counter
	WaitZero               // until a counter is 0
)

// A Case is one communication that an operation offers.
type Case struct {
	// Loc is of a buffered channel its state, of an unbuffered one 1 if it is closed;
	// None: the nil channel.
	Loc        int
	Unbuffered bool
	Send       bool
}

// A Step is what happened between two decisions. Of an unbuffered communication both
// goroutines take part, first the one that was chosen.
type Step struct{ Parts []Part }

// A Part is what one goroutine did in a step.
type Part struct {
	G     int
	Op    Op
	Case  int // that was done; None: none, or the default one
	Delta int // of Add
	Seen  []Seen
	// Chain are hashes of all that the goroutine has seen so far: the first before
	// Seen, and one after each of it. They tell histories apart.
	Chain   []uint64
	Put     []Put
	Touches []Touch
}

// Last is the hash of the history with the part.
func (p *Part) Last() uint64 { return p.Chain[len(p.Chain)-1] }

// A Seen is something that a goroutine saw.
type Seen struct {
	Loc   int // None: not of a location
	Value uint64
	// Of is, of a number that was chosen, how many there were; 0: it follows from the
	// rest of the step.
	Of int
	// ByLock reports that the value follows from how sections exclude each other, as long
	// as goroutines unlock only what they have locked.
	ByLock bool
	// Pointer reports that the value is one that could be an address. At is where it was
	// seen.
	Pointer bool
	At      Spot
}

// A Put is the last value that a step wrote to a location.
type Put struct {
	Loc   int
	Value uint64
	At    Spot
}

// A Touch is an access that may race: to some bytes of the word at an address.
type Touch struct {
	Word          uintptr
	Bytes         uint8
	Write, Atomic bool
	// Counter reports that it belongs to an operation of a wait group, which makes it only
	// at a certain value of the counter: the history does not tell whether it does.
	Counter bool
	At      Spot
}

// Races reports whether two touches by different goroutines that nothing orders are a race.
func (t Touch) Races(u Touch) bool {
	return t.Word == u.Word && t.Bytes&u.Bytes != 0 && (t.Write || u.Write) && !(t.Atomic && u.Atomic)
}

// Mix returns the hash of a history that goes on with v.
func Mix(h, v uint64) uint64 { // splitmix64, Steele, Lea and Flood, OOPSLA 2014
	h = h*0x9e3779b97f4a7c15 + v + 0x632be59bd9b4e019
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// A Plan is the beginning of an execution. What follows is free.
type Plan []Move

// A Move is a step of a plan.
type Move struct {
	G       uint64 // name of the goroutine
	Case    int    // of a communication, None: the default case or no communication
	Partner uint64 // name of the other goroutine, 0: none
	// PartnerCase is the case of the other goroutine.
	PartnerCase int
	Numbers     []int // to choose; 0 when there are more
	// Wait reports that others go on as long as G cannot: the one that made the last step
	// as far as it can.
	Wait bool
}

// move repeats a step up to what a part saw: the first n of it, all with n < 0.
func (t *Trace) move(step, part, n int) Move {
	s := &t.Steps[step]
	first := &s.Parts[0]
	m := Move{G: t.Goroutines[first.G].Name, Case: first.Case}
	if len(s.Parts) > 1 {
		m.Partner, m.PartnerCase = t.Goroutines[s.Parts[1].G].Name, s.Parts[1].Case
	}
	for i := range s.Parts {
		seen := s.Parts[i].Seen
		if i == part && n >= 0 {
			seen = seen[:n]
		}
		for _, v := range seen {
			if v.Of > 0 {
				m.Numbers = append(m.Numbers, int(v.Value))
			}
		}
		if i == part && n >= 0 {
			break
		}
	}
	return m
}
