package locks

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis"
)

// A Finding is what is wrong with the locks of a changed program that the original's use
// of its locks, or the change itself, shows to be wrong.
type Finding struct {
	Kind FindingKind
	File string // module-relative
	Line int    // of the changed program
	Func string
	Var  string // the field or variable that is left out or misguarded; "" where it is about none
	What string // the sentence, without the place
}

// A FindingKind is what kind of thing is wrong.
type FindingKind string

// Kinds of findings.
const (
	LeftOut      FindingKind = "left-out"      // a variable that the change guards is used without the lock elsewhere
	Unguarded    FindingKind = "unguarded"     // the change leaves a use without the lock that it had
	HeldLonger   FindingKind = "held-longer"   // what may need a lock, or the lock is let go for, is under it now
	HeldMaybe    FindingKind = "held-maybe"    // a wait is under a lock now, for goroutines that run code of others
	PauseLeft    FindingKind = "pause-left"    // a wait, or code of others, is under a lock, as the change mends it elsewhere
	ToldLate     FindingKind = "told-late"     // others are told of a change without the lock under which it is made
	RingLeft     FindingKind = "ring"          // locks are taken in a circle
	WokenOne     FindingKind = "wakes-one"     // one waiter of several kinds is woken
	NotWoken     FindingKind = "wakes-none"    // a change that waiters wait for wakes nobody
	WaitsOn      FindingKind = "waits-on"      // a send does not end with the context, as another does now
	Remade       FindingKind = "remade"        // what synchronises is replaced while others use it
	RelockLeft   FindingKind = "relock"        // a lock is taken where it is held, as the change mends it elsewhere
	SplitSection FindingKind = "split-section" // what was one section is two
	SplitLeft    FindingKind = "split-left"    // a section stays split, as the change mends it elsewhere
	ReadEarly    FindingKind = "reads-early"   // a function that is returned no longer reads a variable when it runs
	ClosedUnder  FindingKind = "closed-under"  // a send leaves the lock under which its channel is closed
	WrongLock    FindingKind = "wrong-lock"    // uses of a variable are under locks that do not exclude each other
)

func (f Finding) String() string {
	return fmt.Sprintf("%s: %s in %s (%s:%d)", f.Kind, f.What, f.Func, f.File, f.Line)
}

// Changes finds what is wrong with the locks of a program some packages of which are
// replaced, as [analysis.Program.Recheck] returns them, beside the program as it was. What
// was wrong before, and is not touched, is no finding. What packages do that can have
// nothing to do with these is not looked at.
func Changes(p *analysis.Program, fset *token.FileSet, pkgs []*analysis.Package) []Finding {
	before := New(p)
	after := before.Patched(p, fset, pkgs)
	before.scope = importersOf(p, pkgs)
	after.scope = before.scope
	defer before.Unlock()
	defer after.Unlock()
	return compare(before.Lock(), after.Lock())
}

// importersOf are the paths of some packages and of those that import them, directly or not.
func importersOf(p *analysis.Program, pkgs []*analysis.Package) map[string]bool {
	found := make(map[string]bool)
	for _, pkg := range pkgs {
		found[pkg.Path] = true
	}
	for changed := true; changed; {
		changed = false
		for _, pkg := range p.Packages {
			if found[pkg.Path] || pkg.Types == nil {
				continue
			}
			if slices.ContainsFunc(pkg.Types.Imports(), func(to *types.Package) bool { return found[to.Path()] }) {
				found[pkg.Path], changed = true, true
			}
		}
	}
	return found
}

// compare finds what is wrong in a program that was changed.
func compare(before, after *View) []Finding {
	c := &comparison{before: before, after: after, was: usesByKey(before), now: usesByKey(after)}
	for _, key := range slices.Sorted(maps.Keys(c.now)) {
		c.leftOut(key)
		c.leftBeside(key)
		c.leftKin(key)
		c.leftCaptured(key)
		c.leftAtCalls(key)
		c.leftPlain(key)
		if len(c.now[key]) > 0 && !c.now[key][0].Atomic {
			c.dropped(key)
			c.rivals(key)
		}
	}
	c.leftTaken()
	c.handsOut()
	c.waitsOn()
	c.pauses()
	c.pausesLeft()
	c.telling()
	c.order()
	c.kinOrder()
	c.gates()
	c.conditions()
	c.remade()
	c.closing()
	c.relocks()
	c.torn()
	c.reopened()
	c.splits()
	c.splitsLeft()
	c.leftBehind()
	c.windows()
	c.early()
	slices.SortFunc(c.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What))
	})
	return c.once()
}

