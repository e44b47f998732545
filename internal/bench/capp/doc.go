// Package capp compares the modes of change-aware preemption prioritisation (package
// impact), and BASIC, by how many schedules each needs to reject a wrong patch of a
// subject, the patch being the change.
//
// Each patched program is explored by dfs with up to two preemptions, once for each mode.
// Patches that the first schedule rejects, and those that BASIC does not reject in the
// time there is, tell nothing of modes; they are counted.
//
//	err := capp.Run(ctx, capp.Options{Dir: "subjects", Patches: "wrong", Limit: 5 * time.Second}, os.Stdout, os.Stderr)
//
// # Limits
//
// The patches are those of the subjects that people wrote to be refused, not mutants of a
// search. A mode that does not reject a patch in the time there is counts as having made
// the schedules that it made.
package capp
