package htmlreport

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mendel/internal/dossier"
)

// Plots are SVG with coordinates in CSS pixels at full size.
const (
	plotWidth = 440.0

	scoresHeight = 240.0
	scoresLeft   = 40.0 // of the axes
	scoresRight  = plotWidth - 8
	scoresTop    = 10.0
	scoresBottom = scoresHeight - 42

	barsTop   = 4.0
	barHeight = 13.0
	barPitch  = 21.0
	barsFoot  = 38.0 // below the last bar, for the axis
)

// fullScore is that of a mutant that passed every run.
const fullScore = 1000

// shownPoints is how many mutants are drawn; of more, as many at equal
// distances: guessed.
const shownPoints = 1500

// shownOperators is how many operators are drawn; the table has all: guessed.
const shownOperators = 14

// A tick is a mark of an axis, with its label.
type tick struct {
	At    float64
	Label string
}

// Scores is the plot of scores by generation. Each generation has a band as
// wide as the mutants that were new in it are many.
type scores struct {
	Width, Height            float64
	Left, Right, Top, Bottom float64 // of the area between the axes
	Bands                    []band
	Points                   []point
	Best                     string // path
	Means                    []rule
	Original                 float64 // height
	Ticks                    []tick  // of scores
}

type band struct {
	tick          // of its middle; no label where there is no room
	X, Width, End float64
	Shaded        bool
}

type point struct {
	X, Y float64
	Full bool
}

// Middle and Depth are of that area.
func (s *scores) Middle() float64 { return (s.Left + s.Right) / 2 }
func (s *scores) Depth() float64  { return s.Bottom - s.Top }

// A rule is a level line.
type rule struct{ X, End, Y float64 }

// plotScores lays out the scores of a search, nil if there are none.
func plotScores(s dossier.Search) *scores {
	mutants := 0
	for _, g := range s.History {
		mutants += max(len(g.Scores), 1) // one that had nothing new has a band all the same
	}
	if mutants == 0 {
		return nil
	}
	p := &scores{
		Width: plotWidth, Height: scoresHeight, Left: scoresLeft, Right: scoresRight, Top: scoresTop, Bottom: scoresBottom,
		Original: scoreAt(s.Original),
	}
	for _, v := range []float64{0, 250, 500, 750, fullScore} {
		p.Ticks = append(p.Ticks, tick{scoreAt(v), fmt.Sprint(v)})
	}
	unit := (scoresRight - scoresLeft) / float64(mutants)
	every := (mutants + shownPoints - 1) / shownPoints
	x, n, free := scoresLeft, 0, scoresLeft // left end of the band, mutant, end of the last label
	for i, g := range s.History {
		width := unit * float64(max(len(g.Scores), 1))
		b := band{tick{x + width/2, ""}, x, width, x + width, i%2 == 1}
		label := fmt.Sprint(g.Number)
		if half := 3.5*float64(len(label)) + 2; b.At-half >= free || i == 0 {
			b.Label, free = label, b.At+half
		}
		p.Bands = append(p.Bands, b)
		for j, v := range g.Scores {
			if n%every == 0 {
				p.Points = append(p.Points, point{x + unit*(float64(j)+.5), scoreAt(v), v >= fullScore})
			}
			n++
		}
		p.Means = append(p.Means, rule{x, x + width, scoreAt(g.Mean)})
		verb := "V"
		if i == 0 {
			verb = fmt.Sprintf("M%.1f ", x)
		}
		p.Best += fmt.Sprintf("%s%.1fH%.1f", verb, scoreAt(g.Best), x+width)
		x += width
	}
	return p
}

// scoreAt is the height at which a score is drawn.
func scoreAt(v float64) float64 {
	v = min(max(v, 0), fullScore)
	return scoresBottom - v/fullScore*(scoresBottom-scoresTop)
}

// Bars is a plot of horizontal bars, of one segment or stacked.
type bars struct {
	Title, Axis       string
	Width, Height     float64
	Left, Right, Foot float64 // of the area of the bars
	Rows              []barRow
	Ticks             []tick    // along the axis
	Parts             []segment // that a bar can have, for the head of the table
	Legend            []segment // those that some bar has
}

// Centre is of the axis.
func (b *bars) Centre() float64 { return (b.Left + b.Right) / 2 }

type barRow struct {
	Label, Value string
	Y, Middle    float64
	Height       float64
	Segments     []segment
	End          float64 // of the last segment
}

// A segment is a part of a bar.
type segment struct {
	Class, Name string
	Count       int
	X, Width    float64
}

