// Package localize measures how near mendel localize comes to faults that are known.
//
// The programs of CFLASH (Rojas Garcia, 2020) are in subjects/localize, written anew
// in Go: account, airplane ticketing, dining philosophers, parking and taxi
// dispatcher. Nine faults are seeded as there, with operators of ConMAn: RSK (a
// method loses its lock), RSB (a section does), MSP (a section takes another lock),
// and one by hand. The fault is the statements of the section that was seeded. The
// distance is counted in statements of the file, from the first place that is
// reported to the nearest of these. On the correct programs nothing may be found.
//
// The subjects that CORE was evaluated with are localised too. There the fault is
// what the corrected copy changes: the statements that it changes or moves, and those
// between a lock and an unlock that it adds, or that a moved unlock passes.
//
// Programs with one bug each (package cases) are diagnosed. A diagnosis is right if it has
// a name that the program's truth gives the bug, and one of its first two places is in a
// function that a right patch edits. The right one must be among the first two. With
// --failing-only there are no executions that pass to compare with.
//
//	mendel-bench localize --set cflash
//	mendel-bench localize --set small
package localize
