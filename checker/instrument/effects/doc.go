// Package effects finds by analysis what the functions of the standard library do to
// the memory that they are given, and to what the whole process shares. The result is
// a [Table], in the words of package mendel/checker/sched/effects:
//
//	library, err := effects.For(ctx, tool, program.Library())
//	...
//	library.Of("bytes", "Buffer.Write") // "0w 0Kadd 1r"
//
// # Whose library
//
// Versions of Go differ: in one the fields of a url.URL have another order, in another a
// json.RawMessage is a type of a package of its own. So the table is that of the library
// that the program is built with. For some versions it is embedded (directory tables). For
// others the packages that a program depends on are analysed: 2 to 9 seconds of processor
// time and 300 MB to 1.1 GB of memory, measured for a program with little more than package
// testing and for all of the library. What is found is kept in the toolchain's cache, where
// the next program adds what it depends on besides. If a library cannot be analysed,
// because it is in a newer language than Mendel reads, the nearest embedded table is used,
// and its Note tells the user. Build tags are not considered.
//
// The embedded tables are written by
//
//	GOTOOLCHAIN=go1.27.3 go test ./checker/instrument/effects -run TestTable -update
//
// A table of another version is added by an empty file of its name, and that command under
// the newest version among them.
//
// # How
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
