package report

import (
	"fmt"
	"strings"
	"time"

	"mendel/evolve"
)

// Where there is no terminal, progress is a log for whoever comes back in the
// morning. Each of its lines begins with the time, the first one and the first
// one of another day with the date before it:
//
//	2026-01-02 23:59:58 generation 7: best 900, mean 512, 196 scored, 88 edits so far
//	2026-01-03 00:00:03 new best 933: lock added at account.go:21
//	00:00:41 validating lock added at account.go:21

// silence is how long a log has no line before it shows that the work goes on.
const silence = 3 * time.Minute

// logState is what a log remembers of its last line.
type logState struct {
	day  string    // of its time stamp; "": there is no line yet
	last time.Time // when it was written
}

// stamped puts the time before each line of a text. p.mu is held.
func (p *Progress) stamped(text string) string {
	now := p.o.Now()
	p.log.last = now
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		stamp := now.Format(time.TimeOnly)
		if day := now.Format(time.DateOnly); day != p.log.day {
			p.log.day = day
			stamp = day + " " + stamp
		}
		lines[i] = strings.TrimRight(stamp+" "+line, " ")
	}
	return strings.Join(lines, "\n")
}

// signOfLife adds a line to a log that has had none for long. p.mu is held.
func (p *Progress) signOfLife() {
	if p.o.Terminal || p.phase == "" {
		return
	}
	now := p.o.Now()
	if now.Sub(p.log.last) < silence {
		return
	}
	text := fmt.Sprintf("still %s, for %s now", p.phase, clock(now.Sub(p.since)))
	if p.generation > 0 {
		text += fmt.Sprintf("; generation %d, best %s, %d scored", p.generation, besideOriginal(p.best, p.original), p.evaluations)
	}
	if !p.o.Deadline.IsZero() {
		text += "; " + clock(p.o.Deadline.Sub(now)) + " left"
	}
	p.print(text)
}

// about names the search that an event is of, where there are several.
func about(e evolve.Event) string {
	if e.Of == "" {
		return ""
	}
	return oneLine(e.Of) + ": "
}

// besideOriginal words the best score of a mutant: with that of the original where
// that is better, which would be taken for a step forward otherwise.
func besideOriginal(best, original float64) string {
	if best >= original {
		return fmt.Sprintf("%.0f", best)
	}
	return fmt.Sprintf("%.0f (the original %.0f)", best, original)
}

// NewBest tells of a mutant, by its edits in words, that is better than all before
// it, and how the original scores.
func NewBest(e evolve.Event, edits string) string {
	text := fmt.Sprintf("new best %.0f: %s", e.Best, edits)
	if e.Original > 0 {
		text += fmt.Sprintf("; the original scores %.0f", e.Original)
	}
	return text
}

// GenerationLine describes a complete generation.
func GenerationLine(e evolve.Event) string {
	return fmt.Sprintf("generation %d: best %s, mean %.0f, %d scored", e.Generation, besideOriginal(e.Best, e.Original), e.Mean, e.Evaluations)
}

// generationLine is GenerationLine with the size of the space.
func generationLine(e evolve.Event) string {
	text := GenerationLine(e)
	if e.Edits > 0 {
		text += fmt.Sprintf(", %d edits so far", e.Edits)
	}
	return text
}
