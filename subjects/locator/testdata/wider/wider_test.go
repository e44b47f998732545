package locator

import (
	"net/netip"
	"strings"
	"sync"
	"testing"
)

// Many ask for cities, known and unknown, in several tables at once. It fails if
// the look whether there is an index, or the reading of it, is not guarded, if a
// second caller can find it half made, or if all tables share one sync.Once.
func TestWiderRanges(t *testing.T) {
	for range 30 {
		var wg sync.WaitGroup
		for _, copies := range []int{1, 5} {
			text := strings.Repeat("10.0.0.0 10.0.0.255 Turin\n10.0.1.0 10.0.1.255 Porto\n", copies)
			l, err := New(text)
			if err != nil {
				t.Fatal(err)
			}
			for city, want := range map[string]int{"Turin": copies, "Porto": copies, "Bonn": 0} {
				for range 2 {
					wg.Go(func() {
						for range 3 {
							if got := len(l.Ranges(city)); got != want {
								t.Errorf("%s has %d ranges, want %d", city, got, want)
							}
						}
						if got := l.Locate(netip.MustParseAddr("10.0.1.1")); got != "Porto" || l.Size() != 2*copies {
							t.Errorf("10.0.1.1 is in %q, of %d ranges", got, l.Size())
						}
					})
				}
			}
		}
		wg.Wait()
	}
}
