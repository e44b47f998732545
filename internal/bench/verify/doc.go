// Package verify judges a patch without trusting the repair that made it.
//
// A Verifier applies the patch to an untouched copy with git. It builds and vets
// the copy, runs it plainly and with noise of other seeds, and lets the checker
// explore it. It looks in the source for goroutines whose whole body is one
// critical section, and compares how much a second processor speeds up the
// patched program and the corrected copy. Last, it runs the subject's wider test,
// which no repair has seen, on the patched copy; Widen runs it on the corrected
// copy, which has to pass, and on the original, which has to fail.
//
// Words: a Verification is what was found out; its Problems speak against the
// patch. A patch serialises a goroutine if the goroutine's body becomes one
// critical section. The parallelism that a patch keeps is its speed-up divided
// by that of the corrected copy.
//
//	v := verify.Verifier{Runs: 1000, Budget: time.Minute, Rounds: 5, Wider: 10}
//	found, err := v.Verify(ctx, subject, patch)
//	if err == nil && len(found.Problems()) == 0 {
//		fmt.Println("nothing speaks against the patch")
//	}
package verify
