package causal

import (
	"fmt"
	"slices"
)

// An Explorer finds executions until there is one of each class.
type Explorer struct {
	runs    []run
	having  map[uint64][]int32 // runs, by hash of a history that they have
	queue   []*Trace
	now     *analysis
	labels  map[uint64]uint64 // what was done or announced after a history
	blocked map[uint64]bool   // whether an operation waits in a state, see State
	broken  string
	// Stop, if not nil, is asked often; when it returns true Next gives up, see Stopped.
	Stop    func() bool
	stopped bool
	planned []uint64 // histories that the last plan is to lead to
	reached bool
	failed  bool
	work    int
	taken   int // traces that were taken from the queue
}

// A run has the hashes of all histories of an execution.
type run map[uint64]struct{}

// NewExplorer returns an explorer that knows no execution.
func NewExplorer() *Explorer {
	return &Explorer{having: map[uint64][]int32{}, labels: map[uint64]uint64{}, blocked: map[uint64]bool{}}
}

// Broken says why the classes cannot be told to be all, "" if nothing speaks against it.
func (e *Explorer) Broken() string { return e.broken }

// Break has Broken give a reason, unless there is one already.
func (e *Explorer) Break(reason string) {
	if e.broken == "" {
		e.broken = reason
	}
}

// Classes is the number of different executions that were added.
func (e *Explorer) Classes() int { return len(e.runs) }

// Work is a measure of what the solver did that depends on no machine.
func (e *Explorer) Work() int {
	if e.now != nil {
		return e.work + e.now.s.Work()
	}
	return e.work
}

// Waits notes whether an operation has to wait, by its goroutine's history and what it
// depends on.
func (e *Explorer) Waits(state uint64, waits bool) {
	if was, known := e.blocked[state]; known && was != waits {
		e.Break("whether an operation has to wait depends on more than what is followed")
	}
	e.blocked[state] = waits
}

// State is a key for Waits: the history of the goroutine that announced the operation,
// the case of a communication (None: no communication), and the value that it depends on.
func State(history uint64, number int, value uint64) uint64 {
	return Mix(Mix(history, uint64(number)), value)
}

// Add adds an execution.
func (e *Explorer) Add(t *Trace) {
	r := run{}
	fresh := false
	for i := range t.Steps {
		for k := range t.Steps[i].Parts {
			p := &t.Steps[i].Parts[k]
			e.label(p)
			for _, h := range p.Chain {
				r[h] = struct{}{}
			}
		}
	}
	for g := range t.Goroutines {
		if op := t.Goroutines[g].Next; op != nil {
			e.same(t.history(g), op.Label)
		}
	}
	fresh = !e.known(r)
	e.failed = false
	e.reached, e.planned = r.has(e.planned), nil
	if !fresh {
		return
	}
	n := int32(len(e.runs))
	e.runs = append(e.runs, r)
	for h := range r {
		e.having[h] = append(e.having[h], n)
	}
	e.queue = append(e.queue, t)
}

// Fail says that the execution that was just added was cut short by a failure, perhaps in
// the step that was to be shown.
func (e *Explorer) Fail() { e.failed = true }

// known reports whether a run has all histories of r.
func (e *Explorer) known(r run) bool {
	hashes := make([]uint64, 0, len(r))
	for h := range r {
		hashes = append(hashes, h)
	}
	return e.covered(hashes)
}

// covered reports whether some run has all of these histories.
func (e *Explorer) covered(hashes []uint64) bool {
	if len(hashes) == 0 {
		return len(e.runs) > 0
	}
	least := e.having[hashes[0]]
	for _, h := range hashes[1:] {
		if list := e.having[h]; len(list) < len(least) {
			least = list
		}
	}
	for _, n := range least {
		if e.runs[n].has(hashes) {
			return true
		}
	}
	return false
}

func (r run) has(hashes []uint64) bool {
	for _, h := range hashes {
		if _, ok := r[h]; !ok {
			return false
		}
	}
	return true
}

// label checks that goroutines with the same history do the same.
func (e *Explorer) label(p *Part) {
	e.same(before(p), p.Op.Label)
	sum := p.Op.Label
	for _, w := range p.Put {
		sum = Mix(sum, w.Value)
	}
	for _, t := range p.Touches {
		if t.Counter {
			continue
		}
		n := uint64(t.Bytes) << 2
		if t.Write {
			n |= 1
		}
		if t.Atomic {
			n |= 2
		}
		sum = Mix(sum, n)
	}
	e.same(Mix(p.Last(), 1), sum)
}

// before is the key of what a goroutine does next with the history before p.
func before(p *Part) uint64 { return Mix(p.Chain[0], 0) }

func (e *Explorer) same(key, label uint64) {
	if was, ok := e.labels[key]; ok && was != label {
		e.Break("a goroutine went on differently although all that it was seen to depend on was the same")
	}
	e.labels[key] = label
}

// maxSteps bounds the executions that are analysed: what there is to be solved grows with
// the square of their length. Guessed.
const maxSteps = 2000

// late reports whether to stop.
func (e *Explorer) late() bool {
	e.stopped = e.stopped || e.Stop != nil && e.Stop()
	return e.stopped
}

// Stopped reports whether Next returned false only because of Stop. It can be called again.
func (e *Explorer) Stopped() bool { return e.stopped }

// Left is the number of traces that have not been analysed.
func (e *Explorer) Left() int {
	if e.now != nil {
		return len(e.queue) + 1
	}
	return len(e.queue)
}

// oldEach is how many traces are taken until one of them is the oldest that waits. The
// newest, which differ most from the first, find failures sooner; but a loop that polls
// has ever newer ones. Measured with the nine programs of internal/bench/causal.
const oldEach = 4

// take takes the trace to analyse next.
func (e *Explorer) take() *Trace {
	i := len(e.queue) - 1
	if e.taken++; e.taken%oldEach == 0 {
		i = 0
	}
	t := e.queue[i]
	e.queue = slices.Delete(e.queue, i, i+1)
	return t
}

// Next returns the beginning of an execution to make next; false if there is none.
func (e *Explorer) Next() (Plan, bool) {
	e.stopped = false
	for e.broken == "" && !e.late() {
		if e.now == nil {
			if len(e.queue) == 0 {
				return nil, false
			}
			t := e.take()
			if len(t.Steps) > maxSteps {
				e.Break("executions are too long to be analysed")
				return nil, false
			}
			e.now = e.analyse(t)
		}
		if p, ok := e.now.next(); ok {
			return p, true
		}
		if e.stopped {
			break
		}
		e.work += e.now.s.Work()
		e.now = nil
	}
	return nil, false
}

// String describes the progress.
func (e *Explorer) String() string {
	return fmt.Sprintf("%d classes, %d to be analysed", len(e.runs), len(e.queue))
}
