package setup

import (
	"sync"
	"sync/atomic"

	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/internal/journal"
	"mendel/internal/result"
	"mendel/mutate"
)

// A Meter counts the work of a repair. It is safe for concurrent use.
type Meter struct {
	Clock       *journal.Clock    // nil: nothing is timed
	Building    gotool.BuildMeter // of all who build
	evaluations atomic.Int64      // by earlier processes too
	recalled    atomic.Int64

	mu       sync.Mutex    // guards what follows
	original float64       // score; 0: no search has begun
	full     float64       // seconds of work until the first full score; 0: there was none
	earlier  result.Search // work of earlier processes
	replaced struct{ builds, runs int }
	harness  *noise.Harness // nil: there is none yet
	checking Exploring      // nil: the checker is not used
}

// An Exploring counts what a checker does.
type Exploring interface {
	Counts() (builds, schedules int)
	Carried() int  // as of checker.Checker
	Repeated() int // likewise
	Checks() int   // programs explored
}

// Use counts what a harness does from now on, and no longer what another one did.
func (m *Meter) Use(h *noise.Harness) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.harness != nil {
		builds, runs := m.harness.Counts()
		m.replaced.builds, m.replaced.runs = m.replaced.builds+builds, m.replaced.runs+runs
	}
	m.harness = h
}

// UseChecker counts what the checker does.
func (m *Meter) UseChecker(e Exploring) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.checking = e
}

// resume adds the work of earlier processes.
func (m *Meter) resume(earlier result.Search, evaluations int) {
	m.evaluations.Store(int64(evaluations))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.earlier, m.full = earlier, earlier.FullScoreSeconds
}

// Starts takes down the score that a search starts from.
func (m *Meter) Starts(original float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.original = original
}

// Evaluated counts an evaluation.
func (m *Meter) Evaluated(_ *mutate.Mutant, r fitness.Result) {
	if r.Recalled {
		m.recalled.Add(1)
	} else {
		m.evaluations.Add(1)
	}
	if r.Score < fitness.FullScore {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.full == 0 {
		m.full = m.Seconds()
	}
}

// Seconds are those of work until now.
func (m *Meter) Seconds() float64 {
	if m.Clock == nil {
		return 0
	}
	return m.Clock.Spent().Seconds()
}

// count is the work done until now, by earlier processes too.
func (m *Meter) count() result.Search {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := result.Search{
		Original:         m.original,
		FullScoreSeconds: m.full,
		Evaluations:      int(m.evaluations.Load()), Recalled: int(m.recalled.Load()),
		Builds: m.earlier.Builds + m.replaced.builds, Runs: m.earlier.Runs + m.replaced.runs,
		Checks: m.earlier.Checks, Schedules: m.earlier.Schedules, Carried: m.earlier.Carried, Repeated: m.earlier.Repeated,
	}
	cost := m.Building.Builds()
	s.Programs, s.Executables = m.earlier.Programs+cost.Programs, m.earlier.Executables+cost.Executables
	s.Variants, s.BuildSeconds = m.earlier.Variants+cost.Variants, m.earlier.BuildSeconds+cost.Time.Seconds()
	s.By, s.Alone = gotool.Sum(m.earlier.By, cost.By), gotool.Sum(m.earlier.Alone, cost.Alone)
	if m.harness != nil {
		builds, runs := m.harness.Counts()
		s.Builds, s.Runs = s.Builds+builds, s.Runs+runs
	}
	if m.checking == nil {
		return s
	}
	builds, schedules := m.checking.Counts()
	s.Builds, s.Schedules = s.Builds+builds, s.Schedules+schedules
	s.Carried += m.checking.Carried()
	s.Repeated += m.checking.Repeated()
	s.Checks += m.checking.Checks()
	return s
}
