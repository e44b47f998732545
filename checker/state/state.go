package state

import "fmt"

// Register adds a package's function; called from generated init functions,
// hence in the order in which packages are initialised.
func Register(path string, reset func()) { registered.add(path, reset) }

// Reset re-initialises all packages. It ends with the first one whose function
// panics; the error names it.
func Reset() error { return registered.reset() }

// Zero sets a variable to the zero value of its type.
func Zero[T any](p *T) { *p = *new(T) }

// registered are the packages of the program.
var registered packages

type packages []pkg

type pkg struct {
	path  string
	reset func()
}

func (ps *packages) add(path string, reset func()) { *ps = append(*ps, pkg{path, reset}) }

func (ps packages) reset() error {
	for _, p := range ps {
		if err := p.again(); err != nil {
			return err
		}
	}
	return nil
}

// again re-initialises one package.
func (p pkg) again() (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("package %s cannot be initialised twice in a process: %v", p.path, value)
		}
	}()
	p.reset()
	return nil
}
