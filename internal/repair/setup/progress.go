package setup

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"mendel/internal/gotool"
	"mendel/internal/journal"
	"mendel/internal/result"
)

// A Progress is where a repair tells what it does: its phases, its notes, and
// the work that it counts. It is safe for concurrent use.
type Progress struct {
	Observer result.Observer
	Verbose  bool // steps are told, too
	Meter    *Meter
	journal  *journal.Journal // nil: nothing is kept

	mu     sync.Mutex // guards what follows
	phases []result.Phase
	now    int           // index in phases
	began  time.Time     // the phase
	built  gotool.Builds // when the phase began
	notes  []string
}

// NewProgress is one that has told nothing yet. The journal may be nil.
func NewProgress(observer result.Observer, verbose bool, j *journal.Journal) *Progress {
	return &Progress{Observer: observer, Verbose: verbose, journal: j, Meter: &Meter{}}
}

// Phase ends the phase before and begins another, or goes on with one.
func (p *Progress) Phase(name, format string, args ...any) {
	p.Save()
	p.mu.Lock()
	p.began = time.Now()
	p.now = slices.IndexFunc(p.phases, func(q result.Phase) bool { return q.Name == name })
	if p.now < 0 {
		p.now = len(p.phases)
		p.phases = append(p.phases, result.Phase{Name: name})
	}
	p.mu.Unlock()
	p.Observer.Phase(format, args...)
}

// EndPhase adds how long the phase took, and building in it.
func (p *Progress) EndPhase() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.phases) == 0 {
		return
	}
	phase := &p.phases[p.now]
	phase.Seconds += time.Since(p.began).Seconds()
	p.began = time.Now()
	built := p.Meter.Building.Builds()
	phase.Programs += built.Programs - p.built.Programs
	phase.Executables += built.Executables - p.built.Executables
	phase.Variants += built.Variants - p.built.Variants
	phase.BuildSeconds += (built.Time - p.built.Time).Seconds()
	p.built = built
}

// Save takes down the work done until now, so that a process that goes on after
// this one was killed knows of it.
func (p *Progress) Save() {
	p.EndPhase()
	p.journal.SaveWork(p.Work())
}

// Work is what was done until now, by earlier processes too.
func (p *Progress) Work() result.Work {
	p.mu.Lock()
	defer p.mu.Unlock()
	return result.Work{Search: p.Meter.count(), Phases: slices.Clone(p.phases)}
}

// Resume adds the work of earlier processes.
func (p *Progress) Resume(w result.Work, evaluations int) {
	p.Meter.resume(w.Search, evaluations)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, earlier := range w.Phases {
		at := slices.IndexFunc(p.phases, func(q result.Phase) bool { return q.Name == earlier.Name })
		if at < 0 {
			p.phases = append(p.phases, earlier)
			continue
		}
		now := &p.phases[at]
		now.Seconds += earlier.Seconds
		now.Programs += earlier.Programs
		now.Executables += earlier.Executables
		now.Variants += earlier.Variants
		now.BuildSeconds += earlier.BuildSeconds
	}
}

// Note keeps what limits the work.
func (p *Progress) Note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.mu.Lock()
	p.notes = append(p.notes, text)
	p.mu.Unlock()
	p.Observer.Printf("note: %s", text)
}

// Noted are the notes until now.
func (p *Progress) Noted() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.notes)
}

// RestoreNotes replaces the notes by those of an earlier process.
func (p *Progress) RestoreNotes(notes []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notes = notes
}

// toldAtMost is how many notes of one sort are made.
const toldAtMost = 5

// First shortens a list for people.
func First(list []string) []string {
	if len(list) <= toldAtMost {
		return list
	}
	return append(slices.Clone(list[:toldAtMost]), fmt.Sprintf("%d more", len(list)-toldAtMost))
}

// Printf tells of what was done.
func (p *Progress) Printf(format string, args ...any) { p.Observer.Printf(format, args...) }

// Step tells of a step when asked for each.
func (p *Progress) Step(format string, args ...any) {
	if p.Verbose {
		p.Observer.Printf(format, args...)
	}
}

// StepBuilds tells what was built in this process.
func (p *Progress) StepBuilds() {
	b := p.Meter.Building.Builds()
	if b.Executables == 0 {
		return
	}
	p.Step("built %d programs in %d executables, %d of them as variants of functions, in %.1f s", b.Programs, b.Executables, b.Variants, b.Time.Seconds())
	p.Step("executables: %s", gotool.Counted(b.By))
	if len(b.Alone) > 0 {
		p.Step("programs that could not share one: %s", gotool.Counted(b.Alone))
	}
}

// Sweep removes what a killed Mendel left in the place for temporary files. It
// is called at the beginning and again at the end: processes that outlived the
// killed one, such as a go list, may have written on for a moment. What cannot be
// removed is in nobody's way.
func (p *Progress) Sweep() {
	n, err := gotool.RemoveLeftovers()
	if n > 0 {
		p.Step("removed %d temporary directories of a Mendel that was killed", n)
	}
	if err != nil {
		p.Step("some temporary files of a Mendel that was killed are left: %v", err)
	}
}
