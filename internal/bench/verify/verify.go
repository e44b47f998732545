package verify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/internal/bench/commands"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

const (
	// plainCount is how often a patched program is run as its user would.
	plainCount = 100
	// Bound is the bound on preemptions up to which the checker explores.
	Bound = 2
	// verifySeed is of the noise and the checker's samples: a patch is verified
	// once, whatever seeds found it.
	verifySeed = 1
	// LeastKept is the share of the corrected copy's parallelism that a patch
	// has to keep.
	LeastKept = 0.9
)

// A Verifier checks patches by means that the repair has no part in.
type Verifier struct {
	Runs    int           // noised
	Budget  time.Duration // of the checker
	Sample  int           // random schedules of each test that it tries first, in which timers may overtake goroutines
	Steps   int           // of one schedule; 0: the checker's default
	All     bool          // go on after a failure
	Rounds  int           // of the workload
	Wider   int           // runs of the wider test on each number of processors; 0: none
	Workers int           // builds and runs at a time; 0: the number of CPUs
}

// String names how much is done; a patch is verified again when it changes.
func (v Verifier) String() string {
	text := fmt.Sprintf("%d noised runs, checker %v, %d rounds", v.Runs, v.Budget, v.Rounds)
	if v.Wider > 0 {
		text += fmt.Sprintf(", wider test %d times", v.Wider)
	}
	return text
}

// A Verification is what was found out about a patch.
type Verification struct {
	Effort string `json:"effort"` // a Verifier's
	Copy   string `json:"copy"`   // hash of the corrected copy's files
	Mendel string `json:"mendel"` // hash of the source that verified
	// Broken says why nothing further was tried: the patch does not apply, or the
	// patched program does not build or pass go vet.
	Broken      string       `json:"broken,omitempty"`
	Plain       string       `json:"plain,omitempty"` // what plain runs have against it
	Runs        int          `json:"runs"`            // noised runs done
	Noised      string       `json:"noised,omitempty"`
	Check       Check        `json:"check"`
	Serialised  []string     `json:"serialised,omitempty"` // goroutines, "file.go:12", that the corrected copy does not serialise
	Parallelism *Parallelism `json:"parallelism,omitempty"`
	WiderTest   string       `json:"widerTest,omitempty"` // hash of the subject's wider test; "": there is none, or it was not run
	Wider       string       `json:"wider,omitempty"`     // what the wider test has against the patch
}

// A Check is the checker's verdict on a patched program.
type Check struct {
	Verdict   explore.Verdict `json:"verdict,omitempty"` // "": it could not be asked
	Words     string          `json:"words"`             // the verdict in words, or why there is none
	Bound     int             `json:"bound"`             // with exhausted: preemptions up to which all schedules passed; -1: any number
	Schedules int             `json:"schedules"`
	Spun      int             `json:"spun,omitempty"` // of them: a goroutine went on to the bound on steps without anybody having to wait
	Seconds   float64         `json:"seconds"`
}

// Reached says in words how far a check that passed has come: to the bound, or
// only to the end of its budget.
func (c Check) Reached() string {
	if c.Verdict == explore.Covered || c.Verdict == explore.Exhausted && (c.Bound < 0 || c.Bound >= Bound) {
		return "exhausted"
	}
	return "whole budget"
}

// Passed reports whether no schedule failed within the bound or the budget.
func (c Check) Passed() bool {
	return c.Verdict.Good()
}

// Problems lists what speaks against a patch as a fix. Lost parallelism is not
// in the list, nor is a wider test that fails: it shows that the fix is incomplete.
func (v *Verification) Problems() []string {
	if v.Broken != "" {
		return []string{v.Broken}
	}
	var all []string
	for _, p := range []string{v.Plain, v.Noised} {
		if p != "" {
			all = append(all, p)
		}
	}
	if !v.Check.Passed() {
		all = append(all, "checker: "+v.Check.Words)
	}
	for _, where := range v.Serialised {
		all = append(all, "a goroutine's whole body is one critical section: "+where)
	}
	return all
}

// Line says in a line what was found.
func (v *Verification) Line() string {
	if v.Broken != "" {
		return "PROBLEM: " + v.Broken
	}
	text := fmt.Sprintf("%d noised runs, %s", v.Runs, v.Check.Words)
	if p := v.Parallelism; p != nil && p.Problem == "" {
		text += fmt.Sprintf(", parallelism kept %s", p)
	} else if p != nil {
		text += ", parallelism not measured: " + p.Problem
	}
	if v.Wider != "" {
		text += ", INCOMPLETE: the wider test: " + v.Wider
	}
	return text + tables.ProblemLines(v.Problems())
}

