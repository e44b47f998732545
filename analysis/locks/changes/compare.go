package changes

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
	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/guards"
	"mendel/analysis/locks/order"
	"mendel/analysis/locks/owned"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/splits"
	"mendel/analysis/locks/waits"
)

// A Finding is what is wrong with the locks of a changed program that the original's use
// of its locks, or the change itself, shows to be wrong.
type Finding struct {
	Kind Kind
	File string // module-relative
	Line int    // of the changed program
	Func string
	Var  string // the field or variable that is left out or misguarded; "" where it is about none
	What string // the sentence, without the place
}

// A Kind is what kind of thing is wrong.
type Kind string

// Kinds of findings.
const (
	LeftOut      Kind = "left-out"      // a variable that the change guards is used without the lock elsewhere
	Unguarded    Kind = "unguarded"     // the change leaves a use without the lock that it had
	HeldLonger   Kind = "held-longer"   // what may need a lock, or the lock is let go for, is under it now
	HeldMaybe    Kind = "held-maybe"    // a wait is under a lock now, for goroutines that run code of others
	PauseLeft    Kind = "pause-left"    // a wait, or code of others, is under a lock, as the change mends it elsewhere
	ToldLate     Kind = "told-late"     // others are told of a change without the lock under which it is made
	RingLeft     Kind = "ring"          // locks are taken in a circle
	WokenOne     Kind = "wakes-one"     // one waiter of several kinds is woken
	NotWoken     Kind = "wakes-none"    // a change that waiters wait for wakes nobody
	WaitsOn      Kind = "waits-on"      // a send does not end with the context, as another does now
	Remade       Kind = "remade"        // what synchronises is replaced while others use it
	RelockLeft   Kind = "relock"        // a lock is taken where it is held, as the change mends it elsewhere
	SplitSection Kind = "split-section" // what was one section is two
	SplitLeft    Kind = "split-left"    // a section stays split, as the change mends it elsewhere
	ReadEarly    Kind = "reads-early"   // a function that is returned no longer reads a variable when it runs
	ClosedUnder  Kind = "closed-under"  // a send leaves the lock under which its channel is closed
	WrongLock    Kind = "wrong-lock"    // uses of a variable are under locks that do not exclude each other
)

// String is the finding with its place.
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s in %s (%s:%d)", f.Kind, f.What, f.Func, f.File, f.Line)
}

// Find finds what is wrong with the locks of a program some packages of which are
// replaced, as [analysis.Program.Recheck] returns them, beside the program as it was. What
// was wrong before, and is not touched, is no finding. What packages do that can have
// nothing to do with these is not looked at.
func Find(p *analysis.Program, fset *token.FileSet, pkgs []*analysis.Package) []Finding {
	before := locks.New(p)
	after := before.Patched(p, fset, pkgs)
	before.Scope = importersOf(p, pkgs)
	after.Scope = before.Scope
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
func compare(before, after *locks.View) []Finding {
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
	c.closesLeft()
	c.relocks()
	c.torn()
	c.reopened()
	c.splits()
	c.splitsLeft()
	c.askedApart()
	c.leftBehind()
	c.windows()
	c.early()
	c.calledBack()
	c.numbered()
	slices.SortFunc(c.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What))
	})
	return c.once()
}

