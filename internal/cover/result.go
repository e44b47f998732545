package cover

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"mendel/analysis/evidence"
	"mendel/interleave"
	"mendel/interleave/instrument"
	"mendel/internal/gotool"
	"mendel/internal/result"
)

// Name is the file in the output directory that a result is in.
const Name = "cover.json"

// Verdict is what covering showed.
type Verdict string

// Verdicts. The command's exit codes are 1, 0, 2 and 2 in this order.
const (
	Failed       Verdict = "failed"       // a test failed
	Passed       Verdict = "passed"       // none did; what is left says what that is worth
	Inconclusive Verdict = "inconclusive" // nothing could be observed: see the reason
	Error        Verdict = "error"        // bad usage, does not build, broken environment
)

// A Tuple counts the iRoots of the idioms 1 to 6.
type Tuple = [interleave.Idioms]int

// A Result is what covering found; it is what cover.json holds.
type Result struct {
	Verdict   Verdict       `json:"verdict"`
	Reason    string        `json:"reason,omitempty"`
	Target    result.Target `json:"target"`
	Strategy  string        `json:"strategy"`
	Seed      uint64        `json:"seed"`
	Exposed   Tuple         `json:"exposed"`   // by any run of any test, earlier runs of the command with this source included
	Before    Tuple         `json:"before"`    // of these, exposed in earlier runs of the command
	Predicted Tuple         `json:"predicted"` // what was exposed without being predicted included
	Left      Tuple         `json:"left"`      // predicted and not exposed
	Untried   int           `json:"untried"`   // of what is left: there was no time
	GivenUp   int           `json:"givenUp"`   // of what is left: tried so often that it is not tried any more
	Saturated bool          `json:"saturated"` // nothing is left to try, and the last runs with noise predicted nothing new
	Growth    []int         `json:"growth"`    // iRoots exposed after each run
	// FailedBefore counts the iRoots that failed when they were forced in an earlier run
	// of the command, and were forced again; FailedAgain those that failed again.
	FailedBefore int `json:"failedBefore,omitempty"`
	FailedAgain  int `json:"failedAgain,omitempty"`

	Tests       []Test            `json:"tests"`
	Failures    []Failure         `json:"failures"`
	Roots       []Root            `json:"roots"` // what is left
	Sites       []instrument.Site `json:"-"`
	Bare        []string          `json:"bare,omitempty"` // files that do not compile with hooks: nothing of them was seen
	Interrupted bool              `json:"interrupted,omitempty"`
	Seconds     float64           `json:"seconds"` // loading and building included
}

// A Test is what was done with one test.
type Test struct {
	Name       string `json:"name"`
	Profiled   int    `json:"profiled"`             // runs
	Forced     int    `json:"forced"`               // runs
	Events     int    `json:"events"`               // of the longest run that profiled it
	Incomplete bool   `json:"incomplete,omitempty"` // its runs were too long or too wide to be seen whole
	Exposed    Tuple  `json:"exposed"`
	Predicted  Tuple  `json:"predicted"`
	Growth     []int  `json:"growth"` // iRoots exposed after each run
}

// A Root is an iRoot with its places.
type Root struct {
	Idiom int    `json:"idiom"`
	Test  string `json:"test,omitempty"`
	Tries int    `json:"tries"`
	Text  string `json:"text"`
	Ends  []End  `json:"ends"` // A, B, C, D
}

// An End is a place and what is done there.
type End struct {
	instrument.Site
	Kind string `json:"kind"`
}

