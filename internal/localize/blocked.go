package localize

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
)

// A waiter is a goroutine that is blocked at the end of an execution.
type waiter struct {
	g    int
	at   site
	what string
	obj  int32 // 0: none, or several channels
}

func (w waiter) locks() bool {
	return strings.HasPrefix(w.what, "Mutex.") || strings.HasPrefix(w.what, "RWMutex.")
}

// waiters are those of a failure.
func waiters(f *checker.Failure, own *execution) []waiter {
	places := f.Places
	if own.Failure != nil && len(own.Failure.Places) > 0 {
		places = own.Failure.Places // objects have the numbers of this execution
	}
	return own.waitersAt(places)
}

// waitersAt are the goroutines at some places.
func (x *execution) waitersAt(places []sched.Place) (list []waiter) {
	own := x
	for _, p := range places {
		if g := slices.Index(own.Goroutines, p.Goroutine); g >= 0 && p.File != "" {
			list = append(list, waiter{g, siteOfPlace(p), p.What, p.Obj})
		}
	}
	return list
}

// waitsForLocks explains the waits for locks of goroutines that are blocked together.
func (x *examiner) waitsForLocks(list []waiter, own *execution, all []*execution) []suspect {
	var found []suspect
	for _, w := range list {
		if w.locks() {
			found = append(found, x.waitsForLock(w, list, own, all)...)
		}
	}
	return found
}

// waitsForOthers explains the waits for anything else of goroutines that are blocked
// together.
func (x *examiner) waitsForOthers(list []waiter, own *execution, all []*execution) []suspect {
	locked := slices.ContainsFunc(list, func(w waiter) bool {
		owner, _ := own.owner(w.obj)
		return w.locks() && owner >= 0
	})
	var found []suspect
	for _, w := range list {
		if w.locks() {
			continue
		}
		others := x.waitsForOther(w, own, all)
		for i := range others {
			if locked || x.consequence(w, list, own, all) || own.countsBlocked(w, list) {
				others[i].score *= ofConsequence
			}
		}
		found = append(found, others...)
	}
	return found
}

// consequence reports whether all goroutines that end the same wait in other
// executions are themselves blocked here, elsewhere.
func (x *examiner) consequence(w waiter, list []waiter, own *execution, all []*execution) bool {
	names := map[string]bool{}
	for _, e := range all {
		e.liberators(w, names)
	}
	if w.g < len(own.Goroutines) {
		delete(names, own.Goroutines[w.g])
	}
	for name := range names {
		if !slices.ContainsFunc(list, func(o waiter) bool { return own.Goroutines[o.g] == name && o.at != w.at }) {
			return false
		}
	}
	return len(names) > 0
}

// countsBlocked reports whether a goroutine waits at a wait group for one that is itself
// blocked, and at no wait group.
func (x *execution) countsBlocked(w waiter, list []waiter) bool {
	if !strings.HasPrefix(w.what, "WaitGroup") || w.obj == 0 {
		return false
	}
	for i, e := range x.Events {
		if e.Kind != sched.KindAdd || e.Object != w.obj || e.Operation == "WaitGroup.Done" {
			continue
		}
		child, _ := x.startedAfter(i)
		if slices.ContainsFunc(list, func(o waiter) bool { return o.g == child && !strings.HasPrefix(o.what, "WaitGroup") }) {
			return true
		}
	}
	return false
}

// liberators notes the names of goroutines that end a wait at the place of w.
func (x *execution) liberators(w waiter, names map[string]bool) {
	if x.Failure != nil {
		return
	}
	for _, o := range objects(x.deeds) {
		list := x.deeds[o]
		if !slices.ContainsFunc(list, func(d deed) bool { return d.at == w.at }) {
			continue
		}
		for _, d := range list {
			if frees(d.kind, w.what) && d.g < len(x.Goroutines) && d.g >= 0 {
				names[x.Goroutines[d.g]] = true
			}
		}
	}
}

