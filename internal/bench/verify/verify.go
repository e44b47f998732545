package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"mendel/checker"
	"mendel/checker/sched"
	"mendel/internal/gotool"
)

const (
	// plainCount is how often a patched program is run as its user would.
	plainCount = 100
	// verifyBound is the bound on preemptions up to which the checker explores.
	verifyBound = 2
	// verifySeed is of the noise and the checker's samples: a patch is verified
	// once, whatever seeds found it.
	verifySeed = 1
	// leastKept is the share of the corrected copy's parallelism that a patch
	// has to keep.
	leastKept = 0.9
)

// A verifier checks patches by means that a repair has no part in deciding.
type verifier struct {
	Runs    int           // noised
	Budget  time.Duration // of the checker
	Sample  int           // random schedules of each test that it tries first, in which timers may overtake goroutines
	Steps   int           // of one schedule; 0: the checker's default
	All     bool          // go on after a failure
	Rounds  int           // of the workload
	Workers int           // builds and runs at a time; 0: the number of CPUs
}

// String names how much is done; a patch is verified again when it changes.
func (v verifier) String() string {
	return fmt.Sprintf("%d noised runs, checker %v, %d rounds", v.Runs, v.Budget, v.Rounds)
}

// A Verification is what was found out about a patch.
type Verification struct {
	Effort string `json:"effort"` // a verifier's
	Copy   string `json:"copy"`   // hash of the corrected copy's files
	Mendel string `json:"mendel"` // hash of the source that verified
	// Broken says why nothing further was tried: the patch does not apply, or the
	// patched program does not build or pass go vet.
	Broken      string       `json:"broken,omitempty"`
	Plain       string       `json:"plain,omitempty"` // what plain runs have against it
	Runs        int          `json:"runs"`            // noised runs done
	Noised      string       `json:"noised,omitempty"`
	Check       PatchCheck   `json:"check"`
	Serialised  []string     `json:"serialised,omitempty"` // goroutines, "file.go:12", that the corrected copy does not serialise
	Parallelism *Parallelism `json:"parallelism,omitempty"`
}

// A PatchCheck is the checker's verdict on a patched program.
type PatchCheck struct {
	Verdict   sched.Verdict `json:"verdict,omitempty"` // "": it could not be asked
	Words     string        `json:"words"`             // the verdict in words, or why there is none
	Bound     int           `json:"bound"`             // with exhausted: preemptions up to which all schedules passed; -1: any number
	Schedules int           `json:"schedules"`
	Spun      int           `json:"spun,omitempty"` // of them: a goroutine went on to the bound on steps without anybody having to wait
	Seconds   float64       `json:"seconds"`
}

// reached says in words how far a check that passed has come: to the bound, or
// only to the end of its budget.
func (c PatchCheck) reached() string {
	if c.Verdict == sched.Exhausted && (c.Bound < 0 || c.Bound >= verifyBound) {
		return "exhausted"
	}
	return "whole budget"
}

// passed tells whether no schedule failed within the bound or the budget.
func (c PatchCheck) passed() bool {
	return c.Verdict == sched.Exhausted || c.Verdict == sched.Passed
}

// problems lists what speaks against a patch as a fix; the parallelism it keeps
// is not among it.
func (v *Verification) problems() []string {
	if v.Broken != "" {
		return []string{v.Broken}
	}
	var all []string
	for _, p := range []string{v.Plain, v.Noised} {
		if p != "" {
			all = append(all, p)
		}
	}
	if !v.Check.passed() {
		all = append(all, "checker: "+v.Check.Words)
	}
	for _, where := range v.Serialised {
		all = append(all, "a goroutine's whole body is one critical section: "+where)
	}
	return all
}

// line says in a line what was found.
func (v *Verification) line() string {
	if v.Broken != "" {
		return "PROBLEM: " + v.Broken
	}
	text := fmt.Sprintf("%d noised runs, %s", v.Runs, v.Check.Words)
	if p := v.Parallelism; p != nil && p.Problem == "" {
		text += fmt.Sprintf(", parallelism kept %s", p)
	} else if p != nil {
		text += ", parallelism not measured: " + p.Problem
	}
	for _, p := range v.problems() {
		text += "\n\tPROBLEM: " + p
	}
	return text
}

