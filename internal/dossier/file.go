package dossier

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"mendel/internal/gotool"
)

// Write saves a dossier in an output directory, atomically.
func Write(dir string, d *Dossier) error {
	d.Version = Version
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(d); err != nil {
		return fmt.Errorf("encode the dossier: %w", err)
	}
	if err := gotool.WriteFile(filepath.Join(dir, Name), b.Bytes()); err != nil {
		return fmt.Errorf("save the dossier: %w", err)
	}
	return nil
}

// Read reads the dossier of an output directory. Its error says the way out
// when there is none, or it was written by a newer Mendel.
func Read(dir string) (*Dossier, error) {
	data, err := os.ReadFile(filepath.Join(dir, Name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s has no %s: name the --out directory of a repair that has ended", dir, Name)
	case err != nil:
		return nil, fmt.Errorf("read the dossier: %w", err)
	}
	return Parse(data)
}

// Parse reads a dossier. Indices in it are within what they index.
func Parse(data []byte) (*Dossier, error) {
	d := &Dossier{}
	if err := json.Unmarshal(data, d); err != nil {
		return nil, fmt.Errorf("read the dossier: %w", err)
	}
	if d.Version < 1 || d.Version > Version {
		return nil, fmt.Errorf("the dossier has version %d, this Mendel reads 1 to %d: repair again, or use the Mendel that wrote it", d.Version, Version)
	}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("read the dossier: %w", err)
	}
	return d, nil
}

// check refuses indices that point nowhere, so that reports need not.
func (d *Dossier) check() error {
	for _, t := range d.traces() {
		if err := t.check(); err != nil {
			return err
		}
	}
	for _, f := range d.PartialFixes {
		for _, i := range f.Mends {
			if i < 0 || i >= len(d.Failures) {
				return fmt.Errorf("%s mends failure %d, of %d", f.Patch, i, len(d.Failures))
			}
		}
	}
	return nil
}

// traces are all that there are.
func (d *Dossier) traces() []*Trace {
	var all []*Trace
	for _, f := range d.Failures {
		all = append(all, f.Trace)
	}
	for _, f := range slices.Concat(d.Fixes, d.PartialFixes) {
		all = append(all, f.Replays...)
	}
	for _, p := range d.Partial {
		all = append(all, p.Trace)
	}
	return slices.DeleteFunc(all, func(t *Trace) bool { return t == nil })
}

func (t *Trace) check() error {
	if n := len(t.IDs); n != 0 && n != len(t.Goroutines) {
		return fmt.Errorf("a trace has the numbers of %d goroutines, and %d names", n, len(t.Goroutines))
	}
	goroutine := func(g int) bool { return g >= 0 && g < len(t.Goroutines) }
	row := func(r int) bool { return r >= -1 && r < len(t.Rows) }
	for i, r := range t.Rows {
		if !goroutine(r.G) || !goroutine(r.Starts) || r.Folded < 0 {
			return fmt.Errorf("row %d of a trace is of goroutine %d, starts %d and folds %d, of %d goroutines", i, r.G, r.Starts, r.Folded, len(t.Goroutines))
		}
	}
	for _, b := range t.Bars {
		if !goroutine(b.G) || !row(b.From) || !row(b.To) || b.From < 0 || b.To >= 0 && b.To < b.From {
			return fmt.Errorf("goroutine %d of a trace holds %s from row %d to %d, of %d rows", b.G, b.Lock, b.From, b.To, len(t.Rows))
		}
	}
	if c := t.Cause; c != [2]int{} && (c[0] < 0 || c[1] <= c[0] || !row(c[1])) {
		return fmt.Errorf("what a trace's failure comes of is in row %d and it in row %d, of %d", c[0], c[1], len(t.Rows))
	}
	if !row(t.Conflict[0]) || !row(t.Conflict[1]) {
		return fmt.Errorf("the accesses of a trace are in rows %v, of %d", t.Conflict, len(t.Rows))
	}
	return nil
}
