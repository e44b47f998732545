// Package analysistest loads plain modules, for tests that load many small programs. The go
// command takes several times as long to list a small module, and to compile it, as
// everything that a test does with it.
//
// A plain module imports nothing but itself and the standard library. What is in it is read
// here, and the go command is asked about each package of the library once in a process.
// Any other module is loaded as [analysis.Load] does:
//
//	p, err := analysistest.Load(ctx, tool, target)
//
// The program is that of [analysis.Load] in any case, and so is an error.
package analysistest
