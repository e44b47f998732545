// Package identity names versions: of Mendel, of a module, of a patch.
//
// Results that are added up over several runs belong together only if the same
// Mendel repaired the same program. Mendel and Module are therefore hashes of
// the files that count; Patch is a hash of what a patch does to the code,
// without its comments. Revision names the commit for people.
//
//	version, err := identity.Mendel() // "2d8639b483e9"
//	same := identity.Patch(one) == identity.Patch(other)
package identity
