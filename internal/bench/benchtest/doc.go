// Package benchtest has what the tests of several evaluations share: small
// modules to copy, patch and run, and the flag that rewrites golden files.
//
//	dir := benchtest.WriteSubject(t)
//	found, err := v.Verify(t.Context(), subject.Subject{Name: "counter", Dir: dir}, benchtest.LockingPatch)
package benchtest
