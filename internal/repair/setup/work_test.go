package setup

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mendel/fitness"
	"mendel/internal/gotool"
	"mendel/internal/journal"
	"mendel/internal/result"
)

// Time is summed up by phase, however often the work goes back to one.
func TestPhases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewProgress(result.Silent{}, false, nil)
		for _, name := range []string{"load", "search", "validate", "search", "validate", "search"} {
			p.Phase(name, "%s", name)
			time.Sleep(time.Second)
		}
		p.EndPhase()
		var got []string
		for _, phase := range p.Work().Phases {
			got = append(got, fmt.Sprint(phase.Name, " ", phase.Seconds))
		}
		if want := "load 1, search 3, validate 2"; strings.Join(got, ", ") != want {
			t.Errorf("phases %s, want %s", strings.Join(got, ", "), want)
		}
	})
}

// The first full score counts, also when an earlier process saw it.
func TestFirstFullScore(t *testing.T) {
	clock := &journal.Clock{}
	m := &Meter{Clock: clock}
	for _, step := range []struct{ at, score, want float64 }{
		{3, fitness.FullScore - 1, 0}, {5, fitness.FullScore, 5}, {9, fitness.FullScore, 5},
	} {
		clock.Hold(time.Duration(step.at * float64(time.Second)))
		m.Evaluated(nil, fitness.Result{Score: step.score})
		if got := m.count().FullScoreSeconds; got != step.want {
			t.Errorf("after %v s: %v, want %v", step.at, got, step.want)
		}
	}
	resumed := &Meter{Clock: clock}
	resumed.resume(m.count(), 3)
	resumed.Evaluated(nil, fitness.Result{Score: fitness.FullScore})
	if got := resumed.count().FullScoreSeconds; got != 5 {
		t.Errorf("resumed: %v", got)
	}
}

// What an earlier process built in a phase counts, too.
func TestPhasesResume(t *testing.T) {
	p := NewProgress(result.Silent{}, false, nil)
	p.phases = []result.Phase{{Name: "search", Seconds: 1, Programs: 4, Executables: 2, Variants: 3, BuildSeconds: 0.5}}
	p.Resume(result.Work{Phases: []result.Phase{{Name: "search", Seconds: 2, Programs: 20, Executables: 1, Variants: 20, BuildSeconds: 1}}}, 0)
	if got, want := p.phases[0], (result.Phase{Name: "search", Seconds: 3, Programs: 24, Executables: 3, Variants: 23, BuildSeconds: 1.5}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Builds are counted by what they are for, also those of an earlier process.
func TestBuildsResume(t *testing.T) {
	m := &Meter{}
	m.resume(result.Search{Programs: 5, Executables: 2, Variants: 4, BuildSeconds: 2, By: map[string]int{"plain": 1, "noise, alone": 1}}, 0)
	noise := gotool.BuildMeter{Sum: &m.Building}
	noise.Linked("noise, alone")
	noise.Built(1)
	noise.Alone("a type changed")
	s := m.count()
	if s.Programs != 6 || s.Executables != 3 || s.Variants != 4 || s.BuildSeconds != 2 || gotool.Counted(s.By) != "noise, alone 2; plain 1" || gotool.Counted(s.Alone) != "a type changed 1" {
		t.Errorf("%+v", s)
	}
}
