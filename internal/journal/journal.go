package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"mendel/evolve"
	"mendel/internal/report"
	"mendel/internal/result"
	"mendel/internal/store"
)

const (
	// beatEvery is how often a run enters how much time it has spent: so much is
	// spent twice, at most, when it is killed.
	beatEvery = 2 * time.Second
	// maxPending is how much that cannot be written is kept in memory.
	maxPending = 5000
)

// A Journal is a repair's part in the store of its output directory: it enters
// what happens, and knows what happened before. A nil Journal keeps nothing and
// knows nothing. It is safe for concurrent use.
type Journal struct {
	store *store.Store
	lock  *store.Lock
	tell  result.Observer // of what the journal itself has to say
	moved string          // where a damaged store was put; "": there was none

	mu       sync.Mutex              // guards what follows
	run      *store.Run              // ID 0: it is not entered yet
	before   *Past                   // that goes on, as it was left; nil: a new one
	pending  []func(run int64) error // not written yet; when there are maxPending they are given up
	trouble  error                   // why; nil while all is written
	troubles int
	work     []byte
	progress store.Progress

	clock     *Clock
	replaying bool // nothing new has come yet: what is told was told before

	stopped chan struct{} // closed to end the beating
	closing sync.Once
	beaten  sync.WaitGroup
}

// Open locks the output directory of a repair and opens its store; nil without
// an output directory. The clock is the repair's.
func Open(o result.Wanted, c *Clock) (_ *Journal, err error) {
	if o.Out == "" {
		return nil, nil
	}
	j := &Journal{tell: o.Observer, run: &store.Run{}, clock: c, stopped: make(chan struct{})}
	if j.lock, err = store.Acquire(o.Out); err != nil {
		return nil, err
	}
	if j.store, j.moved, err = store.Open(o.Out, o.Fresh); err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

// Close gives everything back. What could not be written until now is lost. It
// may be called twice.
func (j *Journal) Close() {
	if j == nil {
		return
	}
	j.closing.Do(func() { close(j.stopped) })
	j.beaten.Wait()
	// Nothing that was written depends on either.
	_ = j.store.Close()
	_ = j.lock.Release()
}

// An Entry is what is entered of a run that begins.
type Entry struct {
	Began   time.Time
	Fresh   bool // it ignores what others have learnt
	Budget  time.Duration
	Module  string // directory of go.mod
	Package string
	Pattern string // of the tests
	Go      string // version
	Options Options
	Source  Fingerprint
}

// Begin enters a run that begins.
func (j *Journal) Begin(e Entry) error {
	if j == nil {
		return nil
	}
	options, err := json.Marshal(e.Options)
	if err != nil {
		return fmt.Errorf("keep the options: %w", err)
	}
	source, err := json.Marshal(e.Source)
	if err != nil {
		return fmt.Errorf("keep the hashes of the source: %w", err)
	}
	r := &store.Run{
		Started: e.Began, PID: os.Getpid(), Fresh: e.Fresh, Budget: e.Budget.Seconds(), Module: e.Module,
		Package: e.Package, Pattern: e.Pattern, Go: e.Go, Mendel: formatName(), Options: options, Source: source,
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.store.Begin(r); err != nil {
		return err
	}
	j.run = r
	j.flush()
	j.beaten.Go(j.beat)
	return nil
}

// GoOn enters that a process goes on with a run, and returns what is known of it.
func (j *Journal) GoOn(p *Past, budget time.Duration) (store.Counts, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	known, err := j.store.Counts(p.run.ID)
	if err != nil {
		return known, err
	}
	if err := j.store.Resume(p.run, os.Getpid(), budget.Seconds()); err != nil {
		return known, err
	}
	entered := *p.run
	j.run, j.work, j.progress = &entered, p.run.Work, p.run.Progress
	j.flush()
	j.beaten.Go(j.beat)
	return known, nil
}

// Replay takes note of a run that is going to go on. What happens from here on
// happened before, until GoLive is called.
func (j *Journal) Replay(p *Past) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.before, j.replaying = p, true
}

// Resumed is the run that goes on, as it was left; nil if this one is new.
func (j *Journal) Resumed() *Past {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.before
}

// Moved is where a damaged store was put; "" if there was none.
func (j *Journal) Moved() string {
	if j == nil {
		return ""
	}
	return j.moved
}

// id is the run's.
func (j *Journal) id() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.run.ID
}

// Entered reports whether the run is entered: what happens counts.
func (j *Journal) Entered() bool { return j.id() != 0 }

// isFresh reports whether the run ignores what others have learnt.
func (j *Journal) isFresh() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.run.Fresh
}

// OtherFormat reports whether the latest run before this one has scores in
// another format than that of this version, so that they are not used.
func (j *Journal) OtherFormat() bool {
	last, err := j.store.Last()
	if err != nil || last == nil || last.Mendel == formatName() {
		return false
	}
	counts, err := j.store.Counts(last.ID)
	return err == nil && counts.Evaluations > 0
}

// beat enters the time spent until the journal is closed.
func (j *Journal) beat() {
	t := time.NewTicker(beatEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			j.SaveTime()
		case <-j.stopped:
			return
		}
	}
}