// verify checks a patch of a subject on copies. The error is for what kept it
// from a verdict.
func (v verifier) verify(ctx context.Context, s Subject, patch string) (found *Verification, err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	found = &Verification{Effort: v.String()}
	if found.Copy, err = moduleID(s.corrected()); err != nil {
		return nil, err
	}
	patched, corrected := filepath.Join(dir, "patched"), filepath.Join(dir, "corrected")
	if found.Broken, err = builds(ctx, patched, s.dir, patch); err != nil || found.Broken != "" {
		return found, err
	}
	if err := copyModule(corrected, s.corrected()); err != nil {
		return nil, err
	}
	if found.Serialised, err = serialisedBeyond(patched, s.dir, corrected); err != nil {
		return nil, err
	}
	c := check{patched: patched, seed: verifySeed, effort: effort{Runs: v.Runs, Workers: v.Workers}}
	if found.Plain, err = plainRuns(ctx, c, plainCount); err != nil {
		return nil, err
	}
	if found.Runs, found.Noised, err = noisedRuns(ctx, c); err != nil {
		return nil, err
	}
	if found.Check, err = v.explore(ctx, patched); err != nil {
		return nil, err
	}
	found.Parallelism, err = measureParallelism(ctx, patched, corrected, v.Rounds)
	return found, err
}

// builds makes a patched copy of a module and says why it is no program, "" if
// it is one.
func builds(ctx context.Context, patched, source, patch string) (problem string, err error) {
	said, err := patchedCopy(ctx, patched, source, patch)
	if err != nil {
		return "", err
	}
	if said != "" {
		return "git apply: " + said, nil
	}
	if _, problem, err = goSays(ctx, patched, "build", "./..."); err != nil || problem != "" {
		return problem, err
	}
	_, after, err := goSays(ctx, patched, "vet", "./...")
	if err != nil || after == "" {
		return "", err
	}
	_, before, err := goSays(ctx, source, "vet", "./...")
	if err != nil {
		return "", err
	}
	return newFindings(before, after), nil
}

// vetPlace is where a finding of go vet is, which a patch may move.
var vetPlace = regexp.MustCompile(`(\S+\.go):\d+:\d+: `)

// newFindings is what go vet says of the patched program, "" if that is nothing
// which it does not say of the original as often.
func newFindings(before, after string) string {
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

// explore looks for a schedule under which a patched program fails.
func (v verifier) explore(ctx context.Context, dir string) (c PatchCheck, err error) {
	p, err := instrument(ctx, dir, ".", v.Workers)
	if cannot := (*checker.InstrumentError)(nil); errors.As(err, &cannot) {
		return PatchCheck{Words: err.Error()}, nil
	}
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	r, err := p.Check(ctx, checker.Search{Budget: v.Budget, Preemptions: verifyBound, Seed: verifySeed, Sample: v.Sample, Steps: v.Steps, All: v.All})
	if err != nil {
		return c, err
	}
	c = PatchCheck{Verdict: r.Verdict, Words: r.String(), Bound: r.Bound, Schedules: r.Schedules, Spun: r.Spun, Seconds: r.Seconds}
	if r.Verdict == sched.Failed && len(r.Failures) > 0 {
		c.Words = fmt.Sprintf("%s: %s", r.Failures[0].Kind, r.Failures[0].Message)
	}
	c.Words = strings.TrimSpace(c.Words)
	return c, nil
}

// serialisedBeyond finds goroutines of a patched program whose bodies are one
// critical section where they are not in the corrected copy; if that starts
// others, where they are not in the original.
func serialisedBeyond(patched, source, corrected string) ([]string, error) {
	after, err := goroutines(patched)
	if err != nil {
		return nil, err
	}
	right, err := goroutines(corrected)
	if err != nil {
		return nil, err
	}
	if len(after) == len(right) {
		return newlySerialised(corrected, patched)
	}
	return newlySerialised(source, patched)
}
