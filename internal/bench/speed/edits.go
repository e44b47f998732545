package speed

import (
	"context"
	"fmt"

	"mendel/internal/bench/enumeration"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
)

// large is the program of the part edits, which anyone can fetch.
var large = enumeration.Source{Module: "github.com/nats-io/nats-server/v2", Version: "v2.10.18", Package: "./server"}

// An editCost is what it takes to list the edits of a large program, medians, in
// seconds of the processor.
type editCost struct {
	Program   string  `json:"program"`
	Lines     int     `json:"lines"`
	First     int     `json:"first"`     // edits that are listed at first: what a repair waits for
	Edits     int     `json:"edits"`     // all
	Live      int64   `json:"live"`      // bytes of the heap in use after Extend: program, call graph and edits
	Load      float64 `json:"load"`      // with the go command that lists and compiles
	Narrow    float64 `json:"narrow"`    // call graph and static narrowing
	Enumerate float64 `json:"enumerate"` // the first edits
	Extend    float64 `json:"extend"`    // again, after a failure has named more
	Peak      int64   `json:"peak"`      // bytes resident, of all that
	All       float64 `json:"all"`       // Enumerate and all edits that are left
	AllPeak   int64   `json:"allPeak"`   // bytes resident then
}

// edits measures how long a large program's edits take.
func (r *evaluation) edits(ctx context.Context) error {
	cost := editCost{Program: large.String()}
	var load, narrow, enumerate, extend, all []float64
	for round := range r.Rounds {
		trial.ResetPeakMemory()
		p, seconds, err := large.Timed(ctx, r.dir)
		if err != nil {
			return err
		}
		m, err := enumeration.Measure(ctx, p, enumeration.Static, r.First+uint64(round), nil)
		if err != nil {
			return fmt.Errorf("%s: %w", large, err)
		}
		cost.Lines, cost.First, cost.Live, cost.Peak = m.Lines, m.First, m.Live, max(cost.Peak, trial.PeakMemory())
		if err := m.All(); err != nil {
			return fmt.Errorf("%s: %w", large, err)
		}
		cost.Edits, cost.AllPeak = m.Edits, max(cost.AllPeak, trial.PeakMemory())
		load, narrow = append(load, seconds), append(narrow, m.Narrow)
		enumerate, extend = append(enumerate, m.Enumerate), append(extend, m.Extend)
		all = append(all, m.Enumerate+m.Rest)
	}
	cost.Load, cost.Narrow = tables.Median(load), tables.Median(narrow)
	cost.Enumerate, cost.Extend, cost.All = tables.Median(enumerate), tables.Median(extend), tables.Median(all)
	r.report.Edits = append(r.report.Edits, cost)
	return nil
}

func editTable(edits []editCost) *tables.Table {
	t := &tables.Table{Header: []string{"program", "lines", "load", "narrow", "first edits", "enumerate", "extend", "live MB", "peak MB", "all edits", "enumerate", "peak MB"}}
	for _, e := range edits {
		t.Add(e.Program, e.Lines, fmt.Sprintf("%.1f s", e.Load), fmt.Sprintf("%.1f s", e.Narrow),
			e.First, fmt.Sprintf("%.1f s", e.Enumerate), fmt.Sprintf("%.1f s", e.Extend), e.Live>>20, e.Peak>>20,
			e.Edits, fmt.Sprintf("%.1f s", e.All), e.AllPeak>>20)
	}
	return t
}
