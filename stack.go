package mendel

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"mendel/fitness"
	"mendel/internal/report"
	"mendel/mutate"
)

// stacksTried is how many ways of putting the faults' fixes together are tried,
// the best fixes first. Guessed.
const stacksTried = 8

// togetherShare is the part of the time, one of so many, that the search for a
// fix of all failures may take. Guessed.
const togetherShare = 3

// faultDir is the directory of a fault's own repair.
const faultDir = "fault-%s"

// A stacking puts the fixes of several faults together.
type stacking struct {
	*hunt
	faults []Fault
	last   tried
}

// apart repairs failures of several causes. The search for a mutant that mends
// all comes first: it finds fixes of four causes in a third of the time that
// repairing each by itself takes (measured). Where it does not, the causes are
// repaired by themselves.
func (r *repairer) apart(ctx context.Context, base *baseline, before fitness.Result, faults []Fault) error {
	deadline, _ := ctx.Deadline() // Repair has set one
	together, cancel := context.WithTimeout(ctx, time.Until(deadline)/togetherShare)
	defer cancel()
	r.note("the failures seem to have %d causes", len(faults))
	r.phase("search", "searching among %d edits", r.result.Narrowed.Edits)
	err := r.search(together, base, before)
	if err != nil && (together.Err() == nil || ctx.Err() != nil) {
		return err
	}
	if len(r.result.Fixes) == 0 {
		err = r.stack(ctx, faults)
	}
	for i := range r.result.Fixes {
		r.result.Fixes[i].Mends = all(len(r.result.Failures))
	}
	return err
}

// stack repairs faults one after the other, each by a repair of its own in
// which its tests alone run, and puts their fixes together: edits name places
// in the original, so that the union of two fixes is a mutant as any other. It
// goes through validation with all tests. Without such a fix the single ones
// are partial.
func (r *repairer) stack(ctx context.Context, faults []Fault) error {
	r.o.Observer.Printf("no fix of all failures: each of %d causes is repaired by itself, then the fixes are validated together", len(faults))
	r.seen = map[string]int{}
	s := &stacking{hunt: &hunt{repairer: r, generation: 1}, faults: faults}
	r.result.Faults = faults
	err := s.run(ctx)
	r.tell()
	if len(r.result.Fixes) > 0 {
		r.result.Status, r.result.Reason, r.result.Partial = Fixed, "", nil
		r.result.Search.Ended = stacked
		showing, cancel := afterwards(ctx)
		defer cancel()
		r.trace(showing)
		return err
	}
	s.tellPartial()
	return err
}

// stacked is how a search ended whose fix was put together.
const stacked = "stacked"

// run repairs the faults and validates the fixes together, after each fault
// the best ones, for it may be that they mend the others too.
func (s *stacking) run(ctx context.Context) error {
	for i := range s.faults {
		if err := s.repairFault(ctx, i); err != nil {
			return err
		}
		if r := s.faults[i].result; r == nil || len(r.Fixes) == 0 {
			continue
		}
		if err := s.try(ctx, 0, 1); err != nil || len(s.fixes) > 0 {
			return err
		}
	}
	return s.try(ctx, 1, stacksTried)
}

