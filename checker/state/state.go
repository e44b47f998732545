package state

import "fmt"

// Register adds a package's function; called from generated init functions,
// hence in the order in which packages are initialised. Clone is that of the
// program to which the package belongs; "" if it belongs to all.
// Roots are pointers to variables of the package, see Roots.
func Register(clone, path string, reset func(), roots ...any) {
	registered.add(clone, path, reset, roots)
}

// Roots are pointers to those package-level variables through which channels may be
// reached.
func Roots() (all []any) {
	for _, p := range registered {
		all = append(all, p.roots...)
	}
	return all
}

// Choose makes Reset skip the packages of clones other than this one.
func Choose(clone string) { registered = registered.of(clone) }

// Reset re-initialises all packages. It ends with the first one whose function
// panics; the error names it.
func Reset() error { return registered.reset() }

// Zero sets a variable to the zero value of its type.
func Zero[T any](p *T) { *p = *new(T) }

// registered are the packages of the program.
var registered packages

type packages []pkg

type pkg struct {
	clone string
	path  string
	reset func()
	roots []any
}

func (ps *packages) add(clone, path string, reset func(), roots []any) {
	*ps = append(*ps, pkg{clone, path, reset, roots})
}

// of are the packages of a clone and those of none.
func (ps packages) of(clone string) packages {
	var some packages
	for _, p := range ps {
		if p.clone == clone || p.clone == "" {
			some = append(some, p)
		}
	}
	return some
}

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
