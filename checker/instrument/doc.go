// Package instrument rewrites a program so that the engine of the checker
// (package sched) controls it: goroutines, channels, and what the program reads
// and writes. The result is an overlay for the go command; the user's files do
// not change.
//
//	in, err := instrument.New(program, tool.GOROOT, checker.Runtime, instrument.Options{})
//	...
//	original, err := in.Rewrite(nil)
//	mutant, err := in.Rewrite(map[string][]byte{file: source})
//	...
//	err = tool.BuildTest(ctx, gotool.BuildOptions{Package: ".", Overlay: mutant.Overlay, Output: binary})
//
// or, if neither has to be Alone, both in one binary:
//
//	both := in.Batch([]*instrument.Rewritten{original, mutant})
//	err = tool.BuildTest(ctx, gotool.BuildOptions{Package: both.Package, Overlay: both.Overlay, Output: binary})
//
// Outside an execution of the engine the rewritten program does what the
// original does.
//
// # The overlay
//
// It holds the rewritten files of the module's packages, tests too, and files
// that are added to them. The runtime (engine, shims, driver) becomes packages
// below GOROOT/src/mendelrt, which every package can import. (They can have no
// assembly: the assembler runs in a package's directory, which must exist.)
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
// Imports of sync, sync/atomic, time, context, math/rand, math/rand/v2 and
// testing/synctest go to the shims, under the name they had; that of io does if the
// program has pipes. Sometimes that would
// not build: the shim lacks a name that is used, or a type of it belongs to the
// interface of a package that is not rewritten. Then the import stays, in all of the
// program, and is reported. If that package orders goroutines, as sync does, its calls leave
// control and no access is reported: the engine would take what they order for races. A
// method of a variable elsewhere, as of syscall.ForkLock, is no reason for that; its calls
// alone leave control.
//
// Helpers that take a pointer report accesses to the race detector. So an
// expression stays where it is, and the operand of & has the checks that the
// original has, for nil and for bounds:
//
//	x.f                     (*sched.R(&x.f))
//	x.f = v                 x.f, _ = v, sched.W(&x.f)
//	x.f += v                x.f, _ = x.f + (v), sched.RW(&x.f)
//	m[k]                    sched.Map(m).Get(k)
//	m[k] = v                m[k], _ = v, sched.MapW(m)
//	m[p] = v                m[sched.Key(p)], _ = v, sched.MapW(m), if p has an address in it
//	f().x = v               { z := f(); z.x, _ = v, sched.W(&z.x) }
//	append(s, x)            sched.Append(s).Values(x)
//	string(b)               string(sched.Elements(b))
//	p.get()                 (*sched.R(p)).get(), which copies *p
//	i.get()                 sched.Via(i).get(), which may
//	n + <-c                 n + sched.After(sched.Recv(c), &n)
//
// The variables of a three-clause loop are read at the end of an iteration, when
// the next one copies them, and results with names at the end of the function, if
// another goroutine may have them.
//
// A statement that assigns to nothing but memory that is told of, or to what ends with it,
// says so, because after it its goroutine has no trace of what it read (sched.Enter):
//
//	if x.n > 0 { x.n-- }    { z := sched.Enter(); if (*sched.R(&x.n)) > 0 { *sched.RW(&x.n)-- }; z.Left() }
//
// A write is reported after the right-hand side was evaluated: in x.f = <-c the
// receive may order the write after another. For the same reason a key is
// evaluated before its map is read. A variable that stands beside a call in one
// expression or list is read after the call, as gc does it. A map counts as one variable.
//
// Left alone are constants and variables that cannot be shared: locals whose
// address is not taken and that no function literal both shares and sees
// written, and package-level variables that nobody writes. A narrowing, if
// there is one, says which others matter.
//
// # The standard library
//
// Its packages are not rewritten, but for database/sql and net/rpc, whose goroutines wait
// for the program's: they are controlled like dependencies. Calls of some functions become
// those of shims:
//
//	signal.Notify(c)         zzsignal.Notify(c)
//	c.Get(address)           zzhttp.OfClient(c, "f.go:1: ... waits for the network").Get(address)
//	s.Client()               zzhttptest.OfServer(s, "f.go:1: ").Client()
//
// Package effects has a table, found by analysis of the source of the library that the
// program is built with, of what each function reads, writes, calls and shares
// ([Options].Library). Operands of calls have functions around them that tell it:
//
//	sort.Ints(s)             sort.Ints(sched.WriteElements(s))
//	buf.WriteString(s)       sched.WriteObject((&buf)).WriteString(s)
//	fmt.Fprintln(w, x)       fmt.Fprintln(sched.Uses("mWrite", w), sched.Uses("F", x))
//	slices.Contains(s, <-c)  slices.Contains(sched.Keep("r", s), sched.Then(1, "", sched.Recv(c)))
//	os.Setenv(k, v)          os.Setenv(k, sched.Uses("$environment:L", v))
//	w.Write(b)               sched.Dyn("Write", w).Write(b), where w is an interface
//	run(buf.Reset)           run(sched.Method("0w", (&buf), (&buf).Reset))
//	defer buf.Reset()        { z := (&buf); defer func() { sched.WriteObject(z).Reset() }() }
//	log.Print(x)             { sched.At("$log:L", log.Print)(sched.Uses("F", x)); sched.Called() }
//
// What a call through an interface does is known when the program runs only. So the package
// mendelrt/library, in the overlay too, has the table's words about methods of the packages
// that the program depends on, for Dyn.
//
// An object of the library, such as a bytes.Buffer, counts as one variable, but for fields
// that some of its methods only read and others never write. What it was
// given or gives away (the bytes of a buffer, the writer below a bufio.Writer) is told by
// the object's state at the call. Iterators of maps and slices are the runtime's, which
// tell of each element when they run; so is iter.Pull, whose sequence makes the steps of
// who calls next. Values that
// are encoded, printed or compared are walked by reflection, up to methods under
// control, which tell themselves what they do. What has a lock of its own, or is shared
// by the process (environment, files), is a scheduling point. While a logger calls a
// writer under control, the engine holds a lock in its place.
//
// With analysis.Program.Network, package net has sockets in memory. It is not rewritten,
// since it may have C in it: a field is added to netFD, and statements that ask for it to
// functions (sockets.go). A file with the rest is added. Packages that use a network are
// rewritten: net/http and those below it, and crypto/tls.
//
//	func (fd *netFD) Read(p []byte) (n int, err error) { if fd.zz != nil { return fd.zz.Read(p) }; ...
//
// All of them are left as they are if one of them cannot be rewritten, or if net is not as
// it is expected.
//
// The other way would be to rewrite copies of the packages. It was not taken, because
// the copies' types would not be those that other packages of the library take and
// return, because the runtime itself imports many of them, and because a table tells of
// a sorted slice once what a copy would tell for each comparison.
//
// # Tests
//
// Methods of *testing.T, testing.TB and *testing.M that the driver has are
// redirected to it, also where they are promoted from an embedded field. So is
// os.Exit:
//
//	t.Run                   driver.Of(t).Run
//	suite.Errorf            driver.Of(suite.T).Errorf
//	tb.Fatal                driver.OfTB(tb).Fatal
//	f.Fuzz                  driver.OfF(f).Fuzz
//	os.Exit(m.Run())        driver.Exit(driver.OfM(m).Run())
//
// A file added to the packages of the tests registers the test functions and
// TestMain, which gets another name, with the driver; examples with what they print, and
// fuzz tests with their seeds in testdata. One of the files has the
// entry, TestZzMendel, and a function with a race that is rewritten like the
// rest. A build in which the engine does not find that race proves nothing.
//
// A call that sets a time-out which is nothing but a test's patience (package patience) says
// so to the engine:
//
//	time.After(d)           sched.Guard1(sched.Fails, time.After, d)
//
// # Re-initialisation
//
// Every execution begins with the program's initial state. A file added to a
// package registers with package state how to restore its variables:
//
//   - Variables without an initialiser that somebody writes are zeroed.
//   - Those with an initialiser are assigned anew in the order of initialisation,
//     by functions at the end of the files that declare them.
//   - The init functions are called; their bodies become functions with a name.
//
// Left out are variables that nobody changes, as far as syntax tells, those that
// only benchmarks use, if their initialisers only compute,
// those that are embedded or linked, and those that define flags, which cannot be
// defined twice.
//
// # Dependencies
//
// Dependencies that are concurrent ([analysis.Dependency]) are rewritten too,
// and other modules of a workspace and vendored packages with them. Of those that
// analysis.Target.Instrument names, accesses to memory are reported; of the others
// only what synchronises, so that a large library costs little.
//
// Files below the module cache cannot be in an overlay. So a module in the cache
// with such a package is replaced, in an overlay of go.mod or go.work, by one in a
// directory that exists only there, with those of its packages that are in use.
// Import paths, types and positions are what they were.
//
// A package with cgo or assembly stays as it is, and in the module cache so does
// all of its module. A dependency that was not named is left, too, if it uses what
// a shim lacks, or if the rewritten program does not build with it
// ([Instrumenter.Unfit]). All this is reported.
//
// # Counting goroutines
//
// runtime.NumGoroutine, runtime.Stack and the profile of goroutines know of
// those under control only (see sched.Stack), so that a test that looks for leaks
// does not see the engine. A *testing.M that is given to an interface, as that of
// goleak.VerifyTestMain, is the driver's.
//
// # What is linked
//
// A function without a body that is one of the runtime by go:linkname, and for which the
// engine has another (random numbers, the monotonic clock, semaphores, the pinning to a
// processor), is left as it is, and its uses become those of the engine's. What else is linked
// is reported. maphash.MakeSeed is the engine's too:
//
//	fastrand()               sched.Rand32()
//	procPin()                linked.ProcPin()
//	maphash.MakeSeed()       sched.MakeSeed()
//
// # Schemata
//
// In a [Schema] a function that programs change has a variant for each text that they give
// it. Programs that differ in bodies of functions, or add fields, package variables or functions, fit
// into one. How that is done, and what is seen of it all the same, stands there. What does not fit:
//
//   - another signature, another type but for new fields, another initial value, another
//     init function;
//   - a new field that hides what an embedded field promotes, or that a literal
//     without keys would need;
//   - what two programs declare under one name in different ways;
//   - a short declaration of several values in a function's outermost block, one of which is a parameter;
//   - files that say themselves where their lines are.
//
// # Clones
//
// In a [Batch] each program has clones of the packages in which it may differ:
// those with the tests, those that were changed, what imports one of these and
// what is called when one of these is initialised. All programs share the rest.
// A clone has the rewritten files of its package, test files as ordinary ones.
// It lies below the package, so that it may import what the package may:
//
//	example.com/bank             example.com/bank/zzc1/bank
//	example.com/bank_test        example.com/bank/zzc1/bank_test
//	example.com/bank/internal/x  example.com/bank/internal/x/zzc1/x
//
// A test package imports the clones of the tests and has the entry. A request
// names the program that it is for. Tests and functions that re-initialise are
// registered under that name. Files have line directives, and [Original] removes
// the names of clones from the output of the process. So positions, functions
// and signatures are those of the program built alone.
//
// A process initialises all clones when it begins, though it uses those of one
// program. So a program has to be Alone if, when it is initialised, it starts
// goroutines, prints, registers something or changes what clones share. The calls
// of declared functions decide; other calls, and those of most functions outside
// the module, count as doing all of this. Commands are Alone too, and so are
// programs with cgo, assembly, embedded or linked files, and those that ask for their
// executable: a test may start it again, and look for itself there.
//
// # Language versions
//
// The rewritten text calls generic functions. In a module whose go line is below
// 1.18, or that has none, a rewritten file gets a build constraint with go1.18,
// beside the constraint that it has. The compiler then takes it for Go 1.21, in
// which loops mean what they did before.
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
// not rewritten for that reason builds as it was. Such a report is no verdict. It
// is a hint why an execution got out of control. A function that is given to a
// dependency is reported where the dependency, to judge by its name, may run it
// in a goroutine of its own.
//
// Not reported to the race detector, though they are accesses: embedded fields
// that are unexported in another package, what a deferred call through an
// interface copies, what a method expression copies that is called elsewhere than
// where it stands, and elements of a generic slice or string whose index is more
// than variables and constants. A map is iterated in the order of its keys, and of those
// with addresses in the order in which they were added, in every execution the same;
// other orders are not tried. Keys with addresses that the library adds have no order.
//
// Of calls of the standard library: what a function reads or writes through more than
// one field of what it is given, what it keeps and uses later (a bufio.Writer its
// underlying writer when its buffer is full, a flag.FlagSet the variables of its flags,
// the iterators of package bytes), and its functions as
// values where they are generic or their receiver is more than variables and fields.
// A walk of a value ends after 20,000 parts; then no verdict is Exhausted. What the
// library does on some paths only counts as always done, as far as the table says it;
// but what it prepares once, in a field that is nil, as never done.
//
// A clone differs from its package where the program itself asks for the import
// path: reflect.Type.PkgPath, runtime.FuncForPC and the stacks that it prints
// give the clone's, and gob and others may register it.
//
// Not re-initialised: state of packages that are not rewritten, such as a
// registry of handlers, and variables in files that import "C" or are left as
// they are.
// Method expressions such as (*testing.T).Fail, and methods of package testing
// behind an interface of the program's own, are the real ones.
package instrument
