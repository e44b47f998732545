package validate

import (
	"fmt"
	"strings"
	"time"
)

// A stopwatch tells where the time of a validation goes.
type stopwatch struct {
	began, last time.Time
	laps        []lap // in the order in which their stages first ended
}

// A lap is what a stage has taken; one that is done several times, all in all.
type lap struct {
	stage string
	took  time.Duration
}

// start begins a validation.
func (w *stopwatch) start() {
	w.began = time.Now()
	w.last, w.laps = w.began, nil
}

// lap ends a stage: what has passed since the one before is its.
func (w *stopwatch) lap(stage string) {
	now := time.Now()
	w.add(stage, now.Sub(w.last))
	w.last = now
}

// add adds to what a stage has taken.
func (w *stopwatch) add(stage string, took time.Duration) {
	for i := range w.laps {
		if w.laps[i].stage == stage {
			w.laps[i].took += took
			return
		}
	}
	w.laps = append(w.laps, lap{stage, took})
}

// String lists the stages that took long enough to be told.
func (w *stopwatch) String() string {
	text := fmt.Sprintf("%.1f s", time.Since(w.began).Seconds())
	var parts []string
	for _, l := range w.laps {
		if l.took >= 50*time.Millisecond {
			parts = append(parts, fmt.Sprintf("%s %.1f s", l.stage, l.took.Seconds()))
		}
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}
