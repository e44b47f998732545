package sched

import (
	"strings"
	"testing"
)

// exploreClasses is exploreLitmus with one execution of each class.
func exploreClasses(t testing.TB, p *litmus, most int) (e explored, s *mcm) {
	e.outcomes = map[string]bool{}
	s = newMCM()
	for s.Begin() {
		if e.executions == most {
			return e, s
		}
		_, outcome := execute(t, p, s)
		e.executions++
		e.outcomes[outcome] = true
	}
	e.complete = s.explorer.Broken() == ""
	return e, s
}

// TestClassesOfLitmus compares what the classes show with the outcomes that the
// enumerator finds.
func TestClassesOfLitmus(t *testing.T) {
	broken, classes := 0, 0
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			if strings.HasPrefix(p.name, "spin") {
				t.Skip("a class for each number of rounds")
			}
			want := modelOutcomes(p.litmus)
			got, s := exploreClasses(t, p.litmus, 2000)
			reduced := exploreLitmus(t, p.litmus, newDFS(-1, true), 400_000)
			t.Logf("%d outcomes, %d classes in %d executions; dfs: %d", len(want), s.explorer.Classes(), got.executions, reduced.executions)
			if !got.complete {
				broken++
				t.Logf("not complete: %s", s.explorer.Broken())
				return
			}
			classes += got.executions
			if found, want := lines(seen(got.outcomes)), lines(seen(want)); found != want {
				t.Errorf("found\n%s\nwant\n%s", found, want)
			}
		})
	}
	t.Logf("%d executions; %d programs not complete", classes, broken)
}

// seen leaves what nobody has read out of outcomes: what memory has in the end.
func seen(outcomes map[string]bool) map[string]bool {
	all := map[string]bool{}
	for o := range outcomes {
		o, _, _ = strings.Cut(o, " atomics")
		all[o] = true
	}
	return all
}
