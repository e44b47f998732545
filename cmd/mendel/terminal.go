package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"mendel"
	"mendel/internal/report"
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

// progress is a progress display with its ticker.
type progress struct {
	*report.Progress
	ticker *time.Ticker
}

// How often the live line is redrawn, and a log looked at for whether it is
// time to show that the work goes on.
const (
	redrawEvery = 200 * time.Millisecond
	lookEvery   = 10 * time.Second
)

// newProgress shows progress on a stream: one live line on a terminal, a log
// elsewhere. With budget 0 it does not say how much time is left.
func newProgress(w io.Writer, budget time.Duration) *progress {
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
	p.Progress = report.NewProgress(o)
	return p
}

// Close ends the display.
func (p *progress) Close() {
	p.Progress.Close()
	p.ticker.Stop()
}

// printResult prints a result as text or JSON.
func printResult(w io.Writer, result *mendel.Result, asJSON, color bool) error {
	if !asJSON {
		return result.Print(w, color)
	}
	data, err := result.JSON()
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
