package report

import (
	"fmt"
	"strings"

	"mendel/checker/sched/explore"
)

// predictions lists, by test, what one run foretold.
func (c checkText) predictions() {
	for _, t := range c.Report.Tests {
		if t.Predicted != nil && t.Predicted.Windows > 0 {
			c.predicted(t.Name, t.Predicted)
		}
	}
}

// outcomes are words for the outcomes of predictions, in the order in which they are told.
var outcomes = []struct {
	outcome explore.Outcome
	word    string
}{{explore.Confirmed, "confirmed"}, {explore.Refuted, "refuted"}, {explore.Undecided, "not decided"}}

func (c checkText) predicted(test string, p *explore.Predicted) {
	numbers := []string{}
	for _, o := range outcomes {
		numbers = append(numbers, fmt.Sprintf("%d %s", number(p, o.outcome), o.word))
	}
	c.line("", "")
	c.line("", painter(c.Color).paint(bold, fmt.Sprintf("predicted from one run of %s (%s): %s", oneLine(test), count(p.Steps, "step"), strings.Join(numbers, ", "))))
	for _, o := range outcomes {
		for _, q := range p.Predictions {
			if q.Outcome == o.outcome {
				c.paragraph("  ", c.prediction(o.word, &q))
			}
		}
	}
	if p.Windows > 1 {
		c.paragraph("  ", fmt.Sprintf("Of the run, %s at a time are looked at together: what is further apart than half of that may not be seen, what is further apart than all of it is not. Deadlocks of other than locks are looked for in runs up to that length only.", count(p.Window, "step")))
	}
	if !p.Whole {
		c.paragraph("  ", "There was not enough time to ask all of it; --budget gives it more.")
	}
	if p.Doubt != "" {
		c.paragraph("  ", "Not all of the test is followed: "+p.Doubt+".")
	}
}

func number(p *explore.Predicted, o explore.Outcome) (n int) {
	for _, q := range p.Predictions {
		if q.Outcome == o {
			n++
		}
	}
	return n
}

// prediction is one in a line.
func (c checkText) prediction(word string, q *explore.Prediction) string {
	var at []string
	for _, p := range q.Places {
		text := p.What
		if p.File != "" {
			text += fmt.Sprintf(" at %s:%d", relativeTo(c.Module, p.File), p.Line)
		}
		if p.Goroutine != "" {
			text += " by " + p.Goroutine
		}
		at = append(at, text)
	}
	text := fmt.Sprintf("%s: %s: %s", word, q.Kind, strings.Join(at, ", "))
	if q.Outcome == explore.Undecided {
		text += ": " + q.Reason
	}
	return text
}
