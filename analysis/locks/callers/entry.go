package callers

import (
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/owned"
	"mendel/analysis/locks/program"
)

// An Entry is what is known of a lock when a function is entered.
type Entry int

// Entries, each saying more than the one before.
const (
	UnheldAtEntry Entry = iota // on some way, or nothing is known
	AlikeAtEntry               // one with its key is held on every way, maybe another value's
	HeldAtEntry                // the lock itself is held on every way
)

// EntryOf says whether a lock of a function is held already whenever the function
// is entered, so that it need not take the lock, and cannot: every use of the function
// is a call, by name or by an interface's method, or of a literal that runs where it
// stands, and is made with the lock held or in a function of which the same is true.
// For reading says that it is enough if it is held for reading.
func EntryOf(of *locks.Model, fn *program.Func, l naming.Lock, reading bool) Entry {
	m := of.Lock()
	defer of.Unlock()
	if l.Key != program.AnyKey && !AboveOf(m, fn).has(l.Key) {
		return UnheldAtEntry
	}
	key := entryKey{fn, l.Path, l.Key, reading}
	answer, known := tables.Of(m).entered[key]
	if !known {
		q := &Question{M: m, Key: l.Key, Reading: reading, Asked: make(map[*program.Func]bool)}
		answer = q.Of(fn, []naming.Lock{l})
		tables.Of(m).entered[key] = answer
	}
	return answer
}

// An entryKey is what EntryOf was asked.
type entryKey struct {
	fn      *program.Func
	path    naming.Path
	key     string
	reading bool
}

// A Question is how a function is entered with a lock. A function that is being
// asked about adds nothing to itself: it is entered from elsewhere first.
type Question struct {
	M       *locks.View
	Key     string
	Reading bool
	Asked   map[*program.Func]bool
	Shipped bool // what tests call does not count, unless nobody else does, nor do calls that give what nobody else knows yet
}

// Of is how a function is entered, with the names that it has for the lock.
func (q *Question) Of(fn *program.Func, names []naming.Lock) Entry {
	q.Asked[fn] = true
	entrances, ok := q.M.Entrances(fn)
	if q.Shipped && fn.Offered() {
		return UnheldAtEntry
	}
	if q.Shipped && !fn.File.Test {
		entrances = slices.DeleteFunc(slices.Clone(entrances), func(at locks.Entrance) bool { return at.In.File.Test || ownedAt(q.M, at, fn, names) })
	}
	if !ok || len(entrances) == 0 {
		return UnheldAtEntry
	}
	least := HeldAtEntry
	for _, at := range entrances {
		if least = min(least, q.At(at, fn, names)); least == UnheldAtEntry {
			break
		}
	}
	return least
}

// ownedAt reports whether a function is entered for a value that its caller has just made, as a constructor
// does: of the value's locks, those with some names, none is needed then.
func ownedAt(m *locks.View, at locks.Entrance, fn *program.Func, names []naming.Lock) bool {
	return at.Call != nil && fn.Object != nil && slices.ContainsFunc(names, func(l naming.Lock) bool {
		return l.Path.Root != nil && owned.GivesOwned(m, at, fn, l.Path)
	})
}

// At is how a function is entered at one place.
func (q *Question) At(at locks.Entrance, fn *program.Func, names []naming.Lock) Entry {
	if fn.Object != nil { // a literal has the names of the function around it
		var outer []naming.Lock
		for _, l := range names {
			outer = append(outer, q.M.InCaller(at.In, at.Naming(fn), fn, l)...)
		}
		names = outer
	}
	unheld := false
	for _, l := range names {
		switch some, all := q.holds(at, l); {
		case all:
			return HeldAtEntry
		case some:
			unheld = true // on another way
		}
	}
	for _, l := range q.M.Locks(at.In) {
		if l.Key == q.Key && l.Key != program.AnyKey && !slices.ContainsFunc(names, func(o naming.Lock) bool { return o.Path == l.Path }) {
			if _, all := q.holds(at, l); all {
				return AlikeAtEntry
			}
		}
	}
	switch {
	case unheld:
		return UnheldAtEntry
	case q.Asked[at.In]:
		return HeldAtEntry
	}
	return q.Of(at.In, names)
}

// holds reports whether a lock is held on some or on all ways on which a function is
// entered. Where it is not known to be entered, some way may not hold it.
func (q *Question) holds(at locks.Entrance, l naming.Lock) (some, all bool) {
	if !q.M.Touches(at.In, l.Key) {
		return false, false
	}
	ways := q.M.WaysInto(at, l)
	all = len(ways) > 0
	for way := range ways {
		held := way.Write > 0 || q.Reading && way.Read > 0
		some, all = some || held, all && held
	}
	return some || len(ways) == 0, all
}
