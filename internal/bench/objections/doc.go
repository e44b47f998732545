// Package objections tells what the sources alone say against right and wrong patches: the
// rules, and the flags that the model of locks gives. Nothing is built or run, unless each
// patch is to be tried with scenarios (package scenario), too.
//
// The patches are those of package cases, which says of some wrong ones that they pass
// their program's own tests: only reading, or other tests, tell these.
//
//	err := objections.Run(ctx, objections.Options{Sets: []string{"modules"}}, os.Stdout, os.Stderr)
//
// A right patch must have no rule against it, and be no workaround. Of the wrong ones nobody
// expects all to be told by their source: the share is what is measured.
package objections
