// Package linked has what stands for functions of the runtime that a program links (by
// directives go:linkname) and that make goroutines wait: semaphores, and the pinning of a
// goroutine to its processor. (Numbers and the clock are in package sched.)
//
//	semacquire(&s)           linked.Semacquire(&s)
//	p := procPin()           p := linked.ProcPin()
//
// A semaphore's word belongs to these functions: what else changes it under control, with
// package sync/atomic, does not wake who waits.
package linked
