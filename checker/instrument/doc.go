// Package instrument rewrites a program so that the engine of the checker
// (package sched) controls it: goroutines, channels, and what the program reads
// and writes. The result is an overlay for the go command; nothing of the
// user's changes.
//
//	in, err := instrument.New(program, tool.GOROOT, instrument.Options{})
//	...
//	overlay, uncontrolled, err := in.Overlay(nil)                  // the program
//	overlay, uncontrolled, err = in.Overlay(map[string][]byte{...}) // a mutant
//	...
//	err = tool.BuildTest(ctx, gotool.BuildOptions{Package: ".", Overlay: overlay, Output: binary})
//
// Outside an execution of the engine the rewritten program does what the
// original does.
//
// # The overlay
//
// It holds the rewritten files of the module's packages, tests too, and the
// engine and the shims as packages below GOROOT/src/mendelrt, which every
// package can import. (They can have no assembly: the assembler runs in a package's
// directory, which must exist.) Files below the module cache cannot be in an
// overlay: a dependency that is to be rewritten must be copied first.
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
// # Positions
//
// Text is spliced, not printed: every line stays where it is. Where text has to
// move to another line, as the operands of a select do, line directives keep
// the position, so that stacks are those of the original.
//
// # Limits
//
// What an execution cannot control is reported as [Uncontrolled], and what is
// not rewritten for that reason builds as it was. Not reported to the race
// detector, though they are accesses: the results that a return statement
// assigns, the pointer of an embedded field that a selector leaves out, spare
// elements that append fills, bytes that copy takes from a string, and the copy
// of a loop variable from one iteration to the next. A map is iterated in the
// order of its keys, in every execution the same; other orders are not tried.
package instrument
