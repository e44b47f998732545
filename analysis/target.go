package analysis

// A Target names what is to be analysed and repaired.
type Target struct {
	Dir     string   // absolute directory the go command runs in: the package's module, or any directory below it
	Package string   // import path or ./relative pattern of exactly one package
	Run     string   // -run pattern of the failing tests; empty: all
	Flags   []string // build flags for the go command, e.g. -tags=integration
	// Instrument are import path patterns, as the go command has them, of
	// packages outside the module that the checker is to control with all their
	// accesses to memory, beside the concurrent ones: [Program.Dependencies]. Of the
	// standard library, only [Network] is known.
	Instrument []string
	// Imports are packages that files may come to import that replace the program's,
	// although the program does not; those that edits import need not be named.
	Imports []string
	// Unedited is for a program of which no mutant is made: what edits import need
	// not be loaded.
	Unedited bool
	// Overlay has sources by absolute names: of files that are not on the disk, or are to be read so.
	Overlay map[string][]byte
}
