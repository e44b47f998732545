package store

import (
	"database/sql"
	"fmt"
	"slices"
	"time"
)

// Kinds of events.
const (
	PhaseEvent      = "phase"
	GenerationEvent = "generation"
	BestEvent       = "best"
	LineEvent       = "line"
)

// An Event is a line of the log.
type Event struct {
	Time    time.Time
	Seconds float64 // of work in the run
	Kind    string
	Text    string
}

// KeepEvent enters an event of a run. A PhaseEvent sets the phase of the run.
func (s *Store) KeepEvent(run int64, e Event) error {
	return keeping("an event", s.transact(func(tx *sql.Tx) error {
		if _, err := tx.Exec("INSERT INTO events (run, time, seconds, kind, text) VALUES (?, ?, ?, ?, ?)", run, stamp(e.Time), e.Seconds, e.Kind, e.Text); err != nil {
			return err
		}
		if e.Kind != PhaseEvent {
			return nil
		}
		_, err := tx.Exec("UPDATE runs SET phase = ? WHERE id = ?", e.Text, run)
		return err
	}))
}

// Events are the last n events of a run, in their order.
func (s *Store) Events(run int64, n int) ([]Event, error) {
	rows, err := s.db.Query("SELECT time, seconds, kind, text FROM events WHERE run = ? ORDER BY id DESC LIMIT ?", run, n)
	if err != nil {
		return nil, fmt.Errorf("read the log from the store: %w", err)
	}
	defer rows.Close()
	var events []Event
	for rows.Next() {
		var e Event
		var at string
		if err := rows.Scan(&at, &e.Seconds, &e.Kind, &e.Text); err != nil {
			return nil, fmt.Errorf("read the log from the store: %w", err)
		}
		if e.Time, err = time.Parse(time.RFC3339Nano, at); err != nil {
			return nil, fmt.Errorf("read the log from the store: %w", err)
		}
		events = append(events, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the log from the store: %w", err)
	}
	slices.Reverse(events)
	return events, nil
}

// A Generation of a run's search, complete.
type Generation struct {
	Number  int     // from 1; 0 stands for the beginning of the search
	Seconds float64 // of work in the run, at its end
	Best    float64 // so far
	Mean    float64
	Scored  int // so far
}

// KeepGeneration enters a complete generation.
func (s *Store) KeepGeneration(run int64, g Generation) error {
	_, err := s.db.Exec("INSERT OR REPLACE INTO generations VALUES (?, ?, ?, ?, ?, ?)", run, g.Number, g.Seconds, g.Best, g.Mean, g.Scored)
	return keeping("a generation", err)
}

// Generations are the complete generations of a run, after 0 for the beginning of
// its search.
func (s *Store) Generations(run int64) ([]Generation, error) {
	rows, err := s.db.Query("SELECT number, seconds, best, mean, scored FROM generations WHERE run = ? ORDER BY number", run)
	if err != nil {
		return nil, fmt.Errorf("read the generations from the store: %w", err)
	}
	defer rows.Close()
	var all []Generation
	for rows.Next() {
		var g Generation
		if err := rows.Scan(&g.Number, &g.Seconds, &g.Best, &g.Mean, &g.Scored); err != nil {
			return nil, fmt.Errorf("read the generations from the store: %w", err)
		}
		all = append(all, g)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the generations from the store: %w", err)
	}
	return all, nil
}

// Counts of the records of a run. A fix counts once: as one of Fixes if its
// validation came to its end, as one of Incomplete if something is missing of it.
type Counts struct{ Evaluations, Fixes, Incomplete, Rejected int }

// Counts counts the records of a run.
func (s *Store) Counts(run int64) (c Counts, err error) {
	row := s.db.QueryRow(`SELECT (SELECT count(*) FROM evaluations WHERE run = ?1),
		(SELECT count(*) FROM validations WHERE run = ?1 AND stage = '' AND json_type(record, '$.fix') = 'object' AND coalesce(json_array_length(record, '$.fix.Incomplete'), 0) = 0),
		(SELECT count(*) FROM validations WHERE run = ?1 AND stage = '' AND json_array_length(record, '$.fix.Incomplete') > 0),
		(SELECT count(*) FROM validations WHERE run = ?1 AND stage <> '')`, run)
	if err := row.Scan(&c.Evaluations, &c.Fixes, &c.Incomplete, &c.Rejected); err != nil {
		return c, fmt.Errorf("count in the store: %w", err)
	}
	return c, nil
}
