package validate

import (
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
		{"same", &fakeRunner{}, Cost{10, 1, 1}, false, false},
		{"faster", &fakeRunner{elapsed: ms(10, 8)}, Cost{10, 0.8, 1}, true, false},
		{"within the margin", &fakeRunner{elapsed: ms(100, 95)}, Cost{10, 0.95, 1}, false, false},
		{"slower", &fakeRunner{elapsed: ms(10, 20)}, Cost{10, 2, 1}, false, true},
		{"faster with more switches", &fakeRunner{elapsed: ms(10, 5), switches: func(src string) int64 {
			if isMutant(src) {
				return 19
			}
			return 9
		}}, Cost{10, 0.5, 2}, false, true},
		{"original fails", &fakeRunner{fail: func(src string, _ int) bool { return !isMutant(src) }}, Cost{}, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			plain := 0
			test.runner.observe = func(mode noise.Mode, _ string) {
				if mode == noise.Plain {
					plain++
				}
			}
			c, err := w.validator(t, test.runner, nil).compare(t.Context(), nil, m.Files)
			if err != nil {
				t.Fatal(err)
			}
			if c.Cost != test.want || c.better() != test.better || c.worse() != test.worse {
				t.Errorf("cost %+v, better %v, worse %v; want %+v, %v, %v", c.Cost, c.better(), c.worse(), test.want, test.better, test.worse)
			}
			if want := 2 * max(test.want.Pairs, costFailures); plain != want {
				t.Errorf("%d plain runs, want %d", plain, want)
			}
		})
	}
}

func TestDirectionOf(t *testing.T) {
	for _, test := range []struct {
		name   string
		ratios []float64
		want   direction
	}{
		{"agreed", []float64{0.8, 0.7, 0.8, 0.9}, less},
		{"an outlier", []float64{0.8, 0.8, 0.8, 9}, less},
		{"torn", []float64{0.5, 0.5, 0.5, 1.5, 1.5}, equal},
		{"slight", []float64{0.95, 0.95, 0.95}, equal},
		{"more", []float64{1.2, 1.2, 1.2, 1.2}, more},
	} {
		if got := directionOf(test.ratios, 0.1); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}
