package addunlock

import (
	"go/ast"
	"slices"

	"mendel/mutate"
	"mendel/mutate/fact/effects"
)

// maxAlternatives bounds the single releases offered of which each is enough.
const maxAlternatives = 3

// exitEdits lists the edits that put a release before an exit or at a block's end.
func exitEdits(fn *mutate.Function, b *Balance) []mutate.Edit {
	if enough := alternatives(b); len(enough) > 0 {
		return releases(fn, b, enough)
	}
	exits, ok := missing(b)
	if !ok {
		exits = certain(b)
	}
	if len(exits) == 0 {
		fn.Decline(b.Calls[0].Stmt, "no release of %s at an exit leaves less wrong than there is", b.Lock.Expr)
	}
	return releases(fn, b, exits)
}

// certain are the returns and the like before which a release mends something and spoils
// nothing, in a function in which something else stays wrong, or may: conditional locks in a
// loop, say. The end of a block is none: what is held there is held under a condition.
func certain(b *Balance) (exits []Exit) {
	for _, x := range b.Exits() {
		if !x.After && b.CanName(x.Stmt) && fewer(b.Faults(added(x)), b.Faults()) {
			exits = append(exits, x)
		}
	}
	return exits
}

// alternatives are the exits at which one release mends all.
func alternatives(b *Balance) []Exit {
	var enough []Exit
	for _, x := range b.Exits() {
		if len(enough) < maxAlternatives && b.CanName(x.Stmt) && len(b.Faults(added(x))) == 0 {
			enough = append(enough, x)
		}
	}
	return enough
}

// missing are the exits that need a release, for nothing to be wrong any more
// when all have one; ok is false when that cannot be had.
func missing(b *Balance, changes ...Change) (exits []Exit, ok bool) {
	faults := b.Faults(changes...)
	for _, x := range b.Exits(changes...) {
		if len(faults) == 0 {
			break
		}
		with := append(slices.Clip(changes), added(x))
		if now := b.Faults(with...); b.CanName(x.Stmt) && fewer(now, faults) {
			exits, changes, faults = append(exits, x), with, now
		}
	}
	if len(faults) > 0 {
		return nil, false
	}
	return exits, len(exits) > 0
}

// fewer reports whether some of the faults are gone and no others have come.
func fewer(now, before []Fault) bool {
	return len(now) < len(before) && !slices.ContainsFunc(now, func(f Fault) bool { return !slices.Contains(before, f) })
}

func added(x Exit) Change {
	c := Change{Stmt: x.Stmt, Where: Before, Method: x.Release}
	if x.After {
		c.Where = After
	}
	return c
}

// releases lists the edits that add a release at some exits.
func releases(fn *mutate.Function, b *Balance, exits []Exit) []mutate.Edit {
	var out []mutate.Edit
	for _, x := range exits {
		form := formPath
		if x.After {
			form = formEnd
		}
		e := newEdit(fn, b, form, x.Stmt, x.Release)
		e.Note, e.Sure = b.Lock.Expr+" stays locked here", sure(fn, b)
		if !x.After && effects.Matters(fn, x.Stmt) {
			e.Flags = []mutate.Flag{mutate.DropsGuard}
		}
		out = append(out, e)
	}
	return out
}

// sure reports whether a function forgets a release at some exits: it has one at others, or
// nobody releases the lock without taking it.
func sure(fn *mutate.Function, b *Balance) bool {
	return !b.Unmatched() || !unpairedOf(fn).unlocked[b.Lock.Key]
}

// deferEdits lists the edit that defers the only acquisition's release in place
// of all others, where these end the function.
func deferEdits(fn *mutate.Function, b *Balance) []mutate.Edit {
	if len(b.given) > 0 {
		return handedEdits(fn, b)
	}
	acquire, changes, ok := deferred(fn, b)
	if !ok || len(b.Faults(changes...)) > 0 {
		return nil
	}
	e := newEdit(fn, b, formDefer, acquire.Stmt, releaseOf(acquire.Method))
	e.Note, e.Sure = "some paths leave "+b.Lock.Expr+" locked", sure(fn, b)
	return []mutate.Edit{e}
}

// handedEdits lists the edit that defers the release of a lock that a helper has taken, as soon as the function has it, in
// place of all others, where these end the function.
func handedEdits(fn *mutate.Function, b *Balance) []mutate.Edit {
	has := b.given[0]
	changes := []Change{{Stmt: has.Stmt, Where: deferredBefore, Method: releaseOf(has.Method)}}
	for _, c := range b.Calls {
		if c.Deferred || !endsFunction(fn, c.Stmt) {
			return nil
		}
		changes = append(changes, Change{Stmt: c.Stmt, Where: Instead})
	}
	if len(b.Faults(changes...)) > 0 || !b.CanName(has.Stmt) {
		return nil
	}
	e := newEdit(fn, b, formHanded, has.Stmt, releaseOf(has.Method))
	e.Note, e.Sure = "some paths leave "+b.Lock.Expr+" locked", true
	return []mutate.Edit{e}
}

// deferred finds the acquisition and the changes of such an edit.
func deferred(fn *mutate.Function, b *Balance) (acquire LockCall, changes []Change, ok bool) {
	acquisitions := 0
	for _, c := range b.Calls {
		switch {
		case c.Deferred:
			return acquire, nil, false
		case c.Acquires():
			acquire = c
			acquisitions++
			changes = append(changes, Change{Stmt: c.Stmt, Where: DeferredAfter, Method: releaseOf(c.Method)})
		case !endsFunction(fn, c.Stmt):
			return acquire, nil, false
		default:
			changes = append(changes, Change{Stmt: c.Stmt, Where: Instead})
		}
	}
	return acquire, changes, acquisitions == 1
}

// endsFunction reports whether the function only returns after a statement.
func endsFunction(fn *mutate.Function, s ast.Stmt) bool {
	for _, st := range fn.Statements() {
		if st.Stmt != s {
			continue
		}
		if st.Index+1 == len(st.List) {
			return st.Owner == fn.Body
		}
		_, returns := st.List[st.Index+1].(*ast.ReturnStmt)
		return returns
	}
	return false
}

func releaseOf(acquire string) string {
	if acquire == "RLock" {
		return "RUnlock"
	}
	return "Unlock"
}
