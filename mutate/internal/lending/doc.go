// Package lending finds memory that its owner uses again, for the operators that keep it
// from being used by others then: copyreused and putlater.
//
// An owner is a sync.Pool, a free list, or a bytes.Buffer, bufio.Scanner or bufio.Reader
// that goes on to use what it has given out. A [Lender] is the variable of a function
// through which the memory was got: what went into the pool, or the buffer. Which
// expressions have its memory, [Finder.Memory] says: names, fields, slices, what append
// returns. Assignments are followed without regard to their order; a variable that
// gets anything else, too, has nobody's memory.
package lending
