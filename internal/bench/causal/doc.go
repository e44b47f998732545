// Package causal compares the strategy mcm with dfs, with and without reduction and with
// a bound on preemptions, by the subjects of RV-Causal's evaluation (Luo 2015, section
// 4.2.4): how many schedules each needs to find the bug, and to exhaust the mended
// program, beside what the thesis needed.
//
// The programs in testdata/programs.txtar are ours, after the thesis and what is known of
// the subjects. The thesis does not tell the size of its tests.
//
// # Limits
//
// A time-out is none of the machine but of the time that is given. The count of schedules
// leaves out those that dfs abandons because an equivalent one was made.
package causal
