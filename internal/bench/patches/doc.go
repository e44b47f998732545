// Package patches verifies right and wrong patches of the subjects, and counts which
// are told apart.
//
// The right patch of a subject leads to its corrected copy. Its wrong patches lie in
// testdata/wrong/SUBJECT, made by hand as people make them: the symptom hidden, a lock
// too small, the wrong lock, half of the places, work dropped. Run verifies each as
// "mendel verify" does. Every right patch has to be validated; of the wrong ones at least
// 95 % have to be refused with a reason.
//
//	err := patches.Run(ctx, patches.Options{Dir: "subjects", Budget: time.Minute, Seed: 1}, os.Stdout, os.Stderr)
package patches
