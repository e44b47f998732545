package localize

import (
	"fmt"
	"go/types"
	"slices"

	"mendel/analysis/evidence"
)

// A guarding is how the accesses of one place are guarded, over all executions.
type guarding struct {
	total, guarded int
	reads, writes  int
	other          site // where another lock is acquired than elsewhere
	others         int  // accesses with such a lock
	routes         map[site]*route
}

func (g *guarding) share() float64 {
	if g.total == 0 {
		return 0
	}
	return float64(g.guarded) / float64(g.total)
}

// A raced is what is known of the variable of a race.
type raced struct {
	p, q     site
	does     [2]string // at p and at q
	name     string
	variable *types.Var         // nil: not known
	places   map[site]*guarding // that access it
	guards   int                // places that nearly always hold the guard
}

// raced is the variable of the race, nil if the failure does not have both places.
func (c *incident) raced() *raced {
	f := c.failure
	if c.variable != nil || len(f.Places) != 2 {
		return c.variable
	}
	r := &raced{p: siteOfPlace(f.Places[0]), q: siteOfPlace(f.Places[1]), does: [2]string{f.Places[0].What, f.Places[1].What}}
	r.places = guardings(r.p, r.q, c.all)
	for i, at := range []site{r.p, r.q} {
		if r.places[at] == nil { // no execution was told in full
			r.places[at] = &guarding{total: 1}
			if r.does[i] == "write" {
				r.places[at].writes = 1
			}
		}
	}
	r.name, r.variable = c.src.variable(r.p, r.q)
	if r.name == "" {
		r.name = "the variable"
	}
	for _, g := range r.places {
		if g.share() > nearlyAlways {
			r.guards++
		}
	}
	c.variable = r
	return r
}

// racing reports whether a place takes part in the race.
func (r *raced) racing(at site) bool { return at == r.p || at == r.q }

// at is a suspect at one of the places.
func (r *raced) at(at site) suspect {
	s := suspect{at: at, does: "read", variable: r.name, field: r.variable != nil && r.variable.IsField(), partner: r.p, partnerDoes: r.does[0]}
	if r.places[at].writes > 0 {
		s.does = "write"
	}
	if at == r.p {
		s.partner, s.partnerDoes = r.q, r.does[1]
	}
	return s
}

// raceByLocks finds out which of the places that access the variable of a race are not
// guarded as the others are.
func raceByLocks(c *incident) (list []suspect) {
	r := c.raced()
	if r == nil {
		return nil
	}
	fault := c.raceName(r)
	for _, at := range keyed(r.places) {
		g := r.places[at]
		racing := r.racing(at)
		if !racing && g.share() > nearlyAlways {
			continue
		}
		s := r.at(at)
		s.fault, s.score = fault, 1-guardedShare*g.share()
		if !racing {
			s.score -= notInTheRace
		}
		if g.writes == 0 {
			s.score -= onlyReads
		}
		s.says = c.raceSentence(s, g, r.guards, racing)
		list = append(list, s)
		if racing {
			list = append(list, c.unlockedCalls(s, g)...)
		}
		if g.others > 0 && g.share() < nearlyAlways {
			list = append(list, c.wrongLock(s, g, c.all))
		}
	}
	return list
}

// raceSentence says what is wrong at a place.
func (x *examiner) raceSentence(s suspect, g *guarding, guards int, racing bool) string {
	does := "reads"
	if s.does == "write" {
		does = "writes"
	}
	others := guards
	if g.share() > nearlyAlways {
		others--
	}
	switch {
	case !racing:
		return fmt.Sprintf("%s %s without the lock as well", does, s.variable)
	case g.share() > nearlyAlways:
		return fmt.Sprintf("%s %s under a lock that %s does not hold", does, s.variable, x.src.rel(s.partner))
	case g.others > 0:
		return fmt.Sprintf("%s %s under another lock (acquired at %s) than %s", does, s.variable, x.src.rel(g.other), x.src.rel(s.partner))
	case others > 0:
		return fmt.Sprintf("%s %s without the lock that %s", does, s.variable, holdIt(others))
	case s.partner == s.at:
		return fmt.Sprintf("%s %s in several goroutines at the same time, and nothing orders them", does, s.variable)
	}
	return fmt.Sprintf("%s %s at the same time as %s, and nothing orders the two", does, s.variable, x.src.rel(s.partner))
}

func holdIt(n int) string {
	if n == 1 {
		return "another place holds"
	}
	return fmt.Sprintf("%d other places hold", n)
}