// once are the findings, each kind of use of a function once, where it comes first.
func (c *comparison) once() []Finding {
	type use struct {
		kind       Kind
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
	before, after *locks.View
	was, now      map[string][]access.Use // by key of the variable, those at which others can get in the way
	found         []Finding
}

func usesByKey(m *locks.View) map[string][]access.Use {
	byKey := make(map[string][]access.Use)
	for _, u := range access.List(m) {
		if !u.Alone {
			byKey[u.Key] = append(byKey[u.Key], u)
		}
	}
	return byKey
}

func (c *comparison) report(kind Kind, u access.Use, format string, args ...any) {
	c.reportAt(kind, u.In, u.At, u.Name, format, args...)
}

func (c *comparison) reportAt(kind Kind, in *program.Func, at ast.Node, name, format string, args ...any) {
	pos := c.after.Fset.PositionFor(at.Pos(), false)
	c.found = append(c.found, Finding{
		Kind: kind, File: in.File.Rel, Line: pos.Line, Func: in.Label(), Var: name, What: fmt.Sprintf(format, args...),
	})
}

// readOrWritten counts the uses that do not only lead to others.
func readOrWritten(uses []access.Use) (n int) {
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
	if !guards.Written(uses) {
		return
	}
	for _, lock := range guards.KeysAt(c.after, uses) {
		held, not := guards.Part(c.after, uses, lock)
		had, _ := guards.Part(c.before, c.was[key], lock)
		if len(held) <= len(had) || c.guardedOtherwise(key, lock) {
			continue
		}
		if !guards.Written(not) && readOrWritten(held) <= readOrWritten(had) {
			continue // the lock is put around what the pointer leads to, and guarded that before
		}
		asked := slices.ContainsFunc(held, func(u access.Use) bool { return !u.Write })
		for _, u := range not {
			if u.Atomic && !(u.Write && asked) && !c.inStep(u, lock) || !mayKnow(c.after, u, lock) || onlyWriter(c.after, uses, u) || splits.TakenOut(c.after, u, uses) {
				continue
			}
			if lent(u, lock) || toldClosed(c.after, u) {
				continue
			}
			if open(c.after, u, lock) && (u.Write || guards.Written(held)) {
				c.report(LeftOut, u, "%s is %s without %s, which the change puts around other uses of it", u.Name, access.Verb(u), shortKey(lock))
			}
		}
	}
}

// lent reports whether a use reads a field of what the function was given, and the lock is one of values of another type,
// as a pool's lock guards what its resources have: who has taken one out may read it without.
func lent(u access.Use, lock string) bool {
	of, _ := program.CutKey(u.Key)
	by, _ := program.CutKey(lock)
	if u.Write || of == by || !isType(of) || !isType(by) || u.Base.Root == nil || u.Base.Text != "" {
		return false
	}
	for fn := u.In; fn != nil; fn = fn.Up {
		if u.Base.Root == fn.Recv || slices.Contains(fn.Params, u.Base.Root) {
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
func open(m *locks.View, u access.Use, lock string) bool {
	return !slices.ContainsFunc(guards.LocksHeld(m, u), func(key string) bool { return key != lock || guards.At(m, u, lock) != guards.Never })
}

// leftBeside finds the uses without a lock of a variable that is only written under it, where
// the change mends the same of another field in a function that uses both: puts it under the
// lock, or makes it atomic.
func (c *comparison) leftBeside(key string) {
	uses := c.now[key]
	writes := slices.DeleteFunc(slices.Clone(uses), func(u access.Use) bool { return !u.Write })
	if len(writes) == 0 || uses[0].Atomic {
		return
	}
	for _, lock := range guards.KeysAt(c.after, writes) {
		_, without := guards.Part(c.after, writes, lock)
		_, not := guards.Part(c.after, uses, lock)
		if len(without) > 0 || !slices.ContainsFunc(not, func(u access.Use) bool { return c.mendsBeside(u, lock) }) {
			continue
		}
		for _, u := range not {
			if open(c.after, u, lock) && mayKnow(c.after, u, lock) && !onlyWriter(c.after, uses, u) && !lent(u, lock) {
				c.report(LeftOut, u, "%s is read without %s, under which it is written, as the change mends it for what is used beside it", u.Name, shortKey(lock))
			}
		}
	}
}

// mendsBeside reports whether the change guards the uses, in the function of a use and of the
// same value, of another variable that is written under a lock and had none there.
func (c *comparison) mendsBeside(u access.Use, lock string) bool {
	for key, uses := range c.now {
		guarded := func(o access.Use) bool {
			return o.In.Name == u.In.Name && o.Base == u.Base && (o.Atomic || guards.At(c.after, o, lock) == guards.Always)
		}
		open := func(o access.Use) bool {
			return o.In.Name == u.In.Name && !o.Atomic && len(guards.LocksHeld(c.before, o)) == 0
		}
		written := func(o access.Use) bool { return o.Write && guards.At(c.before, o, lock) == guards.Always }
		if key != u.Key && u.Base.Known() && slices.ContainsFunc(uses, guarded) &&
			slices.ContainsFunc(c.was[key], open) && slices.ContainsFunc(c.was[key], written) {
			return true
		}
	}
	return false
}

// inStep reports whether the function of an atomic read reads or changes another atomic
// variable of the same value, too, which is changed under a lock now: both belong together.
func (c *comparison) inStep(u access.Use, lock string) bool {
	for key, uses := range c.now {
		beside := func(o access.Use) bool { return o.Atomic && o.In == u.In && o.Base == u.Base }
		changed := func(o access.Use) bool {
			return o.Write && guards.At(c.after, o, lock) == guards.Always && !c.heldBefore(key, o, lock)
		}
		if key != u.Key && slices.ContainsFunc(uses, beside) && slices.ContainsFunc(uses, changed) {
			return true
		}
	}
	return false
}

// heldBefore reports whether a function changed a variable under a lock before, too, in
// whatever mode: the lock for reading is enough for what is atomic.
func (c *comparison) heldBefore(key string, now access.Use, lock string) bool {
	return slices.ContainsFunc(c.was[key], func(u access.Use) bool {
		return u.Write && u.In.Name == now.In.Name && slices.Contains(guards.LocksHeld(c.before, u), lock)
	})
}

// guardedOtherwise reports whether another lock was held at all writes of a variable before:
// the one that is held now, too, is about something else.
func (c *comparison) guardedOtherwise(key, lock string) bool {
	was := slices.DeleteFunc(slices.Clone(c.was[key]), func(u access.Use) bool { return !u.Write })
	return len(was) > 0 && slices.ContainsFunc(guards.KeysAt(c.before, was), func(other string) bool {
		_, not := guards.Part(c.before, was, other)
		return other != lock && len(not) == 0
	})
}

// onlyWriter reports whether a use is a read in the function that alone writes the variable:
// it needs the lock to write, and none to read. The literal of several goroutines is no such function.
func onlyWriter(m *locks.View, uses []access.Use, u access.Use) bool {
	return !u.Write && !m.StartedAgain(u.In, u.Obj) && !slices.ContainsFunc(uses, func(o access.Use) bool { return o.Write && o.In != u.In })
}

// mayKnow reports whether the function of a use can name a lock at all: that of the value
// which the variable is part of, of its receiver or a parameter, or a package variable.
func mayKnow(m *locks.View, u access.Use, lock string) bool {
	owner, _ := program.CutKey(lock)
	if !strings.Contains(owner[strings.LastIndex(owner, "/")+1:], ".") {
		return true // a package variable, or a local one
	}
	if guards.OwnerIn(m, u.Base, lock).Known() {
		return true
	}
	for fn := u.In; fn != nil; fn = fn.Up {
		for _, v := range append(slices.Clone(fn.Params), fn.Recv) {
			if v != nil && program.TypeKey(v.Type()) == owner {
				return true
			}
		}
	}
	return false
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
	if !guards.Written(uses) {
		return
	}
	for _, u := range uses {
		if len(guards.LocksHeld(c.after, u)) > 0 {
			continue
		}
		var lock string
		all := false
		for _, w := range c.was[key] {
			if w.In.Decl == nil || u.In.Decl == nil || w.In.Decl.Name != u.In.Decl.Name || w.Write != u.Write {
				continue
			}
			locks := guards.LocksHeld(c.before, w)
			if len(locks) == 0 {
				all = false
				break
			}
			lock, all = locks[0], true
		}
		if all {
			c.report(Unguarded, u, "%s is %s without %s, which it was under", u.Name, access.Verb(u), shortKey(lock))
		}
	}
}

// rivals finds a variable whose uses are under locks that do not exclude each other, and
// were not before.
func (c *comparison) rivals(key string) {
	rivals := func(m *locks.View, uses []access.Use) (access.Use, access.Use, bool) {
		written, used := byLocks(m, uses)
		for _, a := range written {
			for _, b := range used {
				la, lb := guards.LocksHeld(m, a), guards.LocksHeld(m, b)
				together := func(k string) bool { return slices.Contains(lb, k) || guards.OnReadSide(m, b, k) }
				if !slices.ContainsFunc(la, together) && !slices.ContainsFunc(lb, func(k string) bool { return guards.OnReadSide(m, a, k) }) {
					return a, b, true
				}
			}
		}
		return access.Use{}, access.Use{}, false
	}
	if _, _, had := rivals(c.before, c.was[key]); had {
		return
	}
	if a, b, has := rivals(c.after, c.now[key]); has {
		c.report(WrongLock, a, "%s is written under %s, and %s under %s elsewhere", a.Name, shortKey(guards.LocksHeld(c.after, a)[0]), access.Verb(b), shortKey(guards.LocksHeld(c.after, b)[0]))
	}
}

// pauses finds what the change puts under a lock that may take long: it waits for other
// goroutines, or is code that somebody else has given; or the original lets the lock go for it.
func (c *comparison) pauses() {
	had, around := make(map[[2]string]bool), make(map[[2]string]bool)
	before := make(map[string]bool) // under any lock
	for _, p := range waits.PausesHeld(c.before) {
		if !sendsToOwn(c.before, p) {
			had[[2]string{p.Lock, p.Key}], before[p.Key] = true, true
		}
	}
	for _, p := range waits.PausesAround(c.before) {
		around[[2]string{p.Lock, p.Key}] = true
	}
	known, locks := waits.AllPauses(c.before), c.before.Keys()
	traded := c.tradedLocks()
	for _, p := range waits.PausesHeld(c.after) {
		is := [2]string{p.Lock, p.Key}
		switch {
		case !locks[p.Lock] && traded[tell{rootOf(p.In), p.Key}]:
		case !known[p.Key] && !waitsForOthers(p) || had[is] || sendsToOwn(c.after, p):
		case around[is]:
			c.reportAt(HeldLonger, p.In, p.At, "", "%s with %s held, which the original lets go for it", p.What, shortKey(p.Lock))
		default:
			p.Tells = p.Tells && !before[p.Key]
			if kind := matter(c.after, p, locks); kind != "" {
				c.reportAt(kind, p.In, p.At, "", "%s with %s held, which it was not before", p.What, shortKey(p.Lock))
			}
		}
	}
}

// tradedLocks are the pauses that functions make with a lock held in the original, and no longer with that: a new lock in
// its place holds up fewer.
func (c *comparison) tradedLocks() map[tell]bool {
	now := make(map[tell]map[string]bool)
	for _, p := range waits.PausesHeld(c.after) {
		t := tell{rootOf(p.In), p.Key}
		if now[t] == nil {
			now[t] = make(map[string]bool)
		}
		now[t][p.Lock] = true
	}
	traded := make(map[tell]bool)
	for _, p := range waits.PausesHeld(c.before) {
		if t := (tell{rootOf(p.In), p.Key}); !now[t][p.Lock] {
			traded[t] = true
		}
	}
	return traded
}

// waitsForOthers reports whether a pause waits until others have done something: it receives, or waits for a group.
func waitsForOthers(p waits.HeldPause) bool {
	return strings.HasPrefix(p.Key, "receives ") || strings.HasPrefix(p.Key, "waits ")
}

// sendsToOwn reports whether a pause is a send to a channel of a value that nobody else knows
// yet: there is room in it.
func sendsToOwn(m *locks.View, p waits.HeldPause) bool {
	s, ok := p.At.(*ast.SendStmt)
	if !ok {
		return false
	}
	root := m.PathOf(p.In, s.Chan).Root
	return root != nil && owned.At(m, p.In, root, s.Pos(), owned.MaxOwners)
}

// matter says whether a pause with a lock held may last until somebody has had the lock:
// what it waits for is done by those who take it, or it runs code of others, who may use
// what the lock guards: with a new lock, code that is told of something. Those for whom it waits
// may run such code, too. Where it waits until they have ended, with a lock that is not new, that counts as well.
// Else it may be so: certainly, where the program itself gives them a function that takes the lock, or the
// documentation of that code says that it may use what takes it. "": it cannot.
func matter(m *locks.View, p waits.HeldPause, old map[string]bool) (kind Kind) {
	if p.Foreign {
		if old[p.Lock] || p.Tells {
			return HeldLonger
		}
		return ""
	}
	enders := waits.Enders(m, p.Key)
	ch, sends := strings.CutPrefix(p.Key, "sends to ")
	if sends && len(enders) == 0 && old[p.Lock] && waits.GivenOut(m, ch) {
		return HeldLonger // those who receive are code of others
	}
	for _, fn := range enders {
		if order.Takes(m, fn)[p.Lock] {
			return HeldLonger
		}
		for to := range m.Running(fn) {
			for _, others := range waits.PausesIn(m, to) {
				if !others.Foreign {
					continue
				}
				call, ok := others.At.(*ast.CallExpr)
				if waitsForOthers(p) && old[p.Lock] || waits.GivesTaking(m, to, others, p.Lock) || ok && mayTake(m, to, call, p.Lock, old[p.Lock]) {
					return HeldLonger
				}
				kind = HeldMaybe
			}
		}
	}
	return kind
}

// order finds circles of locks that the change makes, or mends at some places only.
func (c *comparison) order() {
	was, now := order.List(c.before), order.List(c.after)
	had := order.Rings(was)
	for pair := range order.Rings(now) {
		in := func(edges []order.Edge) (list []order.Edge) {
			for _, e := range edges {
				if e.Held == pair[0] && e.Taken == pair[1] && !slices.ContainsFunc(list, func(o order.Edge) bool { return o.In.Name == e.In.Name }) {
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
	nested := func(m *locks.View) map[string]map[string][]order.Edge {
		found := make(map[string]map[string][]order.Edge) // by key, by what is held besides
		for _, e := range order.List(m) {
			if e.Held != e.Taken {
				continue
			}
			if found[e.Held] == nil {
				found[e.Held] = make(map[string][]order.Edge)
			}
			others := heldAround(m, e)
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
func heldAround(m *locks.View, e order.Edge) []string {
	var keys []string
	n := m.NodeOf(e.In, e.At)
	for _, f := range m.Flows(e.In) {
		if h, _ := f.At(n); h.Always && f.Lock.Key != e.Held && f.Lock.Key != program.AnyKey {
			keys = append(keys, f.Lock.Key)
		}
	}
	return keys
}

// conditions finds condition variables whose waiters the change wakes wrongly.
func (c *comparison) conditions() {
	was, now := conditionsOf(c.before), conditionsOf(c.after)
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
		for _, s := range silent(c.before, was) {
			had[[2]string{s.fn.Name, s.of.Key}] = true
		}
	}
	for _, s := range silent(c.after, now) {
		if !had[[2]string{s.fn.Name, s.of.Key}] {
			c.reportAt(NotWoken, s.fn, s.fn.Node, s.of.Name, "%s is changed and nobody who waits for %s is woken, as others do then", s.of.Name, shortKey(now.key))
		}
	}
}

// remade finds what synchronises and is replaced by the change while others may use it.
func (c *comparison) remade() {
	had := make(map[string]bool)
	for _, u := range access.Replaced(c.before) {
		had[u.Key] = true
	}
	for _, u := range access.Replaced(c.after) {
		if !had[u.Key] {
			c.report(Remade, u, "%s is replaced while others may use it", u.Name)
		}
	}
}

// relocks finds the places where a lock is taken that is held, if the change mends others
// of the same lock, or no longer holds it where what it runs may take it.
func (c *comparison) relocks() {
	all := func(m *locks.View) map[string][]locks.Relock {
		found := make(map[string][]locks.Relock)
		for _, fn := range m.Shipped() {
			for _, r := range m.Relocks(fn, locks.AnyLock) {
				if !handedOver(r) {
					found[r.Lock.Key] = append(found[r.Lock.Key], r)
				}
			}
		}
		return found
	}
	was, now := all(c.before), all(c.after)
	lentBefore, lentAfter := lending(c.before), lending(c.after)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if len(now[key]) == len(was[key]) && lentAfter[key] >= lentBefore[key] {
			continue
		}
		for _, r := range now[key] {
			c.reportAt(RelockLeft, r.In, r.At, "", "%s is taken where it is held", shortKey(key))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(was)) {
		if len(now[key]) < len(was[key]) && slices.ContainsFunc(was[key], func(r locks.Relock) bool { return lentAt(c.before, r) }) {
			c.stillLent(key)
		}
	}
}

// lending counts, for each lock, the places in functions that others may call where what these give is run with the lock
// held: it may take the lock.
func lending(m *locks.View) map[string]int {
	count := make(map[string]int)
	for _, p := range waits.PausesHeld(m) {
		if p.Given && p.In.Decl != nil && p.In.Decl.Offered() {
			count[p.Lock]++
		}
	}
	return count
}

// stillLent finds the functions that others may call and that run what these give them with
// a lock held: to mend one of the callers, which took the lock then, leaves the others.
func (c *comparison) stillLent(key string) {
	for _, p := range waits.PausesHeld(c.after) {
		if p.Lock == key && p.Given && p.In.Decl != nil && p.In.Decl.Offered() {
			c.reportAt(RelockLeft, p.In, p.At, "", "%s with %s held, which what it calls may take", p.What, shortKey(key))
		}
	}
}

// lentAt reports whether a relock is in the body of a loop over an iterator, or in a literal
// that is given away: whoever runs that holds the lock.
func lentAt(m *locks.View, r locks.Relock) bool {
	if r.In.Up != nil {
		return true
	}
	lent := false
	ast.Inspect(r.In.Body, func(n ast.Node) bool {
		if loop, ok := n.(*ast.RangeStmt); ok {
			t := r.In.Info().TypeOf(loop.X)
			lent = lent || t != nil && program.IsFunc(t) && loop.Body.Pos() <= r.At.Pos() && r.At.End() <= loop.Body.End()
		}
		return !lent
	})
	return lent
}

// byLocks are the first write and the first use of a variable under each set of locks.
func byLocks(m *locks.View, uses []access.Use) (written, used []access.Use) {
	type kind struct {
		locks string
		write bool
	}
	seen := make(map[kind]bool)
	for _, u := range uses {
		locks := strings.Join(guards.LocksHeld(m, u), " ")
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
