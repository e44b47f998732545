package mendel

import "slices"

// work is what was done on a run, as far as it is counted.
type work struct {
	Search Search  `json:"search"`
	Phases []Phase `json:"phases"`
}

// workDone is the work done until now, by earlier processes too.
func (r *repairer) workDone() work {
	r.countWork()
	return work{r.result.Search, slices.Clone(r.result.Phases)}
}

// lap takes down the work done until now, so that a process that goes on after
// this one was killed knows of it.
func (r *repairer) lap() {
	r.endPhase()
	r.journal.counted(r.workDone())
}

// countWork counts the work done until now, by earlier processes too.
func (r *repairer) countWork() {
	s, before := &r.result.Search, r.earlier
	s.Evaluations, s.Recalled = int(r.evaluations.Load()), int(r.recalled.Load())
	s.Builds, s.Runs = before.Builds+r.before.builds, before.Runs+r.before.runs
	if r.harness != nil {
		builds, runs := r.harness.Counts()
		s.Builds, s.Runs = s.Builds+builds, s.Runs+runs
	}
	s.Checks, s.Schedules = before.Checks, before.Schedules
	s.Programs, s.Executables, s.BuildSeconds = before.Programs, before.Executables, before.BuildSeconds
	if r.explorer == nil {
		return
	}
	builds, schedules := r.explorer.checker.Counts()
	s.Builds, s.Schedules = s.Builds+builds, s.Schedules+schedules
	s.Checks += int(r.explorer.checks.Load())
	cost := r.explorer.checker.Builds()
	s.Programs, s.Executables, s.BuildSeconds = s.Programs+cost.Programs, s.Executables+cost.Executables, s.BuildSeconds+cost.Time.Seconds()
}

// addPhases adds the phases of earlier processes to those of this one.
func (r *repairer) addPhases(earlier []Phase) {
	for _, p := range earlier {
		at := slices.IndexFunc(r.result.Phases, func(now Phase) bool { return now.Name == p.Name })
		if at < 0 {
			r.result.Phases = append(r.result.Phases, p)
			continue
		}
		now := &r.result.Phases[at]
		now.Seconds += p.Seconds
		now.Programs += p.Programs
		now.BuildSeconds += p.BuildSeconds
	}
}
