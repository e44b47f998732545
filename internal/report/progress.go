package report

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"mendel/evolve"
)

// ProgressOptions say where and how progress is shown.
type ProgressOptions struct {
	Out      io.Writer
	Terminal bool             // one live line; else a log, see progresslog.go
	Width    func() int       // of the terminal in columns; nil: 80
	Now      func() time.Time // nil: time.Now
	Deadline time.Time        // end of the budget; zero: none
	// Ticks redraw the live line, and let a log show from time to time that the
	// work goes on; nil: only events do.
	Ticks <-chan time.Time
}

// clearLine goes to the line's start and erases it.
const clearLine = "\r\x1b[K"

// Progress shows how far a repair is. It is safe for concurrent use. What it
// cannot write is lost: progress is no result.
type Progress struct {
	o    ProgressOptions
	quit chan struct{}
	idle chan struct{} // closed when the ticking goroutine has ended

	mu          sync.Mutex
	closed      bool
	live        bool // the live line is on the screen
	log         logState
	phase       string
	since       time.Time // start of the phase
	searching   time.Time // of the first event of the search; zero: none yet
	of          string    // Event.Of of the last one
	generation  int
	evaluations int
	scored      bool // best holds a score
	best        float64
	original    float64 // score; 0: not known
}

// NewProgress starts showing progress; Close ends it.
func NewProgress(o ProgressOptions) *Progress {
	if o.Width == nil {
		o.Width = func() int { return 80 }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	p := &Progress{o: o, quit: make(chan struct{}), idle: make(chan struct{})}
	if o.Ticks == nil {
		close(p.idle)
		return p
	}
	go p.tick()
	return p
}

// tick redraws, or lets the log show that the work goes on, until Close.
func (p *Progress) tick() {
	defer close(p.idle)
	for {
		select {
		case <-p.quit:
			return
		case _, ok := <-p.o.Ticks:
			if !ok {
				return
			}
			p.mu.Lock()
			p.draw()
			p.signOfLife()
			p.mu.Unlock()
		}
	}
}

// Phase says what is being done now: "reproducing the failure".
func (p *Progress) Phase(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.phase = oneLine(fmt.Sprintf(format, args...))
	p.since = p.o.Now()
	if !p.o.Terminal {
		p.print(p.phase)
		return
	}
	p.draw()
}

// Search shows an event of the search; it fits evolve.Options.Observe.
func (p *Progress) Search(e evolve.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.Of != p.of {
		p.of, p.scored, p.searching = e.Of, false, time.Time{} // another search
		p.generation, p.evaluations = 0, 0
	}
	if e.Generation == 0 && e.Mutant == nil { // it has not begun
		return
	}
	if p.searching.IsZero() {
		p.searching = p.o.Now()
	}
	p.generation, p.evaluations = e.Generation, e.Evaluations
	better := !p.scored || e.Best > p.best
	p.best, p.original, p.scored = e.Best, e.Original, true
	switch {
	case p.o.Terminal:
		p.draw()
	case e.Done:
		p.print(about(e) + generationLine(e))
	case better && e.Mutant != nil:
		p.print(about(e) + NewBest(e, editsShort(e.Mutant.Edits)))
	}
}

// Printf prints one line, above the live line if there is one.
func (p *Progress) Printf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.print(strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
	p.draw()
}

// Close removes the live line; nothing is written any more when it returns. It
// may be called twice.
func (p *Progress) Close() {
	p.mu.Lock()
	if !p.closed {
		p.erase()
		p.closed = true
		close(p.quit)
	}
	p.mu.Unlock()
	<-p.idle
}

// print writes a line that stays. p.mu is held, as for all that follow.
func (p *Progress) print(text string) {
	if p.closed {
		return
	}
	p.erase()
	if !p.o.Terminal {
		text = p.stamped(text)
	}
	fmt.Fprintln(p.o.Out, text)
}

func (p *Progress) erase() {
	if p.live && !p.closed {
		io.WriteString(p.o.Out, clearLine)
		p.live = false
	}
}

// draw writes the live line anew.
func (p *Progress) draw() {
	if !p.o.Terminal || p.closed {
		return
	}
	text := p.status()
	if text == "" {
		return
	}
	// The last column stays free: some terminals wrap as soon as it is filled.
	io.WriteString(p.o.Out, clearLine+clip(text, max(p.o.Width()-1, 1)))
	p.live = true
}

// status is the text of the live line: generation, best score, evaluations
// per second and the time left, as far as they are known.
func (p *Progress) status() string {
	now := p.o.Now()
	var parts []string
	if p.generation > 0 {
		parts = append(parts, fmt.Sprintf("generation %d", p.generation), fmt.Sprintf("best %s of 1000", besideOriginal(p.best, p.original)))
		rate := fmt.Sprintf("%d scored", p.evaluations)
		if s := now.Sub(p.searching).Seconds(); s >= 1 {
			rate += fmt.Sprintf(", %.1f/s", float64(p.evaluations)/s)
		}
		parts = append(parts, rate)
	}
	if p.phase != "" {
		parts = append([]string{p.phase}, parts...)
		if p.generation == 0 {
			parts = append(parts, clock(now.Sub(p.since)))
		}
	}
	if len(parts) > 0 && !p.o.Deadline.IsZero() {
		parts = append(parts, clock(p.o.Deadline.Sub(now))+" left")
	}
	return strings.Join(parts, " | ")
}

// clock shows a duration in whole seconds: 0:07, 12:30, 1:02:03. Less than nothing is nothing.
func clock(d time.Duration) string {
	s := int(max(d, 0).Round(time.Second) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// clip cuts text to a number of columns, one for each rune.
func clip(text string, columns int) string {
	if utf8.RuneCountInString(text) <= columns {
		return text
	}
	return string([]rune(text)[:columns-1]) + "~"
}
