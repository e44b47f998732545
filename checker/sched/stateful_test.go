package sched

import (
	"strings"
	"testing"
)

// exploreStates is exploreLitmus with all states.
func exploreStates(t testing.TB, p *litmus, most int) (e explored, s *stateful) {
	e.outcomes = map[string]bool{}
	s = newStateful()
	for s.Begin() {
		if e.executions == most {
			return e, s
		}
		x, outcome := execute(t, p, s)
		e.executions++
		if !x.Abandoned {
			e.outcomes[outcome] = true
		}
	}
	e.complete = s.explorer.Broken() == ""
	return e, s
}

// TestStatesOfLitmus compares the outcomes of all states with those that the enumerator
// finds.
func TestStatesOfLitmus(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			if strings.HasPrefix(p.name, "spin") {
				t.Skip("a state for each number of rounds")
			}
			got, s := exploreStates(t, p.litmus, 200_000)
			if !got.complete {
				t.Logf("not complete: %s", s.explorer.Broken())
				return
			}
			t.Logf("%d executions, %d states", got.executions, len(s.visited))
			if found, want := lines(got.outcomes), lines(modelOutcomes(p.litmus)); found != want {
				t.Errorf("found\n%s\nwant\n%s", found, want)
			}
		})
	}
}

// TestStatesOfRandom compares the outcomes of all states with the enumerator's for random
// programs.
func TestStatesOfRandom(t *testing.T) {
	defer OneProcessor()() // as the driver
	for name, kinds := range map[string][][]op{
		"atomics": atomicOps, "locks": lockOps, "channels": channelOps, "others": otherOps,
	} {
		t.Run(name, func(t *testing.T) {
			programs := 200
			if testing.Short() {
				programs = 50
			}
			draw := randomProgram(kinds)
			complete, failed, broken := 0, 0, map[string]int{}
			for seed := range programs {
				p := draw.Example(seed)
				if !wellFormed(p) {
					continue
				}
				got, s := exploreStates(t, p, 100_000)
				if !got.complete {
					broken[s.explorer.Broken()]++
					continue
				}
				complete++
				if found, want := lines(got.outcomes), lines(modelOutcomes(p)); found != want {
					t.Errorf("%+v: found\n%s\nwant\n%s", p, found, want)
					if failed++; failed > 2 {
						t.FailNow()
					}
				}
			}
			t.Logf("%d of %d complete; not: %v", complete, programs, broken)
		})
	}
}
