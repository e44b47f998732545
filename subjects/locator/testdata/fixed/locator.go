// Package locator tells in which city an address is, and which addresses are
// in a city.
package locator

import (
	"net/netip"
	"sync"
)

// A Locator answers questions about a table of ranges. Many goroutines may ask.
type Locator struct {
	ranges []Range

	once   sync.Once          // makes cities
	cities map[string][]Range // made when a city is first asked for; most programs never do
}

// New makes a locator for a table with one range a line: "10.0.0.0 10.0.0.255 Turin".
func New(table string) (*Locator, error) {
	ranges, err := parseAll(table)
	if err != nil {
		return nil, err
	}
	return &Locator{ranges: ranges}, nil
}

// Locate is the city that an address is in, "" if it is in none.
func (l *Locator) Locate(a netip.Addr) string {
	for _, r := range l.ranges {
		if r.Contains(a) {
			return r.City
		}
	}
	return ""
}

// Ranges are the ranges of a city.
func (l *Locator) Ranges(city string) []Range {
	l.once.Do(func() {
		l.cities = make(map[string][]Range)
		for _, r := range l.ranges {
			l.cities[r.City] = append(l.cities[r.City], r)
		}
	})
	return l.cities[city]
}

// Size is how many ranges there are.
func (l *Locator) Size() int { return len(l.ranges) }
