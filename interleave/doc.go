// Package interleave predicts, from one run of a program, interleavings that other
// runs could have, and says how to force them. The method is that of Maple (Yu,
// Narayanasamy, Pereira, Pokam: Maple: A Coverage-Driven Testing Tool for
// Multithreaded Programs, OOPSLA 2012).
//
// Package interleave/instrument puts hooks into a program, package interleave/hook
// records and forces inside it, [ReadLog] reads what was recorded. [Observe] tells what
// a run exposed, [Predict] what others could.
//
//	trace, err := interleave.ReadLog(name)
//	...
//	exposed, seen := interleave.Observe(trace), interleave.Set{}
//	predicted, complete := interleave.Predict(trace)
//	for root := range predicted {
//		if !exposed[root] {
//			script := root.Script(seed, false)
//			env := hook.ForceEnv + "=" + script.String() // of a run that forces it
//		}
//	}
//
// # Words
//
// An access is an event at a location: a read or write of a variable, or an
// operation on a lock, wait group, condition or channel. A map, and an array copied
// as a whole, is one location. A dependency A => B is an access A and an access B to
// the same location by two goroutines, of which B can notice that A came before, with
// no other access to the location between them. An [IRoot] is an instance of an
// idiom, named by places in the source alone. The coverage of a test is the set of
// iRoots that its runs have exposed.
//
// # Idioms
//
// With the number of the goroutine before each access, and dots for the order
// within a goroutine:
//
//	1  1:A => 2:B                       order violations
//	2  1:A => 2:B => 1:C                X is violated between A and C
//	3  1:A => 2:B ... 2:C => 1:D        the same, by two accesses
//	4  1:A => 2:B ... 2:C => 1:D        A, B at X; C, D at Y
//	5  1:A => 2:B, 2:C => 1:D           A before D, C before B: deadlocks
//	6  1:A => 2:B, 1:C => 2:D           A before C, B before D; the paper left it out
//
// Accesses of one goroutine are at most [Window] events apart. In idioms 2 to 5 the
// goroutine that is interrupted touches neither of the locations between its two ends.
//
// # Dependencies
//
// What depends on what is decided by what B can notice:
//
//   - Memory: one of the two accesses writes, atomically or not.
//   - Locks: an unlock => a lock, and for reading likewise, but no two readers. For
//     idiom 5 a lock => a lock too, where each is taken with the other one held: that
//     is a deadlock. The same for idiom 1, where the first goroutine waits in its critical
//     section for something that the second one does after its own: a value, a receiver,
//     a Done.
//   - Channels: a send => the receive of its value: with several senders, or several
//     receivers, another one could have met it. A close => a send or a close, which
//     panics. A close => a receive, which finds the channel closed, or what was sent
//     before. That a receive makes room for a send is no dependency: the send notices
//     nothing of whose receive it was.
//   - Wait groups: Done => Wait: that it has waited for this one. Wait => Add: an Add that
//     comes too late, whose goroutine nobody waits for.
//   - Conditions: Signal (or Broadcast) => Wait: a signal that comes before the wait
//     is lost. Signal after wait is how it should be, and no dependency: the wait is over
//     because of it, whichever came.
//
// # What cannot be
//
// A => B is not predicted if B happens before A in the run. Of the happens-before
// edges those of mutexes are left out, since locks are taken in another order the
// next time. The others mostly stay: go statements, the end of a subtest, Done and
// Wait, Once, close and the receive that notices it. Edges of channels count where
// they are there whichever sender meets whichever receiver: with one sender, its
// n-th receive comes after the n-th send; the only receiver, having received
// everything, comes after every send. Signals are no edges: in the next run the wait
// may not be needed.
//
// Nor is it predicted if a lock excludes it: for each lock held at A and B, A must be
// the last access to the location in its critical section, and B the first in its
// own. Readers of a RWMutex do not exclude each other. In a compound iRoot nothing that
// needs a lock comes between two ends in one critical section of it. Nor if another
// access to the location always comes between A and B.
//
// In programs without branches this leaves out nothing that can be; a test compares it
// with all interleavings of small programs. With branches it may: another order may
// take another way. And some that are predicted cannot be: ad-hoc synchronisation,
// and what synchronises outside the module, is not seen.
//
// # Limits
//
// Addresses name locations: one that is freed and used again within a run counts as
// the same. Context cancellation, timers and what dependencies do with locks and channels
// is not recorded. The edge from a receive to a later send of a full channel, and a
// channel of capacity one used as a lock, are not taken into account: what they
// exclude is predicted all the same. Of a run hook.Capacity events and [Goroutines]
// goroutines are seen; of one access by one goroutine, 16 variants that differ in
// their clock or locks.
package interleave