// wrongLock is the acquisition of a lock that guards nothing else: that lock is what
// is wrong, and not the place of the access.
func (x *examiner) wrongLock(s suspect, g *guarding, all []*execution) suspect {
	w := s
	w.at, w.does, w.fault = g.other, "lock", evidence.WrongLock
	w.score = s.score - lockGuardsMore
	if !useful(g.other, s.at, all) {
		w.score = s.score + lockGuardsNone
	}
	lock := x.src.lock(g.other)
	if lock == "" {
		lock = "a lock"
	}
	w.says = fmt.Sprintf("locks %s, which is not the lock that guards %s elsewhere", lock, s.variable)
	return w
}

// useful reports whether what is locked at a place guards anything else than an
// access in common with a section locked elsewhere.
func useful(lock site, but site, all []*execution) bool {
	for _, x := range all {
		for _, word := range objects(x.words) {
			list := x.words[word]
			for _, a := range list {
				number, ok := lockedAt(a.held, lock)
				if !ok || a.at == but {
					continue
				}
				if slices.ContainsFunc(list, func(b access) bool {
					at, held := b.held[number]
					return held && at != lock && (a.write || b.write)
				}) {
					return true
				}
			}
		}
	}
	return false
}

func lockedAt(held map[int32]site, at site) (int32, bool) {
	for _, number := range objects(held) {
		if held[number] == at {
			return number, true
		}
	}
	return 0, false
}

// guardings are those of all places that access what two places have both accessed.
func guardings(p, q site, all []*execution) map[site]*guarding {
	places := map[site]*guarding{}
	for _, x := range all {
		for _, word := range objects(x.words) {
			if list := x.words[word]; shares(list, p, q) {
				guarded(list, places)
			}
		}
	}
	return places
}

// shares reports whether two goroutines access something at these places.
func shares(list []access, p, q site) bool {
	for _, a := range list {
		if a.at != p {
			continue
		}
		for _, b := range list {
			if b.at == q && b.g != a.g {
				return true
			}
		}
	}
	return false
}

// guarded adds the accesses to one object, each with or without the lock that most
// places hold.
func guarded(list []access, places map[site]*guarding) {
	lock, any := guardOf(list)
	for _, a := range list {
		g := places[a.at]
		if g == nil {
			g = &guarding{}
			places[a.at] = g
		}
		g.total++
		if a.write {
			g.writes++
		} else {
			g.reads++
		}
		_, holds := a.held[lock]
		g.came(a, any && holds)
		if any && holds {
			g.guarded++
		} else if any && len(a.held) > 0 {
			g.others++
			g.other = a.held[objects(a.held)[len(a.held)-1]]
		}
	}
}

// guardOf is the lock that is held at most of the places of some accesses, and at
// most accesses if there are several.
func guardOf(list []access) (lock int32, any bool) {
	sites, accesses := map[int32]map[site]bool{}, map[int32]int{}
	for _, a := range list {
		for l := range a.held {
			if sites[l] == nil {
				sites[l] = map[site]bool{}
			}
			sites[l][a.at] = true
			accesses[l]++
		}
	}
	for _, l := range objects(sites) {
		if !any || len(sites[l]) > len(sites[lock]) || len(sites[l]) == len(sites[lock]) && accesses[l] > accesses[lock] {
			lock, any = l, true
		}
	}
	return lock, any
}

// raceName names a race.
func (x *examiner) raceName(r *raced) evidence.Fault {
	p, q, v := r.p, r.q, r.variable
	for _, at := range []site{p, q} {
		if g := r.places[at]; g.others > 0 && g.share() < hardlyHalf {
			return evidence.WrongLock
		}
	}
	for _, pair := range [][2]site{{p, q}, {q, p}} {
		at, other := pair[0], pair[1]
		// Under the lock it is lost only to another write.
		if x.src.updates(at) && r.places[at].writes > 0 && (r.places[at].share() <= nearlyAlways || r.places[other].writes > 0) {
			return evidence.LostUpdate
		}
	}
	for _, at := range []site{p, q} {
		if x.src.conditional(at) {
			if g := r.places[at]; g.writes == 0 {
				return evidence.CheckThenAct
			}
		}
	}
	if r.guards > 0 {
		return evidence.MissingLock
	}
	if v != nil && !v.IsField() && v.Parent() != nil && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() {
		return evidence.CapturedVariable
	}
	if v != nil {
		switch v.Type().Underlying().(type) {
		case *types.Pointer, *types.Map, *types.Slice, *types.Interface:
			return evidence.Publication
		}
	}
	return evidence.DataRace
}