// A Failure is a failure, with the interleaving that was forced.
type Failure struct {
	evidence.Failure
	Test        string `json:"inTest"`
	File        string `json:"file,omitempty"`    // in the output directory, for replay
	Run         int    `json:"run"`               // in which it showed first, from 1, those that profile included
	Plain       bool   `json:"plain,omitempty"`   // it showed in a run without noise, and nothing was forced
	Forced      *Root  `json:"forced,omitempty"`  // nil: it showed while the test was profiled
	Exposed     bool   `json:"exposed,omitempty"` // what was forced came about
	Seed        uint64 `json:"seed,omitempty"`
	Late        bool   `json:"late,omitempty"` // goroutines began late
	Repeated    int    `json:"repeated,omitempty"`
	FailedAgain int    `json:"failedAgain,omitempty"` // of these runs

	root  interleave.IRoot
	test  *test
	fresh []interleave.IRoot // exposed by the run, and by none before it
}

func newResult(o Options) *Result {
	return &Result{
		Verdict: Error, Strategy: o.Strategy, Seed: o.Seed, Target: result.Target{Package: o.Package, Run: o.Run},
		Tests: []Test{}, Growth: []int{}, Failures: []Failure{}, Roots: []Root{},
	}
}

// root makes an iRoot presentable.
func (c *covering) root(r interleave.IRoot) *Root {
	root := &Root{Idiom: r.Idiom}
	for _, e := range r.Ends[:r.Len()] {
		root.Ends = append(root.Ends, End{c.hooked.Sites[e.Site-1], e.Kind.String()})
	}
	root.Text = r.Text(func(e interleave.End) string {
		s := c.hooked.Sites[e.Site-1]
		return fmt.Sprintf("%v %s (%v)", e.Kind, s.Operand, s)
	})
	return root
}

// conclude makes the result of what is known of the tests.
func (c *covering) conclude() {
	res := c.result
	exposed, predicted := interleave.Set{}, interleave.Set{}
	if c.memory != nil {
		exposed = c.memory.exposed
		predicted.Add(exposed)
		res.Before = c.memory.before.Tuple()
	}
	events := 0
	for _, t := range c.tests {
		t.predicted.Add(t.exposed)
		predicted.Add(t.predicted)
		t.Exposed, t.Predicted = t.exposed.Tuple(), t.predicted.Tuple()
		res.Tests = append(res.Tests, *t.Test)
		events += t.Events
	}
	res.Exposed, res.Predicted = exposed.Tuple(), predicted.Tuple()
	for i := range res.Left {
		res.Left[i] = res.Predicted[i] - res.Exposed[i]
	}
	c.left(exposed)
	switch {
	case c.binary == nil || len(c.tests) == 0:
	case len(res.Failures) > 0:
		res.Verdict = Failed
	case res.Interrupted:
		res.Verdict = Inconclusive
	default:
		res.Verdict = Passed
		if events == 0 && c.recording() {
			res.Reason = "the tests do nothing with shared locations, locks or channels"
		}
	}
}

// left lists what no run exposed.
func (c *covering) left(exposed interleave.Set) {
	seen := interleave.Set{}
	for _, t := range c.tests {
		for r := range t.predicted {
			if exposed[r] || seen[r] {
				continue
			}
			seen[r] = true
			root := c.root(r)
			root.Test, root.Tries = t.Name, c.memory.tries[r]
			c.result.Roots = append(c.result.Roots, *root)
		}
	}
	for _, r := range c.result.Roots {
		switch {
		case r.Tries == 0:
			c.result.Untried++
		case r.Tries >= attemptsInAll:
			c.result.GivenUp++
		}
	}
	slices.SortFunc(c.result.Roots, func(a, b Root) int {
		if a.Idiom != b.Idiom {
			return a.Idiom - b.Idiom
		}
		return bytes.Compare([]byte(a.Text), []byte(b.Text))
	})
}

// JSON is the result as cover.json has it.
func (res *Result) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(res); err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return b.Bytes(), nil
}

// save writes cover.json.
func (res *Result) save(dir string) error {
	if dir == "" {
		return nil
	}
	data, err := res.JSON()
	if err != nil {
		return err
	}
	if err := gotool.WriteFile(filepath.Join(dir, Name), data); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}
