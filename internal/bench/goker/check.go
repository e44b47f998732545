package goker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/internal/bench/kernel"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

const (
	// foundShare of the kernels have to be found: 58 of all 63.
	foundShare = 58.0 / 63
	// leastSearch is what is left at least for a second search.
	leastSearch = time.Second
)

// attempts are searches with growing bounds on the steps of an execution. Each
// gets the time that is left, divided by part. Most bugs show early, and
// goroutines that never end reach any bound, but some kernels go through a loop
// a hundred thousand times.
var attempts = []struct {
	steps int
	part  time.Duration
}{{10_000, 4}, {100_000, 2}, {1_000_000, 1}}

// A report is the outcome of checking kernels, as saved in goker.json.
type report struct {
	tables.Machine
	Limit   string         `json:"limit"` // for each kernel, building included
	Replays int            `json:"replays"`
	Kernels []*kernelCheck `json:"kernels"`
}

// A kernelCheck is what the checker made of one kernel.
type kernelCheck struct {
	Name    string          `json:"name"`
	Type    string          `json:"type"` // of its bug, by the collection's README: "Resource: AB-BA leak"
	Verdict explore.Verdict `json:"verdict,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	// Found is the first failure in which goroutines are blocked for ever, which
	// is the sort of bug that all kernels have; nil: there is none.
	Found *kernelFailure `json:"found,omitempty"`
	// Other are failures of other kinds, in a line each.
	Other     []string `json:"other,omitempty"`
	Schedules int      `json:"schedules"`
	Bound     int      `json:"bound,omitempty"` // with exhausted; -1: any number of preemptions
	Seconds   float64  `json:"seconds"`         // from loading to the verdict
	Build     float64  `json:"build_seconds"`   // part of Seconds: loading, rewriting, building
	Documents bool     `json:"documents_leaks"` // the Go installation says which goroutines stay blocked

	slow bool // found, but not within the limit
}

// A kernelFailure is the failure by which a kernel's bug was found.
type kernelFailure struct {
	Kind        evidence.Kind    `json:"kind"`
	Message     string           `json:"message"`
	Strategy    string           `json:"strategy"`
	Nth         int              `json:"nth"`
	Preemptions int              `json:"preemptions"`
	Schedule    checker.Schedule `json:"schedule"`
	// Known reports whether one of the goroutines is in a function in which the
	// tests of the Go installation see a goroutine of this kernel blocked.
	Known    bool   `json:"known"`
	Replayed int    `json:"replayed"`           // how often the replay was identical
	Differed string `json:"differed,omitempty"` // how the first that was not differed
}

// checkKernels checks the kernels in their directories and prints the table.
func checkKernels(ctx context.Context, kernels []kernel.Kernel, tool *gotool.Toolchain, o Options, stdout, stderr io.Writer) error {
	known, err := readDocumentation(tool.GOROOT)
	if err != nil {
		return err
	}
	r := &report{Machine: tables.ThisMachine(tool), Limit: o.Limit.String(), Replays: o.Replays}
	var broken error
	for _, k := range kernels {
		c := &kernelCheck{Name: k.Name, Type: cmp.Or(known.types[k.Name], "unknown")}
		if broken = c.check(ctx, filepath.Join(o.Modules, k.Name), known.leaks[k.Registered], o); broken != nil {
			broken = fmt.Errorf("%s: %w", k.Name, broken)
			break
		}
		r.Kernels = append(r.Kernels, c)
		fmt.Fprintf(stderr, "%s: %s\n", k.Name, c.line())
	}
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "goker", Command: o.Command}, broken)
}

// check builds the kernel in a directory, looks for its bug and replays what
// was found. The error is for what kept it from a verdict.
func (c *kernelCheck) check(ctx context.Context, dir string, leaks []string, o Options) (err error) {
	start := time.Now()
	c.Documents = len(leaks) > 0
	p, err := programs.Instrument(ctx, dir, ".", o.Workers)
	if refused := (*gotool.BuildError)(nil); errors.As(err, &refused) {
		c.Verdict, c.Reason = explore.Inconclusive, "the instrumented kernel does not build: "+refused.Error()
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	c.Build = time.Since(start).Seconds()
	failure, err := c.search(ctx, p, start.Add(o.Limit), o.Seed)
	if err != nil {
		return err
	}
	c.Seconds = time.Since(start).Seconds()
	if failure == nil {
		return nil
	}
	c.slow = c.Seconds > o.Limit.Seconds()
	c.Found = &kernelFailure{
		Kind: failure.Kind, Message: failure.Message, Strategy: failure.Strategy, Nth: failure.Nth,
		Preemptions: failure.Preemptions, Schedule: failure.Schedule, Known: blockedAt(failure.Failure, leaks),
	}
	return c.Found.replay(ctx, p, failure, o.Replays)
}

// search looks for a failure in which goroutines are blocked for ever, in
// several attempts until a deadline. If one attempt finds another failure, the
// next ones continue past it.
func (c *kernelCheck) search(ctx context.Context, p *programs.Instrumented, deadline time.Time, seed uint64) (*checker.Failure, error) {
	s := checker.Search{Seed: seed}
	for _, a := range attempts {
		s.Steps, s.Budget = a.steps, time.Until(deadline)/a.part
		if s.Budget < leastSearch {
			c.Verdict = cmp.Or(c.Verdict, explore.Inconclusive)
			c.Reason = cmp.Or(c.Reason, "no time was left for a search")
			break
		}
		r, err := p.Check(ctx, s)
		if err != nil {
			return nil, err
		}
		if r.Verdict == explore.Failed || !s.All {
			c.Verdict, c.Reason, c.Bound = r.Verdict, tables.FirstLine(r.Reason), r.Bound
		}
		c.Schedules += r.Schedules
		for i, f := range r.Failures {
			if f.Kind == evidence.Blocked || f.Kind == evidence.Deadlock {
				return &r.Failures[i], nil
			}
			if line := fmt.Sprintf("%s: %s", f.Kind, f.Message); !slices.Contains(c.Other, line) {
				c.Other = append(c.Other, line)
			}
		}
		if r.Verdict == explore.Exhausted || r.Verdict == explore.Covered {
			break
		}
		s.All = s.All || len(r.Failures) > 0
		s.PastRaces = s.All
	}
	return nil, nil
}

// replay follows the failure's schedule n times and counts how often it came
// to the same failure in the same way.
func (f *kernelFailure) replay(ctx context.Context, p *programs.Instrumented, found *checker.Failure, n int) error {
	for range n {
		r, err := p.Replay(ctx, found.Schedule)
		if err != nil {
			return err
		}
		if differed := difference(r, found); differed == "" {
			f.Replayed++
		} else {
			f.Differed = cmp.Or(f.Differed, differed)
		}
	}
	return nil
}

// difference says how a replay differs from what it should show, "" if it does not.
func difference(r *checker.Replayed, found *checker.Failure) string {
	switch {
	case r.Reason != "":
		return r.Reason
	case r.Diverged != "":
		return "diverged: " + r.Diverged
	case r.Failure == nil:
		return "it passed"
	case r.Failure.Signature != found.Signature:
		return fmt.Sprintf("another failure: %s, not %s", r.Failure.Signature, found.Signature)
	}
	return ""
}

// line says in a line what became of a kernel.
func (c *kernelCheck) line() string {
	text := fmt.Sprintf("%s in %.1f s", c.Verdict, c.Seconds)
	if f := c.Found; f != nil {
		text = fmt.Sprintf("%s in %.1f s by %s, schedule %d, %d preemptions: %s", f.Kind, c.Seconds, f.Strategy, f.Nth, f.Preemptions, f.Message)
	}
	if c.Reason != "" {
		text += ": " + c.Reason
	}
	for _, o := range c.Other {
		text += "\n\talso " + o
	}
	return text
}

// counts counts the kernels that were found, and of those: the ones that are
// blocked where the Go installation says, the ones of which it says where, and
// the ones whose replays were all identical.
func (r *report) counts() (found, known, documented, replayed int) {
	for _, c := range r.Kernels {
		if c.Found == nil || c.slow {
			continue
		}
		found++
		if c.Documents {
			documented++
		}
		if c.Found.Known {
			known++
		}
		if c.Found.Replayed == r.Replays {
			replayed++
		}
	}
	return found, known, documented, replayed
}

// Failures implements document.
func (r *report) Failures() []string {
	var failures []string
	found, _, _, replayed := r.counts()
	if need := int(math.Ceil(foundShare * float64(len(r.Kernels)))); found < need {
		failures = append(failures, fmt.Sprintf("found %d of %d kernels, want %d", found, len(r.Kernels), need))
	}
	if replayed < found {
		failures = append(failures, fmt.Sprintf("%d of %d were replayed identically %d times", replayed, found, r.Replays))
	}
	return failures
}

// table is a line for each kernel.
func (r *report) table() *tables.Table {
	t := &tables.Table{Header: []string{"kernel", "bug", "found", "by", "schedule", "preemptions", "seconds", "known leak", "replayed", "remarks"}}
	for _, c := range r.Kernels {
		found, by, nth, preemptions, known, replayed := "no", "-", "-", "-", "-", "-"
		remarks := c.Other
		if f := c.Found; f != nil {
			found, by = string(f.Kind), f.Strategy
			nth, preemptions = fmt.Sprint(f.Nth), fmt.Sprint(f.Preemptions)
			replayed = fmt.Sprintf("%d of %d", f.Replayed, r.Replays)
			if c.Documents {
				known = yesNo(f.Known)
			}
			if f.Differed != "" {
				remarks = append(remarks, "replay: "+f.Differed)
			}
		} else {
			remarks = append([]string{c.verdict()}, remarks...)
		}
		if c.slow {
			remarks = append(remarks, "longer than "+r.Limit)
		}
		t.Add(c.Name, c.Type, found, by, nth, preemptions, fmt.Sprintf("%.1f", c.Seconds), known, replayed, strings.Join(remarks, "; "))
	}
	return t
}

// verdict is the verdict on a kernel whose bug was not found, with the reason.
func (c *kernelCheck) verdict() string {
	text := string(c.Verdict)
	if c.Verdict == explore.Exhausted {
		text += " up to " + tables.BoundWords(c.Bound)
	}
	text += fmt.Sprintf(", %d schedules", c.Schedules)
	if c.Reason != "" {
		text += ": " + c.Reason
	}
	return text
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// Write implements document.
func (r *report) Write(w io.Writer, markdown bool) error {
	if _, err := fmt.Fprintf(w, "%s; %s for each kernel, building included.\n\n", r.Machine, r.Limit); err != nil {
		return err
	}
	if err := r.table().Render(w, markdown); err != nil {
		return err
	}
	found, known, documented, replayed := r.counts()
	_, err := fmt.Fprintf(w, "\nFound %d of %d; %d of them replayed identically %d of %d times. The Go installation says of %d of those found where goroutines stay blocked; in %d it is there.\n",
		found, len(r.Kernels), replayed, r.Replays, r.Replays, documented, known)
	return err
}
