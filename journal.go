package mendel

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"mendel/evolve"
	"mendel/internal/store"
)

const (
	// beatEvery is how often a run enters how much time it has spent: so much is
	// spent twice, at most, when it is killed.
	beatEvery = 2 * time.Second
	// maxPending is how much that cannot be written is kept in memory.
	maxPending = 5000
)

// A journal is a repair's part in the store of its output directory: it enters
// what happens, and knows what happened before. A nil journal keeps nothing and
// knows nothing. It is safe for concurrent use.
type journal struct {
	store *store.Store
	lock  *store.Lock
	tell  Observer // of what the journal itself has to say
	moved string   // where a damaged store was put; "": there was none

	mu       sync.Mutex // guards what follows
	run      *store.Run // ID 0: it is not entered yet
	before   *store.Run // that goes on, as it was left; nil: a new one
	known    store.Counts
	pending  []func(run int64) error // not written yet; when there are maxPending they are given up
	trouble  error                   // why; nil while all is written
	troubles int
	work     []byte
	progress store.Progress

	clock  *clock
	repeat bool // nothing new has come yet: what is told was told before

	stopped chan struct{} // closed to end the beating
	closing sync.Once
	beaten  sync.WaitGroup
}

// openJournal locks the output directory and opens its store. nil without an
// output directory.
func openJournal(o Options, c *clock) (_ *journal, err error) {
	if o.Out == "" {
		return nil, nil
	}
	j := &journal{tell: o.Observer, run: &store.Run{}, clock: c, stopped: make(chan struct{})}
	if j.lock, err = store.Acquire(o.Out); err != nil {
		return nil, err
	}
	if j.store, j.moved, err = store.Open(o.Out, o.Fresh); err != nil {
		j.close()
		return nil, err
	}
	return j, nil
}

// close gives everything back. What could not be written until now is lost. It
// may be called twice.
func (j *journal) close() {
	if j == nil {
		return
	}
	j.closing.Do(func() { close(j.stopped) })
	j.beaten.Wait()
	// Nothing that was written depends on either.
	_ = j.store.Close()
	_ = j.lock.Release()
}

// begin enters a run that begins.
func (j *journal) begin(r *store.Run) error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	r.PID = os.Getpid()
	if err := j.store.Begin(r); err != nil {
		return err
	}
	j.run = r
	j.flush()
	j.beaten.Go(j.beat)
	return nil
}

// goOn enters that a run goes on.
func (j *journal) goOn(r *store.Run, budget time.Duration) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	var err error
	if j.known, err = j.store.Counts(r.ID); err != nil {
		return err
	}
	if err := j.store.Resume(r, os.Getpid(), budget.Seconds()); err != nil {
		return err
	}
	entered := *r
	j.run, j.work, j.progress = &entered, r.Work, r.Progress
	j.flush()
	j.beaten.Go(j.beat)
	return nil
}

// resumes takes note of a run that is going to go on. What happens from here on
// happened before, until there is news.
func (j *journal) resumes(run *store.Run) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.before, j.repeat = run, true
}

// resumed is the run that goes on, as it was left; nil if this one is new.
func (j *journal) resumed() *store.Run {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.before
}

// id is the run's.
func (j *journal) id() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.run.ID
}

// entered tells whether the run is entered: what happens counts.
func (j *journal) entered() bool { return j.id() != 0 }

// isFresh tells whether the run ignores what others have learnt.
func (j *journal) isFresh() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.run.Fresh
}

// isForeign tells whether the latest run before this one has scores, made by
// another Mendel than the one of this version.
func (j *journal) isForeign(version string) bool {
	last, err := j.store.Last()
	if err != nil || last == nil || last.Mendel == version {
		return false
	}
	counts, err := j.store.Counts(last.ID)
	return err == nil && counts.Evaluations > 0
}

// beat enters the time spent until the journal is closed.
func (j *journal) beat() {
	t := time.NewTicker(beatEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			j.enterTime()
		case <-j.stopped:
			return
		}
	}
}

// enterTime enters the time spent and how far the search is.
func (j *journal) enterTime() {
	j.write(func(run int64) error {
		return j.store.Beat(run, j.clock.spent().Seconds(), j.progress, j.work)
	})
}

// write enters something, or keeps it in memory until that is possible again:
// a disk that is full for a while must not end the night's work.
func (j *journal) write(enter func(run int64) error) {
	if j == nil {
		return
	}
	j.mu.Lock()
	before := j.troubles
	if len(j.pending) >= maxPending {
		j.pending = nil
	}
	j.pending = append(j.pending, enter)
	j.flush()
	first, trouble := before == 0 && j.troubles > 0, j.trouble
	j.mu.Unlock()
	if first {
		j.tell.Printf("note: %s", unkept(trouble))
	}
}

// flush enters what is pending. The caller holds j.mu.
func (j *journal) flush() {
	if j.run.ID == 0 {
		return
	}
	for len(j.pending) > 0 {
		if j.trouble = j.pending[0](j.run.ID); j.trouble != nil {
			j.troubles++
			return
		}
		j.pending = j.pending[1:]
	}
}

// unkept says that the store cannot be written.
func unkept(err error) string {
	return fmt.Sprintf("the repair goes on in memory, and what it learns from here on may be lost when it is stopped: %v", err)
}

