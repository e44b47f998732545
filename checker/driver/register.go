package driver

import (
	"slices"
	"strings"
	"testing"
)

// A Package is what the instrumentation registers for each of the (at most two)
// test packages of a program.
type Package struct {
	Clone   string // of the program to which the package belongs; "" if the binary has only one
	Tests   []Test
	Main    func(*testing.M) // the user's TestMain, nil if there is none
	Planted func()           // a function with a data race, instrumented like the rest; nil in the second package
}

// A Test is a test function, see Seeds and Example, too.
type Test struct {
	Name string
	Func func(*testing.T)
}

// registered are the test packages of the binary.
var registered suite

// Register is called from generated init functions.
func Register(p Package) { registered = append(registered, p) }

// A suite is what a test binary has.
type suite []Package

// of is what it has of one clone.
func (s suite) of(clone string) suite {
	var own suite
	for _, p := range s {
		if p.Clone == clone {
			own = append(own, p)
		}
	}
	return own
}

// test finds a test by its name.
func (s suite) test(name string) (Test, bool) {
	for _, p := range s {
		for _, t := range p.Tests {
			if t.Name == name {
				return t, true
			}
		}
	}
	return Test{}, false
}

// before returns the tests that go test runs before one.
func (s suite) before(name string) []Test {
	var all []Test
	for _, p := range s {
		all = append(all, p.Tests...)
	}
	slices.SortStableFunc(all, func(a, b Test) int { return a.order() - b.order() })
	for i, t := range all {
		if t.Name == name {
			return all[:i]
		}
	}
	return nil
}

// order is that in which go test runs tests: fuzz tests after others, and examples last.
func (t Test) order() int {
	switch {
	case strings.HasPrefix(t.Name, "Fuzz"):
		return 1
	case strings.HasPrefix(t.Name, "Example"):
		return 2
	}
	return 0
}

// main returns the user's TestMain, of which a program has one at most.
func (s suite) main() func(*testing.M) {
	for _, p := range s {
		if p.Main != nil {
			return p.Main
		}
	}
	return nil
}

// planted returns the planted race, nil if there is none.
func (s suite) planted() func() {
	for _, p := range s {
		if p.Planted != nil {
			return p.Planted
		}
	}
	return nil
}
