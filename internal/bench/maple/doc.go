// Package maple measures mendel cover by the bug patterns of Maple's evaluation (Yu et
// al., OOPSLA 2012, table 2): in how many runs it exposes each, beside random noise
// and delays, PCT, PCTLarge and a search bounded by preemptions as CHESS has it, and beside
// what the paper needed.
//
// The programs in testdata/programs.txtar are ours, small, and without data races: the
// race detector alone finds nothing in them. Of two bugs (CnC, glibc) the paper does
// not know the cause; the programs have a bug of the kind that it supposes.
//
// Each method builds a program once for all seeds, and begins anew with each. A run with
// the real scheduler is a process of its own: a bug may end it, and what a test leaves
// behind must not matter to the next.
//
// # Limits
//
// The checker begins each search with a few random schedules, to see whether executions
// can be repeated. Bugs as frequent as these show there already: what is counted for PCT and
// PCTLarge is in part theirs.
package maple
