package store

import (
	"database/sql"
	"errors"
	"fmt"
)

// A FailureRow is one way in which the original fails.
type FailureRow struct {
	Kind, Message, Test, Signature string
	Seen, Runs                     int // noised runs that showed it, of so many
}

// KeepBaseline enters the baseline of a run, as JSON, and the failures of the original.
func (s *Store) KeepBaseline(run int64, baseline []byte, failures []FailureRow) error {
	return keeping("the baseline", s.transact(func(tx *sql.Tx) error {
		if _, err := tx.Exec("UPDATE runs SET baseline = ? WHERE id = ?", string(baseline), run); err != nil {
			return err
		}
		for i, f := range failures {
			_, err := tx.Exec("INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
				run, i+1, f.Kind, f.Message, f.Test, f.Signature, f.Seen, f.Runs)
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

// A Finding is something used concurrently.
type Finding struct{ Kind, Name, Place, Reasons string }

// KeepFindings enters what a run has found, or found more reasons for.
func (s *Store) KeepFindings(run int64, findings []Finding) error {
	return keeping("the findings", s.transact(func(tx *sql.Tx) error {
		for _, f := range findings {
			if _, err := tx.Exec("INSERT OR REPLACE INTO findings VALUES (?, ?, ?, ?, ?)", run, f.Kind, f.Name, f.Place, f.Reasons); err != nil {
				return err
			}
		}
		return nil
	}))
}

// A Mutant is identified by the hash of its source.
type Mutant struct {
	Hash  string
	Words string // its edits
	Edits []byte // JSON
}

func (m Mutant) keep(tx *sql.Tx) error {
	_, err := tx.Exec("INSERT OR IGNORE INTO mutants VALUES (?, ?, ?)", m.Hash, m.Words, string(m.Edits))
	return err
}

// An Evaluation is the score of a mutant.
type Evaluation struct {
	Mutant
	Judging   string  // fingerprint of the source and of the way of judging
	Run       int64   // that made it
	Seconds   float64 // of work in the run
	Score     float64
	Runs      int
	Passes    int
	Verdict   string // of the checker; "": noise decided
	Schedules int
	Refused   string
	Record    []byte // JSON: the whole
}

// KeepEvaluation enters a score, and replaces one that is known.
func (s *Store) KeepEvaluation(e Evaluation) error {
	return keeping("a score", s.transact(func(tx *sql.Tx) error {
		if err := e.Mutant.keep(tx); err != nil {
			return err
		}
		_, err := tx.Exec("INSERT OR REPLACE INTO evaluations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			e.Judging, e.Hash, e.Run, e.Seconds, e.Score, e.Runs, e.Passes, e.Verdict, e.Schedules, e.Refused, string(e.Record))
		return err
	}))
}

// Evaluation finds the record of a mutant's score and the run that made it; ok
// is false if there is none.
func (s *Store) Evaluation(judging, hash string) (record []byte, run int64, ok bool, err error) {
	row := s.db.QueryRow("SELECT record, run FROM evaluations WHERE judging = ? AND hash = ?", judging, hash)
	switch err := row.Scan(&record, &run); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, 0, false, nil
	case err != nil:
		return nil, 0, false, fmt.Errorf("read a score from the store: %w", err)
	}
	return record, run, true, nil
}

// A Validation is the result of the validation of a candidate.
type Validation struct {
	Mutant
	Run     int64
	Seconds float64 // of work in the run
	Stage   string  // that refuted it; "": it is a fix
	Reason  string
	Record  []byte // JSON: the whole
}

// KeepValidation enters the result of the validation of a candidate.
func (s *Store) KeepValidation(v Validation) error {
	return keeping("a validation", s.transact(func(tx *sql.Tx) error {
		if err := v.Mutant.keep(tx); err != nil {
			return err
		}
		_, err := tx.Exec("INSERT OR REPLACE INTO validations VALUES (?, ?, ?, ?, ?, ?)", v.Run, v.Hash, v.Seconds, v.Stage, v.Reason, string(v.Record))
		return err
	}))
}

// Validation finds the record of a candidate of a run; ok is false if there is none.
func (s *Store) Validation(run int64, hash string) (record []byte, ok bool, err error) {
	row := s.db.QueryRow("SELECT record FROM validations WHERE run = ? AND hash = ?", run, hash)
	switch err := row.Scan(&record); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, false, nil
	case err != nil:
		return nil, false, fmt.Errorf("read a validation from the store: %w", err)
	}
	return record, true, nil
}
