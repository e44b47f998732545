// Package hostile runs tests that behave as badly as a mutant may, and looks for
// what is left of them.
//
// The tests fork, fill the disk, allocate or print without end, or kill whoever
// runs them. Run runs each on the ways on which Mendel runs mutants. It must end
// within its limit and leave no process and no file behind. For the last way
// the executable starts itself as a victim and is killed.
//
// Words: the sandbox is the directory in which all executables and files of the
// tests lie. A kind is a way to misbehave; a case is one kind on one way.
//
//	err := hostile.Run(ctx, hostile.Options{
//		Only: []string{"Fork"}, Ways: hostile.Ways, Memory: 512, Disk: 256,
//	}, os.Stdout, os.Stderr)
package hostile
