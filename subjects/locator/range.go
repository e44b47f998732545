package locator

import (
	"bufio"
	"fmt"
	"net/netip"
	"strings"
)

// A Range is the addresses from one to another, and where they are.
type Range struct {
	First, Last netip.Addr
	City        string
}

// Contains reports whether an address is in the range.
func (r Range) Contains(a netip.Addr) bool {
	return r.First.Compare(a) <= 0 && a.Compare(r.Last) <= 0
}

// parse reads a line of a table: two addresses and the name of a city.
func parse(line string) (Range, error) {
	first, rest, _ := strings.Cut(line, " ")
	last, city, ok := strings.Cut(rest, " ")
	if !ok || city == "" {
		return Range{}, fmt.Errorf("%q is no range: it wants two addresses and a city", line)
	}
	r := Range{City: city}
	var err error
	if r.First, err = netip.ParseAddr(first); err != nil {
		return Range{}, fmt.Errorf("first address: %w", err)
	}
	if r.Last, err = netip.ParseAddr(last); err != nil {
		return Range{}, fmt.Errorf("last address: %w", err)
	}
	return r, nil
}

// parseAll reads a table, one range a line; empty lines and comments are left out.
func parseAll(table string) ([]Range, error) {
	var ranges []Range
	lines := bufio.NewScanner(strings.NewReader(table))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r, err := parse(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		ranges = append(ranges, r)
	}
	return ranges, lines.Err()
}
