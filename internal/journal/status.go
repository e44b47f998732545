package journal

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"mendel/internal/result"
	"mendel/internal/store"
)

// shownLines is how much of the log a State has.
const shownLines = 8

// A RunState is what a repair is doing, or how it came to an end.
type RunState string

// Run states.
const (
	Running     RunState = "running"
	Killed      RunState = "killed" // nobody runs it, and it has not come to an end
	Interrupted RunState = "interrupted"
	OutOfBudget RunState = "out-of-budget"
	Errored     RunState = "error"
	Ended       RunState = "ended"
)

// A State is how far the latest repair in an output directory is, or how it
// ended. Seconds are of work, interruptions left out.
type State struct {
	Out         string        `json:"out"`
	RunState    RunState      `json:"condition"`
	PID         int           `json:"pid,omitempty"` // that runs it
	Module      string        `json:"module"`        // directory of go.mod
	Package     string        `json:"package"`
	Run         string        `json:"run,omitempty"`
	Seed        uint64        `json:"seed"`
	Started     time.Time     `json:"started"`
	Ended       time.Time     `json:"ended,omitzero"`
	Resumed     int           `json:"resumed"` // times
	Status      result.Status `json:"status,omitempty"`
	Reason      string        `json:"reason,omitempty"`
	Phase       string        `json:"phase"`
	Generation  int           `json:"generation"`
	Scored      int           `json:"scored"`      // mutants, in the order of the search
	Evaluations int           `json:"evaluations"` // made; others were known, or ran ahead
	Best        float64       `json:"best"`        // score of a mutant, 0 to 1000
	Original    float64       `json:"original"`    // score of the program as it is; 0 before the search
	Fixes       int           `json:"fixes"`       // validated to the end
	Incomplete  int           `json:"incomplete"`  // fixes that are not
	Rejected    int           `json:"rejected"`    // candidates
	Spent       float64       `json:"spentSeconds"`
	Budget      float64       `json:"budgetSeconds"`
	Left        float64       `json:"leftSeconds"`
	Lines       []LogLine     `json:"lines"` // the last of the log
}

// A LogLine is a line of a repair's log.
type LogLine struct {
	Time time.Time `json:"time"`
	Text string    `json:"text"`
}

// ReadState reads how far the repair in an output directory is. It disturbs
// nobody. The error says so when there is none.
func ReadState(out string) (*State, error) {
	holder, held, err := store.Held(out)
	if err != nil {
		return nil, err
	}
	s, err := store.Look(out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nothingIn(out, held)
	}
	if err != nil {
		return nil, err
	}
	defer s.Close()
	run, err := s.Last()
	if err != nil {
		return nil, err
	}
	if run == nil {
		return nil, nothingIn(out, held)
	}
	state := stateOf(out, run, held)
	if held {
		state.PID = holder.PID
	}
	return state, state.read(s, run.ID, run.Result)
}

// nothingIn says that no repair has been entered in a directory.
func nothingIn(out string, held bool) error {
	if held {
		return fmt.Errorf("the repair in %s is only beginning", out)
	}
	if below, _ := filepath.Glob(filepath.Join(out, "*", store.Name)); len(below) > 0 {
		for i := range below {
			below[i] = filepath.Dir(below[i])
		}
		return fmt.Errorf("%s holds the repairs of several packages or failures: name one of %s", out, strings.Join(below, ", "))
	}
	return fmt.Errorf("%s holds no repair: name the --out directory of one", out)
}

func stateOf(out string, run *store.Run, held bool) *State {
	states := map[store.Status]RunState{
		store.Running: Killed, store.Done: Ended, store.OutOfBudget: OutOfBudget,
		store.Interrupted: Interrupted, store.Failed: Errored,
	}
	state := &State{
		Out: out, RunState: states[run.Status], Module: run.Module, Package: run.Package, Run: run.Pattern,
		Started: run.Started, Ended: run.Ended, Resumed: run.Resumed, Status: result.Status(run.Outcome), Reason: run.Reason,
		Phase: run.Phase, Generation: run.Progress.Generation, Scored: run.Progress.Scored, Best: run.Progress.Best,
		Spent: run.Seconds, Budget: run.Budget, Left: max(0, run.Budget-run.Seconds),
	}
	if held && run.Status == store.Running {
		state.RunState = Running
	}
	var o Options
	if json.Unmarshal(run.Options, &o) == nil {
		state.Seed = o.Seed
	}
	var w result.Work
	if json.Unmarshal(run.Work, &w) == nil {
		state.Original = w.Search.Original
	}
	return state
}

