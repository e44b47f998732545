package regress

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"mendel"
	"mendel/analysis/evidence"
	"mendel/internal/bench/tables"
)

// Criteria.
const (
	minTests   = 0.8 // of the programs with a failing schedule
	minWithout = 0.5 // of the tests, without package order
	maxSeconds = 30  // the median
)

// A report is what became of the programs.
type report struct {
	Machine tables.Machine `json:"machine"`
	Mendel  string         `json:"mendel"` // hash of the source
	Check   float64        `json:"check"`  // seconds for a failing schedule
	Budget  float64        `json:"budget"` // seconds for a test
	Seed    uint64         `json:"seed"`
	Rows    []row          `json:"rows"`
}

// A row is a program.
type row struct {
	Program string `json:"program"`
	Set     string `json:"set"`
	Unseen  string `json:"unseen,omitempty"` // why there is no failing schedule

	Kind    evidence.Kind `json:"kind,omitempty"`
	Failure string        `json:"failure,omitempty"`
	Test    string        `json:"test,omitempty"` // that fails

	Means   mendel.ReproduceMeans `json:"means,omitempty"` // "": there is no test
	Order   bool                  `json:"order,omitempty"` // the test needs package order
	Reasons []string              `json:"reasons,omitempty"`
	Problem string                `json:"problem,omitempty"` // an error
	Seconds float64               `json:"seconds,omitempty"`
	Before  string                `json:"before,omitempty"`
	After   string                `json:"after,omitempty"`
	Longest float64               `json:"longest,omitempty"` // run of the test
	Patches []judgement           `json:"patches,omitempty"`
}

// A judgement is what the test says of a patch.
type judgement struct {
	Patch  string `json:"patch"`
	Right  bool   `json:"right"`
	Left   bool   `json:"left,omitempty"` // it is wrong, and the failure is still there
	Unread string `json:"unread,omitempty"`
	Runs   int    `json:"runs,omitempty"`
	Red    int    `json:"red,omitempty"`
	Said   string `json:"said,omitempty"`
}

// wrong is why the test is wrong about the patch; "": it is not.
func (j judgement) wrong() string {
	switch {
	case j.Right && j.Red > 0:
		return fmt.Sprintf("red in %d of %d with %s, which is right: %s", j.Red, j.Runs, j.Patch, tables.FirstLine(j.Said))
	case j.Left && j.Red < j.Runs:
		return fmt.Sprintf("green in %d of %d with %s, which leaves the failure", j.Runs-j.Red, j.Runs, j.Patch)
	}
	return ""
}

// wrong is why a test is wrong.
func (r row) wrong() (all []string) {
	for _, j := range r.Patches {
		if w := j.wrong(); w != "" {
			all = append(all, w)
		}
	}
	return all
}

// why is why there is no test.
func (r row) why() string {
	return cmp.Or(r.Unseen, r.Problem, strings.Join(r.Reasons, "; "))
}

// tested reports whether go test alone shows the failure.
func (r row) tested() bool { return r.Means != "" }

// sameConditions reports whether the rows of two reports can stand in one.
func (r *report) sameConditions(o *report) bool {
	return r.Mendel == o.Mendel && r.Check == o.Check && r.Budget == o.Budget && r.Seed == o.Seed
}

// has reports whether a program was done.
func (r *report) has(p program) bool {
	return slices.ContainsFunc(r.Rows, func(row row) bool { return row.Program == p.name && row.Set == p.set })
}

// Write writes the tables.
func (r *report) Write(w io.Writer, markdown bool) error {
	if _, err := fmt.Fprintf(w, "%v; %.0f s for a schedule, %.0f s for a test; seed %d; Mendel's source %.12s.\n\n", r.Machine, r.Check, r.Budget, r.Seed, r.Mendel); err != nil {
		return err
	}
	t := &tables.Table{Header: []string{"program", "set", "failure", "test by", "seconds", "a run", "wrong, or why none"}}
	for _, row := range r.Rows {
		t.Add(row.Program, row.Set, cmp.Or(string(row.Kind), "-"), cmp.Or(string(row.Means), "-"), fmt.Sprintf("%.0f", row.Seconds), fmt.Sprintf("%.2f", row.Longest), row.remark())
	}
	if err := t.Render(w, markdown); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return r.totals().Render(w, markdown)
}

func (r row) remark() string {
	if r.Means == "" {
		return tables.FirstLine(r.why())
	}
	return strings.Join(r.wrong(), "; ")
}

// A total counts the programs of a set.
type total struct {
	programs, failing, tested, without, wrong int
	means                                     map[mendel.ReproduceMeans]int
	seconds                                   []float64
}

func (t *total) add(r row) {
	t.programs++
	if r.Unseen != "" {
		return
	}
	t.failing++
	if r.Means != "" {
		t.means[r.Means]++
	}
	if r.tested() {
		t.tested++
		t.seconds = append(t.seconds, r.Seconds)
		if !r.Order {
			t.without++
		}
	}
	if len(r.wrong()) > 0 {
		t.wrong++
	}
}

// count counts all programs.
func (r *report) count(set string) *total {
	t := &total{means: map[mendel.ReproduceMeans]int{}}
	for _, row := range r.Rows {
		if set == "" || row.Set == set {
			t.add(row)
		}
	}
	return t
}

func (r *report) totals() *tables.Table {
	t := &tables.Table{Header: []string{"set", "programs", "with a failing schedule", "with a test", "by", "median seconds", "wrong"}}
	var sets []string
	for _, row := range r.Rows {
		if !slices.Contains(sets, row.Set) {
			sets = append(sets, row.Set)
		}
	}
	for _, s := range append(sets, "") {
		c := r.count(s)
		t.Add(cmp.Or(s, "all"), c.programs, c.failing, c.tested, tables.CountWords(c.means), fmt.Sprintf("%.0f", tables.Median(c.seconds)), c.wrong)
	}
	return t
}

// Failures are the criteria that are not met.
func (r *report) Failures() (failures []string) {
	c := r.count("")
	if float64(c.tested) < minTests*float64(c.failing) {
		failures = append(failures, fmt.Sprintf("%d of %d programs have a test, asked are %s", c.tested, c.failing, tables.Percent(minTests)))
	}
	if float64(c.without) < minWithout*float64(c.tested) {
		failures = append(failures, fmt.Sprintf("%d of %d tests need no package order, asked are %s", c.without, c.tested, tables.Percent(minWithout)))
	}
	if m := tables.Median(c.seconds); m > maxSeconds {
		failures = append(failures, fmt.Sprintf("the median is %.0f s, asked are %d", m, maxSeconds))
	}
	for _, row := range r.Rows {
		for _, w := range row.wrong() {
			failures = append(failures, fmt.Sprintf("the test of %s is %s", row.Program, w))
		}
	}
	return failures
}