// waitsForLock explains a wait for a lock by its owner.
func (x *examiner) waitsForLock(w waiter, list []waiter, own *execution, all []*execution) []suspect {
	lock := x.src.lock(w.at)
	if lock == "" {
		lock = "the lock"
	}
	base := suspect{variable: lock, score: waitsForHeldLock}
	owner, got := own.owner(w.obj)
	wait, hold := base, base
	wait.at, wait.does, wait.partner, wait.partnerDoes = w.at, "lock", got, "lock"
	hold.at, hold.does, hold.partner, hold.partnerDoes = got, "lock", w.at, "lock"
	k := slices.IndexFunc(list, func(o waiter) bool { return o.g == owner })
	if owner >= 0 && x.leftLocked(own, owner, w.obj) {
		return x.notReleased(hold, wait, own, owner, w)
	}
	switch {
	case owner < 0:
		wait.fault = evidence.SomeDeadlock
		wait.says = fmt.Sprintf("waits for %s for ever", lock)
		wait.score = waitsForUnknown
		return []suspect{wait}
	case owner == w.g:
		wait.fault, hold.fault = evidence.SelfDeadlock, evidence.SelfDeadlock
		wait.says = fmt.Sprintf("locks %s, which this goroutine has locked already at %s", lock, x.src.rel(got))
		hold.says = fmt.Sprintf("locks %s; at %s the same goroutine locks it again", lock, x.src.rel(w.at))
		hold.score = holdsTheLock
		return []suspect{wait, hold}
	case k >= 0 && list[k].locks() && list[k].obj == w.obj:
		wait.fault, wait.score = evidence.SelfDeadlock, waitsForStuck
		wait.says = fmt.Sprintf("waits for %s, whose reader waits at %s to read it once more, behind this writer", lock, x.src.rel(list[k].at))
		return []suspect{wait}
	case k >= 0 && list[k].locks():
		wait.fault, hold.fault = evidence.LockOrderInversion, evidence.LockOrderInversion
		wait.score += rarity(own, w, all)
		mine := own.lastHeld(w.g)
		wait.says = fmt.Sprintf("waits for %s while it holds %s; its owner waits at %s for another lock", lock, x.lockAt(mine), x.src.rel(list[k].at))
		hold.variable = x.lockAt(got)
		hold.says = fmt.Sprintf("locks %s first, and waits for another lock at %s, whose owner waits for this one at %s", cmp.Or(x.src.lock(got), "a lock"), x.src.rel(list[k].at), x.src.rel(w.at))
		hold.score = holdsTheLock
		return []suspect{wait, hold}
	case k >= 0:
		o := list[k]
		stuck := base
		stuck.at, stuck.does, stuck.partner, stuck.partnerDoes = o.at, o.what, w.at, "lock"
		stuck.fault, hold.fault, wait.fault = evidence.BlockedHoldingLock, evidence.BlockedHoldingLock, evidence.BlockedHoldingLock
		stuck.says = fmt.Sprintf("%s waits for ever while the goroutine holds %s, for which another one waits at %s", o.what, lock, x.src.rel(w.at))
		hold.says = fmt.Sprintf("locks %s, and holds it while it waits at %s", lock, x.src.rel(o.at))
		wait.says = fmt.Sprintf("waits for %s, whose owner waits at %s", lock, x.src.rel(o.at))
		stuck.score, hold.score, wait.score = stuckWithLock, tookBeforeStuck, waitsForStuck
		return []suspect{stuck, hold, wait}
	}
	hold.fault, wait.fault = evidence.LockNotReleased, evidence.LockNotReleased
	hold.says = fmt.Sprintf("locks %s, and the goroutine ends without unlocking it; others wait for it at %s", lock, x.src.rel(w.at))
	wait.says = fmt.Sprintf("waits for %s, which the goroutine that locked it at %s never unlocks", lock, x.src.rel(got))
	hold.score, wait.score = tookAndEnded, waitsForEnded
	list2 := []suspect{hold, wait}
	if end, ok := own.end(owner); ok && end != got {
		left := hold
		left.at, left.does, left.score = end, "return", endedWithLock
		left.says = fmt.Sprintf("is the last that is seen of the goroutine that leaves %s locked", lock)
		list2 = append(list2, left)
	}
	return list2
}

