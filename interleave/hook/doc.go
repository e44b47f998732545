// Package hook is compiled into the program under test. It records what the
// program does on shared locations and with its synchronisation, and holds
// goroutines so that a given interleaving comes about.
//
// It becomes part of the standard library of the build, as mendelrt/interleave.
// So it imports the standard library and the hooks of noise, which go with it.
//
// # No happens-before edge
//
// The race detector must go on to see the program as it is. So nothing here that
// happens at an access locks, sends or uses package sync/atomic: the words that
// the hooks share are reached by the runtime's own atomic operations, of which
// the race detector knows nothing (see atomic.go), in functions marked with the
// directive norace. Nothing here is a map either: the runtime tells the race
// detector of every use of one. What the program synchronises itself with is done for it
// here, in its place, with the edges that it has.
//
// # Recording
//
// Events go to a file that is mapped into memory ([LogEnv]), so that they
// outlive any end of the process. Its size is the bound: [Capacity] events of
// [EventSize] bytes. What does not fit is counted and left out. What releases
// (an unlock, a send, a Done) is recorded before it is done, and what acquires
// (a lock, a receive, a Wait) after it, so that the order of the file never
// contradicts that of the program. Two plain accesses that nothing orders may be
// recorded in the other order than they happen, if they are as close as an access
// and its hook.
//
// # Delays
//
// In place of forcing, accesses can be delayed at random ([DelayEnv]), as a baseline.
//
// # Forcing
//
// A [machine] decides who is held; the goroutine that is held waits in [await].
package hook
