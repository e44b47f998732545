package trial

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"mendel"
)

// Moments are when a repair came how far, in seconds since its beginning. 0: it
// did not come so far, or that is not known.
type Moments struct {
	FullScore float64 `json:"fullScore,omitempty"` // the first mutant with a full score
	Fix       float64 `json:"fix,omitempty"`       // the first validated fix
}

// Validation is the time from the first full score to the first validated fix, in
// seconds; ok is false if one of them is not known.
func (m Moments) Validation() (seconds float64, ok bool) {
	return m.Fix - m.FullScore, m.FullScore > 0 && m.Fix >= m.FullScore
}

const (
	fullScore = 1000    // of a mutant
	fixLine   = "fix: " // begins what a repair says of a validated fix
)

// momentsIn reads the moments from a result.
func momentsIn(r *mendel.Result) Moments {
	m := Moments{FullScore: r.Search.FullScoreSeconds}
	for _, f := range r.Fixes {
		if len(f.Incomplete) == 0 && f.ValidatedSeconds > 0 && (m.Fix == 0 || f.ValidatedSeconds < m.Fix) {
			m.Fix = f.ValidatedSeconds
		}
	}
	return m
}

// logLine is a line of the log of mendel repair.
var logLine = regexp.MustCompile(`(?m)^(?:\d{4}-\d\d-\d\d )?(\d\d:\d\d:\d\d) (.*)$`)

// momentsOf reads the moments, to the second, from the log of a repair of a version
// whose results do not tell. It lasts less than a day.
func momentsOf(log []byte) Moments {
	var m Moments
	var start time.Time
	for i, line := range logLine.FindAllStringSubmatch(string(log), -1) {
		at, err := time.Parse(time.TimeOnly, line[1])
		if err != nil {
			continue
		}
		if i == 0 {
			start = at
		}
		if at.Before(start) {
			at = at.Add(24 * time.Hour) // after midnight
		}
		seconds := at.Sub(start).Seconds()
		switch text := line[2]; {
		case strings.HasPrefix(text, fmt.Sprintf("new best %d:", fullScore)) && m.FullScore == 0:
			m.FullScore = seconds
		case strings.HasPrefix(text, fixLine) && m.Fix == 0:
			m.Fix = seconds
		}
	}
	return m
}
