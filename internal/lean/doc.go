// Package lean makes what tests start cheap. Tests of Mendel build and run thousands of
// small programs. Much of what that costs is temporary files on a disk, and the
// garbage collections of go commands, compilers and linkers that live for a
// tenth of a second. A package with such tests says so:
//
//	func TestMain(m *testing.M) {
//		lean.Children()
//		os.Exit(m.Run())
//	}
//
// Nothing that a test can assert is different. What somebody has set in the
// environment stays.
package lean