// all are the numbers below n.
func all(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

// repairFault repairs a fault by itself. Part of the time is left for the
// others and for putting them together.
func (s *stacking) repairFault(ctx context.Context, i int) error {
	f := &s.faults[i]
	deadline, _ := ctx.Deadline()
	o := s.o
	o.Run, o.Budget = f.pattern(), (time.Until(deadline) / time.Duration(len(s.faults)-i+1)).Truncate(time.Second)
	o.Observer = named{s.o.Observer, fmt.Sprintf("failure %d of %d", i+1, len(s.faults))}
	if s.o.Out != "" {
		f.Out = fmt.Sprintf(faultDir, strconv.Itoa(i+1))
		o.Out = filepath.Join(s.o.Out, f.Out)
	}
	if o.Budget <= 0 {
		return ctx.Err()
	}
	s.phase("repair each failure", "repairing %s by itself", strings.Join(f.Tests, ", "))
	s.journal.news()
	if spent, ok := resumable(o.Out); s.o.Resume && ok {
		o.Budget += spent
	} else {
		o.Resume = false
	}
	result, err := Repair(ctx, o)
	f.result, f.Status, f.Reason = result, result.Status, result.Reason
	f.Seconds, f.Evaluations = result.Seconds, result.Search.Evaluations
	if cerr := ctx.Err(); cerr != nil {
		return cerr
	}
	return err
}

// try validates stacks of the fixes found until now: of all, in their order,
// those from one up to another.
func (s *stacking) try(ctx context.Context, from, to int) error {
	var choices [][]Fix
	for _, f := range s.faults {
		if f.result != nil && len(f.result.Fixes) > 0 {
			choices = append(choices, f.result.Fixes)
		}
	}
	if len(choices) == 0 {
		return nil
	}
	ways := stacks(choices, to)
	for _, stack := range ways[min(from, len(ways)):] {
		s.phase("stack", "trying the fixes together")
		t, err := s.tryEdits(ctx, union(stack))
		if err != nil || len(s.fixes) > 0 {
			return err
		}
		if s.last.mutant == nil || t.mutant != nil && t.result.Score >= s.last.result.Score {
			s.last = t
		}
	}
	return nil
}

// stacks are the ways of taking one fix of each fault, at most so many, those
// of better fixes first.
func stacks(choices [][]Fix, most int) [][]Fix {
	type way struct {
		fixes []Fix
		rank  int // sum of the fixes' places among those of their faults
	}
	ways := []way{{}}
	for _, fixes := range choices {
		var longer []way
		for _, w := range ways {
			for i, f := range fixes {
				longer = append(longer, way{append(slices.Clone(w.fixes), f), w.rank + i})
			}
		}
		slices.SortStableFunc(longer, func(a, b way) int { return a.rank - b.rank })
		ways = longer[:min(len(longer), most)]
	}
	found := make([][]Fix, len(ways))
	for i, w := range ways {
		found[i] = w.fixes
	}
	return found
}

// union are the edits of several fixes, each once.
func union(fixes []Fix) []mutate.Edit {
	var edits []mutate.Edit
	for _, f := range fixes {
		for _, e := range f.Edits {
			if !mutate.Has(edits, e) {
				edits = append(edits, e)
			}
		}
	}
	return edits
}

// tellPartial gives the result the faults' own fixes, and says why they are
// not enough.
func (s *stacking) tellPartial() {
	var mended, open []string
	for _, f := range s.faults {
		if f.result == nil || len(f.result.Fixes) == 0 {
			open = append(open, fmt.Sprintf("%s (%s)", s.result.Failures[f.Failures[0]].Message, cmp.Or(f.Reason, "the time is over")))
			continue
		}
		fix := f.result.Fixes[0]
		fix.Patch, fix.Mends = path.Join(f.Out, fix.Patch), f.Failures
		s.result.PartialFixes = append(s.result.PartialFixes, fix)
		mended = append(mended, fix.Patch)
	}
	if len(mended) == 0 {
		return
	}
	s.result.Reason = fmt.Sprintf("%d of %d causes of failure mended, each by a patch that is validated with its tests alone (%s)",
		len(mended), len(s.faults), strings.Join(mended, ", "))
	if len(open) > 0 {
		s.result.Reason += "; not mended: " + strings.Join(open, "; ")
	}
	if s.last.why != "" {
		s.result.Reason += "; with all of them still: " + s.last.why
	}
	s.keepStack()
}

// keepStack puts the stack that came closest before the search's own mutants
// that are no fix.
func (s *stacking) keepStack() {
	m, result := s.last.mutant, s.last.result
	if m == nil || result.Refused != "" {
		return
	}
	p := Partial{
		Edits: m.Edits, Score: result.Score, Passes: result.Passes, Runs: result.Runs, Checked: result.Verdict != "",
		Diff: string(report.Patch(report.Changes(s.program, m), "")), Remains: []string{},
	}
	for _, f := range result.Samples {
		p.remains(f.Message)
	}
	if len(result.Samples) == 0 {
		p.remains(s.last.why)
	}
	s.result.Partial = append([]Partial{p}, s.result.Partial...)
	s.result.Partial = s.result.Partial[:min(len(s.result.Partial), shownPartial)]
}

// forgetFaults removes what earlier repairs of faults have left in the output
// directory that could be taken for the outcome of this one.
func (res *Result) forgetFaults(dir string) error {
	old, err := filepath.Glob(filepath.Join(dir, fmt.Sprintf(faultDir, "*")))
	if err != nil {
		return fmt.Errorf("look for an earlier run's files: %w", err)
	}
	for _, name := range old {
		if slices.ContainsFunc(res.Faults, func(f Fault) bool { return f.Out == filepath.Base(name) && f.result != nil }) {
			continue
		}
		if err := removeOutcome(name); err != nil {
			return err
		}
	}
	return nil
}
