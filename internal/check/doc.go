// Package check loads one package, explores the schedules of its tests and
// replays schedules that were kept.
//
// [Run] runs each test under the checker's scheduler until it has failed in some ways,
// all schedules up to a bound are done, or its time is over: each test has a verdict. Its [Result] is what
// check.json has: a [Verdict], each [Failure] with the interleaving that shows
// it, and what was done with each [Test]. [Replay] follows a schedule that Run or
// a repair left in a file.
//
//	r, err := check.Run(ctx, check.Options{Dir: "internal/cache", Budget: time.Minute})
//	if err != nil {
//		return err // does not build, has no tests, ...
//	}
//	if r.Verdict == check.Failed {
//		err = r.Print(os.Stdout, check.PrintOptions{})
//	}
//
// What a verdict means, and what it does not cover, stands in package checker,
// which does the work.
package check
