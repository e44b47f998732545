// Package guards says which locks are held at the uses of a variable ([LocksAt], [Guards]), by
// the function or by all that call it, and which lock is the variable's guard, with the uses that
// are exceptions ([All], [Of]).
package guards