// SaveTime enters the time spent and how far the search is.
func (j *Journal) SaveTime() {
	j.write(func(run int64) error {
		return j.store.Beat(run, j.clock.Spent().Seconds(), j.progress, j.work)
	})
}

// write enters something, or keeps it in memory until that is possible again:
// a disk that is full for a while must not end the night's work.
func (j *Journal) write(enter func(run int64) error) {
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
func (j *Journal) flush() {
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

// Lost says what could not be written in the end; "": nothing.
func (j *Journal) Lost() string {
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
func (j *Journal) event(kind, text string) {
	if j != nil && !j.Replaying() {
		j.enterEvent(kind, text)
	}
}

func (j *Journal) enterEvent(kind, text string) {
	e := store.Event{Time: time.Now(), Seconds: j.clock.Spent().Seconds(), Kind: kind, Text: text}
	j.write(func(run int64) error { return j.store.KeepEvent(run, e) })
}

// searched enters how far the search is.
func (j *Journal) searched(e evolve.Event) {
	j.mu.Lock()
	better := e.Mutant != nil && (j.progress.Scored == 0 || e.Best > j.progress.Best)
	if !j.replaying || e.Evaluations > j.progress.Scored {
		j.progress = store.Progress{Generation: e.Generation, Scored: e.Evaluations, Best: e.Best}
	}
	j.mu.Unlock()
	switch {
	case j.Replaying():
	case e.Done:
		g := store.Generation{Number: e.Generation, Seconds: j.clock.Spent().Seconds(), Best: e.Best, Mean: e.Mean, Scored: e.Evaluations}
		j.write(func(run int64) error { return j.store.KeepGeneration(run, g) })
		j.event(store.GenerationEvent, report.GenerationLine(e))
	case better && len(e.Mutant.Edits) > 0:
		j.event(store.BestEvent, report.NewBest(e, result.Describe(e.Mutant.Edits)))
	}
}

// SearchBegan is when the search began, had all its work been done without a
// break until now. The store has it as the end of generation 0.
func (j *Journal) SearchBegan() time.Time {
	if j == nil {
		return time.Now()
	}
	spent := j.clock.Spent().Seconds()
	began := spent
	if j.Replaying() {
		if at, ok := j.generationEnded(0); ok {
			began = at
		}
	} else {
		j.write(func(run int64) error { return j.store.KeepGeneration(run, store.Generation{Seconds: spent}) })
	}
	return time.Now().Add(-Seconds(spent - began))
}

// GenerationAt is how many seconds after the search began a generation ended
// that is only repeated; ok is false if it is not.
func (j *Journal) GenerationAt(number int) (seconds float64, ok bool) {
	if j == nil || !j.Replaying() {
		return 0, false
	}
	began, ok := j.generationEnded(0)
	ended, known := j.generationEnded(number)
	return ended - began, ok && known
}

// generationEnded is the time of work at the end of a generation, in seconds.
func (j *Journal) generationEnded(number int) (seconds float64, ok bool) {
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

// SaveWork takes down the work done so far, to be entered with the time.
func (j *Journal) SaveWork(w result.Work) {
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

// Replaying reports whether all that has happened yet happened before.
func (j *Journal) Replaying() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.replaying
}

// GoLive tells that something happens that did not happen before.
func (j *Journal) GoLive() {
	if j == nil {
		return
	}
	j.clock.Start()
	j.mu.Lock()
	j.replaying = false
	j.mu.Unlock()
}

// End enters the end of a run.
func (j *Journal) End(ctx context.Context, res *result.Result, failure error) {
	if j == nil {
		return
	}
	e := store.End{Status: store.Done, Outcome: string(res.Status), Reason: res.Reason}
	switch {
	case ctx.Err() != nil:
		e.Status = store.Interrupted
	case failure != nil:
		e.Status = store.Failed
	case result.LiveOf(res).Spent:
		e.Status = store.OutOfBudget
	}
	var text bytes.Buffer
	if err := res.Print(&text, false); err == nil {
		e.Report = text.String()
	}
	if data, err := res.JSON(); err == nil {
		e.Result = data
	}
	j.SaveTime()
	j.write(func(run int64) error { return j.store.End(run, e) })
}

// A recorder is an Observer that enters what it is told.
type recorder struct{ journal *Journal }

// Recorder returns an observer that tells another one and enters what it is told.
func (j *Journal) Recorder(o result.Observer) result.Observer {
	if j == nil {
		return o
	}
	return result.Both(o, recorder{j})
}

func (r recorder) Phase(format string, args ...any) {
	r.journal.event(store.PhaseEvent, fmt.Sprintf(format, args...))
}

func (r recorder) Printf(format string, args ...any) {
	r.journal.event(store.LineEvent, fmt.Sprintf(format, args...))
}

func (r recorder) Search(e evolve.Event) { r.journal.searched(e) }

// Going tells that a run goes on. Of a log that goes on it is the first line.
func (j *Journal) Going(o result.Observer, text string) {
	o.Printf("%s", text)
	j.enterEvent(store.LineEvent, text)
}
