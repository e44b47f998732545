package seeded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"mendel"
	"mendel/internal/bench/fault"
	"mendel/internal/bench/tables"
)

// What is asked of localisation: the fault among so many first places, in so large a
// part of the variants.
const (
	firstPlaces = 3
	firstShare  = 0.9
)

// A found is what localize makes of a variant.
type found struct {
	Fault   map[string][]int `json:"fault"` // lines by file; see fault.Lines
	Status  string           `json:"status"`
	Name    string           `json:"name,omitempty"` // of the first fault
	Places  []string         `json:"places,omitempty"`
	Rank    int              `json:"rank"` // of the first place in the fault; 0: none is
	Seconds float64          `json:"seconds"`
	Problem string           `json:"problem,omitempty"`
}

// first reports whether the fault is among the first places.
func (f *found) first() bool { return f.Rank > 0 && f.Rank <= firstPlaces }

// localise ranks the places of a variant of the library in a directory, by the test
// that notices the fault.
func (e *evaluation) localise(ctx context.Context, v *variant, original string) (err error) {
	faulty, remove, err := e.faulty(ctx, v, original)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	at := filepath.FromSlash(v.Package)
	f := &found{}
	if f.Fault, err = fault.Lines(filepath.Join(faulty, at), filepath.Join(original, at)); err != nil {
		return err
	}
	r, err := mendel.Localize(ctx, mendel.LocalizeOptions{
		Dir: faulty, Package: "./" + v.Package, Run: v.noticing(), Seed: e.o.Seed, Workers: e.o.Workers,
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		f.Status, f.Problem = "error", err.Error()
	default:
		f.rank(r)
	}
	v.Found = f
	return nil
}

// rank takes down where the fault is in a result.
func (f *found) rank(r *mendel.LocalizeResult) {
	f.Status, f.Seconds = string(r.Status), r.Seconds
	if len(r.Faults) > 0 {
		f.Name = string(r.Faults[0].Name)
	}
	for _, p := range r.Places {
		f.Places = append(f.Places, fmt.Sprintf("%s:%d", p.File, p.Line))
		if f.Rank == 0 && slices.Contains(f.Fault[filepath.Base(p.File)], p.Line) {
			f.Rank = p.Rank
		}
	}
}

// line says in a line where the fault is.
func (f *found) line() string {
	if f.Problem != "" {
		return tables.FirstLine(f.Problem)
	}
	return fmt.Sprintf("%s, %s: rank %d of %d (%s) in %.1f s", f.Status, f.Name, f.Rank, len(f.Places), strings.Join(f.head(), " "), f.Seconds)
}

// head are the first places.
func (f *found) head() []string { return f.Places[:min(firstPlaces, len(f.Places))] }

// cells are the rank of the fault and the first places.
func (f *found) cells() []string {
	switch {
	case f == nil:
		return []string{"-", "-"}
	case f.Problem != "":
		return []string{"no", tables.FirstLine(f.Problem)}
	case f.Rank == 0:
		return []string{"no", strings.Join(f.head(), " ")}
	}
	return []string{fmt.Sprint(f.Rank), strings.Join(f.head(), " ")}
}

// localised counts the variants that were localised, and those whose fault is among
// the first places.
func (r *report) localised() (variants, first int, seconds []float64) {
	for _, l := range r.Libraries {
		for _, v := range l.Variants {
			if v.Found == nil {
				continue
			}
			variants++
			seconds = append(seconds, v.Found.Seconds)
			if v.Found.first() {
				first++
			}
		}
	}
	return variants, first, seconds
}

// writeFound sums up the localisation.
func (r *report) writeFound(w io.Writer) error {
	variants, first, seconds := r.localised()
	if variants == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\nThe fault is among the first %d places in %d of %d variants, found in %.1f s on average.\n", firstPlaces, first, variants, tables.Mean(seconds))
	return err
}
