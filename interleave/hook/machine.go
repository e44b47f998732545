package hook

const (
	maxHeld     = 64 // goroutines that are held at a time; others go on
	maxAttempts = 64 // attempts in a run, after which the program is left alone; guessed
	maxLate     = 64 // goroutines that begin late in a run; guessed
)

// foreign and delayed stand for a step of those who are held without having one.
const (
	foreign = -1 // it would come between two ends of a dependency
	delayed = -2 // it begins late
)

// A hold is a goroutine that is held before an access.
type hold struct {
	id     uint64 // 0: a free entry
	step   int
	object uint64
}

// A machine brings a script about: it says who is held, and who goes on. It knows
// nothing of how a goroutine waits. Steps are made in order. Who comes to a step
// too early is held until its turn; who comes to the first end of a dependency is
// held until another goroutine is at its second end, or until nothing else can go
// on. Then it goes, and as long as the second end is missing (the paper's watch
// mode) others are held that touch the location; if one of the two goroutines
// does, the attempt is given up and a new one begins.
type machine struct {
	steps   [4]step
	n       int
	swap    bool // the last two steps may come in either order
	done    int  // steps made
	who     [2]uint64
	what    [2]uint64
	going   uint64 // goroutine that makes the last step, and may not have done so yet
	leaving bool   // that goroutine still waits, though it may go
	held    [maxHeld]hold
	exposed bool // the last step may be made
	over    bool // it is made
	spent   bool // no more attempts
	gaveUp  uint64
	holds   uint64
	delays  int
	random  uint64
}

// begin prepares the machine for a script.
//
//go:norace
func (m *machine) begin(s Script) {
	*m = machine{random: mix(s.Seed), swap: s.Idiom == 5}
	for i, part := range shapes[s.Idiom] {
		m.steps[i] = step{s.Sites[part.end], part.role, part.place, part.meets}
		m.n++
	}
}

// concerned reports whether an access may matter, without the machine's lock.
//
//go:norace
func (m *machine) concerned(site uint32, object uint64) bool {
	for k := 0; k < m.n; k++ {
		if m.steps[k].site == site {
			return true
		}
	}
	return m.done > 0 && (m.what[0] == object || m.what[1] == object)
}

// arrive is told of a goroutine that comes to an access. It reports whether the
// goroutine is held.
//
//go:norace
func (m *machine) arrive(id uint64, site uint32, object uint64) bool {
	if m.over || m.spent {
		return false
	}
	k, taken := m.match(id, site, object)
	switch {
	case k < 0 && taken:
		return false
	case k < 0:
		return m.passer(id, object)
	case taken && m.chance(1, 2): // another candidate for a step whose goroutine waits
		return false
	case taken:
		m.free(k)
	}
	if !m.hold(id, k, object) {
		return false
	}
	m.advance()
	if m.isHeld(id) {
		return true
	}
	m.leaves(id)
	return false
}

// leaves is told of a goroutine that is not held any more, and does not wait.
//
//go:norace
func (m *machine) leaves(id uint64) {
	if m.going == id {
		m.leaving = false
	}
}

// match finds the step that an access may be. taken says that another goroutine is
// held before it; without a step, that one of the script's sites was reached by
// somebody whom it does not concern.
//
//go:norace
func (m *machine) match(id uint64, site uint32, object uint64) (k int, taken bool) {
	first := -1
	for k := m.done; k < m.n; k++ {
		if m.steps[k].site != site || !m.fits(k, id, object) {
			continue
		}
		if m.at(k) < 0 {
			return k, false
		}
		if first < 0 {
			first = k
		}
	}
	return first, first >= 0
}

// fits reports whether a goroutine may make step k at a location.
//
//go:norace
func (m *machine) fits(k int, id, object uint64) bool {
	s := m.steps[k]
	if w := m.who[s.role]; w != 0 && w != id || w == 0 && m.who[1-s.role] == id {
		return false
	}
	if x := m.what[s.place]; x != 0 && x != object || x == 0 && m.what[1-s.place] == object {
		return false
	}
	for j := m.done; j < k; j++ {
		if m.steps[j].role == s.role && !(m.swap && j == 2 && k == 3) {
			return false // it has an earlier step to make
		}
		if h := m.at(j); h >= 0 && m.steps[j].place == s.place && m.held[h].object != object {
			return m.chance(1, 2) && m.retarget(j)
		}
	}
	return true
}

// retarget lets a goroutine go that waits before step j at another location, in
// favour of a new candidate. After the first half of a script this is less likely.
//
//go:norace
func (m *machine) retarget(j int) bool {
	if m.done > 0 && !m.chance(1, 5) {
		return false
	}
	m.free(j)
	return true
}

// passer is a goroutine that touches a location outside the script.
//
//go:norace
func (m *machine) passer(id, object uint64) bool {
	if !m.watched(object) || m.going == id {
		return false
	}
	if m.exposed {
		return m.hold(id, foreign, object) // until the last step is made
	}
	if id == m.who[0] || id == m.who[1] {
		if m.bars(id, object) {
			m.giveUp()
		}
		return false
	}
	return m.hold(id, foreign, object)
}

