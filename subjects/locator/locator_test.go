package locator

import (
	"net/netip"
	"sync"
	"testing"
)

const table = `
# the tests' own
10.0.0.0 10.0.0.255 Turin
10.0.1.0 10.0.1.255 Porto
10.0.2.0 10.0.3.255 Turin
`

func open(t testing.TB) *Locator {
	t.Helper()
	l, err := New(table)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestRanges(t *testing.T) {
	l := open(t)
	var wg sync.WaitGroup
	for _, city := range []string{"Turin", "Porto"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			want := map[string]int{"Turin": 2, "Porto": 1}[city]
			if got := len(l.Ranges(city)); got != want {
				t.Errorf("%s has %d ranges, want %d", city, got, want)
			}
		}()
	}
	wg.Wait()
}

func TestLocate(t *testing.T) {
	l := open(t)
	for addr, want := range map[string]string{"10.0.1.7": "Porto", "10.0.3.0": "Turin", "10.0.4.0": ""} {
		if got := l.Locate(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s is in %q, want %q", addr, got, want)
		}
	}
	if l.Size() != 3 {
		t.Errorf("%d ranges, want 3", l.Size())
	}
}

func TestNew(t *testing.T) {
	for _, bad := range []string{"10.0.0.0 10.0.0.255", "x 10.0.0.255 Turin", "10.0.0.0 y Turin"} {
		if _, err := New(bad); err == nil {
			t.Errorf("%q makes a table", bad)
		}
	}
}
