package report

import (
	"math"
	"testing"

	"mendel/internal/dossier"
)

// A factor is told with its interval, or that no difference was measured, or nothing.
func TestCostWords(t *testing.T) {
	interval := func(low, high float64) dossier.Interval { return dossier.Interval{Low: low, High: high} }
	for _, c := range []struct {
		name string
		e    dossier.Evidence
		want string
	}{
		{"within chance", dossier.Evidence{Time: 0.78, TimeInterval: interval(0.61, 1.02), Switches: 1.1, SwitchesInterval: interval(1, 1.4), Parallelism: 0.8},
			"Cost, the fix against the original: no difference measured in running time, voluntary context switches and parallelism."},
		{"beyond", dossier.Evidence{Time: 1.31, TimeInterval: interval(1.12, 1.45), Switches: 1, SwitchesInterval: interval(1, 1), Parallelism: 0.5},
			"Cost, the fix against the original: running time ×1.31 (95 % interval ×1.12 to ×1.45), parallelism ×0.50, no difference measured in voluntary context switches."},
		{"too few pairs", dossier.Evidence{Time: 0.78, Switches: 1.4}, "Cost: not measured often enough to tell a difference from chance."},
		{"no figures", dossier.Evidence{Time: math.Inf(1), TimeInterval: interval(1, math.Inf(1)), Parallelism: math.NaN()}, "Cost: not measured often enough to tell a difference from chance."},
		{"nothing", dossier.Evidence{}, "Cost: not measured often enough to tell a difference from chance."},
	} {
		if got := CostWords(c.e); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
