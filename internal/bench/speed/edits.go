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
	Edits     int     `json:"edits"`
	Live      int64   `json:"live"`      // bytes of the heap in use at the end: program, call graph and edits
	Load      float64 `json:"load"`      // with the go command that lists and compiles
	Narrow    float64 `json:"narrow"`    // call graph and static narrowing
	Enumerate float64 `json:"enumerate"` // all edits
	Extend    float64 `json:"extend"`    // again, after a failure has named more
	Peak      int64   `json:"peak"`      // bytes resident, of all that
}

// edits measures how long a large program's edits take.
func (r *evaluation) edits(ctx context.Context) error {
	cost := editCost{Program: large.String()}
	var load, narrow, enumerate, extend []float64
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
		cost.Lines, cost.Edits, cost.Live, cost.Peak = m.Lines, m.Edits, m.Live, max(cost.Peak, trial.PeakMemory())
		load, narrow = append(load, seconds), append(narrow, m.Narrow)
		enumerate, extend = append(enumerate, m.Enumerate), append(extend, m.Extend)
	}
	cost.Load, cost.Narrow = tables.Median(load), tables.Median(narrow)
	cost.Enumerate, cost.Extend = tables.Median(enumerate), tables.Median(extend)
	r.report.Edits = append(r.report.Edits, cost)
	return nil
}

func editTable(edits []editCost) *tables.Table {
	t := &tables.Table{Header: []string{"program", "lines", "edits", "load", "narrow", "enumerate", "extend", "live MB", "peak MB"}}
	for _, e := range edits {
		t.Add(e.Program, e.Lines, e.Edits, fmt.Sprintf("%.1f s", e.Load), fmt.Sprintf("%.1f s", e.Narrow),
			fmt.Sprintf("%.1f s", e.Enumerate), fmt.Sprintf("%.1f s", e.Extend), e.Live>>20, e.Peak>>20)
	}
	return t
}
