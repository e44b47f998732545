// Package halvestest runs finders of halves on archives of programs and their patches.
//
//	func TestFinders(t *testing.T) {
//		halvestest.Run(t, "testdata", memory.Lent, memory.Shallow)
//	}
//
// An archive has a program, p.go, and for each patch of it what the program becomes, NAME/p.go, and behind it what is
// found then, NAME/want: a line for each finding. The program itself must be left by no patch. With -update, what is
// found is written to the archives.
package halvestest