// watched reports whether a location is one between whose accesses nothing may come.
//
//go:norace
func (m *machine) watched(object uint64) bool {
	return m.done > 0 && (m.what[0] == object || m.what[1] == object)
}

// bars reports whether an access by one of the two goroutines breaks the script: it
// comes between the ends of a dependency, or the goroutine that is to be
// interrupted touches its own location.
//
//go:norace
func (m *machine) bars(id, object uint64) bool {
	for k := m.done; k < m.n; k++ {
		s := m.steps[k]
		if m.what[s.place] != object {
			continue
		}
		if k == m.done || m.who[s.role] == id && s.place == m.steps[0].place {
			return true
		}
	}
	return false
}

// advance makes the steps whose goroutines are there.
//
//go:norace
func (m *machine) advance() {
	for m.going == 0 && !m.exposed {
		h := m.at(m.done)
		if h < 0 || m.steps[m.done].meets && !m.partner(h) {
			return
		}
		m.make(h)
	}
}

// partner reports whether another goroutine is at the step after the next one, and
// at the same location if they are the ends of a dependency.
//
//go:norace
func (m *machine) partner(h int) bool {
	p := m.at(m.done + 1)
	if p < 0 || m.held[p].id == m.held[h].id {
		return false
	}
	same := m.steps[m.done].place == m.steps[m.done+1].place
	return same == (m.held[p].object == m.held[h].object)
}

// make lets the goroutine of entry h make the next step.
//
//go:norace
func (m *machine) make(h int) {
	w, s := m.held[h], m.steps[m.done]
	m.held[h] = hold{}
	m.who[s.role], m.what[s.place] = w.id, w.object
	m.going, m.leaving = w.id, true
	m.done++
	m.exposed = m.done == m.n
}

// went is told that a goroutine has passed a hook, so that its last access is made.
//
//go:norace
func (m *machine) went(id uint64) {
	if m.going == id {
		m.made()
	}
}

// made is the moment after a step.
//
//go:norace
func (m *machine) made() {
	m.going = 0
	if m.exposed {
		m.over = true
		m.release()
		return
	}
	m.advance()
}

// still is told that nothing but held goroutines can go on.
//
//go:norace
func (m *machine) still() {
	if m.going != 0 && m.leaving {
		return // it can
	}
	if m.going != 0 {
		m.made() // it is blocked, or has ended: the access is made, or under way
		return
	}
	if m.first(delayed) {
		return // it can go on, now
	}
	if m.over || m.spent {
		m.release()
		return
	}
	if h := m.at(m.done); h >= 0 {
		m.make(h)
		return
	}
	if m.swap && m.done == 2 && m.at(3) >= 0 {
		m.steps[2], m.steps[3] = m.steps[3], m.steps[2]
		for i := range m.held {
			if m.held[i].id != 0 && m.held[i].step == 3 {
				m.held[i].step = 2
			}
		}
		m.make(m.at(2))
		return
	}
	m.giveUp()
}

// giveUp ends an attempt: everybody goes on, and a new one may begin.
//
//go:norace
func (m *machine) giveUp() {
	m.done, m.going = 0, 0
	m.who, m.what = [2]uint64{}, [2]uint64{}
	m.gaveUp++
	m.spent = m.gaveUp >= maxAttempts
	m.release()
}

// late is told of a goroutine that begins. It reports whether it is held.
//
//go:norace
func (m *machine) late(id uint64) bool {
	if m.delays == maxLate || m.exposed || m.spent {
		return false
	}
	m.delays++
	return m.hold(id, delayed, 0)
}

// hold enters a goroutine. It returns false if there is no room.
//
//go:norace
func (m *machine) hold(id uint64, k int, object uint64) bool {
	for i := range m.held {
		if m.held[i].id == 0 {
			m.held[i] = hold{id, k, object}
			m.holds++
			return true
		}
	}
	return false
}

// at returns the entry of the goroutine that is held before a step; -1 if none is.
//
//go:norace
func (m *machine) at(k int) int {
	for i := range m.held {
		if m.held[i].id != 0 && m.held[i].step == k {
			return i
		}
	}
	return -1
}

// first frees the goroutine with the lowest number among those held for one reason.
//
//go:norace
func (m *machine) first(k int) bool {
	found := -1
	for i := range m.held {
		if h := m.held[i]; h.id != 0 && h.step == k && (found < 0 || h.id < m.held[found].id) {
			found = i
		}
	}
	if found >= 0 {
		m.held[found] = hold{}
	}
	return found >= 0
}

// free lets the goroutine go that is held before a step.
//
//go:norace
func (m *machine) free(k int) {
	if h := m.at(k); h >= 0 {
		m.held[h] = hold{}
	}
}

// release lets all go but those that begin late.
//
//go:norace
func (m *machine) release() {
	for i := range m.held {
		if m.held[i].step != delayed || m.exposed || m.spent {
			m.held[i] = hold{}
		}
	}
}

//go:norace
func (m *machine) isHeld(id uint64) bool {
	for i := range m.held {
		if m.held[i].id == id {
			return true
		}
	}
	return false
}

// chance is true in a of b cases.
//
//go:norace
func (m *machine) chance(a, b uint64) bool {
	m.random = mix(m.random)
	return m.random%b < a
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood 2014, figure 15).
//
//go:norace
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
