package original

import (
	"fmt"
	"maps"
	"slices"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/internal/result"
)

// Results are the failures as a result has them. Each that the checker found
// names its schedule's file.
func (b *Baseline) Results() []result.Failure {
	var all []result.Failure
	names := b.scheduleNames()
	for i, f := range b.Failures {
		forced := ""
		if f.when != nil {
			forced = f.when.File.Text
		}
		all = append(all, result.Failure{Failure: f.Failure, Seen: f.seen, Runs: f.runs, Schedule: names[i], Forced: forced})
	}
	return all
}

// scheduleNames are the files of the failures' schedules, by their order; "" for
// one that the checker did not find.
func (b *Baseline) scheduleNames() []string {
	names, n := make([]string, len(b.Failures)), 0
	for i, f := range b.Failures {
		if b.scheduleOf(f) != nil {
			names[i] = result.ScheduleName(n)
			n++
		}
	}
	return names
}

// scheduleOf is the schedule of a failure; nil if the checker did not find it.
func (b *Baseline) scheduleOf(f Failure) *checker.File {
	at := slices.IndexFunc(b.schedules, func(s *checker.File) bool { return f.Found != nil && s.Signature == f.Signature })
	if at < 0 {
		return nil
	}
	return b.schedules[at]
}

// Schedules are those of the failures, by the names of their files.
func (b *Baseline) Schedules() map[string]*checker.File {
	all := map[string]*checker.File{}
	for i, name := range b.scheduleNames() {
		if name != "" {
			all[name] = b.scheduleOf(b.Failures[i])
		}
	}
	return all
}

// mostPrinted is how many failures of a kind are told in a line each: one fault shows
// in dozens of races.
const mostPrinted = 6

// Print tells how the original fails.
func (b *Baseline) Print() {
	p := b.setup.Progress
	printed := map[evidence.Kind]int{}
	defer func() {
		for _, kind := range slices.Sorted(maps.Keys(printed)) {
			if more := printed[kind] - mostPrinted; more > 0 && !p.Verbose {
				p.Printf("and %d more failures of the kind %s; --verbose tells them all", more, kind)
			}
		}
	}()
	for _, f := range b.Failures {
		if printed[f.Kind]++; printed[f.Kind] > mostPrinted && !p.Verbose {
			continue
		}
		if f.runs > 0 {
			p.Printf("%d of %d noised runs: %s", f.seen, f.runs, f.Message)
		}
		if f.when != nil {
			p.Printf("forced, %d of %d runs: %s", f.when.Failed(), len(f.when.Outcomes), f.Message)
		}
		if c := f.Found; c != nil {
			p.Printf("%s", fmt.Sprintf("the checker, schedule %d of %s (%s): %s", c.Nth, c.Schedule.Test, c.Strategy, c.Message))
		}
	}
}
