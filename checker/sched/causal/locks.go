package causal

import "mendel/checker/sched/causal/order"

// A section is what excludes others at a lock: from one step to another, None: it does
// not end. Of a writer it begins with the arrival.
type section struct {
	g        int
	from, to int
	writer   bool
	taken    int // of a writer: when no reader was left, None: it still waits
}

// crossed reports whether a goroutine unlocked, or is about to unlock, a mutex that it had
// not locked itself.
// Then sections do not tell who excludes whom, and the mutex is a register.
func (a *analysis) crossed(loc int) bool {
	for g, list := range a.parts {
		held := false
		for _, at := range list {
			p := a.part(at)
			if p.Op.Loc != loc {
				continue
			}
			switch {
			case p.locks():
				held = true
			case p.Op.Do == Unlock:
				if !held {
					return true
				}
				held = false
			}
		}
		if next := a.t.Goroutines[g].Next; next != nil && next.Loc == loc && next.Do == Unlock && !held {
			return true
		}
	}
	return false
}

// locks reports whether a part takes a mutex, or a read/write lock for writing.
func (p *Part) locks() bool {
	return p.Op.Do == Lock || p.Op.Do == TryLock && p.Seen[0].Value == 0
}

// excludes has sections at a lock exclude each other.
func (a *analysis) excludes() {
	for loc := range a.t.Locations {
		switch kind := a.t.Locations[loc].Kind; {
		case kind == Mutex && !a.crossed(loc), kind == RWMutex:
			for _, list := range a.parts {
				a.sections[loc] = append(a.sections[loc], a.sectionsOf(list, loc)...)
			}
		}
		for i := range a.sections[loc] {
			for k := range a.sections[loc] {
				if i != k {
					a.exclude(a.sections[loc][i], a.sections[loc][k])
				}
			}
		}
	}
}

// sectionsOf lists the sections of one goroutine.
func (a *analysis) sectionsOf(list []place, loc int) (all []section) {
	open := map[bool][]int{} // indices of the open sections, by writer
	end := func(writer bool, step int) {
		n := len(open[writer]) - 1
		if n < 0 {
			a.Break("a read/write lock is released by a goroutine that has not taken it")
			return
		}
		all[open[writer][n]].to = step
		open[writer] = open[writer][:n]
	}
	begin := func(s section) {
		open[s.writer] = append(open[s.writer], len(all))
		all = append(all, s)
	}
	for _, at := range list {
		p := a.part(at)
		switch {
		case p.Op.Loc != loc:
		case p.Op.Do == Arrive:
			begin(section{p.G, at.step, None, true, None})
		case p.Op.Do == RLock:
			begin(section{g: p.G, from: at.step, to: None})
		case p.Op.Do == Lock && a.t.Locations[loc].Kind == RWMutex:
			if n := len(open[true]) - 1; n >= 0 {
				all[open[true][n]].taken = at.step
			}
		case p.locks():
			begin(section{p.G, at.step, None, true, at.step})
		case p.Op.Do == Unlock:
			end(true, at.step)
		case p.Op.Do == RUnlock:
			end(false, at.step)
		}
	}
	return all
}

// exclude has section p not begin within section q.
func (a *analysis) exclude(p, q section) {
	if !p.writer && !q.writer {
		return
	}
	at := p.from
	if p.writer && !q.writer {
		if at = p.taken; at == None {
			return // it waits for the readers
		}
	}
	if q.from < at && (q.to == None || at < q.to) {
		a.Break("a lock was released in a way that is not followed")
	}
	if a.reach[q.from].has(at) || q.to != None && a.reach[at].has(q.to) {
		return // whatever the order
	}
	if a.lazy {
		a.pairs = append(a.pairs, overlap{at, q})
		return
	}
	a.s.Add(append([]order.Lit{a.s.Before(a.z, at)}, a.outside(at, q)...)...)
}

// An overlap is an event that must not be within a section, if it comes before z.
type overlap struct {
	at int
	q  section
}

// outside returns the ways in which an event is not within a section.
func (a *analysis) outside(at int, q section) []order.Lit {
	ways := []order.Lit{}
	if at != q.from {
		ways = append(ways, a.s.Before(at, q.from))
	}
	if q.to != None && at != q.to {
		ways = append(ways, a.s.Before(q.to, at))
	}
	return ways
}

// obstacles lists the sections that an operation has to wait for.
func (a *analysis) obstacles(op *Op) (all []section) {
	for _, q := range a.sections[op.Loc] {
		if a.obstructs(op, q) {
			all = append(all, q)
		}
	}
	return all
}

// obstructs reports whether an operation on a lock has to wait for one of its sections.
func (a *analysis) obstructs(op *Op, q section) bool {
	if op.Do == Lock && a.t.Locations[op.Loc].Kind == RWMutex {
		return !q.writer // it has arrived: only readers are in its way
	}
	return q.writer || op.Do != RLock && op.Do != Arrive
}

// locks reports whether an operation may wait for a lock that is known by its sections.
func (a *analysis) locks(op *Op) bool {
	if op.Loc == None || op.Do != Lock && op.Do != RLock && op.Do != Arrive {
		return false
	}
	kind := a.t.Locations[op.Loc].Kind
	return kind == RWMutex || kind == Mutex && !a.crossed(op.Loc)
}

// free returns literals that have an operation not wait for a lock at z: all of them.
// Its goroutine's own sections have ended then, or it is blocked by itself.
func (a *analysis) free(op *Op) (all []order.Lit) {
	for _, q := range a.obstacles(op) {
		l := a.s.Bool()
		a.s.Add(append(a.outside(a.z, q), l.Not())...)
		all = append(all, l)
	}
	return all
}

// taken returns literals, one of which has an operation wait for a lock at z.
func (a *analysis) taken(op *Op) (any []order.Lit) {
	for _, q := range a.obstacles(op) {
		l := a.s.Bool()
		a.s.Add(l.Not(), a.s.Before(q.from, a.z))
		if q.to != None {
			a.s.Add(l.Not(), a.s.Before(a.z, q.to))
		}
		any = append(any, l)
	}
	return any
}
