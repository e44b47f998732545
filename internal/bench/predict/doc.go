// Package predict measures what the model of one passing run foretells of the subjects:
// by the strategy predict, of each test of each program and of its corrected copy.
//
// A test whose first schedule fails has no passing run; of the others it is told what was
// confirmed, refuted and not decided, in how many schedules, and whether the failure is of
// the kind that the subject's description has. Of a corrected copy nothing may fail.
//
// # Limits
//
// The first schedule is that in which each goroutine goes on as long as it can. Most of
// the subjects' bugs are races that it shows already.
package predict
