// Package left tells goroutines that a test leaves waiting from those that a product can no
// longer end: it names the call that the test leaves out.
//
//	left.Missing(program, "TestTicker", left.Goroutine{Stack: stack, Created: created}) // "(*Ticker).Stop"
//
// A goroutine that waits where a value of the product can end it, in a receive or a select,
// is left by the test if the value's type has a method for that (Stop, Close, Shutdown,
// Wait, ...), which closes what the goroutine waits for, sends on it, or cancels its context,
// and the test does not call it. So it is if it waits for a context that the test has made,
// or passes on, and does not cancel.
//
// # Limits
//
// The syntax decides: calls of the test and of the functions of test files that it names,
// and what the method and the functions of its package do that it calls. A method that is
// called in time for another value, or before the goroutine began, counts as called.
package left