// newBars lays out bars up to a length of most. The labels and values take
// that much room on both sides. The axis is of whole numbers, or of any.
func newBars(rows int, most, labels, values float64, whole bool) *bars {
	b := &bars{Width: plotWidth, Left: labels, Right: plotWidth - values, Foot: barsTop + barPitch*float64(rows)}
	b.Height = b.Foot + barsFoot
	for _, v := range ticks(most, whole) {
		b.Ticks = append(b.Ticks, tick{b.at(v, most), fmt.Sprintf("%g", v)})
	}
	return b
}

// at is where a length ends.
func (b *bars) at(v, most float64) float64 { return b.Left + v/most*(b.Right-b.Left) }

func (b *bars) row(label, value string) *barRow {
	y := barsTop + barPitch*float64(len(b.Rows))
	b.Rows = append(b.Rows, barRow{Label: label, Value: value, Y: y, Middle: y + barHeight/2, Height: barHeight, End: b.Left})
	return &b.Rows[len(b.Rows)-1]
}

// add puts a segment behind those of a row.
func (r *barRow) add(s segment, width float64) {
	s.X, s.Width = r.End, width
	r.Segments = append(r.Segments, s)
	r.End += width
}

// ticks are up to five round values from 0 to most.
func ticks(most float64, whole bool) []float64 {
	const wanted = 4
	step := math.Pow(10, math.Floor(math.Log10(most/wanted)))
	for _, m := range []float64{1, 2, 5, 10} {
		if most/(step*m) <= wanted {
			step *= m
			break
		}
	}
	if whole {
		step = max(step, 1)
	}
	var out []float64
	for i := 0; float64(i)*step <= most*(1+1e-9); i++ {
		out = append(out, float64(i)*step)
	}
	return out
}

// outcomes are the parts of what an operator's mutants became, best first.
func outcomes(o dossier.OperatorCount) []segment {
	return []segment{
		{Class: "o-full", Name: "passed all", Count: o.Full},
		{Class: "o-dots", Name: "better", Count: max(o.Better-o.Full, 0)}, // which has the full ones
		{Class: "o-same", Name: "no better", Count: max(o.Tried-max(o.Better, o.Full)-o.Worse-o.Refused, 0)},
		{Class: "o-stripes", Name: "worse", Count: o.Worse},
		{Class: "o-refused", Name: "did not build", Count: o.Refused},
	}
}

// plotOperators lays out what became of the operators' mutants, nil without any.
func plotOperators(counts []dossier.OperatorCount) *bars {
	counts = slices.Clone(counts)
	counts = slices.DeleteFunc(counts, func(o dossier.OperatorCount) bool { return o.Tried <= 0 })
	slices.SortStableFunc(counts, func(a, b dossier.OperatorCount) int { return b.Tried - a.Tried })
	if len(counts) == 0 {
		return nil
	}
	counts = counts[:min(len(counts), shownOperators)]
	most := float64(counts[0].Tried)
	b := newBars(len(counts), most, 112, 68, true)
	b.Title, b.Axis = "Outcomes by operator", "mutants"
	for _, o := range counts {
		value := fmt.Sprint(o.Tried)
		if o.Fixes > 0 {
			value += ", " + plural(o.Fixes, "fix", "fixes")
		}
		r := b.row(o.Operator, value)
		for _, s := range outcomes(o) {
			if s.Count > 0 {
				r.add(s, b.at(float64(s.Count), most)-b.Left)
			}
		}
	}
	b.Parts = outcomes(dossier.OperatorCount{})
	for i, s := range b.Parts {
		for _, o := range counts {
			s.Count += outcomes(o)[i].Count
		}
		if s.Count > 0 {
			b.Legend = append(b.Legend, s)
		}
	}
	return b
}

// plotPhases lays out where the time went, nil if it went nowhere.
func plotPhases(phases []dossier.Phase) *bars {
	if len(phases) == 0 {
		return nil
	}
	all := 0.0
	for _, p := range phases {
		all += max(p.Seconds, 0)
	}
	longest := slices.MaxFunc(phases, func(a, b dossier.Phase) int { return cmp.Compare(a.Seconds, b.Seconds) }).Seconds
	if longest <= 0 {
		return nil
	}
	unit, name := 1.0, "seconds"
	switch {
	case longest >= 2*3600:
		unit, name = 3600, "hours"
	case longest >= 2*60:
		unit, name = 60, "minutes"
	}
	b := newBars(len(phases), longest/unit, 112, 86, false)
	b.Title, b.Axis = "Time by phase", name
	for _, p := range phases {
		s := max(p.Seconds, 0)
		r := b.row(p.Name, fmt.Sprintf("%s, %.0f %%", duration(s), 100*s/all))
		r.add(segment{Class: "o-time", Name: p.Name}, b.at(s/unit, longest/unit)-b.Left)
	}
	return b
}
