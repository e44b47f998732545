// Package http has what stands for functions and methods of net/http in a program under
// test: those that need no network, but goroutines and timers. [TimeoutHandler] works
// under control. A client does, if its transport is the program's own.
package http