func (x *examiner) lockAt(at site) string {
	if lock := x.src.lock(at); lock != "" {
		return lock + " (" + x.src.rel(at) + ")"
	}
	if at.file == "" {
		return "another lock"
	}
	return "the lock of " + x.src.rel(at)
}

// rarity is more than 0 if a pair of locks is taken in the order of this waiter at
// fewer places than in the other one.
func rarity(own *execution, w waiter, all []*execution) float64 {
	mine := own.lastHeld(w.g)
	if mine.file == "" {
		return 0
	}
	same, inverse := map[[2]site]bool{}, map[[2]site]bool{}
	for _, e := range all {
		nested := e.nestings()
		for pair, sites := range nested {
			if _, ok := sites[[2]site{mine, w.at}]; !ok {
				continue
			}
			for s := range sites {
				same[s] = true
			}
			for s := range nested[[2]int32{pair[1], pair[0]}] {
				inverse[s] = true
			}
		}
	}
	if len(same) < len(inverse) {
		return rareOrder
	}
	return 0
}

// nestings are the places where one lock was taken while another was held, by the
// numbers of the outer and the inner one.
func (x *execution) nestings() map[[2]int32]map[[2]site]bool {
	all := map[[2]int32]map[[2]site]bool{}
	held := map[int]map[int32]site{}
	for _, e := range x.Events {
		if held[e.G] == nil {
			held[e.G] = map[int32]site{}
		}
		switch e.Kind {
		case sched.KindAcquire, sched.KindRAcquire:
			if !e.Took {
				continue
			}
			for outer, at := range held[e.G] {
				pair := [2]int32{outer, e.Object}
				if all[pair] == nil {
					all[pair] = map[[2]site]bool{}
				}
				all[pair][[2]site{at, siteOf(e.Frame)}] = true
			}
			held[e.G][e.Object] = siteOf(e.Frame)
		case sched.KindRelease, sched.KindRRelease:
			delete(held[e.G], e.Object)
		}
	}
	return all
}

// owner is the goroutine that holds a lock at the end, and where it got it; -1: none
// is known.
func (x *execution) owner(lock int32) (g int, at site) {
	if lock == 0 {
		return -1, site{}
	}
	for g := range x.ends {
		if at, ok := x.ends[g][lock]; ok {
			return g, at
		}
	}
	return -1, site{}
}

// lastHeld is where a goroutine got one of the locks that it holds at the end.
func (x *execution) lastHeld(g int) site {
	if g >= len(x.ends) {
		return site{}
	}
	var last site
	for _, number := range objects(x.ends[g]) {
		last = x.ends[g][number]
	}
	return last
}

// end is where a goroutine was last seen before it ended.
func (x *execution) end(g int) (site, bool) {
	var last site
	ended := false
	for _, e := range x.Events {
		if e.G != g {
			continue
		}
		if e.Kind == sched.KindExit {
			ended = true
		} else if e.Frame.File != "" {
			last = siteOf(e.Frame)
		}
	}
	return last, ended && last.file != ""
}

// frees reports whether an operation can end the wait for another one on the same
// object.
func frees(kind sched.Kind, wait string) bool {
	switch {
	case strings.Contains(wait, "receive"):
		return kind == sched.KindSend || kind == sched.KindClose || kind == sched.KindSelect
	case strings.Contains(wait, "send"):
		return kind == sched.KindRecv || kind == sched.KindSelect
	case strings.HasPrefix(wait, "WaitGroup"):
		return kind == sched.KindAdd
	case strings.HasPrefix(wait, "Cond"):
		return kind == sched.KindSignal
	case wait == "select":
		return kind == sched.KindSend || kind == sched.KindRecv || kind == sched.KindClose || kind == sched.KindSelect
	}
	return false
}

