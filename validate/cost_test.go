package validate

import (
	"strings"
	"testing"
	"time"

	"mendel/fitness/noise"
)

func TestCompare(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	isMutant := func(src string) bool { return locked(src, "Deposit", "amount +=") }
	ms := func(before, after int) func(string) time.Duration {
		return func(src string) time.Duration {
			if isMutant(src) {
				return time.Duration(after) * time.Millisecond
			}
			return time.Duration(before) * time.Millisecond
		}
	}
	for _, test := range []struct {
		name          string
		runner        *fakeRunner
		want          Cost
		better, worse bool
	}{
		{"same", &fakeRunner{}, Cost{Pairs: 10, Time: 1, Switches: 1, TimeInterval: Interval{1, 1}, SwitchesInterval: Interval{1, 1}}, false, false},
		{"faster", &fakeRunner{elapsed: ms(10, 8)}, Cost{Pairs: 10, Time: 0.8, Switches: 1, TimeInterval: Interval{0.8, 0.8}, SwitchesInterval: Interval{1, 1}}, true, false},
		{"within the margin", &fakeRunner{elapsed: ms(100, 95)}, Cost{Pairs: 10, Time: 0.95, Switches: 1, TimeInterval: Interval{0.95, 0.95}, SwitchesInterval: Interval{1, 1}}, false, false},
		{"slower", &fakeRunner{elapsed: ms(10, 20)}, Cost{Pairs: 10, Time: 2, Switches: 1, TimeInterval: Interval{2, 2}, SwitchesInterval: Interval{1, 1}}, false, true},
		{"faster with more switches", &fakeRunner{elapsed: ms(10, 5), switches: func(src string) int64 {
			if isMutant(src) {
				return 19
			}
			return 9
		}}, Cost{Pairs: 10, Time: 0.5, Switches: 2, TimeInterval: Interval{0.5, 0.5}, SwitchesInterval: Interval{2, 2}}, false, true},
		{"original fails", &fakeRunner{fail: func(src string, _ int) bool { return !isMutant(src) }}, Cost{}, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var order strings.Builder
			test.runner.observe = func(mode noise.Mode, src string) {
				switch {
				case mode != noise.Plain:
				case isMutant(src):
					order.WriteByte('B')
				default:
					order.WriteByte('A')
				}
			}
			c, err := w.validator(t, test.runner, nil).compare(t.Context(), nil, m.Files)
			if err != nil {
				t.Fatal(err)
			}
			if c.Cost != test.want || c.better() != test.better || c.worse() != test.worse {
				t.Errorf("cost %+v, better %v, worse %v; want %+v, %v, %v", c.Cost, c.better(), c.worse(), test.want, test.better, test.worse)
			}
			// Neither program always runs first, nor always on a warm machine.
			if want := strings.Repeat("ABBA", max(test.want.Pairs, costFailures)/2); order.String() != want {
				t.Errorf("plain runs in the order %s, want %s", order.String(), want)
			}
		})
	}
}

func TestDirection(t *testing.T) {
	const floor = 1
	for _, test := range []struct {
		name   string
		before []float64
		after  []float64
		want   direction
	}{
		{"agreed", []float64{10, 10, 10, 10, 10}, []float64{8, 7, 8, 8, 5}, less},
		{"an outlier in ten", []float64{10, 10, 10, 10, 10, 10, 10, 10, 10, 10}, []float64{8, 8, 8, 8, 99, 8, 8, 8, 8, 8}, less},
		{"an outlier in five", []float64{10, 10, 10, 10, 10}, []float64{8, 8, 8, 8, 99}, equal},
		{"too few", []float64{10, 10, 10}, []float64{5, 5, 5}, equal},
		{"within the margin", []float64{100, 100, 100, 100, 100}, []float64{95, 95, 95, 95, 95}, equal},
		{"below the floor", []float64{2, 2, 2, 2, 2}, []float64{1.5, 1.5, 1.5, 1.5, 1.5}, equal},
		{"more", []float64{10, 10, 10, 10, 10}, []float64{12, 12, 12, 12, 12}, more},
	} {
		var p pairs
		for i := range test.before {
			p.add(test.before[i], test.after[i], 0)
		}
		if got := p.direction(0.1, floor); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}
