package report

import (
	"fmt"
	"io"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker"
)

// ReplayOptions say what to write about a replay, and how.
type ReplayOptions struct {
	Replayed  *checker.Replayed
	Recorded  evidence.Failure // that the schedule was kept for
	Same      bool             // it fails as recorded
	Changed   bool             // the source has changed since
	Count     int              // how often it was followed
	Identical int              // of them, identical with the first
	Source    func(file string) []byte
	Width     int
	Color     bool
}

// Replay writes for people what came of following a schedule: the verdict
// first, then the interleaving.
func Replay(w io.Writer, o ReplayOptions) error {
	var b strings.Builder
	color, verdict := o.verdict()
	b.WriteString(painter(o.Color).paint(color, verdict) + "\n")
	tell := func(text string) {
		if text != "" {
			b.WriteString(wrap(oneLine(text), proseWidth(o.Width), "  ", "    "))
		}
	}
	if f := o.Replayed.Failure; f != nil {
		tell(f.Message)
	}
	if !o.Same {
		tell("Recorded: " + o.Recorded.Message)
	}
	if o.Replayed.Diverged != "" {
		tell("Diverged: " + o.Replayed.Diverged)
	}
	if o.Changed {
		tell("The source has changed since the schedule was recorded; mendel check explores the schedules of the present source.")
	} else if !o.Same {
		tell("The source is the same as when the schedule was recorded: the test depends on something that is not part of the schedule, such as the clock, files, or goroutines that are not under control.")
	}
	if o.Count > 1 {
		tell(fmt.Sprintf("%d of %d replays were identical.", o.Identical, o.Count))
	}
	if f := o.Replayed.Failure; f != nil {
		b.WriteString("\n")
		err := Interleaving(&b, InterleavingOptions{
			Kind: f.Kind, Goroutines: f.Goroutines, Trace: f.Trace, Places: f.Places,
			Source: o.Source, Width: o.Width, Color: o.Color,
		})
		if err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// verdict is the first line and its colour.
func (o ReplayOptions) verdict() (color, text string) {
	r := o.Replayed
	test := oneLine(o.Recorded.Test)
	switch {
	case o.Same:
		return red, fmt.Sprintf("failed: %s in %s, as recorded", r.Failure.Kind.Words(), test)
	case r.Failure != nil && r.Diverged != "":
		return red, fmt.Sprintf("failed: %s in %s, but not along the recorded schedule", r.Failure.Kind.Words(), test)
	case r.Failure != nil:
		return red, fmt.Sprintf("failed: %s in %s, another failure than recorded", r.Failure.Kind.Words(), test)
	case r.Diverged != "":
		return yellow, fmt.Sprintf("diverged: %s could not follow the schedule as recorded; nothing failed", test)
	case r.Reason != "":
		return yellow, fmt.Sprintf("inconclusive: %s", oneLine(r.Reason))
	}
	return green, fmt.Sprintf("passed: %s does not fail under this schedule", test)
}