// read completes a state by what was made and the end of the log. Made is the
// run's result as JSON; empty if it has none yet.
func (s *State) read(from *store.Store, run int64, made []byte) error {
	counts, err := from.Counts(run)
	if err != nil {
		return err
	}
	s.Evaluations, s.Fixes, s.Incomplete, s.Rejected = counts.Evaluations, counts.Fixes, counts.Incomplete, counts.Rejected
	s.count(made)
	events, err := from.Events(run, shownLines)
	if err != nil {
		return err
	}
	s.Lines = make([]LogLine, len(events))
	for i, e := range events {
		s.Lines[i] = LogLine{e.Time, e.Text}
	}
	return nil
}

// count counts the fixes of a run that has ended, as its result and its reports
// have them: the store keeps only the validations that were not interrupted.
func (s *State) count(made []byte) {
	var r result.Result
	if s.RunState == Running || s.RunState == Killed || json.Unmarshal(made, &r) != nil {
		return
	}
	s.Fixes, s.Incomplete = 0, 0
	for _, f := range r.Fixes {
		if len(f.Incomplete) > 0 {
			s.Incomplete++
		} else {
			s.Fixes++
		}
	}
}

// JSON is the state for machines.
func (s *State) JSON() ([]byte, error) { return result.Indent(s) }

// LeftOf is the time left of a new whole budget, or of its own if that is 0.
func (s *State) LeftOf(budget time.Duration) time.Duration {
	return cmp.Or(budget, Seconds(s.Budget)) - Seconds(s.Spent)
}

// Print writes the state for people.
func (s *State) Print(w io.Writer) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	what := s.Package
	if s.Run != "" {
		what += ", tests matching " + s.Run
	}
	line("repair", "%s, seed %d", what, s.Seed)
	began := s.Started.Local().Format(time.DateTime)
	if s.Resumed > 0 {
		began += fmt.Sprintf(", resumed %d times", s.Resumed)
	}
	line("started", "%s", began)
	line("state", "%s", s.words())
	if s.Phase != "" && s.RunState != Ended {
		line("phase", "%s", s.Phase)
	}
	if s.Scored > 0 {
		line("search", "generation %d, best score %.0f of 1000 (the original: %.0f), %d mutants evaluated", s.Generation, s.Best, s.Original, s.Evaluations)
	}
	found := fmt.Sprintf("validated fixes: %d", s.Fixes)
	if s.Incomplete > 0 {
		found += fmt.Sprintf(", fixes whose validation is incomplete: %d", s.Incomplete)
	}
	line("found", "%s, rejected candidates: %d", found, s.Rejected)
	line("time", "%s of %s spent, %s left", short(s.Spent), short(s.Budget), short(s.Left))
	if s.Reason != "" {
		line("reason", "%s", s.Reason)
	}
	b.WriteString("\n")
	for _, l := range s.Lines {
		fmt.Fprintf(&b, "%s  %s\n", l.Time.Local().Format(time.TimeOnly), l.Text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// words says what a repair is doing, or what can be done with it.
func (s *State) words() string {
	resume := "mendel repair --resume " + s.Out
	switch s.RunState {
	case Running:
		return fmt.Sprintf("running (process %d)", s.PID)
	case Killed:
		return "killed; go on with: " + resume
	case Interrupted:
		return "interrupted; go on with: " + resume
	case OutOfBudget:
		return fmt.Sprintf("ended when its budget was spent: %s; go on with: %s --budget TIME", s.Status, resume)
	case Errored:
		return "ended with an error; try again with: " + resume
	}
	return fmt.Sprintf("ended: %s", s.Status)
}

func short(s float64) string { return Seconds(s).Round(time.Second).String() }
