// Package signal has what stands for functions of os/signal in a program under test, and
// for those that send it signals.
//
// Under control a signal that the program sends to itself goes to the channels that are
// registered for it, in a goroutine of its own: when it arrives is a choice of the
// schedule. A signal that no channel is registered for, or is for another process, is
// really sent. Signals from outside do not come.
package signal
