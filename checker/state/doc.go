// Package state re-initialises the package-level variables of the program
// under test, so that every execution begins as the first one did.
//
// The instrumentation adds to each package a function that assigns its
// variables anew in the order of initialisation and calls its init functions,
// and registers it when the package is initialised:
//
//	func init() {
//		zzstate.Register(zzclone, "example.org/bank", func() {
//			zzstate.Zero(&audit)    // declared without a value
//			accounts = newBook()    // in a function of the variable's file
//			zzinit1()               // the body of an init function
//		})
//	}
//
// Where several programs share a test binary as clones, zzclone names the one
// to which the package belongs, else it is "": see [Choose].
//
// Go initialises each package after those that it imports. Packages register in
// that order, and Reset follows it. A package that registers nothing is not
// touched: one outside the module, or without variables that change.
//
// # Limits
//
// Effects of an init function outside the module remain: a driver registered
// with database/sql, a handler with net/http. Registering it again may panic.
// Then Reset fails, and the program needs a process for each execution.
package state
