// Package instrument rewrites a program so that the engine of the checker
// (package sched) controls it: goroutines, channels, and what the program reads
// and writes. The result is an overlay for the go command; nothing of the
// user's changes.
//
//	in, err := instrument.New(program, tool.GOROOT, checker.Runtime, instrument.Options{})
//	...
//	program, err := in.Rewrite(nil)                  // the program
//	mutant, err := in.Rewrite(map[string][]byte{...}) // a mutant
//	...
//	err = tool.BuildTest(ctx, gotool.BuildOptions{Package: ".", Overlay: mutant.Overlay, Output: binary})
//
// or, if neither has to be Alone, both in one binary:
//
//	both := in.Batch([]*instrument.Rewritten{program, mutant})
//	err = tool.BuildTest(ctx, gotool.BuildOptions{Package: both.Package, Overlay: both.Overlay, Output: binary})
//
// Outside an execution of the engine the rewritten program does what the
// original does.
//
// # The overlay
//
// It holds the rewritten files of the module's packages, tests too, files that
// are added to them, and the runtime (engine, shims, driver) as packages below
// GOROOT/src/mendelrt, which every package can import. (They can have no assembly: the assembler runs in a package's
// directory, which must exist.)
//
// # What becomes of what
//
// Channels keep their type.
//
//	make(chan T, n)         sched.Make[chan T](int(n))
//	c <- v                  sched.To(c).Send(v)
//	<-c                     sched.Recv(c), with ok sched.Recv2(c)
//	close(c), len(c)        sched.Close(c), sched.Len(c)
//	for v := range c {      for i, v, ok := sched.Range(c); ok; v, ok = i.Next() {
//	select {                switch r, s := sched.From(c), sched.To(d).Case(v); sched.Select(r, s) {
//	case v := <-c:          case 0: v := r.V;
//	case d <- v:            default:
//	go f(x)                 { z := x; sched.GoAt("f.go:1", func() { f(z) }) }
//
// Calls that leave control tell the engine, so that no verdict rests on them:
//
//	net.Dial(n, a)          sched.UncontrolledCall(net.Dial, "f.go:1: net.Dial waits for the network")(n, a)
//	signal.Stop(c)          sched.Shares(signal.Stop, "f.go:1: gives a channel to ...")(c)
//
// Imports of sync, sync/atomic, time, context, math/rand and math/rand/v2 go to
// the shims, under the name they had. Where that would not build, because the
// shim lacks a name that is used or a type of it belongs to the interface of a
// package that is not rewritten, the import stays, for all of the program, and
// is reported.
//
// Accesses are told to the race detector by helpers that take a pointer, so
// that an expression stays where it is and the operand of & has the checks that
// the original has, for nil and for bounds:
//
//	x.f                     (*sched.R(&x.f))
//	x.f = v                 x.f, _ = v, sched.W(&x.f)
//	x.f += v                x.f, _ = x.f + (v), sched.RW(&x.f)
//	m[k]                    sched.Map(m).Get(k)
//	m[k] = v                m[k], _ = v, sched.MapW(m)
//	f().x = v               { z := f(); z.x, _ = v, sched.W(&z.x) }
//
// A write is reported after the right-hand side was evaluated: in x.f = <-c it
// is the receive that may order the write after another. For the same reason a
// key is evaluated before its map is read. A map counts as one variable.
//
// Left alone are constants and variables that cannot be shared: locals whose
// address is not taken and that no function literal both shares and sees
// written, and package-level variables that nobody writes. A narrowing, if
// there is one, says which others matter.
//
// # Tests
//
// Methods of *testing.T, testing.TB and *testing.M that the driver has go to it,
// also where they are promoted from an embedded field, and os.Exit does:
//
//	t.Run                   driver.Of(t).Run
//	suite.Errorf            driver.Of(suite.T).Errorf
//	tb.Fatal                driver.OfTB(tb).Fatal
//	os.Exit(m.Run())        driver.Exit(driver.OfM(m).Run())
//
// To the packages of the tests a file is added that registers the test functions
// and TestMain, which gets another name, with the driver. One of them has the
// entry, TestZzMendel, and a function with a race that is rewritten like the
// rest: a build in which the engine does not find it proves nothing.
//
// # Beginning again
//
// Every execution begins with the program as it was first. A file added to a
// package registers with package state how its variables come to that:
// those without an initialiser that somebody writes are zeroed, those with one
// assigned anew in the order of initialisation, by functions at the end of the
// files that declare them, and the init functions are called, whose bodies
// become functions with a name. Left out are variables that nobody changes, as
// far as syntax tells, those that are embedded or linked, and those that define
// flags, which cannot be done twice.
//
// # Dependencies
//
// A dependency that analysis.Target.Instrument names is rewritten too. Files
// below the module cache cannot be in an overlay, so it becomes a package below
// GOROOT/src/mendelrt/dep, together with what it imports, since packages there
// cannot import others, and what imports it, so that its types stay one.
// Imports in rewritten files go to the copies; positions are the originals'.
// What has cgo, assembly or embedded files stays where it is, and so does what
// has to do with it; that is reported.
//
// # Clones
//
// In a [Batch] each program has clones of the packages in which it may differ:
// those with the tests, those that were changed, what imports one of these and
// what is called when one of these is initialised. Everything else all share.
// A clone has the rewritten files of its package, test files as ordinary ones,
// and lies below it, so that it may import what the package may:
//
//	example.com/bank             example.com/bank/zzc1/bank
//	example.com/bank_test        example.com/bank/zzc1/bank_test
//	example.com/bank/internal/x  example.com/bank/internal/x/zzc1/x
//
// A test package imports the clones of the tests and has the entry. A request
// names the program, that is the clones, which it is for; tests and what is
// begun again are registered under that name. Files have line directives, and
// from what the process says [Original] takes what clones are called, so that
// positions, functions and signatures are those of the program built alone.
//
// A process initialises all clones when it begins, though it uses those of one
// program. So a program has to be Alone if it starts goroutines, prints,
// registers something or changes what clones share when it is initialised, as
// far as calls of declared functions tell; what they do not tell is taken for
// the worst, and so are functions of most packages outside the module. Alone
// are commands too, and what has cgo, assembly, embedded or linked files.
//
// # Positions
//
// Text is spliced, not printed: every line stays where it is. Where text has to
// move to another line, as the operands of a select do, line directives keep
// the position, so that stacks are those of the original.
//
// # Limits
//
// What an execution cannot control is reported as [Uncontrolled], and what is
// not rewritten for that reason builds as it was. Such a report is a hint what
// may be behind an execution that got out of control, no verdict. A function
// that is given to a dependency is reported where that, by its name, may run it
// in a goroutine of its own.
//
// Not reported to the race detector, though they are accesses: results assigned
// by a return statement that cannot name them (one is blank, or another
// variable has the name), embedded pointers of another package's unexported
// fields, spare elements that append fills, bytes that copy takes from a string,
// and the copy of a loop variable from one iteration to the next. A map is
// iterated in the order of its keys, in every execution the same; other orders
// are not tried.
//
// A clone differs from its package where the program itself asks for the import
// path: reflect.Type.PkgPath, runtime.FuncForPC and the stacks that it prints
// tell the clone's, gob and the like may register it.
//
// Not begun again: state of packages that are not rewritten, such as a registry
// of handlers, and variables in files that import "C" or are left as they are.
// Method expressions such as (*testing.T).Fail, and methods of package testing
// behind an interface of the program's own, are the real ones.
package instrument
