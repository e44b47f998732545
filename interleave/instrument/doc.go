// Package instrument puts the hooks of package interleave/hook into a program.
//
// It is a client of package operations, which finds what goroutines do. What gets hooks:
// reads and writes of variables that the narrowing takes for shared, with elements of
// slices and arrays, targets of pointers, and maps as a whole; the methods of sync.Mutex,
// RWMutex, Locker, WaitGroup, Cond, Once and Map; package sync/atomic; sends, receives,
// range over a channel, select and close; go statements, subtests, and function values
// given to methods named Go, Run or AfterFunc. Methods and functions that are values, or
// called by defer and go, tell what they do when they are called. Everything stays in its
// line.
//
// # Limits
//
// A method expression, (*sync.Mutex).Lock, is not seen. In an assignment of the several
// results of one call the writes are seen before the call; in a short declaration those of
// variables that were there before are not seen. Compound assignments (x += 1) to what is
// not simple (an index that calls a function) are not seen, nor the elements that range
// over a slice or an array reads. A value that is copied as a whole counts as its first
// field.
package instrument
