// Package halves finds what a patch mends at one place and leaves at another one like it, and what it mends by half.
//
//	for _, f := range halves.Find(program, fset, packages) {
//		fmt.Println(f.What)
//	}
//
// The patch itself shows what is wrong; where the same is left nobody need know why it is.
//
// # Rooms
//
// A finder compares a program before and after a patch, and lists places of one sort. Package pair has what finders
// compare and what several of them ask. Package memory has the finders about memory that is handed out, kept, lent or
// copied too shallowly, and package channels those about channels; the others, about locks, wait groups, condition
// variables, atomics and timers, are here, a file for a sort. The table of all is in halves.go.
//
// # What is alike
//
// Beside what the rooms look for, alike are
//
//   - statements of two functions that differ in literals only, where the patch adds a statement
//     to one, or takes one out of it (lint that looks for clones with one change:
//     Li et al., CP-Miner, OSDI 2004);
//   - stops of one timer, where the patch asks at some whether the timer has fired already, and
//     leaves what the timer does then;
//   - returns without the Done that the function has at its end, where the patch changes how the wait
//     group counts;
//   - goroutines that count themselves in a wait group, where the patch counts others before they start;
//   - atomic fields that a function asks in order to return, and sets in a second step, where the patch has a part of what
//     comes behind done once only;
//   - atomic fields that are asked and then changed, in two steps, where the patch makes one step of that
//     elsewhere;
//   - Signals of a condition variable, where the patch makes another one of it a Broadcast;
//   - waits for a condition variable in no loop, where the patch has another one ask again, or wakes all of them (loopless.go);
//   - waiters for what a function sets and does not wake, where the patch has it wake those of another condition;
//   - changes of what waiters wait for, behind which nobody calls the method that wakes them, as others do behind the same change,
//     where the patch has another function call it;
//   - waits for a wait group, where the patch puts the Add of others in a section that asks a
//     flag, and only some set that first;
//   - Adds behind a section, where the patch moves another Add to the group into its section;
//   - ways out on which is lost what the function took, and calls of others' code that lose it when they panic, where the patch
//     gives the same back elsewhere (package taken);
//   - changes of a container that is safe by itself, where the patch has others change it under a lock (fills.go);
//   - stores in what a method goes over when it ends a value, where the patch has another function ask for that end before it
//     stores (late.go);
//   - calls of methods that each read under the lock, whose results are put together, where the patch takes
//     the lock once for the same fields elsewhere.
//
// # What is half done
//
// Half done are, at the place that the patch changes,
//
//   - stops of a timer of which what it does knows nothing when it has fired (latetimers.go);
//   - a lock that is let go in the middle of its callers' sections (gaps.go);
//   - what is given back before the call of others' code that it is to limit (taken.go);
//   - a lock around what goroutines set for which nobody waits (unjoined.go), code of others that runs in such a
//     goroutine (detached.go), and functions that do not wait as their documentation promises (unawaited.go).
//
// Only sources are compared. A patch that has a reason to leave a place is found all the same.
package halves
