package explore

import "mendel/checker/sched"

// fairness keeps a goroutine that waits in a loop from starving the one it
// waits for: Musuvathi and Qadeer, "Fair Stateless Model Checking" (PLDI 2008),
// section 3. A goroutine that yields twice is not chosen again while a
// goroutine is enabled that was enabled all the time between the two yields, or
// was disabled by it, and was not scheduled. The relation "is not chosen before"
// is acyclic, so some goroutine can always go on.
//
// Deviation: Go programs also spin without yielding. A goroutine that repeats
// the same one to maxPeriod operations spinRounds times counts as yielding.
type fairness struct {
	goroutines []window
	yields     bool   // one of goroutines has yielded
	before     []bool // goroutines enabled before the last step, if one has yielded
	stepped    bool
	stepper    int // that made the last step
	last       act // which it was
}

// An act is the part of an operation by which loops are recognised.
type act struct {
	kind sched.Kind
	obj  int32
}

const (
	spinRounds = 32 // guessed: above the usual unrolled loop of a test
	maxPeriod  = 4  // lock, look, unlock and one more
)

// A window is what happened since a goroutine's last yield.
type window struct {
	yielded   bool
	enabled   []bool // goroutines enabled in every state since
	disabled  []bool // goroutines that its own steps disabled
	scheduled []bool
	after     []int // not chosen while one of these is enabled

	recent [maxPeriod]act // its last operations, by count modulo maxPeriod
	count  int
	equal  [maxPeriod + 1]int // steps in a row that equal the one so many steps before
}

func (f *fairness) reset() {
	f.goroutines = f.goroutines[:0]
	f.before = f.before[:0]
	f.stepped, f.yields = false, false
}

// arrive notes a state: what is enabled, and whether the goroutine that made the
// last step asked to be passed over.
func (f *fairness) arrive(enabled []sched.Pending, yielding bool) {
	if f.yields {
		for i := range f.goroutines {
			if w := &f.goroutines[i]; w.yielded {
				w.enabled = intersect(w.enabled, enabled)
			}
		}
	}
	if f.stepped {
		w := f.window(f.stepper)
		if w.yielded {
			for g, was := range f.before {
				if was && sched.Index(enabled, g) < 0 {
					w.disabled = with(w.disabled, g)
				}
			}
		}
		if w.spins(f.last) || yielding {
			w.yield(f.stepper, enabled)
			f.yields = true
		}
	}
	if !f.yields {
		return
	}
	clear(f.before)
	for _, p := range enabled {
		f.before = with(f.before, p.G)
	}
}

// step notes which operation was chosen.
func (f *fairness) step(p sched.Pending) {
	f.stepped, f.stepper, f.last = true, p.G, act{p.Kind, p.Obj}
	f.window(p.G)
	if !f.yields {
		return
	}
	for i := range f.goroutines {
		w := &f.goroutines[i]
		if w.yielded {
			w.scheduled = with(w.scheduled, p.G)
		}
		for k := len(w.after) - 1; k >= 0; k-- {
			if w.after[k] == p.G {
				w.after = append(w.after[:k], w.after[k+1:]...)
			}
		}
	}
}

// barred reports whether g must let another of the enabled goroutines go first.
func (f *fairness) barred(g int, enabled []sched.Pending) bool {
	if g >= len(f.goroutines) {
		return false
	}
	for _, u := range f.goroutines[g].after {
		if sched.Index(enabled, u) >= 0 {
			return true
		}
	}
	return false
}

func (f *fairness) window(g int) *window {
	for len(f.goroutines) <= g {
		if len(f.goroutines) < cap(f.goroutines) {
			f.goroutines = f.goroutines[:len(f.goroutines)+1]
			w := &f.goroutines[len(f.goroutines)-1]
			w.yielded, w.count, w.after = false, 0, w.after[:0]
			clear(w.equal[:])
		} else {
			f.goroutines = append(f.goroutines, window{})
		}
	}
	return &f.goroutines[g]
}

// yield ends a window and begins the next.
func (w *window) yield(self int, enabled []sched.Pending) {
	if w.yielded {
		for g := range max(len(w.enabled), len(w.disabled)) {
			if g != self && !has(w.scheduled, g) && (has(w.enabled, g) || has(w.disabled, g)) {
				w.after = append(w.after, g)
			}
		}
	}
	w.yielded = true
	clear(w.enabled)
	clear(w.disabled)
	clear(w.scheduled)
	for _, p := range enabled {
		w.enabled = with(w.enabled, p.G)
	}
}

// spins records an operation and reports whether it ends spinRounds rounds of the
// same operations.
func (w *window) spins(a act) bool {
	spinning := false
	for d := 1; d <= maxPeriod; d++ {
		if w.count < d || w.recent[uint(w.count-d)%maxPeriod] != a || a.obj == 0 && a.kind != sched.KindSelect {
			w.equal[d] = 0
			continue
		}
		if w.equal[d]++; w.equal[d] >= d*(spinRounds-1) {
			spinning = true
		}
	}
	w.recent[uint(w.count)%maxPeriod] = a
	w.count++
	if spinning {
		clear(w.equal[:])
	}
	return spinning
}

func has(set []bool, g int) bool { return g < len(set) && set[g] }

func with(set []bool, g int) []bool {
	for len(set) <= g {
		set = append(set, false)
	}
	set[g] = true
	return set
}

func intersect(set []bool, enabled []sched.Pending) []bool {
	for g, in := range set {
		if in && sched.Index(enabled, g) < 0 {
			set[g] = false
		}
	}
	return set
}
