package speed

import (
	"fmt"
	"io"
	"strings"

	"mendel/internal/bench/tables"
)

// What is asked of the checker.
const (
	mostStep     = 5.0     // a scheduling step, in hand-offs
	leastRate    = 20000.0 // schedules per second of the test of subjects/account, at the usual hand-off
	usualHandOff = 200.0   // nanoseconds
	// judgedStrategy is the one that leastRate is for. dfs and auto abandon
	// redundant schedules, which take time but do not count.
	judgedStrategy = "random"
	leastHalving   = 1.7       // dfs on one processor, in times on two
	mostBuild      = 3.0       // rewriting and building, in plain builds
	mostSeconds    = 5.0       // to a subject's bug
	mostEnumerate  = 6.0       // seconds of the processor for the edits of 80,000 lines
	mostExtend     = 1.0       // seconds of the processor for listing them again
	mostMemory     = 500 << 20 // bytes for the edits of 100,000 lines
)

// A report is the outcome of the speed command, as saved in speed.json.
type report struct {
	tables.Machine
	Rounds int          `json:"rounds"`
	Search string       `json:"search"` // time for a search of Rates
	Steps  []stepCost   `json:"steps,omitempty"`
	Rates  []searchRate `json:"rates,omitempty"`
	Halves []halving    `json:"processors,omitempty"`
	Builds []buildCost  `json:"builds,omitempty"`
	Bugs   []bugTime    `json:"bugs,omitempty"`
	Edits  []editCost   `json:"edits,omitempty"`

	SearchBudget string       `json:"search_budget,omitempty"` // for a repair of Searches
	Against      string       `json:"against,omitempty"`       // the executable that searched before
	Searches     []searchCost `json:"searches,omitempty"`
}

// A stepCost is the median of a benchmark of package checker/sched. The
// benchmark Schedule is of a whole execution, the others of a step.
type stepCost struct {
	Benchmark   string  `json:"benchmark"`
	Nanoseconds float64 `json:"nanoseconds"`
	HandOffs    float64 `json:"hand_offs"` // the same in hand-offs of the same run
}

// step reports whether the benchmark is of a single step.
func (s stepCost) step() bool {
	return s.Benchmark == "Step" || strings.HasPrefix(s.Benchmark, "Switch/")
}

// A searchRate is how many schedules one process makes, medians.
type searchRate struct {
	Program    string  `json:"program"`
	Strategy   string  `json:"strategy"`
	Seconds    float64 `json:"seconds"`
	Early      bool    `json:"early,omitempty"`       // all schedules were made before half of the time was over
	PerSecond  float64 `json:"per_second"`            // start of the process included
	HandOff    float64 `json:"hand_off_nanoseconds"`  // measured just before
	Normalised float64 `json:"normalised_per_second"` // to a hand-off of 200 ns
}

// A halving is how long one search takes on one processor and on two, medians.
type halving struct {
	Program   string  `json:"program"`
	Test      string  `json:"test"`
	Bound     int     `json:"preemptions"`
	Schedules int     `json:"schedules"`
	One       float64 `json:"one_seconds"`
	Two       float64 `json:"two_seconds"`
	Ratio     float64 `json:"ratio"` // median of those of the rounds
}

// A buildCost is how long it takes to build a subject's tests with one file
// changed, medians, in seconds.
type buildCost struct {
	Subject      string  `json:"subject"`
	Plain        float64 `json:"plain"`        // go test -c
	Instrumented float64 `json:"instrumented"` // rewritten and built, the program being loaded
	FromScratch  float64 `json:"from_scratch"` // loaded, rewritten and built
}

// A bugTime is how long it takes to find a subject's bug, medians, in seconds.
type bugTime struct {
	Subject        string  `json:"subject"`
	Rounds         int     `json:"rounds"`
	Found          int     `json:"found"` // in so many rounds
	Failure        string  `json:"failure,omitempty"`
	Problem        string  `json:"problem,omitempty"` // what came instead, first
	Seconds        float64 `json:"seconds"`           // loading, building and search
	Build          float64 `json:"build"`             // part of Seconds
	FoundByCommand int     `json:"found_by_command"`
	Command        float64 `json:"command"` // mendel check, wall clock
}

