package repair

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"mendel/internal/gotool"
	"mendel/internal/journal"
	"mendel/internal/result"
)

// A progress is where a repair tells what it does: its phases, its notes, and
// the work that it counts. It is safe for concurrent use.
type progress struct {
	observer result.Observer
	verbose  bool
	journal  *journal.Journal // nil: nothing is kept
	meter    *meter

	mu     sync.Mutex // guards what follows
	phases []result.Phase
	now    int           // index in phases
	began  time.Time     // the phase
	built  gotool.Builds // when the phase began
	notes  []string
}

func newProgress(observer result.Observer, verbose bool, j *journal.Journal) *progress {
	return &progress{observer: observer, verbose: verbose, journal: j, meter: &meter{}}
}

// phase ends the phase before and begins another, or goes on with one.
func (p *progress) phase(name, format string, args ...any) {
	p.save()
	p.mu.Lock()
	p.began = time.Now()
	p.now = slices.IndexFunc(p.phases, func(q result.Phase) bool { return q.Name == name })
	if p.now < 0 {
		p.now = len(p.phases)
		p.phases = append(p.phases, result.Phase{Name: name})
	}
	p.mu.Unlock()
	p.observer.Phase(format, args...)
}

// endPhase adds how long the phase took, and building in it.
func (p *progress) endPhase() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.phases) == 0 {
		return
	}
	phase := &p.phases[p.now]
	phase.Seconds += time.Since(p.began).Seconds()
	p.began = time.Now()
	built := p.meter.building.Builds()
	phase.Programs += built.Programs - p.built.Programs
	phase.Executables += built.Executables - p.built.Executables
	phase.Variants += built.Variants - p.built.Variants
	phase.BuildSeconds += (built.Time - p.built.Time).Seconds()
	p.built = built
}

// save takes down the work done until now, so that a process that goes on after
// this one was killed knows of it.
func (p *progress) save() {
	p.endPhase()
	p.journal.SaveWork(p.work())
}

// work is what was done until now, by earlier processes too.
func (p *progress) work() result.Work {
	p.mu.Lock()
	defer p.mu.Unlock()
	return result.Work{Search: p.meter.count(), Phases: slices.Clone(p.phases)}
}

// resume adds the work of earlier processes.
func (p *progress) resume(w result.Work, evaluations int) {
	p.meter.resume(w.Search, evaluations)
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

// note keeps what limits the work.
func (p *progress) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.mu.Lock()
	p.notes = append(p.notes, text)
	p.mu.Unlock()
	p.observer.Printf("note: %s", text)
}

// noted are the notes until now.
func (p *progress) noted() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.notes)
}

// restoreNotes replaces the notes by those of an earlier process.
func (p *progress) restoreNotes(notes []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notes = notes
}

// toldAtMost is how many notes of one sort are made.
const toldAtMost = 5

// first shortens a list for people.
func first(list []string) []string {
	if len(list) <= toldAtMost {
		return list
	}
	return append(slices.Clone(list[:toldAtMost]), fmt.Sprintf("%d more", len(list)-toldAtMost))
}

// printf tells of what was done.
func (p *progress) printf(format string, args ...any) { p.observer.Printf(format, args...) }

// step tells of a step when asked for each.
func (p *progress) step(format string, args ...any) {
	if p.verbose {
		p.observer.Printf(format, args...)
	}
}

// stepBuilds tells what was built in this process.
func (p *progress) stepBuilds() {
	b := p.meter.building.Builds()
	if b.Executables == 0 {
		return
	}
	p.step("built %d programs in %d executables, %d of them as variants of functions, in %.1f s", b.Programs, b.Executables, b.Variants, b.Time.Seconds())
	p.step("executables: %s", gotool.Counted(b.By))
	if len(b.Alone) > 0 {
		p.step("programs that could not share one: %s", gotool.Counted(b.Alone))
	}
}

// sweep removes what a killed Mendel left in the place for temporary files. It
// is called at the beginning and again at the end: processes that outlived the
// killed one, such as a go list, may have written on for a moment. What cannot be
// removed is in nobody's way.
func (p *progress) sweep() {
	n, err := gotool.RemoveLeftovers()
	if n > 0 {
		p.step("removed %d temporary directories of a Mendel that was killed", n)
	}
	if err != nil {
		p.step("some temporary files of a Mendel that was killed are left: %v", err)
	}
}