// waitsForOther explains a wait for anything but a lock by the operations that end
// it in other executions.
func (x *examiner) waitsForOther(w waiter, own *execution, all []*execution) []suspect {
	if twice := x.releasedTwice(w, own); len(twice) > 0 {
		return twice
	}
	fault := x.waitName(w)
	partners := map[site]string{}
	for _, e := range all {
		e.partners(w, partners)
	}
	came := own.came(w)
	wait := suspect{at: w.at, does: w.what, variable: x.operand(w.at), score: waitsForEver, fault: fault}
	wait.says = fmt.Sprintf("%s waits for ever", w.what)
	var list []suspect
	for _, at := range keyed(partners) {
		if at == w.at {
			continue
		}
		p := suspect{at: at, does: partners[at], variable: wait.variable, partner: w.at, partnerDoes: w.what, fault: fault, score: neverHappens}
		early, late := own.happened(w.obj, at, came)
		switch {
		case early && strings.HasPrefix(w.what, "Cond"):
			p.score, p.fault, wait.fault = lostSignal, evidence.MissedSignal, evidence.MissedSignal
			p.says = fmt.Sprintf("%s comes before anybody waits at %s, and is lost", p.does, x.src.rel(w.at))
			wait.says = fmt.Sprintf("waits for a signal that came before, at %s", x.src.rel(at))
		case early || late:
			p.says = fmt.Sprintf("%s ends the wait at %s in other schedules, and comes too early or too seldom here", p.does, x.src.rel(w.at))
			p.score = tooEarly
		default:
			p.says = fmt.Sprintf("%s ends the wait at %s in other schedules, and does not happen here", p.does, x.src.rel(w.at))
		}
		if wait.partner.file == "" {
			wait.partner, wait.partnerDoes = at, p.does
		}
		list = append(list, p)
	}
	return append(append([]suspect{wait}, list...), x.miscounted(w, own)...)
}

// waitName is the fault of a wait of which nothing is known but what waits.
func (x *examiner) waitName(w waiter) evidence.Fault {
	what := w.what
	if what == "select" {
		what = x.src.selected(w.at)
	}
	switch {
	case strings.Contains(what, "receive"):
		return evidence.ReceiverAlone
	case strings.Contains(what, "send"):
		return evidence.SenderAlone
	case strings.HasPrefix(what, "WaitGroup"):
		return evidence.WaitWithoutDone
	case strings.HasPrefix(what, "Cond"):
		return evidence.MissedSignal
	}
	return evidence.SomeWait
}

// operand is the text of a line, as a name for what it waits for.
func (x *examiner) operand(at site) string { return x.src.text(at) }

// partners notes what ends a wait at the place of w in an execution.
func (x *execution) partners(w waiter, found map[site]string) {
	for _, o := range objects(x.deeds) {
		list := x.deeds[o]
		if !slices.ContainsFunc(list, func(d deed) bool { return d.at == w.at }) && !(w.obj == o && x.Failure != nil && x.Given) {
			continue
		}
		for _, d := range list {
			if frees(d.kind, w.what) {
				found[d.at] = d.what
			}
		}
	}
}

// came is the last event of a waiting goroutine before it began to wait.
func (x *execution) came(w waiter) int {
	if w.g < len(x.last) {
		return x.last[w.g]
	}
	return -1
}

// happened reports whether a place did something to an object before and after an
// event.
func (x *execution) happened(obj int32, at site, event int) (before, after bool) {
	for _, d := range x.deeds[obj] {
		if d.at == at {
			before, after = before || d.index <= event, after || d.index > event
		}
	}
	return before, after
}
