// Package repository prepares bugs of public repositories, at the parents of the
// commits that mended them, for the evaluations that use them.
//
// The manifest, embedded here, names for each bug the repository, the human fix
// and its parent, the package and the test. No source of the repositories is in
// Mendel; where a project has no test for its bug, one of ours lies in testdata.
// A Shelf finds the clones, or makes them. A tree is prepared from a clone: the
// parent with the tests put in, and the same with the human fix.
//
// Words: a bug is an entry of the manifest. Its name is the project's and the
// beginning of the fix's commit. The test of the bug fails before the human fix
// and passes after it.
//
//	bugs, err := repository.ReadManifest([]string{"cron-9aa5b7e8"})
//	source, err := repository.Shelf{Dir: "clones"}.Find(ctx, bugs[0])
//	err = source.Prepare(ctx, tree)
package repository
