package result

import (
	"fmt"

	"mendel/evolve"
)

// Named returns an observer that tells another one of a part of the work, such
// as one package of several, under the part's name.
func Named(o Observer, name string) Observer { return named{o, name} }

type named struct {
	Observer
	name string
}

func (n named) Phase(format string, args ...any) {
	n.Observer.Phase("%s: %s", n.name, fmt.Sprintf(format, args...))
}

func (n named) Search(e evolve.Event) {
	if e.Of != "" {
		e.Of = ": " + e.Of
	}
	e.Of = n.name + e.Of
	n.Observer.Search(e)
}

func (n named) Printf(format string, args ...any) {
	n.Observer.Printf("%s: %s", n.name, fmt.Sprintf(format, args...))
}
