package regress

import (
	"encoding/json"
	"fmt"
	"io"

	"mendel/analysis/evidence"
)

// Status is how a search for a test ended.
type Status string

// Statuses. The command's exit codes are 0 and 1 in this order.
const (
	Made Status = "made" // there is a test
	None Status = "none" // there is none: Tried has the reasons
)

// Means is how a test brings a failure about.
type Means string

// Means, in the order in which they are tried.
const (
	Plain    Means = "plain"    // it fails whatever the schedule
	Bubble   Means = "bubble"   // it fails so in a bubble of testing/synctest
	Watched  Means = "watched"  // it fails so under package order, which tells deadlocks
	Locks    Means = "locks"    // a lock of the program, which the test holds
	Order    Means = "order"    // events in the test
	Repeated Means = "repeated" // it fails when it is repeated
)

// A Result is a test, or why there is none.
type Result struct {
	Status  Status           `json:"status"`
	File    string           `json:"file"` // of the schedule
	Module  string           `json:"module"`
	Package string           `json:"package"`
	Failure evidence.Failure `json:"failure"` // as it was recorded
	Test    *Test            `json:"test,omitempty"`
	Tried   []Tried          `json:"tried"` // means that led to no test
	Seconds float64          `json:"seconds"`
}

// A Test was accepted.
type Test struct {
	Name   string `json:"name"`
	Means  Means  `json:"means"`
	Orders string `json:"orders,omitempty"`
	Rounds int    `json:"rounds,omitempty"` // how often it is repeated
	// File is where the test belongs, absolute, and Source its text. With Plain it is the file
	// that has the test, and there is no text.
	File   string `json:"file"`
	Source string `json:"source,omitempty"`
	Order  bool   `json:"order,omitempty"` // it needs package order, or a copy of it
	Race   bool   `json:"race,omitempty"`  // only the race detector sees the failure
	Before Runs   `json:"before"`
	After  *Runs  `json:"after,omitempty"` // with the patch; nil: there is none
}

// Runs are runs of a test.
type Runs struct {
	Runs    int     `json:"runs"`
	Failed  int     `json:"failed"`  // as the schedule does, or with a patch in any way
	Longest float64 `json:"longest"` // in seconds
}

// String is "120 of 120 failed".
func (r *Runs) String() string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%d of %d failed", r.Failed, r.Runs)
}

// Tried says why a means led to no test.
type Tried struct {
	Means  Means  `json:"means"`
	Reason string `json:"reason"`
}

// JSON is the result for machines.
func (r *Result) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", "  ")
	return append(text, '\n'), err
}

// Words say what there is, in sentences without a full stop.
func (r *Result) Words() (words []string) {
	t := r.Test
	if t == nil {
		for _, t := range r.Tried {
			words = append(words, fmt.Sprintf("no test by %s: %s", t.Means, t.Reason))
		}
		return append(words, fmt.Sprintf("no test fails as %s does: %s", r.Failure.Test, r.Failure.Message))
	}
	words = append(words, fmt.Sprintf("%s %s", t.Name, t.how(r.Failure.Test)))
	words = append(words, fmt.Sprintf("without a fix it fails in %d of %d runs: %s", t.Before.Failed, t.Before.Runs, r.Failure.Message))
	if t.Race {
		words = append(words, "only the race detector sees it: go test -race")
	}
	if t.After != nil {
		words = append(words, fmt.Sprintf("with the patch it passes in %d of %d runs", t.After.Runs-t.After.Failed, t.After.Runs))
	}
	return words
}

// how says what a test does to fail.
func (t *Test) how(of string) string {
	switch t.Means {
	case Plain:
		return "itself fails whatever the schedule: it is the regression test"
	case Bubble:
		return fmt.Sprintf("runs %s in a bubble of testing/synctest", of)
	case Watched:
		return fmt.Sprintf("runs %s under package order, which tells deadlocks", of)
	case Repeated:
		return fmt.Sprintf("runs %s up to %d times", of, t.Rounds)
	case Locks:
		return fmt.Sprintf("holds %s until all goroutines that it starts wait for it", t.Orders)
	}
	return fmt.Sprintf("states the order %q", t.Orders)
}

// Print writes the result for people.
func (r *Result) Print(w io.Writer) error {
	p := &printer{w: w}
	for _, line := range r.Words() {
		p.printf("%s\n", line)
	}
	if r.Test != nil && r.Test.Source != "" {
		p.printf("\n%s", r.Test.Source)
	}
	return p.err
}

// A printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}
