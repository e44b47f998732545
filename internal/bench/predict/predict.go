package predict

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
)

// Options say what to measure, and how long.
type Options struct {
	Dir     string        // of the subjects
	Only    []string      // subjects; none: all
	Limit   time.Duration // of each package; positive
	Out     string        // directory of predict.json and predict.md; "": print only
	Command string        // to type, for the report
}

// Run measures and prints the table. Interrupted, it prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) error {
	if o.Limit <= 0 {
		return errors.New("--budget must be positive")
	}
	subjects, err := subject.Read(o.Dir, o.Only)
	if err != nil {
		return err
	}
	machine, version, err := tables.Begin(ctx, subjects[0].Dir, o.Out)
	if err != nil {
		return err
	}
	r := &report{Machine: machine, Mendel: version, Limit: o.Limit.String()}
	broken := r.measure(ctx, subjects, o.Limit, stderr)
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "predict", Command: o.Command}, broken)
}

// measure asks the tests of each subject and of its corrected copy.
func (r *report) measure(ctx context.Context, subjects []subject.Subject, limit time.Duration, log io.Writer) error {
	for _, s := range subjects {
		fmt.Fprintf(log, "%s\n", s.Name)
		buggy, err := ask(ctx, s.Dir, limit)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		mended, err := ask(ctx, s.Corrected(), limit)
		if err != nil {
			return fmt.Errorf("%s, corrected: %w", s.Name, err)
		}
		r.Subjects = append(r.Subjects, &outcome{Name: s.Name, Kind: s.Kind, Buggy: buggy, Mended: mended})
	}
	return nil
}

// ask asks the tests in one directory.
func ask(ctx context.Context, dir string, limit time.Duration) (a answer, err error) {
	p, err := programs.Instrument(ctx, dir, ".", 1)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	r, err := p.Check(ctx, checker.Search{Strategy: "predict", Budget: limit})
	if err != nil {
		return a, err
	}
	return answerOf(r), nil
}

// answerOf sums up a report.
func answerOf(r *checker.Report) answer {
	a := answer{Schedules: r.Schedules, Seconds: r.Seconds}
	foretold := map[string]bool{}
	for _, t := range r.Tests {
		if t.Verdict == explore.Inconclusive {
			a.Unknown = append(a.Unknown, t.Name+": "+t.Reason)
		}
		if t.Predicted == nil || t.Predicted.Windows == 0 {
			continue
		}
		a.Runs++
		a.Steps = max(a.Steps, t.Predicted.Steps)
		for _, p := range t.Predicted.Predictions {
			switch p.Outcome {
			case explore.Confirmed:
				a.Confirmed++
				foretold[t.Name] = true
			case explore.Refuted:
				a.Refuted++
			case explore.Undecided:
				a.Undecided++
			}
		}
	}
	for _, f := range r.Failures {
		if foretold[f.Test] {
			a.Foretold = append(a.Foretold, string(f.Kind))
		} else {
			a.Plain = append(a.Plain, string(f.Kind))
		}
	}
	return a
}
