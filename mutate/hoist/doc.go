// Package hoist takes a value's lock once around several calls of its methods,
// which no longer take it themselves:
//
//	                              // nothing may come between other.Len and other.GetChars
//	n := other.Len()              other.mu.Lock()
//	chars := make([]byte, n)      n := other.lenLocked()
//	other.GetChars(0, n, chars) → chars := make([]byte, n)
//	b.Append(string(chars))       other.getCharsLocked(0, n, chars)
//	                              other.mu.Unlock()
//	                              b.Append(string(chars))
//
// It mends check-then-act over methods each of which is right by itself: what the
// first one found may be false when the second one runs. The value may also
// be read or written directly beside a call; a call in a loop counts as two.
// CORE has no counterpart, since Java's monitors can be taken twice, and fails
// on such a program, string buffer (Kelk 2015, section 4.3).
//
// A method called in the section is split: it keeps its documentation and its
// lock and calls a variant of it, which stands behind it and does the rest
//
//	// lenLocked is Len for callers that hold b.mu.
//	func (b *Buffer) lenLocked() int {
//		return b.count
//	}
//
// A method that only calls another one under its lock has been split before:
// the other one is called. A method that is not exported and not used outside of
// the section loses its lock, and its comment says so.
//
// One edit covers up to sectionedit.MaxMoves statements of a list, from one that
// calls a method to another or the same. The read side of an RWMutex is taken
// if all methods take it and nothing is written. Ways out of the section get a
// release of their own, or the release is deferred: see package addlock.
//
// A composite edit does so in all functions that use the same lock in this way, each
// time around as much as one edit may cover: where one reads, checks and changes
// under a lock taken for each step, its neighbours often do, too.
//
// Left out are
//   - calls by go, defer and in function literals, through an interface, of a
//     method of an embedded field, on what is no chain of names, and from
//     another package, where neither lock nor variant could be named,
//   - methods with a value receiver, with a nameless receiver or parameter, that
//     do something outside of their lock, or whose variant's name is taken,
//   - calls of which only one can be made, in the branches of an if or switch,
//   - statements that assign to, declare or compare with nil what the lock is reached through,
//   - statements where a lock of the same kind is held already, here or by a
//     caller, or is taken by another call, maybe on the same value,
//   - statements that cut another section in two.
package hoist
