package result

import (
	"fmt"

	"mendel/evolve"
)

// Named returns an observer that tells another one of a part of the work, such
// as one package of several, under the part's name. An observer that has a method
// Part keeps names by itself; others get them before each text.
func Named(o Observer, name string) Observer {
	if p, ok := o.(interface{ Part(name string) Observer }); ok {
		return p.Part(name)
	}
	return named{o, name}
}

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

// Both returns an observer that tells two others.
func Both(a, b Observer) Observer { return both{a, b} }

type both struct{ a, b Observer }

// Part tells each of them of a part in its way.
func (o both) Part(name string) Observer { return both{Named(o.a, name), Named(o.b, name)} }

func (o both) Phase(format string, args ...any) {
	o.a.Phase(format, args...)
	o.b.Phase(format, args...)
}

func (o both) Search(e evolve.Event) {
	o.a.Search(e)
	o.b.Search(e)
}

func (o both) Printf(format string, args ...any) {
	o.a.Printf(format, args...)
	o.b.Printf(format, args...)
}
