package hook

import "testing"

func TestParseDelays(t *testing.T) {
	for text, want := range map[string][2]uint64{"": {}, "7": {}, "7 x": {}, "7 16": {7, 16}, "x 16": {}} {
		if seed, rate := parseDelays(text); seed != want[0] || rate != want[1] {
			t.Errorf("%q: %d, %d; want %v", text, seed, rate, want)
		}
	}
}
