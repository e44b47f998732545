// Package causal finds, from one execution of a program, what other executions must be
// made so that each outcome of each schedule is seen. It knows nothing of goroutines or
// memory: it is given a [Trace], and returns a [Plan].
package causal