// Failures implements document.
func (r *report) Failures() []string {
	var failures []string
	miss := func(format string, args ...any) { failures = append(failures, fmt.Sprintf(format, args...)) }
	for _, s := range r.Steps {
		if s.step() && s.HandOffs > mostStep {
			miss("%s: a step costs %.1f hand-offs, want at most %.0f", s.Benchmark, s.HandOffs, mostStep)
		}
	}
	for _, s := range r.Rates {
		if s.Strategy == judgedStrategy && !s.Early && s.Normalised < leastRate {
			miss("%s: %.0f schedules per second at a hand-off of %.0f ns, want %.0f", s.Program, s.Normalised, usualHandOff, leastRate)
		}
	}
	for _, h := range r.Halves {
		if h.Ratio < leastHalving {
			miss("%s, %s: two processors are %.2f times as fast as one, want %.1f", h.Program, h.Test, h.Ratio, leastHalving)
		}
	}
	for _, b := range r.Builds {
		if ratio := b.Instrumented / b.Plain; ratio > mostBuild {
			miss("%s: rewriting and building takes %.1f plain builds, want at most %.0f", b.Subject, ratio, mostBuild)
		}
	}
	for _, b := range r.Bugs {
		if b.Found < b.Rounds || b.FoundByCommand < b.Rounds {
			miss("%s: found in %d and by the command in %d of %d rounds: %s", b.Subject, b.Found, b.FoundByCommand, b.Rounds, b.Problem)
		}
		if slowest := max(b.Seconds, b.Command); slowest >= mostSeconds {
			miss("%s: %.1f s to the bug, want less than %.0f", b.Subject, slowest, mostSeconds)
		}
	}
	for _, e := range r.Edits {
		share := float64(e.Lines) / 80_000
		most, again := mostEnumerate*share, mostExtend*share
		if e.Enumerate > most {
			miss("%s: listing the first edits takes %.1f s of the processor, want at most %.1f", e.Program, e.Enumerate, most)
		}
		if e.All > most {
			miss("%s: listing all %d edits takes %.1f s of the processor, want at most %.1f", e.Program, e.Edits, e.All, most)
		}
		if e.Extend > again {
			miss("%s: listing them again takes %.1f s of the processor, want at most %.1f", e.Program, e.Extend, again)
		}
		if memory := mostMemory * e.Lines / 100_000; int(e.Peak) > memory {
			miss("%s: %d MB of memory, want at most %d", e.Program, e.Peak>>20, memory>>20)
		}
	}
	return append(failures, searchMisses(r.Searches)...)
}

// Write implements document.
func (r *report) Write(w io.Writer, markdown bool) error {
	if _, err := fmt.Fprintf(w, "%s; medians of %d rounds.\n", r.Machine, r.Rounds); err != nil {
		return err
	}
	for _, part := range []struct {
		title string
		table *tables.Table
	}{
		{"A scheduling step", stepTable(r.Steps)},
		{fmt.Sprintf("Schedules per second in one process, %s, searches of %s", rateTest, r.Search), rateTable(r.Rates)},
		{"All schedules of a bound, on one processor and on two; seconds without building", halvingTable(r.Halves)},
		{"Building a subject with one file changed", buildTable(r.Builds)},
		{"Time to the bug", bugTable(r.Bugs)},
		{"The edits of a large program, narrowed by the static analysis; seconds are of the processor", editTable(r.Edits)},
		{fmt.Sprintf("Searches for fixes, repairs of %s", r.SearchBudget), searchTable(r.Searches)},
		{"What is asked of the searches", criteriaTable(searchCriteria(r.Searches))},
	} {
		if len(part.table.Rows) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s:\n\n", part.title); err != nil {
			return err
		}
		if err := part.table.Render(w, markdown); err != nil {
			return err
		}
	}
	return nil
}

func stepTable(steps []stepCost) *tables.Table {
	t := &tables.Table{Header: []string{"benchmark", "ns", "hand-offs"}}
	for _, s := range steps {
		t.Add(s.Benchmark, fmt.Sprintf("%.0f", s.Nanoseconds), fmt.Sprintf("%.2f", s.HandOffs))
	}
	return t
}

func rateTable(rates []searchRate) *tables.Table {
	t := &tables.Table{Header: []string{"program", "strategy", "seconds", "schedules/s", "hand-off", "schedules/s at 200 ns"}}
	for _, s := range rates {
		seconds := fmt.Sprintf("%.1f", s.Seconds)
		if s.Early {
			seconds += " (all done)"
		}
		t.Add(s.Program, s.Strategy, seconds, fmt.Sprintf("%.0f", s.PerSecond), fmt.Sprintf("%.0f ns", s.HandOff), fmt.Sprintf("%.0f", s.Normalised))
	}
	return t
}

func halvingTable(halves []halving) *tables.Table {
	t := &tables.Table{Header: []string{"program", "test", "preemptions", "schedules", "one", "two", "ratio"}}
	for _, h := range halves {
		t.Add(h.Program, h.Test, fmt.Sprint(h.Bound), fmt.Sprint(h.Schedules), fmt.Sprintf("%.1f s", h.One), fmt.Sprintf("%.1f s", h.Two), fmt.Sprintf("%.2f", h.Ratio))
	}
	return t
}

func buildTable(builds []buildCost) *tables.Table {
	t := &tables.Table{Header: []string{"subject", "go test -c", "rewrite and build", "ratio", "load, rewrite and build", "ratio"}}
	for _, b := range builds {
		t.Add(b.Subject, fmt.Sprintf("%.2f s", b.Plain), fmt.Sprintf("%.2f s", b.Instrumented), fmt.Sprintf("%.1f", b.Instrumented/b.Plain),
			fmt.Sprintf("%.2f s", b.FromScratch), fmt.Sprintf("%.1f", b.FromScratch/b.Plain))
	}
	return t
}

func bugTable(bugs []bugTime) *tables.Table {
	t := &tables.Table{Header: []string{"subject", "found", "seconds", "of them building", "found by mendel check", "seconds", "failure"}}
	for _, b := range bugs {
		t.Add(b.Subject, fmt.Sprintf("%d of %d", b.Found, b.Rounds), fmt.Sprintf("%.1f", b.Seconds), fmt.Sprintf("%.1f", b.Build),
			fmt.Sprintf("%d of %d", b.FoundByCommand, b.Rounds), fmt.Sprintf("%.1f", b.Command), b.Failure)
	}
	return t
}
