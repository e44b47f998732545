// Package speed measures the checker and the search beside their yardsticks.
//
// Run measures a scheduling step beside a bare hand-off between two goroutines,
// schedules per second, the build of a changed subject beside go test -c,
// the time to the bug of each subject, what it takes to list the edits of a
// large module, and how many mutants a repair scores in a minute of its search, beside
// another version of Mendel. This version's searches go on after a candidate, until their time
// is over; those of the other end with a fix. What is compared takes turns, and each
// figure is the median of several rounds.
//
// The time of building is that of the checker's builds and of noise's: where they are made
// side by side it counts twice. A program is what is built to judge a mutant by one of the
// two; one that is neither built alone nor as a clone is a variant.
//
//	err := speed.Run(ctx, speed.Options{
//		Parts: speed.Usual, Rounds: 5, Search: 2 * time.Second, Limit: 30 * time.Second, SearchBudget: 2 * time.Minute,
//		First: 1, Subjects: "subjects",
//	}, os.Stdout, os.Stderr)
package speed
