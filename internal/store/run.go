package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// A Status is the state of a run.
type Status string

// Statuses.
const (
	Running     Status = "running" // or killed: then nobody holds the lock
	Done        Status = "done"
	OutOfBudget Status = "out-of-budget"
	Interrupted Status = "interrupted"
	Failed      Status = "error" // what was to be run could not be
)

// A Run is one repair, however often it was resumed. JSON is as the caller gave it,
// nil if it gave none.
type Run struct {
	ID       int64
	Started  time.Time
	Ended    time.Time // zero: it runs, or was killed
	PID      int
	Status   Status
	Outcome  string // as in result.json
	Reason   string
	Fresh    bool
	Resumed  int     // times
	Budget   float64 // seconds
	Seconds  float64 // spent so far
	Phase    string
	Progress Progress
	Module   string // directory of go.mod
	Package  string
	Pattern  string // of the tests
	Go       string // version
	Mendel   string // version
	Options  []byte // JSON
	Source   []byte // JSON
	Work     []byte // JSON
	Baseline []byte // JSON
	Result   []byte // JSON
	Report   string
}

// Progress is how far the search of a run has come.
type Progress struct {
	Generation int
	Scored     int     // mutants
	Best       float64 // score of these
}

// Begin enters a run and sets its ID, Status and, where it is zero, Started.
func (s *Store) Begin(r *Run) error {
	r.Status = Running
	if r.Started.IsZero() {
		r.Started = time.Now()
	}
	done, err := s.db.Exec(`INSERT INTO runs (started, pid, status, fresh, budget, module, package, pattern, go, mendel, options, source)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		stamp(r.Started), r.PID, r.Status, r.Fresh, r.Budget, r.Module, r.Package, r.Pattern, r.Go, r.Mendel, string(r.Options), string(r.Source))
	if err == nil {
		r.ID, err = done.LastInsertId()
	}
	return keeping("the run", err)
}

// Resume enters that a process resumes a run, within a budget in seconds.
func (s *Store) Resume(r *Run, pid int, budget float64) error {
	r.PID, r.Budget, r.Status, r.Ended = pid, budget, Running, time.Time{}
	r.Resumed++
	_, err := s.db.Exec("UPDATE runs SET pid = ?, budget = ?, status = ?, ended = NULL, resumed = ? WHERE id = ?",
		r.PID, r.Budget, r.Status, r.Resumed, r.ID)
	return keeping("the run", err)
}

// Beat enters what a run has spent and how far it is.
func (s *Store) Beat(run int64, seconds float64, p Progress, work []byte) error {
	_, err := s.db.Exec("UPDATE runs SET seconds = ?, generation = ?, scored = ?, best = ?, work = ? WHERE id = ?",
		seconds, p.Generation, p.Scored, p.Best, string(work), run)
	return keeping("the time spent", err)
}

// An End is how a run ended.
type End struct {
	Status  Status
	Outcome string
	Reason  string
	Result  []byte // JSON
	Report  string
}

// End enters the end of a run.
func (s *Store) End(run int64, e End) error {
	_, err := s.db.Exec("UPDATE runs SET ended = ?, status = ?, outcome = ?, reason = ?, result = ?, report = ? WHERE id = ?",
		stamp(time.Now()), e.Status, e.Outcome, e.Reason, string(e.Result), e.Report, run)
	return keeping("the end", err)
}

// Last is the run to resume: the latest one, without those that ended with an error
// before there was a baseline. It is nil if there is none.
func (s *Store) Last() (*Run, error) {
	row := s.db.QueryRow(`SELECT id, started, coalesce(ended, ''), pid, status, outcome, reason, fresh, resumed, budget, seconds,
		phase, generation, scored, best, module, package, pattern, go, mendel, options, source, work, baseline, result, report
		FROM runs ORDER BY (status <> 'error' OR baseline <> '') DESC, id DESC LIMIT 1`)
	var r Run
	var started, ended string
	err := row.Scan(&r.ID, &started, &ended, &r.PID, &r.Status, &r.Outcome, &r.Reason, &r.Fresh, &r.Resumed, &r.Budget, &r.Seconds,
		&r.Phase, &r.Progress.Generation, &r.Progress.Scored, &r.Progress.Best, &r.Module, &r.Package, &r.Pattern, &r.Go, &r.Mendel,
		&r.Options, &r.Source, &r.Work, &r.Baseline, &r.Result, &r.Report)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err == nil {
		r.Started, err = time.Parse(time.RFC3339Nano, started)
	}
	if err == nil && ended != "" {
		r.Ended, err = time.Parse(time.RFC3339Nano, ended)
	}
	if err != nil {
		return nil, fmt.Errorf("read the latest run from the store: %w", err)
	}
	return &r, nil
}

// stamp is a wall-clock time as it is stored: in UTC, and sorted by its text.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// keeping words an error of writing.
func keeping(what string, err error) error {
	if err != nil {
		return fmt.Errorf("keep %s in the store: %w", what, err)
	}
	return nil
}