// once are the findings, each kind of use of a function once, where it comes first.
func (c *comparison) once() []Finding {
	type use struct {
		kind       FindingKind
		fn, is, of string
	}
	seen := make(map[use]bool)
	return slices.DeleteFunc(c.found, func(f Finding) bool {
		u := use{f.Kind, f.Func, f.What, f.File}
		again := seen[u]
		seen[u] = true
		return again
	})
}

// A comparison is of two programs.
type comparison struct {
	before, after *View
	was, now      map[string][]Use // by key of the variable, those at which others can get in the way
	found         []Finding
}

func usesByKey(m *View) map[string][]Use {
	byKey := make(map[string][]Use)
	for _, u := range m.allUsesOf() {
		if !u.Alone {
			byKey[u.Key] = append(byKey[u.Key], u)
		}
	}
	return byKey
}

func (c *comparison) report(kind FindingKind, u Use, format string, args ...any) {
	c.reportAt(kind, u.In, u.At, u.Name, format, args...)
}

func (c *comparison) reportAt(kind FindingKind, in *Func, at ast.Node, name, format string, args ...any) {
	pos := c.after.fset.PositionFor(at.Pos(), false)
	c.found = append(c.found, Finding{
		Kind: kind, File: in.File.Rel, Line: pos.Line, Func: in.Label(), Var: name, What: fmt.Sprintf(format, args...),
	})
}

// Label names a function for people: "(*Account).Deposit".
func (fn *Func) Label() string {
	if fn.Decl == nil {
		return fn.Name
	}
	decl, ok := fn.Decl.Node.(*ast.FuncDecl)
	if !ok || fn.Decl.object == nil {
		return fn.Name
	}
	name := decl.Name.Name
	if recv := fn.Decl.object.Signature().Recv(); recv != nil {
		t := recv.Type()
		star := ""
		if deref(t) != t {
			star = "*"
		}
		key := typeKey(t)
		name = "(" + star + key[strings.LastIndex(key, ".")+1:] + ")." + name
	}
	return name
}

// held are the uses at which a lock is always held.
func (m *View) held(uses []Use, key string) (held, not []Use) {
	for _, u := range uses {
		if m.guards(u, key) == Always {
			held = append(held, u)
		} else {
			not = append(not, u)
		}
	}
	return held, not
}

