package explore

import (
	"testing"

	"mendel/checker/sched"
	"mendel/internal/sample"
)

// TestLitmus compares what dfs without a bound finds with the outcomes that the
// enumerator finds, with and without reduction: without it of small programs, unless all is asked for.
func TestLitmus(t *testing.T) {
	defer sched.OneProcessor()() // as the driver
	var with, without int
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			want := modelOutcomes(p.litmus)
			if len(want) != p.outcomes {
				t.Errorf("the enumerator finds %d outcomes, want %d", len(want), p.outcomes)
			}
			most := sample.Count(4_000, 400_000)
			full := exploreLitmus(t, p.litmus, newDFS(-1, false), most)
			reduced := exploreLitmus(t, p.litmus, newDFS(-1, true), 400_000)
			t.Logf("%d outcomes; %d schedules, reduced to %d and %d abandoned", len(want), full.executions, reduced.executions, reduced.redundant)
			for name, got := range map[string]explored{"full": full, "reduced": reduced} {
				if name == "full" && most < 400_000 && !got.complete {
					continue // the reduced search comes to an end
				}
				if !got.complete {
					t.Errorf("%s: not explored after %d executions", name, got.executions)
				}
				if lines(got.outcomes) != lines(want) {
					t.Errorf("%s: found\n%s\nwant\n%s", name, lines(got.outcomes), lines(want))
				}
			}
			with += reduced.executions + reduced.redundant
			without += full.executions
		})
	}
	t.Logf("%d programs: %d executions, %d with reduction", len(programs), without, with)
}
