// Package explore searches the schedules of a program for one that fails. Package sched
// makes the executions; here is what decides between them.
//
// Explore makes executions by a strategy and gives a verdict, Minimise makes a failing one
// simple, a Replay makes one again, a Guided makes one that is like another, a Tree knows
// executions that need not be made again.
//
// A strategy is a type that implements [sched.Strategy], and what else of file strategy.go
// there it needs, in a file of its own. Kinds lists them: their names, what users are told
// of them, and how a search uses them. To add one is to write that file and a line there.
//
//	auto       explore.go, a portfolio of the others
//	dfs        dfs.go; reduce.go, fairness.go and part.go say what is left out, and why
//	           nothing is lost by it; impact.go what comes first
//	mcm        mcm.go, cover.go and, for what goroutines see, tracker.go; package causal
//	           plans
//	states     stateful.go, eager.go and book.go, with the same tracker
//	predict    predict.go
//	random     random.go
//	pct        pct.go
//	pctlarge   pctlarge.go
//	pos        pos.go
//
// The package imports the standard library and its neighbours only, because it is compiled
// into the program under test.
package explore