func (m *View) keysAt(uses []Use) []string {
	var keys []string
	for _, u := range uses {
		keys = append(keys, m.locksAt(u)...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func written(uses ...[]Use) bool {
	return slices.ContainsFunc(uses, func(list []Use) bool { return slices.ContainsFunc(list, func(u Use) bool { return u.Write }) })
}

// readOrWritten counts the uses that do not only lead to others.
func readOrWritten(uses []Use) (n int) {
	for _, u := range uses {
		if !u.Leads {
			n++
		}
	}
	return n
}

// leftOut finds the uses of a variable without a lock that the change puts around others.
func (c *comparison) leftOut(key string) {
	uses := c.now[key]
	if !written(uses) {
		return
	}
	for _, lock := range c.after.keysAt(uses) {
		held, not := c.after.held(uses, lock)
		had, _ := c.before.held(c.was[key], lock)
		if len(held) <= len(had) || c.guardedOtherwise(key, lock) {
			continue
		}
		if !written(not) && readOrWritten(held) <= readOrWritten(had) {
			continue // the lock is put around what the pointer leads to, and guarded that before
		}
		asked := slices.ContainsFunc(held, func(u Use) bool { return !u.Write })
		for _, u := range not {
			if u.Atomic && !(u.Write && asked) && !c.inStep(u, lock) || !c.after.mayKnow(u, lock) || c.after.onlyWriter(uses, u) || c.after.takenOut(u, uses) {
				continue
			}
			if lent(u, lock) {
				continue
			}
			if c.after.open(u, lock) && (u.Write || written(held)) {
				c.report(LeftOut, u, "%s is %s without %s, which the change puts around other uses of it", u.Name, verb(u), shortKey(lock))
			}
		}
	}
}

// lent reports whether a use reads a field of what the function was given, and the lock is one of values of another type,
// as a pool's lock guards what its resources have: who has taken one out may read it without.
func lent(u Use, lock string) bool {
	of, _ := cutKey(u.Key)
	by, _ := cutKey(lock)
	if u.Write || of == by || !isType(of) || !isType(by) || u.base.Root == nil || u.base.Text != "" {
		return false
	}
	for fn := u.In; fn != nil; fn = fn.Up {
		if u.base.Root == fn.recv || slices.Contains(fn.params, u.base.Root) {
			return true
		}
	}
	return false
}

// isType reports whether the owner that a key begins with is a type, and no package or function.
func isType(owner string) bool {
	return strings.Contains(owner[strings.LastIndex(owner, "/")+1:], ".") && !strings.Contains(owner, ":")
}

// open reports whether no lock is held at a use, but for another value's with the key of the one that
// should be.
func (m *View) open(u Use, lock string) bool {
	return !slices.ContainsFunc(m.locksAt(u), func(key string) bool { return key != lock || m.guards(u, lock) != Never })
}

// leftBeside finds the uses without a lock of a variable that is only written under it, where
// the change mends the same of another field in a function that uses both: puts it under the
// lock, or makes it atomic.
func (c *comparison) leftBeside(key string) {
	uses := c.now[key]
	writes := slices.DeleteFunc(slices.Clone(uses), func(u Use) bool { return !u.Write })
	if len(writes) == 0 || uses[0].Atomic {
		return
	}
	for _, lock := range c.after.keysAt(writes) {
		_, without := c.after.held(writes, lock)
		_, not := c.after.held(uses, lock)
		if len(without) > 0 || !slices.ContainsFunc(not, func(u Use) bool { return c.mendsBeside(u, lock) }) {
			continue
		}
		for _, u := range not {
			if c.after.open(u, lock) && c.after.mayKnow(u, lock) && !c.after.onlyWriter(uses, u) && !lent(u, lock) {
				c.report(LeftOut, u, "%s is read without %s, under which it is written, as the change mends it for what is used beside it", u.Name, shortKey(lock))
			}
		}
	}
}

// mendsBeside reports whether the change guards the uses, in the function of a use and of the
// same value, of another variable that is written under a lock and had none there.
func (c *comparison) mendsBeside(u Use, lock string) bool {
	for key, uses := range c.now {
		guarded := func(o Use) bool {
			return o.In.Name == u.In.Name && o.base == u.base && (o.Atomic || c.after.guards(o, lock) == Always)
		}
		open := func(o Use) bool { return o.In.Name == u.In.Name && !o.Atomic && len(c.before.locksAt(o)) == 0 }
		written := func(o Use) bool { return o.Write && c.before.guards(o, lock) == Always }
		if key != u.Key && u.base.known() && slices.ContainsFunc(uses, guarded) &&
			slices.ContainsFunc(c.was[key], open) && slices.ContainsFunc(c.was[key], written) {
			return true
		}
	}
	return false
}

// inStep reports whether the function of an atomic read reads or changes another atomic
// variable of the same value, too, which is changed under a lock now: both belong together.
func (c *comparison) inStep(u Use, lock string) bool {
	for key, uses := range c.now {
		beside := func(o Use) bool { return o.Atomic && o.In == u.In && o.base == u.base }
		changed := func(o Use) bool {
			return o.Write && c.after.guards(o, lock) == Always && !c.heldBefore(key, o, lock)
		}
		if key != u.Key && slices.ContainsFunc(uses, beside) && slices.ContainsFunc(uses, changed) {
			return true
		}
	}
	return false
}

// heldBefore reports whether a function changed a variable under a lock before, too, in
// whatever mode: the lock for reading is enough for what is atomic.
func (c *comparison) heldBefore(key string, now Use, lock string) bool {
	return slices.ContainsFunc(c.was[key], func(u Use) bool {
		return u.Write && u.In.Name == now.In.Name && slices.Contains(c.before.locksAt(u), lock)
	})
}

// guardedOtherwise reports whether another lock was held at all writes of a variable before:
// the one that is held now, too, is about something else.
func (c *comparison) guardedOtherwise(key, lock string) bool {
	was := slices.DeleteFunc(slices.Clone(c.was[key]), func(u Use) bool { return !u.Write })
	return len(was) > 0 && slices.ContainsFunc(c.before.keysAt(was), func(other string) bool {
		_, not := c.before.held(was, other)
		return other != lock && len(not) == 0
	})
}

// onlyWriter reports whether a use is a read in the function that alone writes the variable:
// it needs the lock to write, and none to read. The literal of several goroutines is no such function.
func (m *View) onlyWriter(uses []Use, u Use) bool {
	return !u.Write && !m.startedAgain(u.In, u.obj) && !slices.ContainsFunc(uses, func(o Use) bool { return o.Write && o.In != u.In })
}

// mayKnow reports whether the function of a use can name a lock at all: that of the value
// which the variable is part of, of its receiver or a parameter, or a package variable.
func (m *View) mayKnow(u Use, lock string) bool {
	owner, _ := cutKey(lock)
	if !strings.Contains(owner[strings.LastIndex(owner, "/")+1:], ".") {
		return true // a package variable, or a local one
	}
	if m.ownerIn(u.base, lock).known() {
		return true
	}
	for fn := u.In; fn != nil; fn = fn.Up {
		for _, v := range append(slices.Clone(fn.params), fn.recv) {
			if v != nil && typeKey(v.Type()) == owner {
				return true
			}
		}
	}
	return false
}

func verb(u Use) string {
	if u.Write {
		return "written"
	}
	return "read"
}

// shortKey is the key of a lock for people: "Account.mu".
func shortKey(key string) string {
	key = key[strings.LastIndex(key, "/")+1:]
	if first, rest, ok := strings.Cut(key, "."); ok && strings.Contains(rest, ".") {
		_ = first
		return rest
	}
	if _, local, ok := strings.Cut(key, ":"); ok {
		return local
	}
	return key[strings.LastIndex(key, ".")+1:]
}

// dropped finds the uses of a variable that had a lock in a function and have none any more.
func (c *comparison) dropped(key string) {
	uses := c.now[key]
	if !written(uses) {
		return
	}
	for _, u := range uses {
		if len(c.after.locksAt(u)) > 0 {
			continue
		}
		var lock string
		all := false
		for _, w := range c.was[key] {
			if w.In.Decl == nil || u.In.Decl == nil || w.In.Decl.Name != u.In.Decl.Name || w.Write != u.Write {
				continue
			}
			locks := c.before.locksAt(w)
			if len(locks) == 0 {
				all = false
				break
			}
			lock, all = locks[0], true
		}
		if all {
			c.report(Unguarded, u, "%s is %s without %s, which it was under", u.Name, verb(u), shortKey(lock))
		}
	}
}

// rivals finds a variable whose uses are under locks that do not exclude each other, and
// were not before.
func (c *comparison) rivals(key string) {
	rivals := func(m *View, uses []Use) (Use, Use, bool) {
		written, used := m.byLocks(uses)
		for _, a := range written {
			for _, b := range used {
				la, lb := m.locksAt(a), m.locksAt(b)
				if !slices.ContainsFunc(la, func(k string) bool { return slices.Contains(lb, k) }) {
					return a, b, true
				}
			}
		}
		return Use{}, Use{}, false
	}
	if _, _, had := rivals(c.before, c.was[key]); had {
		return
	}
	if a, b, has := rivals(c.after, c.now[key]); has {
		c.report(WrongLock, a, "%s is written under %s, and %s under %s elsewhere", a.Name, shortKey(c.after.locksAt(a)[0]), verb(b), shortKey(c.after.locksAt(b)[0]))
	}
}

// pauses finds what the change puts under a lock that may take long: it waits for other
// goroutines, or is code that somebody else has given; or the original lets the lock go for it.
func (c *comparison) pauses() {
	had, around := make(map[[2]string]bool), make(map[[2]string]bool)
	before := make(map[string]bool) // under any lock
	for _, p := range c.before.pausesHeld() {
		if !c.before.sendsToOwn(p) {
			had[[2]string{p.lock, p.Key}], before[p.Key] = true, true
		}
	}
	for _, p := range c.before.pausesAround() {
		around[[2]string{p.lock, p.Key}] = true
	}
	known, locks := c.before.allPauses(), c.before.keys()
	for _, p := range c.after.pausesHeld() {
		is := [2]string{p.lock, p.Key}
		switch {
		case !known[p.Key] || had[is] || c.after.sendsToOwn(p):
		case around[is]:
			c.reportAt(HeldLonger, p.in, p.At, "", "%s with %s held, which the original lets go for it", p.What, shortKey(p.lock))
		default:
			p.Tells = p.Tells && !before[p.Key]
			if kind := c.after.matter(p, locks); kind != "" {
				c.reportAt(kind, p.in, p.At, "", "%s with %s held, which it was not before", p.What, shortKey(p.lock))
			}
		}
	}
}

// sendsToOwn reports whether a pause is a send to a channel of a value that nobody else knows
// yet: there is room in it.
func (m *View) sendsToOwn(p heldPause) bool {
	s, ok := p.At.(*ast.SendStmt)
	if !ok {
		return false
	}
	root := m.path(p.in, s.Chan).Root
	return root != nil && m.owned(p.in, root, s.Pos(), maxOwners)
}

// matter says whether a pause with a lock held may last until somebody has had the lock:
// what it waits for is done by those who take it, or it runs code of others, who may use
// what the lock guards: with a new lock, code that is told of something. Those for whom it waits
// may run such code, too: maybe; or certainly, for a send, where the program itself gives them
// a function that takes the lock. "": it cannot.
func (m *View) matter(p heldPause, old map[string]bool) (kind FindingKind) {
	if p.Foreign {
		if old[p.lock] || p.Tells {
			return HeldLonger
		}
		return ""
	}
	enders := m.enders(p.Key)
	ch, sends := strings.CutPrefix(p.Key, "sends to ")
	if sends && len(enders) == 0 && old[p.lock] && m.givenOut(ch) {
		return HeldLonger // those who receive are code of others
	}
	for _, fn := range enders {
		if m.takes(fn)[p.lock] {
			return HeldLonger
		}
		for to := range m.running(fn) {
			for _, others := range m.pausesIn(to) {
				if others.Foreign {
					kind = HeldMaybe
				}
				if others.Foreign && sends && m.givesTaking(to, others, p.lock) {
					return HeldLonger
				}
			}
		}
	}
	return kind
}

// order finds circles of locks that the change makes, or mends at some places only.
func (c *comparison) order() {
	was, now := c.before.allEdges(), c.after.allEdges()
	had := rings(was)
	for pair := range rings(now) {
		in := func(edges []Edge) (list []Edge) {
			for _, e := range edges {
				if e.Held == pair[0] && e.Taken == pair[1] && !slices.ContainsFunc(list, func(o Edge) bool { return o.In.Name == e.In.Name }) {
					list = append(list, e)
				}
			}
			return list
		}
		left := in(now)
		if had[pair] && len(left) >= len(in(was)) {
			continue
		}
		for _, e := range left {
			c.reportAt(RingLeft, e.In, e.At, "", "%s is taken with %s held, and the other way round elsewhere", shortKey(e.Taken), shortKey(e.Held))
		}
	}
}

// gates finds acquisitions of several locks of a kind that are not under the lock which the
// change puts around others of them.
func (c *comparison) gates() {
	nested := func(m *View) map[string]map[string][]Edge {
		found := make(map[string]map[string][]Edge) // by key, by what is held besides
		for _, e := range m.allEdges() {
			if e.Held != e.Taken {
				continue
			}
			if found[e.Held] == nil {
				found[e.Held] = make(map[string][]Edge)
			}
			others := m.heldAround(e)
			if len(others) == 0 {
				found[e.Held][""] = append(found[e.Held][""], e)
			}
			for _, key := range others {
				found[e.Held][key] = append(found[e.Held][key], e)
			}
		}
		return found
	}
	was, now := nested(c.before), nested(c.after)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		for _, gate := range slices.Sorted(maps.Keys(now[key])) {
			if gate == "" || len(was[key][gate]) > 0 {
				continue
			}
			for _, e := range now[key][""] {
				c.reportAt(LeftOut, e.In, e.At, "", "several %s are taken without %s, which the change puts around others", shortKey(key), shortKey(gate))
			}
		}
	}
}

// heldAround are the keys of the locks that are held at an edge besides the two that it is about.
func (m *View) heldAround(e Edge) []string {
	var keys []string
	n := m.nodeOf(e.In, e.At)
	for _, f := range m.flowsOf(e.In) {
		if h, _ := f.at(n); h.Always && f.lock.Key != e.Held && f.lock.Key != anyKey {
			keys = append(keys, f.lock.Key)
		}
	}
	return keys
}

// conditions finds condition variables whose waiters the change wakes wrongly.
func (c *comparison) conditions() {
	was, now := c.before.conditionsOf(), c.after.conditionsOf()
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if was[key] != nil && was[key].signature() == now[key].signature() {
			continue
		}
		for _, w := range now[key].wakes {
			if w.one && now[key].several() {
				c.reportAt(WokenOne, w.in, w.at, "", "Signal wakes one of the waiters of %s, which wait for different things", shortKey(key))
			}
		}
		c.forgotten(was[key], now[key])
	}
}

// signature is who wakes the waiters, and on what condition, in words.
func (c *condition) signature() string {
	var b strings.Builder
	for _, w := range c.wakes {
		fmt.Fprintln(&b, w.in.Name, w.one, w.when)
	}
	return b.String()
}

// forgotten finds sections that change what the waiters of a condition variable ask about,
// by the same statement as another that wakes them then, and wake nobody any more.
func (c *comparison) forgotten(was, now *condition) {
	had := make(map[[2]string]bool)
	if was != nil {
		for _, s := range c.before.silent(was) {
			had[[2]string{s.fn.Name, s.of.Key}] = true
		}
	}
	for _, s := range c.after.silent(now) {
		if !had[[2]string{s.fn.Name, s.of.Key}] {
			c.reportAt(NotWoken, s.fn, s.fn.Node, s.of.Name, "%s is changed and nobody who waits for %s is woken, as others do then", s.of.Name, shortKey(now.key))
		}
	}
}

// remade finds what synchronises and is replaced by the change while others may use it.
func (c *comparison) remade() {
	had := make(map[string]bool)
	for _, u := range c.before.replaced() {
		had[u.Key] = true
	}
	for _, u := range c.after.replaced() {
		if !had[u.Key] {
			c.report(Remade, u, "%s is replaced while others may use it", u.Name)
		}
	}
}

// relocks finds the places where a lock is taken that is held, if the change mends others
// of the same lock.
func (c *comparison) relocks() {
	all := func(m *View) map[string][]Relock {
		found := make(map[string][]Relock)
		for _, fn := range m.shipped() {
			for _, r := range m.relocks(fn, anyLock) {
				found[r.Lock.Key] = append(found[r.Lock.Key], r)
			}
		}
		return found
	}
	was, now := all(c.before), all(c.after)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if len(now[key]) == len(was[key]) {
			continue
		}
		for _, r := range now[key] {
			c.reportAt(RelockLeft, r.In, r.At, "", "%s is taken where it is held", shortKey(key))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(was)) {
		if len(now[key]) < len(was[key]) && slices.ContainsFunc(was[key], c.before.lentAt) {
			c.stillLent(key)
		}
	}
}

// stillLent finds the functions that others may call and that run what these give them with
// a lock held: to mend one of the callers, which took the lock then, leaves the others.
func (c *comparison) stillLent(key string) {
	for _, p := range c.after.pausesHeld() {
		if p.lock == key && p.Given && p.in.Decl != nil && p.in.Decl.offered() {
			c.reportAt(RelockLeft, p.in, p.At, "", "%s with %s held, which what it calls may take", p.What, shortKey(key))
		}
	}
}

// lentAt reports whether a relock is in the body of a loop over an iterator, or in a literal
// that is given away: whoever runs that holds the lock.
func (m *View) lentAt(r Relock) bool {
	if r.In.Up != nil {
		return true
	}
	lent := false
	ast.Inspect(r.In.Body, func(n ast.Node) bool {
		if loop, ok := n.(*ast.RangeStmt); ok {
			t := r.In.info().TypeOf(loop.X)
			lent = lent || t != nil && isFunc(t) && loop.Body.Pos() <= r.At.Pos() && r.At.End() <= loop.Body.End()
		}
		return !lent
	})
	return lent
}

// byLocks are the first write and the first use of a variable under each set of locks.
func (m *View) byLocks(uses []Use) (written, used []Use) {
	type kind struct {
		locks string
		write bool
	}
	seen := make(map[kind]bool)
	for _, u := range uses {
		locks := strings.Join(m.locksAt(u), " ")
		if locks == "" {
			continue
		}
		if !seen[kind{locks, false}] {
			seen[kind{locks, false}] = true
			used = append(used, u)
		}
		if u.Write && !seen[kind{locks, true}] {
			seen[kind{locks, true}] = true
			written = append(written, u)
		}
	}
	return written, used
}
