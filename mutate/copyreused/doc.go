// Package copyreused hands over a copy of memory that its owner uses again:
//
//	b := buffers.Get().(*bytes.Buffer)
//	defer buffers.Put(b)
//	...                                 // a copy: b goes back to buffers
//	queue <- b.Bytes()              →   queue <- bytes.Clone(b.Bytes())
//
// It mends data races, and values that change under their users' eyes: what was
// returned, sent, stored or given to a goroutine is overwritten by the next user of
// a pool, or by the next read into the same buffer. The documentation of
// bytes.Buffer, bufio.Scanner and bufio.Reader says how long their slices are valid;
// that of sync.Pool leaves it to its users.
//
// Memory is used again that belongs to
//   - what goes into a sync.Pool, by a function of the program too (putBuffer(b),
//     e.Free()), at the end of the function or before,
//   - what goes into a free list, a field or package variable: a slice that is popped, a channel
//     that is asked without waiting, or one that a function gives back to what it received,
//   - a bytes.Buffer that is Reset or Truncated, when that may follow,
//   - a bufio.Scanner or bufio.Reader that reads on.
//
// It is followed through local variables, slices, fields of what is given back, append,
// functions that append, and conversions. A copy is one of bytes.Clone, slices.Clone or
// maps.Clone; of a struct, a variable whose slices and maps are cloned. It is made where the
// memory is handed over, or, if it has gone back by then or a goroutine captures it, where a
// local variable gets it.
//
// An edit has all places of one pool, list or buffer: one that is left is the same
// bug. What is handed over by an ordinary call is not copied, since it may be used up when the
// call returns, unless the function puts the parameter into a field, an element or a package
// variable; nor is a string, which is a copy.
//
// Left out are
//   - what is handed over on a path that does not give it back: its receiver does that,
//   - what is given back in front of the place that hands it over, and got into no variable
//     before,
//   - structs with locks, pointers, or slices and maps of anything but basic types, and buffers
//     as a whole: package putlater has these,
//   - modules that ask for a language older than Go 1.21.
package copyreused
