// Package real evaluates repairs on bugs of public repositories, at the parents of
// the commits that mended them.
//
// Package repository has the manifest of the bugs, finds the clones, and prepares the
// trees: the parent with the tests put in, and the same with the human fix.
//
// Each bug is repaired within a budget, by this process or by another version of
// Mendel. Then the best patch is judged in ways that the repair has no part in: it
// applies, it builds, the test of the bug passes on several numbers of
// processors, the other tests of the package pass if they did before, and go vet
// says nothing new. That is not enough to call a patch right: the pages set it
// beside the human fix, to be read.
//
// With Native nothing is repaired: of failures that are rare in plain runs, the runs are
// counted in which forcing and noise expose them.
//
// The test of a bug fails before the human fix and passes after it; a manifest check
// shows that for the clones at hand.
//
//	err := real.Run(ctx, real.Options{Clones: "clones", Only: []string{"cron-9aa5b7e8"}, ...}, os.Stdout, os.Stderr)
package real
