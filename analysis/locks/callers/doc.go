// Package callers says what those hold who call a function: whether a lock is held on every way
// into it ([EntryOf], [HeldInCall]), or on some way ([Hold]), and why a lock cannot be held
// around some of its statements ([ConflictOf]).
//
// Whether a lock is held on every way into a function is known where all uses of the function are
// calls that are seen. Callers are asked as long as some lock that one of them holds ends with
// the lock's name and is reached through as many fields: from callee to caller a path only grows, and
// in functions that call themselves with a field of what they are given it does so for each
// field anew.
package callers
