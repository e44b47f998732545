// Package judged repairs programs of which it is known what mends them, and judges
// each patch by tests that the repair has not seen.
//
// The programs are those of package cases. Run repairs a copy of each, as a user does with the whole module, and judges
// what is called a fix, or a workaround: it must build, vet must find nothing new, and its
// own tests and the judge's must pass in many processes under the race detector, with
// different numbers of processors, some beside goroutines that take time, and leave no
// goroutine behind.
//
//	err := judged.Run(ctx, judged.Options{Sets: []string{"small"}, Budget: time.Minute, Seed: 1, Runs: 12}, os.Stdout, os.Stderr)
//
// With As each program is written in other ways, too (package disguise), with the same behaviour and the
// same bug: what is mended in one way and not in another was learned by heart.
//
// With Check it judges the patches that are known instead: the right ones must be sound,
// and the program and the wrong ones unsound. With Out it keeps what it has after each
// program, and goes on there when it is called again.
//
// Passing tests show less than reading: the patches are saved for a reader.
package judged