// Verify checks a patch of a subject on copies. The error is for what kept it
// from a verdict.
func (v Verifier) Verify(ctx context.Context, s subject.Subject, patch string) (found *Verification, err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	found = &Verification{Effort: v.String()}
	if found.Copy, err = identity.Module(s.Corrected()); err != nil {
		return nil, err
	}
	patched, corrected := filepath.Join(dir, "patched"), filepath.Join(dir, "corrected")
	if found.Broken, err = Builds(ctx, patched, s.Dir, patch); err != nil || found.Broken != "" {
		return found, err
	}
	if err := programs.Copy(corrected, s.Corrected()); err != nil {
		return nil, err
	}
	if found.Serialised, err = serialisedBeyond(patched, s.Dir, corrected); err != nil {
		return nil, err
	}
	if found.Wider, err = v.runWider(ctx, s, patched); err != nil {
		return nil, err
	}
	if v.Wider > 0 {
		if found.WiderTest, err = WiderHash(s); err != nil {
			return nil, err
		}
	}
	c := programs.Patched{Dir: patched, Seed: verifySeed, Effort: programs.Effort{Runs: v.Runs, Workers: v.Workers}}
	if found.Plain, err = programs.PlainRuns(ctx, c, plainCount); err != nil {
		return nil, err
	}
	if found.Runs, found.Noised, err = programs.NoisedRuns(ctx, c); err != nil {
		return nil, err
	}
	if found.Check, err = v.Explore(ctx, patched); err != nil {
		return nil, err
	}
	found.Parallelism, err = measureParallelism(ctx, patched, corrected, v.Rounds)
	return found, err
}

// Builds makes a patched copy of a module and says why it is no program, "" if
// it is one.
func Builds(ctx context.Context, patched, source, patch string) (problem string, err error) {
	said, err := programs.PatchedCopy(ctx, patched, source, patch)
	if err != nil {
		return "", err
	}
	if said != "" {
		return "git apply: " + said, nil
	}
	if _, problem, err = commands.GoSays(ctx, patched, "build", "./..."); err != nil || problem != "" {
		return problem, err
	}
	_, after, err := commands.GoSays(ctx, patched, "vet", "./...")
	if err != nil || after == "" {
		return "", err
	}
	_, before, err := commands.GoSays(ctx, source, "vet", "./...")
	if err != nil {
		return "", err
	}
	return NewFindings(before, after), nil
}

// vetPlace is where a finding of go vet is, which a patch may move.
var vetPlace = regexp.MustCompile(`(\S+\.go):\d+:\d+: `)

// NewFindings is what a go command, vet above all, says of a patched program; ""
// if it says the same of the original, as often.
func NewFindings(before, after string) string {
	known := map[string]int{}
	for _, line := range strings.Split(vetPlace.ReplaceAllString(before, "$1: "), "\n") {
		known[strings.TrimSpace(line)]++
	}
	for _, line := range strings.Split(vetPlace.ReplaceAllString(after, "$1: "), "\n") {
		line = strings.TrimSpace(line)
		if known[line]--; known[line] < 0 {
			return after
		}
	}
	return ""
}

// Explore looks for a schedule under which a patched program fails. How long the tests
// themselves wait before they give up is believed to be enough: that it is not says
// nothing about the patch.
func (v Verifier) Explore(ctx context.Context, dir string) (c Check, err error) {
	p, err := programs.Instrument(ctx, dir, ".", v.Workers)
	if cannot := (*checker.InstrumentError)(nil); errors.As(err, &cannot) {
		return Check{Words: err.Error()}, nil
	}
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	r, err := p.Check(ctx, checker.Search{Budget: v.Budget, Preemptions: Bound, Seed: verifySeed, Sample: v.Sample, Steps: v.Steps, All: v.All, TrustTests: true})
	if err != nil {
		return c, err
	}
	c = Check{Verdict: r.Verdict, Words: r.String(), Bound: r.Bound, Schedules: r.Schedules, Spun: r.Spun, Seconds: r.Seconds}
	if r.Verdict == explore.Failed && len(r.Failures) > 0 {
		c.Words = fmt.Sprintf("%s: %s", r.Failures[0].Kind, r.Failures[0].Message)
	}
	c.Words = strings.TrimSpace(c.Words)
	return c, nil
}

// serialisedBeyond finds goroutines of a patched program whose bodies are one
// critical section, but not in the corrected copy. If the corrected copy has
// another number of go statements, it compares with the original.
func serialisedBeyond(patched, source, corrected string) ([]string, error) {
	after, err := Goroutines(patched)
	if err != nil {
		return nil, err
	}
	right, err := Goroutines(corrected)
	if err != nil {
		return nil, err
	}
	if len(after) == len(right) {
		return NewlySerialised(corrected, patched)
	}
	return NewlySerialised(source, patched)
}
