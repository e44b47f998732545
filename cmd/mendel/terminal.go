package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"mendel/internal/overrun"
	"mendel/internal/report"
	"mendel/internal/result"
)

// isTerminal reports whether a stream is shown to a person.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// wantColor decides on colour by the flag and, for "auto", the stream and NO_COLOR.
func wantColor(flag string, w io.Writer) (bool, error) {
	switch flag {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return isTerminal(w) && os.Getenv("NO_COLOR") == "", nil
	}
	return false, fmt.Errorf("--color %s: want auto, always or never", flag)
}

// progress is where a command tells how far it is: a display with its ticker, events,
// or both.
type progress struct {
	result.Observer
	display *report.Progress // nil: none
	ticker  *time.Ticker
}

// How often the live line is redrawn, and a log looked at for whether it is
// time to show that the work goes on.
const (
	redrawEvery = 200 * time.Millisecond
	lookEvery   = 10 * time.Second
)

// newProgress shows progress on a stream: one live line on a terminal, a log
// elsewhere. With budget 0 it does not say how much time is left. What it is told
// goes to the command's events, too.
func newProgress(ctx context.Context, w io.Writer, budget time.Duration) *progress {
	t := tellingOf(ctx)
	if t != nil && t.alone {
		return &progress{Observer: t}
	}
	o := report.ProgressOptions{Out: w, Terminal: isTerminal(w)}
	if budget > 0 {
		o.Deadline = time.Now().Add(budget)
	}
	p := &progress{}
	every := lookEvery
	if o.Terminal {
		every = redrawEvery
		o.Width = func() int {
			width, _, err := term.GetSize(int(w.(*os.File).Fd()))
			if err != nil {
				return 80
			}
			return width
		}
	}
	p.ticker = time.NewTicker(every)
	o.Ticks = p.ticker.C
	p.display = report.NewProgress(o)
	p.Observer = p.display
	if t != nil {
		p.Observer = result.Both(p.display, t)
	}
	if w := overrun.Of(ctx); w != nil {
		p.Observer = result.Both(p.Observer, overrunning{w, result.Silent{}})
	}
	return p
}

// overrunning tells the watchdog alone what is being done.
type overrunning struct {
	*overrun.Watchdog
	result.Silent
}

// Phase says what is being done now.
func (o overrunning) Phase(format string, args ...any) { o.Watchdog.Phase(format, args...) }

// Close ends the display.
func (p *progress) Close() {
	if p.display != nil {
		p.display.Close()
		p.ticker.Stop()
	}
}
