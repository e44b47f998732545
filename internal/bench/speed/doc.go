// Package speed measures the checker beside its yardsticks.
//
// Run measures a scheduling step beside a bare hand-off between two goroutines,
// schedules per second, the build of a changed subject beside go test -c,
// the time to the bug of each subject, and what it takes to list the edits of a
// large module. What is compared takes turns, and each
// figure is the median of several rounds.
//
//	err := speed.Run(ctx, speed.Options{
//		Parts: speed.Parts, Rounds: 5, Search: 2 * time.Second, Limit: 30 * time.Second, First: 1, Subjects: "subjects",
//	}, os.Stdout, os.Stderr)
package speed
