package locks

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
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
func (of *Model) EntryOf(fn *Func, l Lock, reading bool) Entry {
	m := of.Lock()
	defer of.Unlock()
	if l.Key != anyKey && !m.aboveOf(fn).has(l.Key) {
		return UnheldAtEntry
	}
	key := entryKey{fn, l.Path, l.Key, reading}
	answer, known := m.entered[key]
	if !known {
		q := &entryQuestion{m: m, key: l.Key, reading: reading, asked: make(map[*Func]bool)}
		answer = q.of(fn, []Lock{l})
		m.entered[key] = answer
	}
	return answer
}

// An entryKey is what EntryOf was asked.
type entryKey struct {
	fn      *Func
	path    Path
	key     string
	reading bool
}

// An entryQuestion is how a function is entered with a lock. A function that is being
// asked about adds nothing to itself: it is entered from elsewhere first.
type entryQuestion struct {
	m       *View
	key     string
	reading bool
	asked   map[*Func]bool
	shipped bool // what tests call does not count, unless nobody else does, nor do calls that give what nobody else knows yet
}

func (q *entryQuestion) of(fn *Func, names []Lock) Entry {
	q.asked[fn] = true
	entrances, ok := q.m.entrances(fn)
	if q.shipped && fn.offered() {
		return UnheldAtEntry
	}
	if q.shipped && !fn.File.Test {
		entrances = slices.DeleteFunc(slices.Clone(entrances), func(at entrance) bool { return at.in.File.Test || q.m.ownedAt(at, fn, names) })
	}
	if !ok || len(entrances) == 0 {
		return UnheldAtEntry
	}
	least := HeldAtEntry
	for _, at := range entrances {
		if least = min(least, q.at(at, fn, names)); least == UnheldAtEntry {
			break
		}
	}
	return least
}

// ownedAt reports whether a function is entered for a value that its caller has just made, as a constructor
// does: of the value's locks, those with some names, none is needed then.
func (m *View) ownedAt(at entrance, fn *Func, names []Lock) bool {
	return at.call != nil && fn.object != nil && slices.ContainsFunc(names, func(l Lock) bool {
		return l.Path.Root != nil && m.givesOwned(at.site, fn, l.Path)
	})
}

