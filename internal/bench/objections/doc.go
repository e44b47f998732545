// Package objections tells what the sources alone say against right and wrong patches: the
// rules, and the flags that the model of locks gives. Nothing is built or run.
//
// The directory that is given has a module in each directory NAME, and in NAME/truth the
// right patches fix.patch and alt/*.patch and the wrong ones wrong/*.patch, as `patch -p1`
// takes them in the module. NAME/truth/truth.json may say which of the wrong ones pass the
// module's own tests ("wrong_fixes", with "patch" and "visible"): only reading tells these.
//
//	err := objections.Run(ctx, objections.Options{Dir: "modules"}, os.Stdout, os.Stderr)
//
// A right patch must have no rule against it, and be no workaround. Of the wrong ones nobody
// expects all to be told by their source: the share is what is measured.
package objections
