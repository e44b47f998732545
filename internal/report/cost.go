package report

import (
	"fmt"
	"math"
	"strings"

	"mendel/internal/dossier"
)

// parallelClear is how much the parallelism of two programs has to differ to be
// told: of programs whose rounds differ by as much among themselves it is still
// measured.
const parallelClear = 0.25

// A Measure compares a fix with the original by one figure.
type Measure struct {
	What       string
	Ratio      float64          // after divided by before
	Interval   dossier.Interval // that the ratio lies in, with a confidence of 95 %; zero: of parallelism there is none
	Differs    bool             // from 1, by more than chance explains
	More, Less string           // words for a ratio above 1, and below: "longer", "shorter"
	Better     int              // -1: less is better, 1: more is
}

// Measures are those of a fix that say anything: those that were not measured often
// enough to tell a difference from chance are left out.
func Measures(e dossier.Evidence) []Measure {
	var all []Measure
	paired := func(m Measure) {
		low, high := m.Interval.Low, m.Interval.High
		if low <= 0 || high < low || math.IsInf(high, 0) || !positive(m.Ratio) {
			return
		}
		m.Differs = low > 1 || high < 1
		all = append(all, m)
	}
	paired(Measure{What: "running time", Ratio: e.Time, Interval: e.TimeInterval, More: "longer", Less: "shorter", Better: -1})
	paired(Measure{What: "voluntary context switches", Ratio: e.Switches, Interval: e.SwitchesInterval, More: "more", Less: "fewer", Better: -1})
	if r := e.Parallelism; positive(r) {
		all = append(all, Measure{What: "parallelism", Ratio: r, Differs: math.Abs(r-1) > parallelClear, More: "more", Less: "less", Better: 1})
	}
	return all
}

func positive(f float64) bool { return f > 0 && !math.IsInf(f, 0) }

// String words a measure of which there is a difference: "running time ×1.31 (95 %
// interval ×1.12 to ×1.45)".
func (m Measure) String() string {
	s := fmt.Sprintf("%s ×%.2f", m.What, m.Ratio)
	if m.Interval != (dossier.Interval{}) {
		s += fmt.Sprintf(" (95 %% interval ×%.2f to ×%.2f)", m.Interval.Low, m.Interval.High)
	}
	return s
}

// CostWords compares a fix with the original, by what differs and what does not.
func CostWords(e dossier.Evidence) string {
	var differ, same []string
	for _, m := range Measures(e) {
		if m.Differs {
			differ = append(differ, m.String())
		} else {
			same = append(same, m.What)
		}
	}
	if len(differ)+len(same) == 0 {
		return "Cost: not measured often enough to tell a difference from chance."
	}
	if len(same) > 0 {
		differ = append(differ, "no difference measured in "+list(same))
	}
	return "Cost, the fix against the original: " + strings.Join(differ, ", ") + "."
}
