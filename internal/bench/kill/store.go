package kill

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver

	"mendel/internal/gotool"
)

// scores are what the store of a repair holds at one time. They are read without
// the store's own code, which is under test.
type scores struct {
	runs        int
	phase       string            // the first word of what the latest run does
	evaluations map[string]string // the whole row of each mutant
}

// missing counts the scores that are not among those at a later time, and those
// that were made again since.
func (s scores) missing(later map[string]string) (lost, repeated int) {
	for mutant, row := range s.evaluations {
		switch again, ok := later[mutant]; {
		case !ok:
			lost++
		case again != row:
			repeated++
		}
	}
	return lost, repeated
}

// storeName is the file of the store in an output directory.
const storeName = "mendel.db"

// readScores reads the store in an output directory. It reads a copy, because
// even reading completes what a killed process has left. Without a store there
// are no scores; a damaged store is an error.
func readScores(out string) (s scores, err error) {
	s.evaluations = map[string]string{}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(filepath.Join(out, storeName+suffix))
		if errors.Is(err, fs.ErrNotExist) {
			if suffix == "" {
				return s, nil
			}
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, storeName+suffix), data, 0o600)
		}
		if err != nil {
			return s, fmt.Errorf("copy the store: %w", err)
		}
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, storeName))}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return s, fmt.Errorf("open the store: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return s, s.read(db)
}

// read checks a store and reads it.
func (s *scores) read(db *sql.DB) error {
	var verdict string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil {
		return fmt.Errorf("check the store: %w", err)
	}
	if verdict != "ok" {
		return fmt.Errorf("the store is damaged: %s", verdict)
	}
	var tables int
	if err := db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name IN ('runs', 'evaluations')").Scan(&tables); err != nil {
		return fmt.Errorf("read the store: %w", err)
	}
	if tables < 2 {
		return nil // killed before it had been made
	}
	err := db.QueryRow(`SELECT count(*), coalesce((SELECT substr(phase, 1, instr(phase || ' ', ' ') - 1) FROM runs ORDER BY id DESC LIMIT 1), '') FROM runs`).Scan(&s.runs, &s.phase)
	if err != nil {
		return fmt.Errorf("read the runs in the store: %w", err)
	}
	rows, err := db.Query("SELECT judging || ' ' || hash, run || ' ' || seconds || ' ' || score || ' ' || record FROM evaluations")
	if err != nil {
		return fmt.Errorf("read the scores in the store: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var mutant, row string
		if err := rows.Scan(&mutant, &row); err != nil {
			return fmt.Errorf("read the scores in the store: %w", err)
		}
		s.evaluations[mutant] = row
	}
	return rows.Err()
}
