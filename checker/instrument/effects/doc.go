// Package effects finds by analysis what the functions of the standard library do to
// the memory that they are given, and to what the whole process shares. The result is
// the table of package mendel/checker/sched/effects:
//
//	go test ./checker/instrument/effects -update
//
// A function's parameters, and what is reached from them through up to two fields, are
// followed through its instructions in SSA form and through the functions that it
// calls. That is flow-insensitive. What an analysis cannot see is given: functions in
// assembly, those that reflect, and what the operating system keeps (known.go).
//
// An object without exported fields counts as one variable. Fields that some methods read,
// and nothing else, while others never write them, are named (narrow.go).
//
// Effects that a shared object mostly does not have are left out, because a table that
// says too much makes correct programs fail: what a sync.Once does, and what is reached
// through more fields than one, or through one that is neither a map, nor a slice that is
// read, nor a pointer to an object of the library. A field that is set only when it is nil
// is told of as such: whether it is nil is known at the call. What is done under a lock of
// the object's own, or by atomics, is one synchronised access to it.
package effects
