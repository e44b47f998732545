package linked

import (
	"slices"

	"mendel/checker/sched"
)

// A processor is where at most one goroutine is pinned at a time. What that one does there
// comes before what the next one does.
type processor struct {
	object sched.Object
	by     int // the goroutine
	pins   int // its calls of ProcPin that are not undone; 0: nobody is pinned
}

// pinned are the processors of the running execution.
var pinned struct {
	object     sched.Object
	processors []processor
}

// anyFree reports whether a goroutine can be pinned.
func anyFree() bool {
	return slices.ContainsFunc(pinned.processors, func(p processor) bool { return p.pins == 0 })
}

// pinnedTo is the processor to which a goroutine is pinned, nil if it is not.
func pinnedTo(g int) (at int, p *processor) {
	if pinned.object.Fresh() {
		pinned.processors = make([]processor, sched.GOMAXPROCS(0))
	}
	for i := range pinned.processors {
		if p := &pinned.processors[i]; p.pins > 0 && p.by == g {
			return i, p
		}
	}
	return -1, nil
}

// ProcPin stands for runtime.procPin. A goroutine has a processor of its own there, which
// follows from the goroutine and from what is free: others are not tried. As many can be
// pinned as there are processors, others wait.
func ProcPin() int {
	if !sched.Active() {
		return 0
	}
	g := sched.Self()
	at, p := pinnedTo(g)
	if p == nil {
		sched.Do(sched.Op{Kind: sched.KindAcquire, Obj: &pinned.object, Enabled: anyFree, What: "procPin"})
		n := len(pinned.processors)
		for at = g % n; pinned.processors[at].pins > 0; at = (at + 1) % n {
		}
		p = &pinned.processors[at]
		p.by = g
		sched.Acquire(&p.object)
	}
	p.pins++
	return at
}

// ProcUnpin stands for runtime.procUnpin.
func ProcUnpin() {
	if !sched.Active() {
		return
	}
	_, p := pinnedTo(sched.Self())
	switch {
	case p == nil: // it was pinned outside control
	case p.pins > 1:
		p.pins--
	default:
		sched.Do(sched.Op{Kind: sched.KindRelease, Obj: &pinned.object, What: "procUnpin"})
		p.pins = 0
		sched.Release(&p.object)
	}
}
