package sched

import "slices"

// An execution can have thousands of goroutines, so the list of enabled operations
// is kept from decision to decision. A goroutine is checked again only if it has
// announced something since, or waits for an object that was touched. The Enabled
// function of an operation depends on operations on its object only (Op). All are
// checked before time passes, and before goroutines count as blocked.
//
// With a few goroutines only, or for a Watcher, which needs all waiting
// operations, it is cheaper to make the list anew at each decision.

// ready is which goroutines can go on.
type ready struct {
	enabled  []Pending    // by ascending G
	waiting  []Pending    // scratch: what is not enabled, for a Watcher
	scratch  []Pending    // enabled, with the clock
	doubtful []*goroutine // to be looked at
	loose    []*goroutine // that wait for no object
	keeping  bool         // enabled is kept from decision to decision
}

// few goroutines are at most so many. Guessed.
const few = 8

// grown is called when a goroutine was added.
func (x *execution) grown() {
	if x.ready.keeping || x.by.watcher != nil || len(x.alive) <= few {
		return
	}
	x.ready.keeping, x.ready.enabled = true, x.ready.enabled[:0]
	for _, g := range x.alive {
		g.register(&g.pending)
	}
}

// register makes g be checked again when an object of its operation is touched.
func (g *goroutine) register(op *Op) {
	g.unregister()
	switch {
	case op.Kind == KindSend || op.Kind == KindRecv || op.Kind == KindSelect:
		for i := range g.waiters {
			if c := g.waiters[i].c; c != nil {
				g.await(&c.object)
			}
		}
	case op.Enabled == nil || op.Kind == KindSleep:
	case op.Obj != nil:
		g.await(op.Obj)
	default:
		g.x.ready.loose = append(g.x.ready.loose, g)
	}
	g.x.reconsider(g)
}

func (g *goroutine) await(o *Object) {
	if !slices.Contains(g.awaits, o) {
		g.awaits = append(g.awaits, o)
		o.awaiting = append(o.awaiting, g)
	}
}

// unregister undoes register.
func (g *goroutine) unregister() {
	for _, o := range g.awaits {
		if i := slices.Index(o.awaiting, g); i >= 0 {
			last := len(o.awaiting) - 1
			o.awaiting[i], o.awaiting[last] = o.awaiting[last], nil
			o.awaiting = o.awaiting[:last]
		}
	}
	g.awaits = g.awaits[:0]
	if i := slices.Index(g.x.ready.loose, g); i >= 0 {
		g.x.ready.loose = slices.Delete(g.x.ready.loose, i, i+1)
	}
}

// touch makes all that wait for o be checked again.
func (x *execution) touch(o *Object) {
	for _, g := range o.awaiting {
		x.reconsider(g)
	}
}

func (x *execution) reconsider(g *goroutine) {
	if !g.doubtful {
		g.doubtful = true
		x.ready.doubtful = append(x.ready.doubtful, g)
	}
}

// chosen touches the objects of the operation of g.
func (x *execution) chosen(g *goroutine) {
	if o := g.pending.Obj; o != nil {
		x.touch(o)
	}
	if len(g.awaits) > 1 {
		for _, o := range g.awaits {
			x.touch(o)
		}
	}
}

// refresh brings x.enabled up to date; with all set it checks all goroutines.
func (x *execution) refresh(all bool) {
	if !x.ready.keeping {
		x.relist()
		return
	}
	if all {
		for _, g := range x.alive {
			x.reconsider(g)
		}
	}
	for _, g := range x.ready.loose {
		x.reconsider(g)
	}
	for _, g := range x.ready.doubtful {
		g.doubtful = false
		if enabled := g.pending.Enabled; g.fate.Load() == alive && (enabled == nil || enabled()) {
			x.list(g)
		} else {
			x.unlist(g)
		}
	}
	x.ready.doubtful = x.ready.doubtful[:0]
}

// list puts the operation of g into x.enabled, or replaces it there.
func (x *execution) list(g *goroutine) {
	i, listed := x.search(g)
	if !listed {
		x.ready.enabled = slices.Insert(x.ready.enabled, i, Pending{})
		g.listed = true
	}
	x.ready.enabled[i] = *g.look()
}

func (x *execution) unlist(g *goroutine) {
	if g.listed {
		i, _ := x.search(g)
		x.ready.enabled = slices.Delete(x.ready.enabled, i, i+1)
		g.listed = false
	}
}

// search returns where g is, or belongs, in x.enabled.
func (x *execution) search(g *goroutine) (int, bool) {
	low, high := 0, len(x.ready.enabled)
	for low < high {
		if middle := (low + high) / 2; x.ready.enabled[middle].G < g.id {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, g.listed
}
