// Package shim is the home of the packages that replace some of the standard
// library in a program under test: sync, sync/atomic (here atomic), time,
// context, io, math/rand (here rand) and math/rand/v2 (rand/v2). They have the
// exported names of the packages they replace, so that only imports are
// rewritten. Names that newer releases of Go have are in files with build tags: the
// toolchain of the program compiles them, and the rewriting asks for its release. Packages
// net, http, httptest and signal have only some functions, which replace the calls of
// those, and package linked has some that stand for functions of the runtime. Package order
// replaces package order of Mendel, and copies of it, in tests that state an order. Package socket replaces what
// the target's package net asks of the operating system. Each works under the control of package sched and, in code that
// is not under control, really. The test beside this file compares the names.
package shim
