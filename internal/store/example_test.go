package store_test

import (
	"errors"
	"fmt"
	"log"
	"os"

	"mendel/internal/store"
)

// A process takes the lock, enters a run and keeps a score. A later one reads it.
func Example() {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := keep(dir); err != nil {
		log.Fatal(err)
	}

	s, err := store.Look(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	last, err := s.Last()
	if err != nil {
		log.Fatal(err)
	}
	record, _, known, err := s.Evaluation("judging", "hash")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(last.Package, last.Status)
	fmt.Println(known, string(record))
	// Output:
	// example.com/bank done
	// true {"score":966}
}

func keep(dir string) (err error) {
	lock, err := store.Acquire(dir)
	if err != nil {
		return err // a *store.HeldError: another process writes there
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	s, _, err := store.Open(dir, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()

	run := &store.Run{Package: "example.com/bank", Budget: 28800, Options: []byte("{}")}
	if err := s.Begin(run); err != nil {
		return err
	}
	mutant := store.Mutant{Hash: "hash", Words: "put Transfer under mu", Edits: []byte("[]")}
	err = s.KeepEvaluation(store.Evaluation{
		Mutant:  mutant,
		Judging: "judging", // of the source and of the way of judging
		Run:     run.ID,
		Score:   966,
		Record:  []byte(`{"score":966}`),
	})
	if err != nil {
		return err
	}
	return s.End(run.ID, store.End{Status: store.Done, Outcome: "fixed"})
}
