// Package impact finds the impacted code points of a change: where in the source it may
// matter. With them the checker explores first what has to do with the change
// (sched.Impact). It follows Jagannath, Luo and Marinov, "Change-Aware Preemption
// Prioritization" (ISSTA 2011), as in Luo's thesis (2015), section 4.1.2.
//
//	points, err := impact.OfMutant(program, files)    // files as checker.Build takes them
//	points, err := impact.OfChange(program, before)   // of a program that has been changed
//	preferred, err := points.For("LOS")
//	report, err := binary.Check(ctx, checker.Search{Strategy: "dfs", Impact: preferred})
//
// # Words
//
// A mode names what is looked at, and how it is used:
//
//	C  the type whose method the next operation is in, or the package   CO  of any call
//	M  the function, or function literal                                MO  of any call
//	L  the line                                                         LO  of any call
//	F  the field or variable that is used
//
// followed by S (some of the goroutines that could go on have to be there) or A (all of
// them): CS, CA, COS, COA and so on, 14 in all. BASIC prefers nothing.
//
// # What is impacted
//
//   - Lines that are new or different; where lines are gone, those around.
//   - The whole section of a lock, from Lock to Unlock or to the end of the block, of
//     which a line is impacted.
//   - The scheduling points around each of these lines in its function. The original
//     preempts at accesses to fields; Mendel's goroutines make several accesses in a step,
//     which begins with an operation that synchronises.
//   - The functions and types of these lines.
//   - Fields and package-level variables that they name, and that functions name which they
//     call; wherever these are used, and the scheduling points around.
//
// # Limits
//
// Functions are found by the static type of what is called, one call deep. The change
// itself is compared by lines. Who knows too much or too little loses time, nothing else.
package impact
