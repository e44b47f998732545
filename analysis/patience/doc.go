// Package patience finds the time-outs of tests that are nothing but their patience: those
// whose expiry leads to giving up, and to nothing else.
//
//	guards := patience.Of(pkg)
//	guards[call] // patience.Gives, patience.Fails, or 0: the expiry of what call sets may matter
//
// A call sets a time-out: time.After, time.NewTimer, time.AfterFunc, time.Tick,
// time.NewTicker, Timer.Reset, time.Sleep, context.WithTimeout and their like. It is of a
// test if it stands in a test file, or in a function that is given a test (a *testing.T, or
// what has its methods, as the T of assertion libraries).
//
//	select {
//	case v := <-results:
//	case <-time.After(time.Second):
//		t.Fatal("no result") // gives up
//	}
//
// So is what gomega's Eventually and Consistently set, which are known by name: all that they
// have of a test is a function.
//
// What is waited for is followed from where it is made: through variables, fields C of
// timers, Done of contexts, and parameters of functions of the package. If it goes anywhere
// else, it is no guard: the product may do something else when it expires. From where it is
// received, all ways have to give up:
//
//   - the test fails (t.Fatal, t.Error, panic, os.Exit, log.Fatal, a function that does so on
//     all of its ways), whatever is done before that does not wait;
//   - or it is left: the test, or a goroutine, returns, and nothing is done before but to log
//     and to compute;
//   - or a function of the package returns, and where it is called, the result leads to giving
//     up; of constants, nil and new errors the result is known.
//
// A sleep, or a tick, in a loop that asks for something again and again is patience too, if
// the loop has a limit behind which the test fails.
//
// A time-out of the product is the test's choice if the test hands it the duration: Handed
// finds these. A failure that the test reports, and that needs such a one to expire early, is
// due to how busy the machine is.
//
// # Limits
//
// Flow is that of syntax: a variable that is assigned twice, a time-out that lies in a
// struct, a map or a channel, and functions of other packages are not followed. What is not
// found is no guard, and may expire at any time. Handed knows a duration by its value: one that
// the product itself chooses, and that is as long as one that it is handed, counts as handed.
// A parameter of a function of test files has the values of all calls there.
package patience
