package checker

import (
	"fmt"
	"testing"
	"time"

	"mendel/checker/wire"
	"mendel/internal/sample"
)

// A process for each of two thousand programs takes longer than to explore them. So those
// of an archive that have the same options share one, as the tests of a package do. One that
// fails by what it asserts, or panics, wants a process in which no other was before it: the
// one in which others were ends with it. Where all is asked for, each that fails has a process
// of its own. All failures of an archive are replayed in the same one.

// alone reports whether a program has a process of its own.
func (p *verdictProgram) alone() bool { return p.want == "failed" && sample.All() }

// checkTogether has the reports of programs. Those that it leaves out did not get an answer
// in the process that they shared, or need processes of their own.
func checkTogether(t *testing.T, b *Binary, programs []*verdictProgram) map[string]*Report {
	t.Helper()
	reports := map[string]*Report{}
	var sharing []*verdictProgram
	for _, p := range programs {
		if p.alone() {
			reports[p.name] = mustCheck(t, b, p.search)
		} else {
			sharing = append(sharing, p)
		}
	}
	for _, group := range grouped(sharing) {
		for len(group) > 0 {
			group = group[max(checkGroup(t, b, group, reports), 1):] // the next one ended the process
		}
	}
	return reports
}

// grouped are the programs in groups with the same options.
func grouped(programs []*verdictProgram) (groups [][]*verdictProgram) {
	known := map[string]int{}
	for _, p := range programs {
		options := p.search
		options.Tests = nil
		key := fmt.Sprintf("%+v", options)
		i, ok := known[key]
		if !ok {
			i = len(groups)
			known[key], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}

// checkGroup adds the reports of programs with the same options, as far as one process
// comes: it returns the number of its answers. Each program has a search of its own, which
// gets what the process says of its test.
func checkGroup(t *testing.T, b *Binary, group []*verdictProgram, reports map[string]*Report) (answered int) {
	t.Helper()
	var names []string
	var searches []*check
	var parts []*part
	for _, p := range group {
		s, err := p.search.complete()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, p.name)
		k := newCheck(b, s, []string{p.name}, 1)
		searches = append(searches, k)
		parts = append(parts, &part{tests: k.tests, cancel: func() {}, answered: map[string]bool{}})
	}
	limit := time.Duration(len(group)) * searches[0].s.Budget
	r := wire.Request{Mode: wire.Check, Tests: names, Search: searches[0].search(limit)}
	_, err := b.start(t.Context(), r, time.Now().Add(limit+overtime), func(a wire.Answer) {
		for i, k := range searches {
			k.take(parts[i], a)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range searches {
		one := k.tests[0]
		if !parts[i].answered[one.name] {
			break
		}
		answered++
		if one.stateful == "" && !one.answers[0].After {
			reports[one.name] = k.report()
		}
	}
	return answered
}

// replayTogether has the replays of the failures of reports, by their tests, but those that
// the process did not come to.
func replayTogether(t *testing.T, b *Binary, reports map[string]*Report) map[string]*Replayed {
	t.Helper()
	r := wire.Request{Mode: wire.Replay, Search: wire.Search{StepTime: maxStepTime}}
	for name, report := range reports {
		if len(report.Failures) > 0 {
			r.Tests = append(r.Tests, name)
			r.First = append(r.First, of([]string{name}, []Schedule{report.Failures[0].Schedule})...)
		}
	}
	replays := map[string]*Replayed{}
	if len(r.Tests) == 0 {
		return replays
	}
	planted := ""
	_, err := b.start(t.Context(), r, time.Now().Add(time.Duration(len(r.Tests))*replayTime), func(a wire.Answer) {
		switch {
		case a.Ready != nil:
			planted = a.Ready.Planted
		case a.Test != nil && !a.Test.Stateful:
			again := &Replayed{}
			b.replayed(again, a.Test, planted)
			replays[a.Test.Name] = again
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return replays
}
