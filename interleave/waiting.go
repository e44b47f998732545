package interleave

import "mendel/interleave/hook"

// A waiting is a wait inside a critical section: whoever is waited for must not need
// the lock.
type waiting struct {
	lock *access // begins the section
	wait *access
}

// waits predicts idiom 1 for a lock that is asked for while its holder waits: for a
// value, a receiver or a wait group, of which the goroutine that asks would see to
// what is waited for only after it has had the lock. If the holder comes first, both
// wait for ever.
func (p *predictor) waits() {
	last := p.lastOperations()
	for _, w := range p.waitings() {
		for _, b := range p.classes {
			if !p.asks(w, b) {
				continue
			}
			for _, k := range endsWait(w.wait.end.Kind) {
				if at, ok := last[operation{b.g, w.wait.object, k}]; ok && at > b.order {
					p.set[rootOf(1, w.lock, b)] = true
				}
			}
		}
	}
}

// asks reports whether an access asks for the lock of a waiting, and may do so while it
// lasts.
func (p *predictor) asks(w waiting, b *access) bool {
	return (b.end.Kind == hook.Lock || b.end.Kind == hook.RLock) && b.g != w.lock.g && b.object == w.lock.object &&
		contend(w.lock, b) && !earlier(b, w.lock) && !earlier(w.wait, b)
}

// endsWait are the operations for which one of a kind waits.
func endsWait(k hook.Kind) []hook.Kind {
	switch k {
	case hook.Receive:
		return []hook.Kind{hook.Send, hook.Close}
	case hook.Send:
		return []hook.Kind{hook.Receive}
	case hook.Wait:
		return []hook.Kind{hook.Done}
	}
	return nil
}

// An operation is what a goroutine does with an object.
type operation struct {
	g      int
	object uint64
	kind   hook.Kind
}

// lastOperations are the orders of the last operations of goroutines on wait groups and
// channels.
func (p *predictor) lastOperations() map[operation]int {
	last := map[operation]int{}
	for i := range p.all {
		switch a := &p.all[i]; a.end.Kind {
		case hook.Send, hook.Receive, hook.Close, hook.Done:
			last[operation{a.g, a.object, a.end.Kind}] = a.order
		}
	}
	return last
}

// waitings finds the waits in critical sections, each pair of classes once. A send waits
// if the channel may be full.
func (p *predictor) waitings() []waiting {
	var all []waiting
	taken := map[[2]uint64]*access{} // by goroutine and lock: where it was taken last
	seen := map[[2]int]bool{}
	for i := range p.all {
		d := &p.all[i]
		switch d.end.Kind {
		case hook.Lock, hook.RLock:
			taken[[2]uint64{uint64(d.g), d.object}] = d
			continue
		case hook.Send:
			if p.sends[d.object] <= d.capacity {
				continue
			}
		case hook.Receive, hook.Wait:
		default:
			continue
		}
		for _, held := range d.guards {
			a := taken[[2]uint64{uint64(d.g), held.lock}]
			if a == nil || a.class < 0 || d.class < 0 || seen[[2]int{a.class, d.class}] {
				continue
			}
			seen[[2]int{a.class, d.class}] = true
			all = append(all, waiting{p.classes[a.class], p.classes[d.class]})
		}
	}
	return all
}
