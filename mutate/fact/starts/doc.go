// Package starts finds the statements that start goroutines, what these run, and the calls that
// run a function in the goroutine of who calls it.
package starts