// lost says what could not be written in the end; "": nothing.
func (j *journal) lost() string {
	if j == nil {
		return ""
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.trouble == nil {
		return ""
	}
	return unkept(j.trouble)
}

// event enters a line of the log, unless it was entered before.
func (j *journal) event(kind, text string) {
	if j != nil && !j.repeats() {
		j.enterEvent(kind, text)
	}
}

func (j *journal) enterEvent(kind, text string) {
	e := store.Event{Time: time.Now(), Seconds: j.clock.spent().Seconds(), Kind: kind, Text: text}
	j.write(func(run int64) error { return j.store.KeepEvent(run, e) })
}

// searched enters how far the search is.
func (j *journal) searched(e evolve.Event) {
	j.mu.Lock()
	better := e.Mutant != nil && (j.progress.Scored == 0 || e.Best > j.progress.Best)
	if !j.repeat || e.Evaluations > j.progress.Scored {
		j.progress = store.Progress{Generation: e.Generation, Scored: e.Evaluations, Best: e.Best}
	}
	j.mu.Unlock()
	switch {
	case j.repeats():
	case e.Done:
		g := store.Generation{Number: e.Generation, Seconds: j.clock.spent().Seconds(), Best: e.Best, Mean: e.Mean, Scored: e.Evaluations}
		j.write(func(run int64) error { return j.store.KeepGeneration(run, g) })
		j.event(store.GenerationEvent, fmt.Sprintf("generation %d: best %.0f, mean %.0f, %d scored", e.Generation, e.Best, e.Mean, e.Evaluations))
	case better && len(e.Mutant.Edits) > 0:
		j.event(store.BestEvent, fmt.Sprintf("new best %.0f: %s", e.Best, describe(e.Mutant.Edits)))
	}
}

// searchBegan is when the search began, had all its work been done without a
// break until now. The journal has it as the end of generation 0.
func (r *repairer) searchBegan() time.Time {
	spent := r.clock.spent().Seconds()
	began := spent
	if j := r.journal; j != nil && j.repeats() {
		if at, ok := j.generationEnded(0); ok {
			began = at
		}
	} else {
		j.write(func(run int64) error { return j.store.KeepGeneration(run, store.Generation{Seconds: spent}) })
	}
	return time.Now().Add(-seconds(spent - began))
}

// correct makes the time of a generation that is only repeated the one at which
// it really ended.
func (h *hunt) correct(e evolve.Event) {
	j := h.journal
	if j == nil || !e.Done || !j.repeats() {
		return
	}
	began, ok := j.generationEnded(0)
	ended, known := j.generationEnded(e.Generation)
	if ok && known {
		h.history.generations[len(h.history.generations)-1].At = ended - began
	}
}

// generationEnded is the time of work at the end of a generation, in seconds.
func (j *journal) generationEnded(number int) (seconds float64, ok bool) {
	all, err := j.store.Generations(j.id())
	if err != nil {
		return 0, false
	}
	for _, g := range all {
		if g.Number == number {
			return g.Seconds, true
		}
	}
	return 0, false
}

// counted takes down the work done so far, to be entered with the time.
func (j *journal) counted(w work) {
	if j == nil {
		return
	}
	data, err := json.Marshal(w)
	if err != nil {
		return // numbers always have an encoding
	}
	j.mu.Lock()
	j.work = data
	j.mu.Unlock()
}

// repeats tells whether all that has happened yet happened before.
func (j *journal) repeats() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.repeat
}

// news tells that something happens that did not happen before.
func (j *journal) news() {
	if j == nil {
		return
	}
	j.clock.start()
	j.mu.Lock()
	j.repeat = false
	j.mu.Unlock()
}

// end enters the end of a run.
func (j *journal) end(ctx context.Context, res *Result, failure error) {
	if j == nil {
		return
	}
	e := store.End{Status: store.Done, Outcome: string(res.Status), Reason: res.Reason}
	switch {
	case ctx.Err() != nil:
		e.Status = store.Interrupted
	case failure != nil:
		e.Status = store.Failed
	case res.spent:
		e.Status = store.OutOfBudget
	}
	var text bytes.Buffer
	if err := res.Print(&text, false); err == nil {
		e.Report = text.String()
	}
	if data, err := res.JSON(); err == nil {
		e.Result = data
	}
	j.enterTime()
	j.write(func(run int64) error { return j.store.End(run, e) })
}

// A recorder is an Observer that enters what another one is told.
type recorder struct {
	Observer
	journal *journal
}

// records makes an observer whose journal enters what it is told.
func (j *journal) records(o Observer) Observer {
	if j == nil {
		return o
	}
	return recorder{o, j}
}

func (r recorder) Phase(format string, args ...any) {
	r.Observer.Phase(format, args...)
	r.journal.event(store.PhaseEvent, fmt.Sprintf(format, args...))
}

func (r recorder) Printf(format string, args ...any) {
	r.Observer.Printf(format, args...)
	r.journal.event(store.LineEvent, fmt.Sprintf(format, args...))
}

func (r recorder) Search(e evolve.Event) {
	r.Observer.Search(e)
	r.journal.searched(e)
}
