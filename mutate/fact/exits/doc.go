// Package exits finds where control leaves statements of a function other than at their end:
// returns, branches to what is outside, and calls that end the goroutine.
package exits