// at is how a function is entered at one place.
func (q *entryQuestion) at(at entrance, fn *Func, names []Lock) Entry {
	if fn.object != nil { // a literal has the names of the function around it
		var outer []Lock
		for _, l := range names {
			outer = append(outer, q.m.inCaller(at.in, at.call, fn, l)...)
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
	for _, l := range q.m.locksOf(at.in) {
		if l.Key == q.key && l.Key != anyKey && !slices.ContainsFunc(names, func(o Lock) bool { return o.Path == l.Path }) {
			if _, all := q.holds(at, l); all {
				return AlikeAtEntry
			}
		}
	}
	switch {
	case unheld:
		return UnheldAtEntry
	case q.asked[at.in]:
		return HeldAtEntry
	}
	return q.of(at.in, names)
}

// holds reports whether a lock is held on some or on all ways on which a function is
// entered. Where it is not known to be entered, some way may not hold it.
func (q *entryQuestion) holds(at entrance, l Lock) (some, all bool) {
	if !q.m.touches(at.in, l.Key) {
		return false, false
	}
	ways := q.m.waysInto(at, l)
	all = len(ways) > 0
	for way := range ways {
		held := way.write > 0 || q.reading && way.read > 0
		some, all = some || held, all && held
	}
	return some || len(ways) == 0, all
}

// waysInto are the ways to hold a lock on which a function is entered.
func (m *View) waysInto(at entrance, l Lock) map[entry]bool {
	key := wayKey{at.call, at.param, l.Path}
	ways, known := m.ways[key]
	if !known {
		ways = m.findWaysInto(at, l)
		m.ways[key] = ways
	}
	return ways
}

// A wayKey is what waysInto was asked.
type wayKey struct {
	call  *ast.CallExpr
	param int
	lock  Path
}

func (m *View) findWaysInto(at entrance, l Lock) map[entry]bool {
	fr := m.frame(at.in, l)
	fr.through = true
	i := slices.IndexFunc(m.flowsOf(at.in), func(f *flow) bool { return f.lock.Path == l.Path && !f.relocks })
	if i >= 0 && at.in.Up == nil {
		fr.before = m.flowsOf(at.in)[i].before
	} else {
		fr.before = make(map[ast.Node]state)
		fr.run(entry{})
	}
	return fr.enters(at, fr.before[m.madeAt(at.site)])
}

// An entrance is a call by which a function is entered: it names the function, or
// gives it, a literal, as an argument to one that calls it.
type entrance struct {
	site
	param int // -1: the call names it
}

// entrances lists where a function is entered; ok is false where it may be entered in
// a way that is not seen.
func (m *View) entrances(fn *Func) (list []entrance, ok bool) {
	lit, literal := fn.Node.(*ast.FuncLit)
	if literal {
		return m.literalEntrances(fn, lit)
	}
	if fn.object == nil || m.ready().escaped[fn.object] {
		return nil, false
	}
	for _, s := range m.sitesOf(fn) {
		list = append(list, entrance{s, -1})
	}
	return list, true
}

func (m *View) literalEntrances(fn *Func, lit *ast.FuncLit) (list []entrance, ok bool) {
	if fn.Up == nil || m.ready().started[lit] {
		return nil, false
	}
	var holder types.Object // the variable that is declared to be the literal
	for v, value := range m.localsOf(fn).alias {
		if ast.Unparen(value) == ast.Expr(lit) {
			holder = v
		}
	}
	ok = holder == nil || !m.ready().escaped[holder]
	for _, in := range append([]*Func{fn.Decl}, fn.Decl.literals()...) {
		for _, s := range m.callsOf(in) {
			fun := ast.Unparen(s.call.Fun)
			id, _ := fun.(*ast.Ident)
			param := slices.IndexFunc(s.call.Args, func(arg ast.Expr) bool { return ast.Unparen(arg) == ast.Expr(lit) })
			switch {
			case fun == ast.Expr(lit), id != nil && holder != nil && in.info().ObjectOf(id) == holder:
				list = append(list, entrance{s, -1})
			case param >= 0:
				ok = ok && m.onlyCalls(s, param)
				list = append(list, entrance{s, param})
			}
		}
	}
	return list, ok
}

// literals are all in a function, those in others too.
func (fn *Func) literals() []*Func {
	var list []*Func
	for _, lit := range fn.lits {
		list = append(append(list, lit), lit.literals()...)
	}
	return list
}

// onlyCalls reports whether what a call runs does nothing with one of its arguments but
// to call it before it returns.
func (m *View) onlyCalls(s site, param int) bool {
	f := syntax.Callee(s.in.info(), s.call.Fun)
	if syntax.CallsAtOnce(f) {
		return true
	}
	if f == nil || syntax.InterfaceMethod(f) {
		return false
	}
	to := m.declared(f)
	if to == nil || param >= len(to.params) || to.params[param] == nil || m.ready().escaped[to.params[param]] {
		return false
	}
	calls := func(s site) bool {
		id, ok := ast.Unparen(s.call.Fun).(*ast.Ident)
		return ok && s.in.info().ObjectOf(id) == to.params[param]
	}
	later := slices.ContainsFunc(m.callsOf(to), func(s site) bool { return calls(s) && m.deferred(s) })
	for _, lit := range to.literals() {
		later = later || slices.ContainsFunc(m.callsOf(lit), calls)
	}
	return !later
}

// offered reports whether other packages may call the function.
func (fn *Func) offered() bool {
	if fn.object == nil || !fn.object.Exported() || fn.object.Pkg().Name() == "main" {
		return false
	}
	recv := fn.object.Signature().Recv()
	if recv == nil {
		return true
	}
	n, ok := types.Unalias(deref(recv.Type())).(*types.Named)
	return !ok || n.Obj().Exported()
}
