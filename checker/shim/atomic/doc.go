// Package atomic replaces sync/atomic in a program under test. It has the same
// exported names, and types of the same size.
//
// Under control each operation is one step of the schedule, on an object that
// stands for the address, and the operations are sequentially consistent. An
// operation that observes a write is synchronised with it, as the Go memory
// model says: a load, and a compare-and-swap that fails, with the last write;
// an operation that reads and writes also with those after it. A plain store
// is not synchronised with the writes it replaces.
//
// Values are data: what an execution stores is there afterwards, like what it
// assigns to variables. Outside control the functions are the real ones.
package atomic
