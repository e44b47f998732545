// Package analysis loads a program and finds what of it is used concurrently,
// which locks exist, and which could be declared.
//
// # Loading
//
// [Load] lets the go command list the target with its tests (through
// golang.org/x/tools/go/packages, which runs "go list -export" in the target's
// directory with its flags and the user's environment; this is the one place
// besides internal/gotool that runs the go command). The packages of the
// target's module are then parsed and type-checked here, everything else is
// read from the compiler's export data: a small module takes some 150 ms. Of a
// package with tests the variant with its tests is taken, so that every import
// path means one types.Package. Files that import "C" are typed in the form
// that cgo gives them and have no [File]; assembly is passed over.
//
// [Program.Check] type-checks mutants against the loaded types, without the go
// command, in about a millisecond.
//
// # Narrowing
//
// "Constraining the search space matters more than the genetic algorithm"
// (Kelk, Automatic Repair of Concurrency Bugs, 2015, the program CORE).
// [Narrow] does the static part of CORE's narrowing, which there is Chord's; the
// dynamic part, ConTest's and JPF's there, is [Narrowing.Merge], which may be
// called at any time with what runs reveal. [Narrowing.Table] prints the result.
//
//   - A thread is what a go statement, or a call known to start goroutines
//     (WaitGroup.Go, time.AfterFunc, HTTP handlers, parallel tests, ...),
//     starts; there may be several of it when the statement is in a loop or in
//     a function that is called in a loop, from two places or from such a function.
//     Which functions a thread runs follows from the call graph, built over SSA
//     by variable type analysis. Each test that -run selects is examined by itself.
//   - A function is concurrent when it runs in two threads or in one of which
//     there may be several, when it uses a shared variable, or when it
//     takes a lock that another thread takes too.
//   - A variable (package-level, field, or local) is shared when it is
//     used in two threads, or in one of which there may be several, and written
//     in one of them. Elements of slices, maps and arrays, and what pointers
//     lead to, count as the variables that hold them, under all their names.
//     Fields are told apart by type, not by object.
//   - No use is one of an object that nobody else can know yet: a struct in
//     a local variable, or one made here and not yet handed on; nor one of a captured
//     variable before the first goroutine starts. What synchronises (mutexes,
//     atomic values) is no variable to guard.
//   - A type is kept for its shared fields, and for locks that several threads take.
//
// A function that uses an end of a pipe of package io counts, too: at its other end a goroutine waits.
//
// The analysis knows nothing of time: what happens after WaitGroup.Wait counts
// as concurrent with what was waited for. It misses what it cannot see: calls by
// reflection, goroutines started in other modules by calls not listed
// in spawn.go, and what foreign code does with what it is given, beyond what
// typekinds.go says of it. Merge adds what runs prove it to have missed.
//
// [Narrowing.Heat] grades places by their nearness to the evidence.
//
// # Locks
//
// [Program.Locks] lists mutexes as they can be written at a statement,
// [Program.NewLocks] such as could be declared for the variables used there,
// [Program.LockOf] names the lock of a call. A lock is known by its [Lock.Key]:
// the field in its struct type, "example.com/bank.Account.mu", whichever
// account it is; the variable otherwise. [Program.Acquires] lists what a call
// may lock.
//
// # Example
//
//	p, err := analysis.Load(ctx, tool, analysis.Target{Dir: dir, Package: "."})
//	n, err := analysis.Narrow(ctx, p)
//	n.Merge(analysis.Given, evidence.Parse(report)...)
//	for _, f := range p.Packages[0].Files {
//		ast.Inspect(f.AST, func(node ast.Node) bool {
//			if s, ok := node.(ast.Stmt); ok && len(n.Accesses(f, s)) > 0 {
//				fmt.Println(p.Locks(f, s)) // to.mu before a.mu for "to.amount += n"
//			}
//			return true
//		})
//	}
package analysis
