// Package halves finds what a patch mends at one place and leaves at another one like it, and what it mends by half.
//
//	for _, f := range halves.Find(program, fset, packages) {
//		fmt.Println(f.What)
//	}
//
// The patch itself shows what is wrong; where the same is left nobody need know why it is. Alike
// are
//
//   - places that hand over memory of one pool or buffer, which is used again;
//   - uses of what the patch has a function put back into a pool before;
//   - statements of two functions that differ in literals only, where the patch adds a statement
//     to one, or takes one out of it (lint that looks for clones with one change:
//     Li et al., CP-Miner, OSDI 2004);
//   - exits of a function, where the patch closes a channel in front of some and nobody closes
//     it in front of others;
//   - channels whose senders are left alone when the function that receives returns early, where
//     the patch mends that for the senders of another channel, by room, by a way out, or by receiving
//     the rest;
//   - sends that a function makes whatever happens, where the patch gives another send there a way out, and who receives
//     may have left before both;
//   - sends for which nobody receives when a context has ended (heedless.go), where the patch has another wait of the same
//     type's methods end with its context;
//   - stops of one timer, where the patch asks at some whether the timer has fired already, and
//     leaves what the timer does then;
//   - returns without the Done that the function has at its end, where the patch changes how the wait
//     group counts;
//   - goroutines that count themselves in a wait group, where the patch counts others before they start;
//   - atomic fields that a function asks in order to return, and sets in a second step, where the patch has a part of what
//     comes behind done once only;
//   - atomic fields that are asked and then changed, in two steps, where the patch makes one step of that
//     elsewhere;
//   - slices and maps of a value, and pointers to its structs, that are given away and go on changing, where
//     the patch gives away a copy elsewhere;
//   - slices and maps that a function gives away and fills again, where the patch has another function
//     begin with new memory, or give away a copy;
//   - what a cache has and a function gives away, where the patch gives away a copy at another place, in that function or not;
//   - changes in its place of what a function has given, or of what a field has, where the patch has another function change a copy;
//   - Signals of a condition variable, where the patch makes another one of it a Broadcast;
//   - waiters for what a function sets and does not wake, where the patch has it wake those of another condition;
//   - changes of what waiters wait for, behind which nobody calls the method that wakes them, as others do behind the same change,
//     where the patch has another function call it;
//   - calls that change what a method has given under its lock, where the patch holds the lock over such a call elsewhere;
//   - waits for a wait group, where the patch puts the Add of others in a section that asks a
//     flag, and only some set that first;
//   - Adds behind a section, where the patch moves another Add to the group into its section;
//   - ways out on which is lost what the function took, and calls of others' code that lose it when they panic, where the patch
//     gives the same back elsewhere (package taken);
//   - calls of methods that each read under the lock, whose results are put together, where the patch takes
//     the lock once for the same fields elsewhere.
//
// Half done are, at the place that the patch changes,
//
//   - room in a channel for some of what is sent, whatever happens (rooms.go), and sends only where there is room
//     (drops.go), or of which nobody gets what is taken (stranded.go), or that may be closed by then (closedfor.go);
//   - sends that ask whether a context has ended, and not while they wait (askedbefore.go), or that it ends, which
//     those who receive take for the end of all (cutshort.go);
//   - stops of a timer of which what it does knows nothing when it has fired (latetimers.go);
//   - receiving the rest from those whom nothing ends (drains.go), and a break that leaves no loop (breaks.go);
//   - a lock that is let go in the middle of its callers' sections (gaps.go), or before what it guards is copied
//     (latecopies.go), and copies of structs that share what is changed in its place (shallow.go);
//   - what is given back before the call of others' code that it is to limit (taken.go);
//   - a lock around what goroutines set for which nobody waits (unjoined.go), code of others that runs in such a
//     goroutine (detached.go), and functions that do not wait as their documentation promises (unawaited.go).
//
// Only sources are compared. A patch that has a reason to leave a place is found all the same.
package halves
