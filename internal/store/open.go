package store

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Name of the database in an output directory.
const Name = "mendel.db"

// Schema is the version of the tables. A file with a later one is refused.
const Schema = 1

// application marks the file as Mendel's ("Mndl").
const application = 0x4d6e646c

//go:embed schema.sql
var schema string

// A Store is the database of an output directory. It is safe for concurrent use.
type Store struct{ db *sql.DB }

// errDamaged is of a file that SQLite cannot read.
var errDamaged = errors.New("it is damaged")

// Open opens the database of a directory, or makes one. The caller holds the
// directory's lock. With aside a damaged one is renamed to
// mendel.db.damaged-<n>, and moved is its new name; otherwise it is an error.
func Open(dir string, aside bool) (s *Store, moved string, err error) {
	name := filepath.Join(dir, Name)
	s, err = open(name)
	if aside && errors.Is(err, errDamaged) {
		if moved, err = moveAside(name); err != nil {
			return nil, "", err
		}
		s, err = open(name)
	}
	if err != nil {
		return nil, "", err
	}
	return s, moved, nil
}

// Look opens the database of a directory for reading, also while another process
// writes. The error is fs.ErrNotExist if there is none.
func Look(dir string) (*Store, error) {
	name := filepath.Join(dir, Name)
	if _, err := os.Stat(name); err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	s, err := connect(name, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)"}})
	if err != nil {
		return nil, err
	}
	known, err := s.version()
	if err == nil && known == 0 {
		err = fmt.Errorf("open the store: %w: nothing has been kept yet", fs.ErrNotExist)
	}
	if err != nil {
		return nil, errors.Join(reading(name, err), s.Close())
	}
	return s, nil
}

// Exists reports whether a directory has a database, in whatever state.
func Exists(dir string) bool {
	if dir == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(dir, Name))
	return err == nil
}

// Close closes the database. It may be called on nil.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close the store: %w", err)
	}
	return nil
}

// open opens a database to be written, and makes its tables if they are missing.
func open(name string) (*Store, error) {
	s, err := connect(name, url.Values{"_pragma": {
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)",
	}})
	if err != nil {
		return nil, err
	}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(reading(name, err), s.Close())
	}
	return s, nil
}

// connect opens a database with one connection.
func connect(name string, query url.Values) (*Store, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	path := filepath.ToSlash(abs)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	db.SetMaxOpenConns(1)
	return &Store{db}, nil
}

// reading describes what is wrong with a database, with the way out.
func reading(name string, err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			err = fmt.Errorf("%w (%w)", errDamaged, err)
		}
	}
	if errors.Is(err, errDamaged) {
		return fmt.Errorf("open the store %s: %w; --fresh moves it aside and begins another, or choose another directory with --out", name, err)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("open the store %s: %w; choose another directory with --out, or remove the file", name, err)
}

// prepare checks a database and makes the tables of an empty one.
func (s *Store) prepare() error {
	known, err := s.version()
	if err != nil {
		return err
	}
	var sound string
	if err := s.db.QueryRow("PRAGMA quick_check(1)").Scan(&sound); err != nil {
		return err
	}
	if sound != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, sound)
	}
	// A transaction that writes nothing shows whether one could.
	return s.transact(func(tx *sql.Tx) error {
		if known == Schema {
			_, err := tx.Exec("UPDATE runs SET status = status WHERE id = -1;" + irootsSchema)
			return err
		}
		if _, err := tx.Exec(schema + irootsSchema); err != nil {
			return err
		}
		_, err := tx.Exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", application, Schema))
		return err
	})
}

// version is that of the tables, 0 in an empty database; any other than Schema is refused.
func (s *Store) version() (int, error) {
	var tables, owner, version int
	row := s.db.QueryRow("SELECT (SELECT count(*) FROM sqlite_schema), (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version)")
	if err := row.Scan(&tables, &owner, &version); err != nil {
		return 0, err
	}
	switch {
	case tables == 0:
		return 0, nil
	case owner != application:
		return 0, errors.New("it is the database of another program")
	case version != Schema:
		return 0, fmt.Errorf("its tables have version %d, this Mendel knows version %d only: use the Mendel that wrote it", version, Schema)
	}
	return version, nil
}

// moveAside renames a damaged database and what belongs to it.
func moveAside(name string) (string, error) {
	for n := 1; ; n++ {
		to := fmt.Sprintf("%s.damaged-%d", name, n)
		if _, err := os.Lstat(to); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("move the damaged store aside: %w", err)
		}
		for _, suffix := range []string{"-wal", "-shm", ""} {
			if err := os.Rename(name+suffix, to+suffix); err != nil && !(suffix != "" && errors.Is(err, fs.ErrNotExist)) {
				return "", fmt.Errorf("move the damaged store aside: %w; remove it, or choose another directory with --out", err)
			}
		}
		return to, nil
	}
}

// transact runs f in one transaction.
func (s *Store) transact(f func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
