package store

import (
	"database/sql"
	_ "embed"
	"fmt"
	"strconv"
)

//go:embed iroots.sql
var irootsSchema string

// An IRoot is what covering knows of one interleaving of a package's tests. What is
// known holds for the source with its fingerprint.
type IRoot struct {
	Idiom   int
	Ends    []byte // JSON: what is done where; names it, with the idiom
	Source  string // fingerprint
	Test    string // that exposed it, or was to
	Exposed bool   // by some run
	Tries   int    // runs that were to force it
	Failed  string // signature of what failed when it was forced last; "": nothing
	Seed    uint64 // of that run
	Late    bool   // goroutines began late in it
	Text    string // for people
}

// IRoots are those of a package that are known, for whatever source.
func (s *Store) IRoots(pkg string) (known []IRoot, err error) {
	rows, err := s.db.Query("SELECT idiom, ends, source, test, exposed, tries, failed, seed, late, text FROM iroots WHERE package = ?", pkg)
	if err != nil {
		return nil, fmt.Errorf("read interleavings from the store: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var r IRoot
		var seed string
		if err := rows.Scan(&r.Idiom, &r.Ends, &r.Source, &r.Test, &r.Exposed, &r.Tries, &r.Failed, &seed, &r.Late, &r.Text); err != nil {
			return nil, fmt.Errorf("read interleavings from the store: %w", err)
		}
		if r.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
			return nil, fmt.Errorf("read interleavings from the store: seed: %w", err)
		}
		known = append(known, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read interleavings from the store: %w", err)
	}
	return known, nil
}

// KeepIRoots enters what is known of interleavings of a package, in place of what was
// known of them, and forgets others.
func (s *Store) KeepIRoots(pkg string, known, others []IRoot) error {
	return keeping("interleavings", s.transact(func(tx *sql.Tx) error {
		for _, r := range others {
			if _, err := tx.Exec("DELETE FROM iroots WHERE package = ? AND idiom = ? AND ends = ?", pkg, r.Idiom, string(r.Ends)); err != nil {
				return err
			}
		}
		for _, r := range known {
			_, err := tx.Exec("INSERT OR REPLACE INTO iroots VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				pkg, r.Idiom, string(r.Ends), r.Source, r.Test, r.Exposed, r.Tries, r.Failed, strconv.FormatUint(r.Seed, 10), r.Late, r.Text)
			if err != nil {
				return err
			}
		}
		return nil
	}))
}
