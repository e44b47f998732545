// Package instrument puts the hooks of package interleave/hook into a program.
//
// What is instrumented: reads and writes of variables that the narrowing takes for
// shared, with elements of slices and arrays, targets of pointers, and maps as a
// whole; the methods of sync.Mutex, RWMutex, Locker, WaitGroup, Cond, Once and Map;
// package sync/atomic; sends, receives, range over a channel, select and close; go
// statements, subtests, and function values given to methods named Go, Run or
// AfterFunc. Everything stays in its line; in a module whose language has no generic
// functions, a line directive sees to that.
//
// # Limits
//
// An atomic operation by defer or go is not seen, nor a method that is used as a
// value, nor a channel operation of a select whose channel is the result of a call
// (ctx.Done()). In an assignment of the several results of one call the writes are
// seen before the call. Compound assignments (x += 1) to what is not simple (an
// index that calls a function) are not seen, nor the elements that range over a slice
// or an array reads, nor, after goto to the label of a select, the select's arrival.
// A value that is copied as a whole counts as its first field.
package instrument
