// Package state re-initialises the package-level variables of the program
// under test, so that every execution begins as the first one did.
//
// The instrumentation adds to each package a function that assigns its
// variables anew in the order of initialisation and calls its init functions,
// and registers it when the package is initialised.
package state

// Register adds a package's function; called from generated init functions,
// hence in the order in which packages are initialised.
func Register(path string, reset func()) { packages = append(packages, pkg{path, reset}) }

type pkg struct {
	path  string
	reset func()
}

var packages []pkg

// Reset re-initialises all packages. What a package's function panics with is
// passed on.
func Reset() {
	for _, p := range packages {
		p.reset()
	}
}

// Zero sets a variable to the zero value of its type.
func Zero[T any](p *T) { *p = *new(T) }
