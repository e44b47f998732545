package causal

// A window is an analysis of some steps of a trace: those from one to another, after
// those that came before in the trace. Its own trace begins with steps that take again the
// locks that are held then.
type window struct {
	*analysis
	predictor *Predictor
	from, to  int
	held      int // steps at its beginning that only take locks

	spans [][]span    // by goroutine: its sections
	words []wordUsers // in the order in which they were met
}

// A span is a section by the parts of its goroutine: the first is from, to is the one that
// ends it, past all parts if none does.
type span struct {
	section
	loc, from, to int
}

// A state is what a prefix of a trace leads to.
type state struct {
	t      *Trace
	at     int // steps that were made
	values []uint64
	held   [][]holding // by goroutine
}

// A holding is a lock that is held, or for which a writer waits.
type holding struct {
	loc  int
	does Effect
}

func newState(t *Trace) *state {
	s := &state{t: t, held: make([][]holding, len(t.Goroutines))}
	for _, l := range t.Locations {
		s.values = append(s.values, l.Initial)
	}
	return s
}

// advance makes steps up to one.
func (s *state) advance(to int) {
	for ; s.at < to; s.at++ {
		for k := range s.t.Steps[s.at].Parts {
			s.make(&s.t.Steps[s.at].Parts[k])
		}
	}
}

func (s *state) make(p *Part) {
	for _, w := range p.Put {
		s.values[w.Loc] = w.Value
	}
	if p.Op.Loc == None {
		return
	}
	take := func(does Effect) { s.held[p.G] = append(s.held[p.G], holding{p.Op.Loc, does}) }
	drop := func(does ...Effect) {
		for _, d := range does {
			for i := len(s.held[p.G]) - 1; i >= 0; i-- {
				if h := s.held[p.G][i]; h.loc == p.Op.Loc && h.does == d {
					s.held[p.G] = append(s.held[p.G][:i:i], s.held[p.G][i+1:]...)
					break
				}
			}
		}
	}
	switch {
	case p.Op.Do == Add:
		s.values[p.Op.Loc] += uint64(int64(p.Delta))
	case p.Op.Do == Arrive || p.Op.Do == RLock:
		take(p.Op.Do)
	case p.locks():
		take(Lock)
	case p.Op.Do == Unlock:
		drop(Lock, Arrive)
	case p.Op.Do == RUnlock:
		drop(RLock)
	}
}

// window is the window that begins with a step.
func (p *Predictor) window(from int) *window {
	p.state.advance(from)
	to := min(from+p.size, len(p.t.Steps))
	t := &Trace{Goroutines: append([]Goroutine(nil), p.t.Goroutines...), Locations: append([]Location(nil), p.t.Locations...)}
	for loc := range t.Locations {
		t.Locations[loc].Initial = p.state.values[loc]
	}
	t.Steps = p.state.taking()
	held := len(t.Steps)
	t.Steps = append(t.Steps, p.t.Steps[from:to]...)
	for g := range t.Goroutines {
		switch born := t.Goroutines[g].Born; {
		case born >= to:
			t.Goroutines[g].Born, t.Goroutines[g].Next = None, nil // it does nothing here
		case born >= from:
			t.Goroutines[g].Born = born - from + held
		default:
			t.Goroutines[g].Born = None
		}
	}
	p.announced(t, to)
	w := &window{analysis: p.explorer.constrain(t, true), predictor: p, from: from, to: to, held: held}
	w.s.Limit(maxWork)
	for i := range held {
		for k := i + 1; k <= len(t.Steps); k++ {
			w.s.Fix(i, k) // and before z, which is the last event
		}
	}
	w.list()
	return w
}

// announced has the goroutines of a window's trace announce what they do after it. What
// comes long after it is left out.
func (p *Predictor) announced(t *Trace, to int) {
	if to == len(p.t.Steps) {
		return
	}
	for g := range t.Goroutines {
		t.Goroutines[g].Next = nil
	}
	for i := to; i < min(len(p.t.Steps), to+p.size); i++ {
		for k := range p.t.Steps[i].Parts {
			part := &p.t.Steps[i].Parts[k]
			if g := &t.Goroutines[part.G]; g.Next == nil && p.t.Goroutines[part.G].Born < to {
				g.Next = &part.Op
			}
		}
	}
}

// taking are steps that take what is held.
func (s *state) taking() (steps []Step) {
	for g, all := range s.held {
		for _, h := range all {
			steps = append(steps, Step{Parts: []Part{{
				G: g, Op: Op{Do: h.does, Loc: h.loc}, Case: None, Chain: []uint64{s.t.Goroutines[g].Name},
			}}})
		}
	}
	return steps
}

// whole reports whether a window is all of the trace.
func (w *window) whole() bool { return w.from == 0 && w.to == len(w.predictor.t.Steps) }

// list lists the sections of each goroutine, and who uses what memory.
func (w *window) list() {
	w.spans = make([][]span, len(w.parts))
	nth := make([]map[int]int, len(w.parts)) // by goroutine and step: the part
	for g, list := range w.parts {
		nth[g] = make(map[int]int, len(list))
		for n, at := range list {
			nth[g][at.step] = n
		}
	}
	for loc, all := range w.sections {
		for _, q := range all {
			s := span{section: q, loc: loc, from: nth[q.g][q.from], to: len(w.parts[q.g]) + 1}
			if q.to != None {
				s.to = nth[q.g][q.to]
			}
			w.spans[q.g] = append(w.spans[q.g], s)
		}
	}
	w.use()
}

// within reports whether what goroutine g does in its n-th part, after the operation with
// which it begins, is in a section.
func (s *span) within(n int) bool { return s.from <= n && n < s.to }

// holds reports whether a goroutine that is about to do its n-th part is in a section.
func (s *span) holds(n int) bool { return s.from < n && n <= s.to }

// guarded reports whether sections keep two parts of two goroutines apart.
func (w *window) guarded(g, n, h, m int) bool {
	for _, p := range w.spans[g] {
		if !p.within(n) {
			continue
		}
		for _, q := range w.spans[h] {
			if q.loc == p.loc && q.within(m) && (p.writer || q.writer) {
				return true
			}
		}
	}
	return false
}
